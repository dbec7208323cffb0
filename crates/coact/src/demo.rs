//! Robot and operator in one process, for newcomers: one command, one address.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use anyhow::anyhow;
use link::Security;
use model::Beside;
use model::file::{Disk, Files, load};
use onboard::{Able, Config, ServeError};
use server::{Folder, Nowhere, Recordings, Server, Setup, Tokens, Trials, Workshop};

use crate::browser;
use crate::demo_scenes::{DOOR, DOOR_ROBOT, DOOR_WORLD, WALK, lay_out, scenes};
use crate::logging::LogArgs;
use crate::operator::{Line, link_to, not_served, peer, wait_for};
use crate::out::{self, Done, Stop, complain};
use crate::record::RecordArgs;
use crate::resume;
use crate::robot_args::{RobotArgs, kept_meshes};
use crate::robot_process::{self, Begun, Planned};

#[derive(clap::Args)]
pub struct Args {
    /// The behavior to begin with; files are those of the folder it was started in. Without it, an example in the folder
    /// `coact-demo`.
    file: Option<PathBuf>,
    /// The port of the page on this machine; 0 takes a free one.
    #[arg(long, value_name = "PORT", default_value_t = 8420)]
    port: u16,
    /// A world with physics to run in: the name of a built-in one, a world file, or an MJCF file (.xml).
    #[arg(long, value_name = "WORLD")]
    world: Option<String>,
    /// Only print the address. The browser is opened on a terminal with a display alone, never from a script.
    #[arg(long)]
    no_browser: bool,
    #[command(flatten)]
    robot: RobotArgs,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    log: LogArgs,
}

pub fn run(args: &Args) -> Done {
    args.log.begin()?;
    let ended = crate::run::on_interrupt()?;
    let mut robot = args.robot.clone();
    // The page of the robot before finds the next one at the same address.
    let mut port = None;
    loop {
        match serve(args, &robot, &mut port, &ended)? {
            Next::End(code) => return Ok(code),
            Next::Robot(file) => {
                out::print(&format!("beginning anew with the robot of {}\n", file.display()))?;
                robot = robot.of(file.display().to_string());
            }
        }
    }
}

/// What comes after a demo.
enum Next {
    End(u8),
    /// Another one, with the robot of this file.
    Robot(PathBuf),
}

fn serve(args: &Args, robot_args: &RobotArgs, port: &mut Option<u16>, interrupted: &AtomicBool) -> Result<Next, Stop> {
    let registry = nodes::registry();
    let (folder, file, world) = begin(args, robot_args)?;
    let robot = robot_args.choice_or_default()?.any_robot();
    // Those who brought a file of their own want that one.
    let offered = if args.file.is_none() { scenes(missing().as_deref(), &robot.name) } else { Vec::new() };
    let trials = trials_in(&folder);
    let store = Folder::new(&folder);
    let loaded = load(&file, &store, registry.catalogue()).map_err(|problem| anyhow!("{problem}"))?;
    let capabilities = Some(sound(robot_process::capabilities_in(&folder.display().to_string())));
    let config = Config { world, capabilities, listen: Some("127.0.0.1:0".to_owned()), ..Config::default() };
    let beside = Beside::gather(&loaded.library, &store).map_err(|problem| anyhow!("{problem}"))?;
    let begun = Begun { library: loaded.library.clone(), beside };
    let planned = robot_process::plan(&config, (robot_args, &args.record), true, Some(begun))?;
    let ended = Arc::new(AtomicBool::new(false));
    let running = Running::start(planned, &ended)?;
    let peer = peer("demo")?;
    let setup = Setup {
        outbox: Box::new(Nowhere(peer.number)),
        registry,
        store: Box::new(store),
        tokens: Tokens::default(),
        peer,
        library: loaded.library,
        workshop: robot_args.written().and_then(|written| Workshop::of(&robot, written)),
        robot: Some(robot),
        meshes: kept_meshes(),
        has_link: true,
        simulated: true,
        scenes: offered,
        budget_bytes: None,
        narrow: false,
        recordings: args.record.folder().map(|folder| Recordings::new(folder).with_simulator(resume::simulate())),
        trials,
    };
    let node = link_to(running.address, Security::Open, Line::Wide)?;
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(args.port)));
    let server = Server::start(setup, Some(node), listen).map_err(|error| not_served(error, "--port"))?;
    let is_first = port.replace(server.address().port()).is_none();
    let address = format!("http://{}", server.address());
    out::print(&format!("open {address} and press Ctrl-C here to end\n"))?;
    if is_first && !args.no_browser {
        browser::open(&address);
    }
    let is_over = || interrupted.load(Ordering::Relaxed) || server.wanted_robot().is_some();
    let code = wait_for(&ended, is_over, || server.has_failed());
    ended.store(true, Ordering::Relaxed);
    let wanted = server.wanted_robot().filter(|_| !interrupted.load(Ordering::Relaxed));
    drop(server);
    running.end()?;
    Ok(wanted.map_or(Next::End(code), Next::Robot))
}

