//! The operator process: files, previews and the web server, and the link to a robot.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow};
use link::udp::{ChannelAddress, UdpNode};
use link::{KeyFile, LinkConfig, Security, Side};
use onboard::LinkMode;
use protocol::report::PACKING;
use replica::Peer;
use server::{Folder, Nowhere, Outbox, OutboxFolder, Recordings, ServeError, Server, Setup, Tokens};

use crate::logging::LogArgs;
use crate::mesh_args::{self, Kept, MeshArgs};
use crate::out::{self, Done, FAILED, SUCCESS, Stop, complain};
use crate::record::RecordArgs;
use crate::resume;
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
    /// What the network to the robot carries, as the robot process was told: wide is a LAN, narrow 9,600 bit/s each way,
    /// finals the same with bursts of a fast channel from the robot.
    #[arg(long, value_name = "MODE", default_value = "wide")]
    #[arg(value_parser = |word: &str| LinkMode::from_word(word).ok_or("wide, narrow or finals"))]
    mode: LinkMode,
    /// Mode finals: the robot's end of the fast channel, as in the robot's settings.
    #[arg(long, value_name = "ADDR")]
    bursts_from: Option<SocketAddr>,
    /// Mode finals: this machine's end of the fast channel, as in the robot's settings.
    #[arg(long, value_name = "ADDR")]
    bursts_to: Option<SocketAddr>,
    /// Megabytes that may go over the link, both ways; what is left of them is shown.
    #[arg(long, value_name = "MB", value_parser = megabytes)]
    budget: Option<u64>,
    /// The robot, where it is none of our own: its folder or its robot.json.
    #[arg(long, value_name = "ROBOT")]
    robot: Option<String>,
    /// The folder for edits that the robot does not have yet: they outlive this process. Default: `.coact/operator` in
    /// the folder of behaviors.
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    #[command(flatten)]
    mesh: MeshArgs,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    log: LogArgs,
}

/// What the network carries, with the ends of a second channel where there is one.
#[derive(Clone, Copy)]
pub enum Line {
    Wide,
    Narrow,
    Finals { bursts_from: SocketAddr, bursts_to: SocketAddr },
}

fn megabytes(text: &str) -> Result<u64, String> {
    let number: f64 = text.parse().map_err(|_| "write a number of megabytes".to_owned())?;
    if number > 0.0 && number < 1e9 { Ok((number * 1e6) as u64) } else { Err("must be above 0".to_owned()) }
}

fn line(args: &Args) -> Result<Line> {
    match (args.mode, args.bursts_from, args.bursts_to) {
        (LinkMode::Wide, None, None) => Ok(Line::Wide),
        (LinkMode::Narrow, None, None) => Ok(Line::Narrow),
        (LinkMode::Finals, Some(bursts_from), Some(bursts_to)) if args.connect.len() == 1 => {
            Ok(Line::Finals { bursts_from, bursts_to })
        }
        (LinkMode::Finals, Some(_), Some(_)) => {
            anyhow::bail!("--mode finals has one fast channel: start an operator process for each robot")
        }
        (LinkMode::Finals, ..) => anyhow::bail!(
            "--mode finals has a second channel: say --bursts-from and --bursts-to, each ADDRESS:PORT, as in the robot's settings"
        ),
        (LinkMode::Wide | LinkMode::Narrow, ..) => {
            anyhow::bail!("--bursts-from and --bursts-to are for --mode finals")
        }
    }
}

pub fn run(args: &Args) -> Done {
    args.log.begin()?;
    let ended = crate::run::on_interrupt()?;
    let mut serving = Vec::new();
    for (index, robot) in args.connect.iter().enumerate() {
        let (node, kept) = connect(args, index)?;
        let server = serve(args, node, index)?;
        out::print(&format!("operator for the robot at {robot}: http://{}\n", server.address()))?;
        serving.push((server, kept));
    }
    Ok(wait_for(&ended, || false, || serving.iter().any(|(server, _)| server.has_failed())))
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
        scenes: Vec::new(),
        budget_bytes: args.budget,
        narrow: matches!(args.mode, LinkMode::Narrow),
        recordings: args.record.folder().map(|folder| Recordings::new(folder).with_simulator(resume::simulate())),
        trials: crate::demo::trials_in(args.folder.as_ref()),
        workshop: None,
        meshes: crate::robot_args::kept_meshes(),
    };
    let mut listen = args.listen;
    if listen.port() != 0 {
        let port = usize::from(listen.port()) + index;
        listen.set_port(u16::try_from(port).map_err(|_| anyhow!("--listen {listen}: no port is left for each robot"))?);
    }
    Ok(Server::start(setup, Some(node), listen).map_err(|error| not_served(error, "--listen"))?)
}

/// With what to do about a port that is taken; `option` is what chooses it.
pub fn not_served(error: ServeError, option: &str) -> anyhow::Error {
    let ServeError::Bind(at, why) = &error else { return error.into() };
    let port = at.port();
    let of = |port: u16| if option == "--port" { port.to_string() } else { format!("{}:{port}", at.ip()) };
    match why.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "port {port} is taken, perhaps by Coact itself: open http://{at} to see, end what runs there, or take another \
             port with {option} {} ({option} {} finds a free one)",
            of(port.checked_add(1).unwrap_or(8420)),
            of(0),
        ),
        ErrorKind::PermissionDenied => {
            anyhow!("port {port} is not for everybody ({why}): take one above 1023 with {option} {}", of(8420))
        }
        _ => error.into(),
    }
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
    Ok((link_to(robot, security, line(args)?)?, kept))
}

pub fn link_to(robot: SocketAddr, security: Security, line: Line) -> Result<UdpNode> {
    let config = match line {
        Line::Wide => LinkConfig::wide(Side::Connects, security, [0; 32]),
        Line::Narrow => LinkConfig::narrow(Side::Connects, security, [0; 32]),
        Line::Finals { .. } => LinkConfig::finals(Side::Connects, security, [0; 32]),
    };
    let here = match robot.ip() {
        ip if ip.is_loopback() => ip,
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    };
    let mut addresses = vec![ChannelAddress { local: SocketAddr::new(here, 0), peer: Some(robot) }];
    if let Line::Finals { bursts_from, bursts_to } = line {
        addresses.push(ChannelAddress { local: bursts_to, peer: Some(bursts_from) });
    }
    Ok(UdpNode::new(config.packed(PACKING), &addresses)?)
}

/// Until somebody presses Ctrl-C, or it is over; gives the exit code. A page that looks alive over a part that has failed would be worse
/// than none: then the process ends, and whoever watches it starts it again.
pub fn wait_for(ended: &AtomicBool, is_over: impl Fn() -> bool, has_failed: impl Fn() -> bool) -> u8 {
    while !ended.load(Ordering::Relaxed) && !is_over() {
        if has_failed() {
            complain("coact: a part of the operator process failed, by a fault of the program: start it again");
            return FAILED;
        }
        #[expect(clippy::disallowed_methods, reason = "nothing is to be done here until somebody wants an end")]
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    SUCCESS
}

#[cfg(test)]
#[path = "operator_tests.rs"]
mod tests;
