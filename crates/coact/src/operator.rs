//! The operator process: files, previews and the web server, and the link to a robot.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use link::udp::{ChannelAddress, UdpNode};
use link::{KeyFile, LinkConfig, Security, Side};
use replica::Peer;
use server::{Folder, Server, Setup, Tokens};

use crate::out::{self, Done, SUCCESS};
use crate::robot_args::RobotArgs;

#[derive(clap::Args)]
pub struct Args {
    /// Where the robot process listens, as `192.168.1.4:4440`.
    #[arg(long, value_name = "ADDR")]
    connect: String,
    /// The keys of this machine and of the robot; needed beyond this machine.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Where the page and the API are served.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8420")]
    listen: SocketAddr,
    /// The folder of behaviors.
    #[arg(long, value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// People who may connect, a line each: SHA-256 of their token, role, name. Without it, only this machine.
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// What the network to the robot carries.
    #[arg(long, value_name = "MODE", default_value = "wide")]
    mode: LinkMode,
    /// The robot, where it is none of our own: its folder or its robot.json.
    #[arg(long, value_name = "ROBOT")]
    robot: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum LinkMode {
    /// A LAN.
    Wide,
    /// 9,600 bit/s each way.
    Narrow,
}

pub fn run(args: &Args) -> Done {
    let ended = crate::run::on_interrupt()?;
    let node = connect(args)?;
    let choice = RobotArgs::named(args.robot.clone()).choice()?;
    let setup = Setup {
        registry: nodes::registry(),
        store: Box::new(Folder::new(&args.folder)),
        tokens: args.tokens.as_deref().map(Tokens::load).transpose().map_err(anyhow::Error::from)?.unwrap_or_default(),
        peer: peer("operator")?,
        library: server::empty("behavior.json"),
        robot: choice.named(),
        has_link: true,
        simulated: false,
    };
    let server = Server::start(setup, Some(node), args.listen).map_err(anyhow::Error::from)?;
    out::print(&format!("operator for the robot at {}: http://{}\n", args.connect, server.address()))?;
    wait_for(&ended);
    drop(server);
    Ok(SUCCESS)
}

/// A number that no other process has had.
pub fn peer(name: &str) -> Result<Peer> {
    let random = link::random().map_err(|error| anyhow!("the operating system gives no randomness: {error}"))?;
    let (first, _) = random.split_first_chunk::<8>().expect("32 bytes are more than 8");
    Ok(Peer { number: u64::from_le_bytes(*first) | 1, name: name.into() })
}

fn connect(args: &Args) -> Result<UdpNode> {
    let robot = args.connect.to_socket_addrs().with_context(|| format!("--connect {}", args.connect))?.next();
    let robot = robot.ok_or_else(|| anyhow!("--connect {}: there is no such address", args.connect))?;
    let security = match &args.keys {
        None => Security::Open,
        Some(path) => {
            let keys = KeyFile::load(path)?;
            match &keys.allowed[..] {
                [only] => keys.security_towards(only.key),
                _ => anyhow::bail!("{}: it must allow one key, that of the robot", path.display()),
            }
        }
    };
    link_to(robot, security, args.mode)
}

pub fn link_to(robot: SocketAddr, security: Security, mode: LinkMode) -> Result<UdpNode> {
    let config = match mode {
        LinkMode::Wide => LinkConfig::wide(Side::Connects, security, [0; 32]),
        LinkMode::Narrow => LinkConfig::narrow(Side::Connects, security, [0; 32]),
    };
    let here = match robot.ip() {
        ip if ip.is_loopback() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    };
    let address = ChannelAddress { local: SocketAddr::new(here, 0), peer: Some(robot) };
    Ok(UdpNode::new(config, &[address])?)
}

/// Until somebody presses Ctrl-C.
pub fn wait_for(ended: &Arc<std::sync::atomic::AtomicBool>) {
    while !ended.load(std::sync::atomic::Ordering::Relaxed) {
        #[expect(clippy::disallowed_methods, reason = "nothing is to be done here until somebody wants an end")]
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}
