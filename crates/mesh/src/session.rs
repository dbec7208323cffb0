use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::Duration;

use thiserror::Error;
use zenoh::liveliness::LivelinessToken;
use zenoh::{Session, Wait};

use crate::names;

#[derive(Debug, Error)]
pub enum MeshError {
    #[error("`{0}` cannot be a robot's name in the mesh: 1 to 64 letters, digits, `-`, `_` and `.`")]
    Name(String),
    #[error("Zenoh: {0}")]
    Zenoh(zenoh::Error),
    #[error("a gateway's socket on the loopback interface: {0}")]
    Socket(#[from] std::io::Error),
}

impl From<zenoh::Error> for MeshError {
    fn from(error: zenoh::Error) -> MeshError {
        MeshError::Zenoh(error)
    }
}

/// How to reach the others. Addresses as Zenoh writes them: `tcp/192.168.1.5:7447`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshConfig {
    pub connect: Vec<String>,
    pub listen: Vec<String>,
    /// Looks for others on the local network by itself.
    pub scouting: bool,
}

impl MeshConfig {
    /// Nothing leaves this machine, so that a link without keys is allowed.
    pub fn is_local(&self) -> bool {
        // A name may lead anywhere: only an address says where it leads.
        let loopback = |address: &String| {
            let host = address.split_once('/').map_or("", |(_, host)| host);
            host.parse::<SocketAddr>().is_ok_and(|host| host.ip().is_loopback())
        };
        !self.scouting && self.connect.iter().chain(&self.listen).all(loopback)
    }

    fn to_zenoh(&self) -> Result<zenoh::Config, MeshError> {
        let list = |addresses: &[String]| {
            let quoted: Vec<String> = addresses.iter().map(|address| format!("{address:?}")).collect();
            format!("[{}]", quoted.join(","))
        };
        // Whoever others can connect to passes on what is between them; peers would need a line from each to each.
        let mode = match (self.listen.is_empty(), self.connect.is_empty()) {
            (false, _) => "\"router\"",
            (true, false) => "\"client\"",
            (true, true) => "\"peer\"",
        };
        let mut config = zenoh::Config::default();
        config.insert_json5("mode", mode)?;
        config.insert_json5("connect/endpoints", &list(&self.connect))?;
        config.insert_json5("listen/endpoints", &list(&self.listen))?;
        config.insert_json5("scouting/multicast/enabled", if self.scouting { "true" } else { "false" })?;
        Ok(config)
    }
}

/// A place in the mesh. Dropping it leaves.
pub struct Mesh {
    pub(crate) session: Session,
}

impl Mesh {
    pub fn join(config: &MeshConfig) -> Result<Mesh, MeshError> {
        Ok(Mesh { session: zenoh::open(config.to_zenoh()?).wait()? })
    }

    /// Robots that are there now, by name.
    pub fn robots(&self, wait: Duration) -> Result<Vec<String>, MeshError> {
        let replies = self.session.liveliness().get(names::every_robot()).timeout(wait).wait()?;
        let mut found = BTreeSet::new();
        while let Ok(reply) = replies.recv() {
            if let Ok(sample) = reply.result()
                && let Some(name) = names::last(sample.key_expr().as_str())
            {
                found.insert(name.to_owned());
            }
        }
        Ok(found.into_iter().collect())
    }

    /// Whoever asks finds this robot for as long as the token lives.
    pub(crate) fn announce(&self, robot: &str) -> Result<LivelinessToken, MeshError> {
        Ok(self.session.liveliness().declare_token(names::alive(robot)).wait()?)
    }
}
