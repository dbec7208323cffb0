//! Robot and operator in one process, for newcomers: one command, one address.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use model::file::load;
use server::{Folder, Server, Setup, Tokens};

use crate::operator::{peer, wait_for};
use crate::out::{self, Done, SUCCESS};
use crate::robot_args::RobotArgs;

#[derive(clap::Args)]
pub struct Args {
    /// The behavior to begin with; its folder is the one that is worked in. Without it, an example.
    file: Option<PathBuf>,
    /// The port of the page on this machine; 0 takes a free one.
    #[arg(long, value_name = "PORT", default_value_t = 8420)]
    port: u16,
    /// A world with physics to run in: the name of a built-in one, a world file, or an MJCF file (.xml).
    #[arg(long, value_name = "WORLD")]
    world: Option<String>,
    #[command(flatten)]
    robot: RobotArgs,
}

const NAME: &str = "arms-while-walking.json";
const EXAMPLE: &str = include_str!("../../../examples/body/arms-while-walking.json");

pub fn run(args: &Args) -> Done {
    let ended = crate::run::on_interrupt()?;
    let registry = nodes::registry();
    let (folder, file) = begin(args.file.as_deref())?;
    let store = Folder::new(&folder);
    let loaded = load(&file, &store, registry.catalogue()).map_err(|problem| anyhow!("{problem}"))?;
    let robot = args.robot.choice_or_default()?.any_robot();
    let setup = Setup {
        registry,
        store: Box::new(store),
        tokens: Tokens::default(),
        peer: peer("demo")?,
        library: loaded.library,
        robot: Some(robot),
        has_link: false,
        simulated: true,
    };
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let server = Server::start(setup, None, listen).map_err(anyhow::Error::from)?;
    out::print(&format!("open http://{} and press Ctrl-C here to end\n", server.address()))?;
    wait_for(&ended);
    drop(server);
    Ok(SUCCESS)
}

/// The folder to work in and the file to begin with. Without one, an example in a folder of its own.
fn begin(file: Option<&Path>) -> anyhow::Result<(PathBuf, String)> {
    if let Some(file) = file {
        let text = file.to_str().ok_or_else(|| anyhow!("{}: the name is not UTF-8", file.display()))?;
        let folded = model::file::join("", &text.replace('\\', "/"));
        // Skills may lie beside the folder of the file: all of the folder that one is in can be worked with.
        if file.is_relative() && !folded.starts_with("..") {
            return Ok((PathBuf::from("."), folded));
        }
        let name = file.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| anyhow!("{} is no file", file.display()))?;
        return Ok((file.parent().unwrap_or(Path::new("/")).to_owned(), name.to_owned()));
    }
    let folder = PathBuf::from("coact-demo");
    let path = folder.join(NAME);
    if !path.exists() {
        std::fs::create_dir_all(&folder)?;
        model::file::save_to_disk(&path, EXAMPLE)?;
    }
    Ok((folder, NAME.to_owned()))
}
