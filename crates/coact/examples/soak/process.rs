//! The processes: a robot and its operators, their keys, tokens and folders, and what they take of the machine.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::json;

/// Nodes of the behavior, about: the bounds on memory, disk and joining are for such a tree.
const NODES: usize = 300;

/// Who may speak with the operators: token, role, name. Which of them are diarists is [`crate::crowd`]'s.
pub const PEOPLE: [(&str, &str); 7] = [
    ("Sue", "supervisor"),
    ("Ann", "operator"),
    ("Bob", "operator"),
    ("Uma", "operator"),
    ("Olga", "observer"),
    ("Guest", "operator"),
    ("Judge", "observer"),
];

pub fn token(name: &str) -> String {
    format!("the token of {name}")
}

pub fn binary() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("coact")
}

/// Killed, as a power cut would, when it is dropped.
pub struct Process {
    child: Child,
    pub address: SocketAddr,
}

impl Process {
    fn start(command: &mut Command, log: &Path) -> Process {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let word = line.trim().rsplit([' ', '/']).next().unwrap_or_default();
        let address = word.parse().unwrap_or_else(|_| panic!("no address in {line:?} of {command:?}"));
        Process { child, address }
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|ended| ended.is_some())
    }

    /// Resident, in MB.
    pub fn memory_mb(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder with everything in it.
pub struct Place {
    pub folder: PathBuf,
}

impl Place {
    pub fn new(folder: PathBuf) -> Place {
        std::fs::create_dir_all(&folder).unwrap();
        let place = Place { folder };
        std::fs::write(place.folder.join("behavior.json"), behavior()).unwrap();
        place.write_keys();
        let lines: String = PEOPLE.iter().map(|(name, role)| line_of(name, role)).collect();
        std::fs::write(place.folder.join("tokens"), lines).unwrap();
        place
    }

    /// Operators a and d may do everything, b what operators may, and c may only look.
    fn write_keys(&self) {
        let public = |name: &str| {
            let out = Command::new(binary()).arg("keys").arg(self.folder.join(name)).output().unwrap();
            String::from_utf8(out.stdout).unwrap().trim().to_owned()
        };
        let allow = |name: &str, lines: &str| {
            let path = self.folder.join(name);
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(&path, text + "\n" + lines).unwrap();
        };
        let robot = public("robot.keys");
        let mut lines = String::new();
        for (name, rank) in [("a", "supervisor"), ("b", "operator"), ("c", "observer"), ("d", "observer")] {
            let file = format!("{name}.keys");
            lines += &format!("allow {} {name} {rank}\n", public(&file));
            allow(&file, &format!("allow {robot} robot supervisor\n"));
        }
        allow("robot.keys", &lines);
    }

    pub fn state(&self) -> PathBuf {
        self.folder.join("state")
    }

    pub fn robot(&self, listen: &str) -> Process {
        let mut command = Command::new(binary());
        command.current_dir(&self.folder).args(["robot", "--name", "soak", "--listen", listen]);
        command.args(["--behavior", "behavior.json", "--keys", "robot.keys", "--state", "state"]);
        Process::start(&mut command, &self.folder.join("robot.log"))
    }

    /// With a folder of its own, which stays when it is killed.
    pub fn operator(&self, name: &str, robot: SocketAddr) -> Process {
        let own = self.folder.join(name);
        std::fs::create_dir_all(&own).unwrap();
        let file = own.join("behavior.json");
        if !file.exists() {
            std::fs::copy(self.folder.join("behavior.json"), file).unwrap();
        }
        let mut command = Command::new(binary());
        command.args(["operator", "--listen", "127.0.0.1:0", "--connect", &robot.to_string()]);
        command.arg("--keys").arg(self.folder.join(format!("{name}.keys")));
        command.arg("--tokens").arg(self.folder.join("tokens")).arg("--folder").arg(own);
        Process::start(&mut command, &self.folder.join(format!("{name}.log")))
    }
}

fn line_of(name: &str, role: &str) -> String {
    let role = match role {
        "observer" => protocol::Role::Observer,
        "operator" => protocol::Role::Operator,
        _ => protocol::Role::Supervisor,
    };
    server::token_line(&token(name), role, name)
}

/// Groups of steps that run for as long as anybody wants, and a page for each who writes a diary.
fn behavior() -> String {
    let step =
        |group: usize, step: usize| json!({"type": "wait", "name": format!("step {group}.{step}"), "duration_s": 0.2});
    let group = |number: usize| {
        let steps: Vec<_> = (0..9).map(|each| step(number, each)).collect();
        json!({"type": "sequence", "name": format!("group {number}"), "children": steps})
    };
    let mut children: Vec<_> = (0..NODES / 10).map(group).collect();
    let diaries = ["Ann", "Bob"].map(|name| json!({"type": "log", "name": format!("diary of {name}"), "text": "0"}));
    children.push(json!({"type": "sequence", "name": "diaries", "children": diaries}));
    json!({"version": 1, "type": "sequence", "name": "all", "children": children}).to_string() + "\n"
}

/// Files and bytes below a folder: of the audit, and of all else.
#[derive(Clone, Copy, Default)]
pub struct Stored {
    pub files: u64,
    pub bytes: u64,
    pub audit_bytes: u64,
}

pub fn stored(folder: &Path) -> Stored {
    let mut all = Stored::default();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(meta) = entry.metadata() else { continue };
        if meta.is_dir() {
            let below = stored(&entry.path());
            all = Stored {
                files: all.files + below.files,
                bytes: all.bytes + below.bytes,
                audit_bytes: all.audit_bytes + below.audit_bytes,
            };
        } else if entry.file_name().to_string_lossy().starts_with("audit") {
            (all.files, all.audit_bytes) = (all.files + 1, all.audit_bytes + meta.len());
        } else {
            (all.files, all.bytes) = (all.files + 1, all.bytes + meta.len());
        }
    }
    all
}
