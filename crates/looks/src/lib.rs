//! What a robot looks like: the meshes that its URDF names, whatever their format, as GLB that a browser draws quickly.
//!
//! Files come from anywhere. Reading one takes bounded memory and time, ends in an error that says why, and opens
//! nothing outside of the folders that belong to the robot.

mod allowed;
mod dae;
mod gallery;
mod glb;
mod gltf;
mod kept;
mod normals;
mod obj;
mod picture;
mod reduce;
mod soup;
mod stl;

pub use allowed::Allowed;
pub use gallery::{Gallery, Shown};
pub use kept::Kept;
pub use soup::{LookError, Soup};

use std::path::Path;

/// The bytes of a mesh file as GLB of at most about `budget` triangles. The ending of `file` says its format.
pub fn converted(file: &Path, bytes: &[u8], allowed: &Allowed, budget: usize) -> Result<Vec<u8>, LookError> {
    converted_naming(file, bytes, allowed, budget).map(|(glb, _)| glb)
}

/// And the files beside it that count for it.
fn converted_naming(
    file: &Path,
    bytes: &[u8],
    allowed: &Allowed,
    budget: usize,
) -> Result<(Vec<u8>, Vec<kept::Named>), LookError> {
    let beside = allowed::Beside::new(allowed, file);
    let mut soup = read_beside(file, bytes, &beside)?;
    soup.tidy()?;
    reduce::to_budget(&mut soup, budget);
    Ok((glb::written(&soup), beside.named()))
}

/// As it is in the file, in metres.
pub fn read(file: &Path, bytes: &[u8], allowed: &Allowed) -> Result<Soup, LookError> {
    read_beside(file, bytes, &allowed::Beside::new(allowed, file))
}

fn read_beside(file: &Path, bytes: &[u8], beside: &allowed::Beside) -> Result<Soup, LookError> {
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "stl" => stl::read(bytes),
        "obj" => obj::read(bytes, beside),
        "dae" => dae::read(bytes, beside),
        "glb" => gltf::read(bytes, beside),
        _ => Err(LookError::Format(ending)),
    }
}
