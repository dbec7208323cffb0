//! `coact robot`: the half that is on board.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use anyhow::{Context, anyhow};
use engine::Registry;
use link::udp::ChannelAddress;
use link::{KeyFile, LinkConfig, Security, Side};
use model::file::{Disk, Files};
use model::{Beside, Library};
use onboard::{Able, Config, Desk, Kept, LinkMode, RobotProcess, Runner, Settings, Shared, Store};
use protocol::talk::{Sent, Update};
use replica::Peer;
use site::{Jobs, Memory, Site};

use crate::experience_folder::{self, ExperienceFolder};
use crate::files::{self, Known, Once};
use crate::logging::LogArgs;
use crate::mesh_args::{self, MeshArgs};
use crate::out::{self, Done, SUCCESS, Stop, complain};
use crate::record::{self, RecordArgs};
use crate::robot_args::{self, RobotArgs};
use crate::run::on_interrupt;
use crate::shipped;
use crate::site_parts::SiteParts;

#[derive(clap::Args)]
pub struct Args {
    /// The settings, as JSON; what is given here beside them counts more.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What people call this robot.
    #[arg(long)]
    name: Option<String>,
    /// The behavior it starts with, when it has none from before.
    #[arg(long, value_name = "FILE")]
    behavior: Option<String>,
    /// What the robot is able to do, for goals that operators name; may be given several times. Default: the files of the
    /// folder `capabilities` here, else those that came with the program.
    #[arg(long, value_name = "FILE")]
    capabilities: Vec<String>,
    /// A world with physics to be in: the name of a built-in one, a world file, or an MJCF file (.xml).
    #[arg(long, value_name = "WORLD")]
    world: Option<String>,
    /// Where it listens. Beyond this machine it needs --keys.
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// How the link is paced: wide, narrow or finals.
    #[arg(long, value_parser = |word: &str| LinkMode::from_word(word).ok_or("wide, narrow or finals"))]
    mode: Option<LinkMode>,
    /// Its secret key and who may connect; `coact keys` makes one.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// The folder for what outlives the process: the tree, the audit trail. Without it nothing does.
    #[arg(long, value_name = "FOLDER")]
    state: Option<PathBuf>,
    /// Ticks a second, from 10 to 1000.
    #[arg(long, value_name = "HZ", value_parser = rate)]
    rate: Option<f64>,
    /// Start with the configured behavior, whatever the tree was before; that is put aside.
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    mesh: MeshArgs,
    #[command(flatten)]
    robot: RobotArgs,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    log: LogArgs,
}

fn rate(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "write a number in Hz".to_owned())?;
    if (10.0..=1000.0).contains(&number) { Ok(number) } else { Err("must be from 10 to 1000 Hz".to_owned()) }
}

pub fn run(args: &Args) -> Done {
    args.log.begin()?;
    let config = config(args)?;
    let Planned { plan, name, file } = plan(&config, (&args.robot, &args.record), args.fresh, None)?;
    let ended = on_interrupt()?;
    let mut in_mesh = Ok(None);
    let ready = |address: SocketAddr| {
        if args.mesh.is_asked() {
            in_mesh = mesh_args::offer_robot(&args.mesh, config.keys.is_some(), &name, address).map(Some);
            // A robot that nobody can reach is no use: better said at once than looked for.
            ended.store(in_mesh.is_err(), Ordering::Relaxed);
        }
        // Whoever started it and left does not need the line; the robot runs all the same.
        drop(out::print(&format!("robot {name} with {file} at {address}\n")));
    };
    onboard::serve(plan, &ended, ready).map_err(anyhow::Error::from)?;
    in_mesh?;
    Ok(SUCCESS)
}

/// A robot process that is ready to begin.
pub struct Planned {
    pub plan: RobotProcess,
    pub name: String,
    /// The behavior it begins with.
    pub file: Arc<str>,
}

/// A behavior to begin with.
pub struct Begun {
    pub library: Library,
    /// The cell and the templates that lie beside it.
    pub beside: Beside,
}

