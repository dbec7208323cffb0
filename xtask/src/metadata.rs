//! What `cargo metadata` says of this workspace.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;

pub fn read<T: DeserializeOwned>(root: &Path, args: &[&str]) -> Result<T> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1"])
        .args(args)
        .current_dir(root)
        .output()
        .context("cannot run `cargo metadata`")?;
    ensure!(output.status.success(), "`cargo metadata` failed:\n{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).context("cannot read the output of `cargo metadata`")
}
