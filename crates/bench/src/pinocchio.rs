//! Pinocchio on the targets of ours, by a program in C++ that a script installs and builds.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use geometry::Pose;

use crate::robot::Timed;

/// Why not, as text, when it cannot be had here.
pub fn measure(root: &Path, links: [&str; 2], targets: &[Pose], rounds: usize) -> Result<Timed, String> {
    let folder = root.join("target/pinocchio");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let file = folder.join(format!("{}-{}.txt", links[0], links[1]));
    let mut text = String::new();
    for target in targets {
        let rotation = target.rotation().to_rotation_matrix();
        for row in 0..3 {
            let at_m = target.translation_m()[row];
            let _ = writeln!(text, "{} {} {} {at_m}", rotation[(row, 0)], rotation[(row, 1)], rotation[(row, 2)]);
        }
    }
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let output = Command::new("python3")
        .arg(root.join("crates/bench/pinocchio_ik.py"))
        .arg(&folder)
        .arg(root.join("robots/coact-one/robot.urdf"))
        .args(links)
        .arg(&file)
        .arg(rounds.to_string())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("python3: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = printed.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [solved, median_us, p99_us] if output.status.success() => {
            Ok(Timed { solved: solved as usize, count: targets.len(), median_us, p99_us })
        }
        _ => Err(format!("pinocchio_ik.py ended with {}", output.status)),
    }
}
