//! Real processes of ours. Each is killed, as a power cut would, when it is dropped.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::BEHAVIOR;

pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("coact-faults-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("behavior.json"), BEHAVIOR).unwrap();
    folder
}

pub fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap()
}

struct Process(Child);

impl Process {
    /// Starts it and reads the line it says when it is ready.
    fn start(command: &mut Command) -> (Process, String) {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (Process(child), line)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn last_word(line: &str) -> SocketAddr {
    let word = line.trim().rsplit([' ', '/']).next().unwrap_or_default();
    word.parse().unwrap_or_else(|_| panic!("no address in {line:?}"))
}

pub struct Robot {
    _process: Process,
    pub address: SocketAddr,
}

impl Robot {
    pub fn start(folder: &Path, listen: &str) -> Robot {
        Robot::start_with(folder, listen, &[])
    }

    /// With more arguments.
    pub fn start_with(folder: &Path, listen: &str, more: &[&str]) -> Robot {
        let state = folder.join("state");
        let mut command = Command::new(env!("CARGO_BIN_EXE_coact"));
        command.args(["robot", "--name", "one", "--listen", listen, "--behavior", "behavior.json"]).args(more);
        let (process, line) = Process::start(command.current_dir(folder).arg("--state").arg(&state));
        Robot { _process: process, address: last_word(&line) }
    }

    /// With these arguments, and nothing that outlives it.
    #[cfg(feature = "mujoco")]
    pub fn with(folder: &Path, arguments: &[&str]) -> Robot {
        let mut command = Command::new(env!("CARGO_BIN_EXE_coact"));
        let (process, line) = Process::start(command.arg("robot").args(arguments).current_dir(folder));
        Robot { _process: process, address: last_word(&line) }
    }
}

pub struct Operator {
    _process: Process,
    pub address: SocketAddr,
}

impl Operator {
    pub fn start(folder: &Path, robot: SocketAddr) -> Operator {
        Operator::with(folder, robot, &[])
    }

    pub fn with(folder: &Path, robot: SocketAddr, arguments: &[&str]) -> Operator {
        let mut command = Command::new(env!("CARGO_BIN_EXE_coact"));
        command.args(["operator", "--listen", "127.0.0.1:0", "--connect", &robot.to_string(), "--folder"]);
        let (process, line) = Process::start(command.arg(folder).args(arguments));
        Operator { _process: process, address: last_word(&line) }
    }
}
