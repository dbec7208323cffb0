//! Robots in a Zenoh mesh, where Coact was built with it.

use std::any::Any;
use std::net::SocketAddr;

use anyhow::{Result, anyhow};

use crate::out::{self, Done, SUCCESS};

#[derive(clap::Args, Clone, Default)]
pub struct MeshArgs {
    /// Meet in a Zenoh mesh at this address, such as `tcp/192.168.1.5:7447`. May be given several times.
    #[arg(long = "mesh", value_name = "ADDR")]
    mesh_connect: Vec<String>,
    /// Let others of the mesh connect here, such as `tcp/0.0.0.0:7447`.
    #[arg(long, value_name = "ADDR")]
    mesh_listen: Vec<String>,
    /// Look for others of the mesh on the local network.
    #[arg(long)]
    mesh_scout: bool,
}

impl MeshArgs {
    pub fn is_asked(&self) -> bool {
        self.mesh_scout || !self.mesh_connect.is_empty() || !self.mesh_listen.is_empty()
    }
}

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    mesh: MeshArgs,
}

/// Prints the robots that are in the mesh now, a line each.
pub fn run(args: &Args) -> Done {
    for robot in joined::robots(&args.mesh)? {
        out::print(&format!("{robot}\n"))?;
    }
    Ok(SUCCESS)
}

/// What must live for as long as the mesh is used.
pub type Kept = Box<dyn Any>;

/// Lets the mesh reach a robot process that listens on this machine.
pub fn offer_robot(args: &MeshArgs, has_keys: bool, name: &str, address: SocketAddr) -> Result<Kept> {
    joined::offer_robot(args, has_keys, name, address)
}

/// An address on this machine that leads to the robot of this name.
pub fn find_robot(args: &MeshArgs, has_keys: bool, name: &str) -> Result<(SocketAddr, Kept)> {
    joined::find_robot(args, has_keys, name)
}

#[cfg(feature = "mesh")]
mod joined {
    use std::time::Duration;

    use mesh::{Mesh, MeshConfig, OperatorGateway, RobotGateway};

    use super::{Kept, MeshArgs, Result, SocketAddr, anyhow};

    /// How long answers of far robots are waited for.
    const ANSWERS: Duration = Duration::from_secs(2);

    /// Beyond this machine the link must have keys: whoever is in the mesh could speak with the robot.
    fn join(args: &MeshArgs, has_keys: bool) -> Result<Mesh> {
        let (connect, listen) = (args.mesh_connect.clone(), args.mesh_listen.clone());
        let config = MeshConfig { connect, listen, scouting: args.mesh_scout };
        if !has_keys && !config.is_local() {
            return Err(anyhow!("a mesh beyond this machine needs --keys (`coact keys` makes them)"));
        }
        Ok(Mesh::join(&config)?)
    }

    pub fn offer_robot(args: &MeshArgs, has_keys: bool, name: &str, address: SocketAddr) -> Result<Kept> {
        let mesh = join(args, has_keys)?;
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let gateway = RobotGateway::open(&mesh, &name.chars().map(plain).collect::<String>(), address)?;
        Ok(Box::new((mesh, gateway)))
    }

    pub fn find_robot(args: &MeshArgs, has_keys: bool, name: &str) -> Result<(SocketAddr, Kept)> {
        let mesh = join(args, has_keys)?;
        let random = link::random().map_err(|error| anyhow!("the operating system gives no randomness: {error}"))?;
        let own = hex::encode(&random[..8]);
        let gateway = OperatorGateway::open(&mesh, name, &own)?;
        Ok((gateway.address(), Box::new((mesh, gateway))))
    }

    pub fn robots(args: &MeshArgs) -> Result<Vec<String>> {
        // Looking at names needs no key: it tells nothing else.
        Ok(join(args, true)?.robots(ANSWERS)?)
    }
}

#[cfg(not(feature = "mesh"))]
mod joined {
    use super::{Kept, MeshArgs, Result, SocketAddr, anyhow};

    fn missing<T>() -> Result<T> {
        Err(anyhow!("this coact was built without the mesh: cargo build -p coact --features mesh"))
    }

    pub fn offer_robot(_: &MeshArgs, _: bool, _: &str, _: SocketAddr) -> Result<Kept> {
        missing()
    }

    pub fn find_robot(_: &MeshArgs, _: bool, _: &str) -> Result<(SocketAddr, Kept)> {
        missing()
    }

    pub fn robots(_: &MeshArgs) -> Result<Vec<String>> {
        missing()
    }
}