/// `library`: what to begin with instead of the configured behavior.
pub fn plan(
    config: &Config,
    (robot, record): (&RobotArgs, &RecordArgs),
    fresh: bool,
    library: Option<Begun>,
) -> Result<Planned, Stop> {
    let registry = nodes::registry();
    let (link, addresses, allowed) = link_of(config)?;
    let mut store = config.state.as_deref().map(Store::open).transpose().map_err(anyhow::Error::from)?;
    let mut kept = store.as_mut().map(|store| kept(store, fresh)).unwrap_or_default();
    let peer =
        Peer { number: random_number()?, name: config.name.clone().unwrap_or_else(|| "robot".to_owned()).into() };
    let choice = robot.with_robot(config.robot.clone()).choice_or_default()?;
    let tree = kept.tree.take().map(|tree| (tree, std::mem::take(&mut kept.edits)));
    let shared = match tree.and_then(|(tree, edits)| reopened(store.as_ref(), (&tree, &edits), &peer)) {
        Some(shared) => shared,
        None => first(config, library, &choice, peer.clone())?,
    };
    let (robot_args, robot) = (robot.clone(), choice.any_robot());
    let name = config.name.clone().unwrap_or_else(|| robot.name.clone());
    let mut settings = Settings::new(&name, &robot.name, peer, &link).map_err(anyhow::Error::from)?;
    settings.allowed = allowed;
    settings.able = able(config.capabilities.as_deref())?;
    // So is a scripted one.
    settings.simulated = true;
    settings.when_lost = config.when_operator_lost.unwrap_or_default();
    let ns = |seconds: f64| (seconds * 1e9) as u64;
    settings.hold_manual_after_ns = config.hold_manual_after_s.map_or(settings.hold_manual_after_ns, ns);
    settings.free_control_after_ns = config.free_control_after_s.map_or(settings.free_control_after_ns, ns);
    settings.check_robot(&link, robot.model.coordinates().len()).map_err(|why| anyhow!("robot {name}: {why}"))?;
    let (library, beside) = (shared.library().clone(), shared.beside().cloned());
    let file = Arc::clone(&library.main().file);
    settings.resets = true;
    let first_world = world(config.world.as_deref())?;
    let parts = SiteParts::new(&robot_args, choice, Some(robot), first_world, Arc::clone(&registry))?;
    let experience = config.state.as_ref().map(|state| state.join(experience_folder::NAME));
    let (folder, rate_hz) = (record.folder(), config.rate_hz.unwrap_or(100.0));
    let plan = RobotProcess {
        desk: Desk::new(settings, shared, kept.marks.unwrap_or_default()),
        link,
        addresses,
        rate_hz,
        store,
        runner: Box::new(move || {
            let mut site = parts.site(0, Jobs::beside()).map_err(|error| format!("{error:#}"))?;
            site.remember_in(remembered(experience.as_deref())?);
            let mut runner = Runner::with_beside(library, beside.as_deref(), registry, site)?;
            let parts = Rc::new(RefCell::new(parts));
            if let Some(folder) = folder {
                runner.show_to(record::each_engine(folder, Rc::clone(&parts), rate_hz));
            }
            runner.reset_with(Box::new(move |world| {
                let mut site = anew(&mut parts.borrow_mut(), world)?;
                site.remember_in(remembered(experience.as_deref())?);
                Ok(site)
            }));
            Ok(runner)
        }),
    };
    Ok(Planned { plan, name, file })
}

/// What the robot is able to do: of files that were named, each must be sound.
fn able(named: Option<&[String]>) -> Result<Vec<Able>, Stop> {
    let read = |file: &str| -> anyhow::Result<Able> {
        let text = Disk.read(file).map_err(|error| anyhow!("--capabilities {file}: {error}"))?;
        Able::read(file, &text, &Disk).map_err(|problems| {
            problems.iter().for_each(|problem| complain(&problem.to_string()));
            anyhow!("--capabilities {file} has {}: mend it first", out::count(problems.len(), "error"))
        })
    };
    if let Some(files) = named {
        return files.iter().map(|file| read(file).map_err(Stop::from)).collect();
    }
    let mut files = capabilities_in("");
    if files.is_empty() {
        files = shipped::folder().map(|folder| capabilities_in(&folder.display().to_string())).unwrap_or_default();
    }
    // Nobody has asked for these: the robot does without.
    Ok(files.iter().filter_map(|file| read(file).map_err(|why| complain(&format!("coact: {why}"))).ok()).collect())
}

