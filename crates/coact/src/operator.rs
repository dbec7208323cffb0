//! The operator process: files, previews and the web server, and the link to a robot.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use link::udp::{ChannelAddress, UdpNode};
use link::{KeyFile, LinkConfig, Security, Side};
use replica::Peer;
use server::{Folder, Nowhere, Outbox, OutboxFolder, Server, Setup, Tokens};

use crate::mesh_args::{self, Kept, MeshArgs};
use crate::out::{self, Done, SUCCESS, Stop, complain};
use crate::robot_args::RobotArgs;

#[derive(clap::Args)]
pub struct Args {
    /// Where the robot process listens, as `192.168.1.4:4440`, or in a mesh the robot's name. May be given several
    /// times: each robot has a page of its own.
    #[arg(long, value_name = "ADDR", required = true)]
    connect: Vec<String>,
    /// The keys of this machine and of the robots, in the order of --connect; needed beyond this machine.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Where the page and the API are served; those of a second robot on the next port, and so on.
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
    /// The folder for edits that the robot does not have yet: they outlive this process. Default: `.coact/operator` in
    /// the folder of behaviors.
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    #[command(flatten)]
    mesh: MeshArgs,
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
    let mut serving = Vec::new();
    for (index, robot) in args.connect.iter().enumerate() {
        let (node, kept) = connect(args, index)?;
        let server = serve(args, node, index)?;
        out::print(&format!("operator for the robot at {robot}: http://{}\n", server.address()))?;
        serving.push((server, kept));
    }
    wait_for(&ended);
    Ok(SUCCESS)
}

/// One robot's page.
fn serve(args: &Args, node: UdpNode, index: usize) -> Result<Server, Stop> {
    let choice = RobotArgs::named(args.robot.clone()).choice()?;
    let peer = peer("operator")?;
    let setup = Setup {
        outbox: outbox(args, &args.connect[index], peer.number),
        registry: nodes::registry(),
        store: Box::new(Folder::new(&args.folder)),
        tokens: args.tokens.as_deref().map(Tokens::load).transpose().map_err(anyhow::Error::from)?.unwrap_or_default(),
        peer,
        library: server::empty("behavior.json"),
        robot: choice.named(),
        has_link: true,
        simulated: false,
    };
    let mut listen = args.listen;
    if listen.port() != 0 {
        let port = usize::from(listen.port()) + index;
        listen.set_port(u16::try_from(port).map_err(|_| anyhow!("--listen {listen}: no port is left for each robot"))?);
    }
    Ok(Server::start(setup, Some(node), listen).map_err(anyhow::Error::from)?)
}

/// Where edits for this robot wait. A folder that cannot be written is said and done without.
fn outbox(args: &Args, robot: &str, number: u64) -> Box<dyn Outbox> {
    let state = args.state.clone().unwrap_or_else(|| args.folder.join(".coact/operator"));
    let safe = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '_' };
    let folder = state.join(robot.chars().map(safe).collect::<String>().trim_start_matches('.'));
    match OutboxFolder::open(&folder, number) {
        Ok(folder) => Box::new(folder),
        Err(error) => {
            let path = folder.display();
            complain(&format!("coact: {path}: {error}; edits that the robot does not have yet end with this process"));
            Box::new(Nowhere(number))
        }
    }
}

/// A number that no other process has had.
pub fn peer(name: &str) -> Result<Peer> {
    let random = link::random().map_err(|error| anyhow!("the operating system gives no randomness: {error}"))?;
    let (first, _) = random.split_first_chunk::<8>().expect("32 bytes are more than 8");
    Ok(Peer { number: u64::from_le_bytes(*first) | 1, name: name.into() })
}

fn connect(args: &Args, index: usize) -> Result<(UdpNode, Option<Kept>)> {
    let name = &args.connect[index];
    let (robot, kept) = if args.mesh.is_asked() {
        let (address, kept) = mesh_args::find_robot(&args.mesh, args.keys.is_some(), name)?;
        (address, Some(kept))
    } else {
        let address = name.to_socket_addrs().with_context(|| format!("--connect {name}"))?.next();
        (address.ok_or_else(|| anyhow!("--connect {name}: there is no such address"))?, None)
    };
    let security = match &args.keys {
        None => Security::Open,
        Some(path) => {
            let keys = KeyFile::load(path)?;
            let (there, wanted) = (keys.allowed.len(), args.connect.len());
            if there != wanted {
                anyhow::bail!(
                    "{}: it allows {there} keys; it must allow one for each of {wanted} robots, in the order of --connect",
                    path.display()
                );
            }
            keys.security_towards(keys.allowed[index].key)
        }
    };
    Ok((link_to(robot, security, args.mode)?, kept))
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