/// A demo goes on without files that it cannot use.
fn sound(files: Vec<String>) -> Vec<String> {
    let is_sound = |file: &String| {
        let problems = match Disk.read(file) {
            Ok(text) => Able::read(file, &text, &Disk).err().unwrap_or_default(),
            Err(_) => return false,
        };
        problems.iter().for_each(|problem| complain(&problem.to_string()));
        problems.is_empty()
    };
    files.into_iter().filter(is_sound).collect()
}

/// Suites below a folder, run by this program.
pub fn trials_in(folder: &Path) -> Option<Trials> {
    Some(Trials::new(std::env::current_exe().ok()?, std::path::absolute(folder).ok()?))
}

/// The robot process, as a thread of this one.
struct Running {
    address: SocketAddr,
    thread: JoinHandle<Result<(), ServeError>>,
}

impl Running {
    fn start(planned: Planned, ended: &Arc<AtomicBool>) -> anyhow::Result<Running> {
        let (ready, address) = std::sync::mpsc::channel();
        let until = Arc::clone(ended);
        let serve = move || {
            // Nobody hears it only when the process is about to end.
            let served = onboard::serve(planned.plan, &until, |address| {
                let _ = ready.send(address);
            });
            // A robot that is gone is the end of the demo.
            until.store(true, Ordering::Relaxed);
            served
        };
        let thread = std::thread::Builder::new().name("robot".to_owned()).spawn(serve)?;
        match address.recv() {
            Ok(address) => Ok(Running { address, thread }),
            Err(_) => {
                joined(thread)?;
                Err(anyhow!("the robot ended before it began"))
            }
        }
    }

    fn end(self) -> anyhow::Result<()> {
        joined(self.thread)
    }
}

fn joined(thread: JoinHandle<Result<(), ServeError>>) -> anyhow::Result<()> {
    Ok(thread.join().map_err(|_| anyhow!("the robot process failed"))??)
}

/// What the worlds of the demo lack on this machine.
fn missing() -> Option<String> {
    sim::PhysicsWorld::ready().err().map(|why| why.to_string())
}

/// Told before anything else: whoever came for the door must not take what they see for it.
fn without_physics(why: &str) -> String {
    format!(
        "THIS IS NOT THE DEMO BEFORE THE DOOR: MuJoCo, which the door needs, is not here.\n  Shown instead: a robot without \
         weight that walks and moves its arms, in no world.\n  To see the door: {why}\n  Then start `coact demo` again.\n"
    )
}

/// The folder to work in, the file to begin with and the world to be in. Without a file, an example in a folder of its
/// own: a door, where there is physics and nothing else was asked for.
fn begin(args: &Args, robot: &RobotArgs) -> anyhow::Result<(PathBuf, String, Option<String>)> {
    let world = args.world.clone();
    let Some(file) = &args.file else {
        let folder = PathBuf::from("coact-demo");
        lay_out(&folder)?;
        let wants_door = world.as_deref().is_none_or(|world| world == DOOR_WORLD)
            && robot.is_left_open_or(DOOR_ROBOT)
            && robot.playback().is_none();
        if !wants_door {
            return Ok((folder, WALK.to_owned(), world));
        }
        return Ok(match missing() {
            None => (folder, DOOR.to_owned(), Some(DOOR_WORLD.to_owned())),
            Some(why) => {
                if world.is_none() {
                    complain(&without_physics(&why));
                }
                (folder, WALK.to_owned(), world)
            }
        });
    };
    let text = file.to_str().ok_or_else(|| anyhow!("{}: the name is not UTF-8", file.display()))?;
    let folded = model::file::join("", &text.replace('\\', "/"));
    // Skills may lie beside the folder of the file: all of the folder that one is in can be worked with.
    if file.is_relative() && !folded.starts_with("..") {
        return Ok((PathBuf::from("."), folded, world));
    }
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| anyhow!("{} is no file", file.display()))?;
    Ok((file.parent().unwrap_or(Path::new("/")).to_owned(), name.to_owned(), world))
}