/// The capabilities that lie in a folder of behaviors.
pub fn capabilities_in(folder: &str) -> Vec<String> {
    let folder = if folder.is_empty() { "capabilities".to_owned() } else { format!("{folder}/capabilities") };
    let names = Disk.names_in(&folder).into_iter().filter(|name| name.ends_with(".json"));
    names.map(|name| format!("{folder}/{name}")).collect()
}

/// A robot that keeps no state on disk learns for as long as an engine lives.
fn remembered(folder: Option<&Path>) -> Result<Option<Box<dyn Memory>>, String> {
    ExperienceFolder::of_run(folder, folder).map_err(|error| format!("{error:#}"))
}

/// The surroundings as they were at first, or in another world.
fn anew(parts: &mut SiteParts, world: Option<&str>) -> Result<Site, String> {
    let before = parts.world.clone();
    if let Some(name) = world {
        let world = sim::World::find(name).map_err(|error| error.to_string())?;
        parts.enter(world).map_err(|error| format!("{error:#}"))?;
    }
    parts.site(0, Jobs::beside()).map_err(|error| {
        parts.world = before;
        format!("{error:#}")
    })
}

/// The file, and over it what the command line says.
fn config(args: &Args) -> Result<Config, Stop> {
    let from_file = match &args.config {
        None => Config::default(),
        Some(path) => {
            let text = std::fs::read_to_string(path).context(format!("--config {}", path.display()))?;
            Config::from_json(&text).map_err(|problems| {
                problems.iter().for_each(|problem| complain(&format!("{}: {problem}", path.display())));
                anyhow!("{} has {}: mend it first", path.display(), out::count(problems.len(), "problem"))
            })?
        }
    };
    let said = Config {
        name: args.name.clone(),
        behavior: args.behavior.clone(),
        capabilities: (!args.capabilities.is_empty()).then(|| args.capabilities.clone()),
        world: args.world.clone(),
        listen: args.listen.clone(),
        mode: args.mode,
        keys: args.keys.clone(),
        state: args.state.clone(),
        rate_hz: args.rate,
        ..Config::default()
    };
    Ok(said.over(from_file))
}

type Linked = (LinkConfig, Vec<ChannelAddress>, Vec<link::Allowed>);

fn link_of(config: &Config) -> Result<Linked, Stop> {
    let keys = config.keys.as_deref().map(KeyFile::load).transpose().map_err(anyhow::Error::from)?;
    let security = keys.as_ref().map_or(Security::Open, KeyFile::security);
    let seed = link::random().map_err(|error| anyhow!("the operating system gives no randomness: {error}"))?;
    let default = format!("127.0.0.1:{}", protocol::talk::PORT);
    let local = address("listen", config.listen.as_deref().unwrap_or(&default))?;
    let mut addresses = vec![ChannelAddress { local, peer: None }];
    let link = match config.mode.unwrap_or_default() {
        LinkMode::Wide => LinkConfig::wide(Side::Listens, security, seed),
        LinkMode::Narrow => LinkConfig::narrow(Side::Listens, security, seed),
        LinkMode::Finals => {
            let ends = config.bursts_from.as_deref().zip(config.bursts_to.as_deref());
            let (from, to) = ends.ok_or_else(|| {
                anyhow!("mode finals has a second channel: say `bursts_from` and `bursts_to` in the settings, each ADDRESS:PORT")
            })?;
            let peer = Some(address("bursts_to", to)?);
            addresses.push(ChannelAddress { local: address("bursts_from", from)?, peer });
            LinkConfig::finals(Side::Listens, security, seed)
        }
    };
    if keys.is_none() && !local.ip().is_loopback() {
        return Err(
            anyhow!("{local} is not this machine alone: name a key file with --keys (`coact keys` makes one)").into()
        );
    }
    Ok((link, addresses, keys.map(|keys| keys.allowed).unwrap_or_default()))
}

