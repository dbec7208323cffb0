//! The keys under which robots and datagrams are found.

use crate::MeshError;

/// Counts up when what travels under these keys changes.
const ROOT: &str = "coact/1";

/// A name that may be part of a key.
pub fn check(name: &str) -> Result<(), MeshError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let fits = !name.is_empty() && name.len() <= 64 && name.bytes().all(plain);
    if fits { Ok(()) } else { Err(MeshError::Name(name.to_owned())) }
}

pub fn alive(robot: &str) -> String {
    format!("{ROOT}/robots/{robot}")
}

pub fn every_robot() -> String {
    alive("*")
}

pub fn to_robot(robot: &str, operator: &str) -> String {
    format!("{ROOT}/to/{robot}/{operator}")
}

pub fn from_robot(robot: &str, operator: &str) -> String {
    format!("{ROOT}/from/{robot}/{operator}")
}

/// The last part of a key: a robot's or an operator's name.
pub fn last(key: &str) -> Option<&str> {
    key.rsplit('/').next().filter(|name| check(name).is_ok())
}