fn address(name: &str, text: &str) -> Result<SocketAddr, Stop> {
    text.parse().map_err(|_| anyhow!("{name} {text}: write an address and a port, such as 127.0.0.1:4440").into())
}

fn random_number() -> Result<u64, Stop> {
    let bytes = link::random().map_err(|error| anyhow!("the operating system gives no randomness: {error}"))?;
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[..8]);
    // 0 is who planted the tree.
    Ok(u64::from_le_bytes(number).max(1))
}

fn kept(store: &mut Store, fresh: bool) -> Kept {
    let mut kept = store.load();
    if fresh && kept.tree.take().is_some() {
        complain(&format!("coact: {}", store.put_tree_aside("a fresh start was asked for")));
    }
    kept.problems.iter().for_each(|problem| complain(&format!("coact: {problem}")));
    kept
}

/// The tree it had; none, said and put aside, where that is not to be used.
fn reopened(store: Option<&Store>, (tree, edits): (&Update, &[Sent]), peer: &Peer) -> Option<Shared> {
    match Shared::from_update(tree, peer.clone()) {
        Ok(mut shared) => {
            for edit in edits {
                if let Err(error) = shared.replay(edit) {
                    complain(&format!("coact: an edit that was kept on disk is left out: {error}"));
                }
            }
            Some(shared)
        }
        Err(error) => {
            let aside = store.map(|store| store.put_tree_aside(&error.to_string())).unwrap_or_default();
            complain(&format!("coact: {aside}"));
            None
        }
    }
}

/// The configured behavior; without one, an empty sequence to begin with.
fn first(config: &Config, library: Option<Begun>, choice: &robot_args::Choice, peer: Peer) -> Result<Shared, Stop> {
    let registry = &nodes::registry();
    let (library, beside) = match (library, &config.behavior) {
        (Some(begun), _) => (begun.library, begun.beside),
        (None, Some(file)) => {
            let files = Once::default();
            let opened = files::open(file, &files, registry, &Known { robot: Some(choice), ..Known::default() });
            let library = files::sound(file, opened, true)?.library;
            let beside = Beside::gather(&library, &files).map_err(|problem| anyhow!("{problem}"))?;
            (library, beside)
        }
        (None, None) => (empty(registry)?, Beside::default()),
    };
    // Seconds since 1970: a tree begun later replaces one begun before, also after a restart without a folder.
    let epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |since| since.as_secs());
    Ok(Shared::from_library(library, peer, epoch).map_err(anyhow::Error::from)?.with_beside(beside))
}

fn empty(registry: &Registry) -> Result<Library, Stop> {
    let files = Once::holding("behavior.json", r#"{"type": "sequence", "name": "behavior"}"#.to_owned());
    let loaded = model::file::load("behavior.json", &files, registry.catalogue());
    Ok(loaded.map_err(|problem| anyhow!("{problem}"))?.library)
}

fn world(name: Option<&str>) -> Result<Option<sim::World>, Stop> {
    let found = name.map(sim::World::find).transpose();
    found.map_err(|error| Stop::Wrong(anyhow!("--world: {error}")))
}

/// A key file, made once.
#[derive(clap::Args)]
pub struct KeysArgs {
    /// The file; made if it is not there.
    file: PathBuf,
}

pub fn keys(args: &KeysArgs) -> Done {
    let path: &Path = &args.file;
    let keys = if path.exists() { KeyFile::load(path) } else { KeyFile::generate(path) };
    let keys = keys.map_err(anyhow::Error::from)?;
    out::print(&format!("{}\n", keys.secret.public()))?;
    Ok(SUCCESS)
}
