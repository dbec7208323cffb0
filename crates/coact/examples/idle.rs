//! What `coact demo` takes of a core before its door while nothing runs, thread by thread: without a page, and with one
//! that is told all there is to tell and shows no pictures:
//! `cargo build --release -p coact --features mujoco && cargo run --release -p coact --example idle -- [SECONDS]`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it prints, and ends where something is wrong")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

const TICKS_PER_S: f64 = 100.0;
/// Until what happens once at the beginning is over.
const BEGUN: Duration = Duration::from_secs(3);

/// Killed when dropped.
struct Demo(Child, SocketAddr);

impl Demo {
    fn start() -> Demo {
        let binary = std::env::current_exe().unwrap().parent().unwrap().join("../coact");
        let binary = std::env::var_os("COACT").map_or(binary, PathBuf::from);
        let folder = std::env::temp_dir().join(format!("coact-idle-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new(binary);
        command.args(["demo", "--no-browser", "--port", "0"]).current_dir(folder).stdout(Stdio::piped());
        let mut child = command.spawn().expect("build coact first");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split_whitespace().nth(1).and_then(|word| word.strip_prefix("http://"));
        Demo(child, address.unwrap().parse().expect("where it listens"))
    }

    /// Processor time of each kind of thread, s.
    fn threads_s(&self) -> BTreeMap<String, f64> {
        let mut threads = BTreeMap::new();
        for task in std::fs::read_dir(format!("/proc/{}/task", self.0.id())).unwrap().flatten() {
            let Ok(stat) = std::fs::read_to_string(task.path().join("stat")) else { continue };
            let (name, fields) = stat.rsplit_once(')').unwrap();
            let name = name.split_once('(').unwrap().1.to_owned();
            let fields: Vec<&str> = fields.split_whitespace().collect();
            let ticks: f64 = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
            *threads.entry(name).or_insert(0.0) += ticks / TICKS_PER_S;
        }
        threads
    }

    /// Of a core, in per cent, by thread.
    fn spent(&self, seconds: f64) -> BTreeMap<String, f64> {
        let before_s = self.threads_s();
        std::thread::park_timeout(Duration::from_secs_f64(seconds));
        let after_s = self.threads_s().into_iter();
        let share = |(name, after_s): (String, f64)| {
            let spent_s = after_s - before_s.get(&name).unwrap_or(&0.0);
            (name, 100.0 * spent_s / seconds)
        };
        after_s.map(share).collect()
    }

    /// Reads whatever it is told, as a page does.
    fn open_page(&self) {
        let stream = TcpStream::connect(self.1).unwrap();
        let request = format!("ws://{}/api/v1", self.1).into_client_request().unwrap();
        let (mut socket, _): (WebSocket<TcpStream>, _) = tungstenite::client(request, stream).expect("a socket");
        let hello = serde_json::json!({"id": 1, "ask": "hello", "version": protocol::api::VERSION, "name": "idle"});
        socket.send(Message::text(hello.to_string())).unwrap();
        std::thread::spawn(move || while socket.read().is_ok() {});
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() {
    let seconds = std::env::args().nth(1).map_or(20.0, |text| text.parse().expect("seconds"));
    let demo = Demo::start();
    std::thread::park_timeout(BEGUN);
    let alone = demo.spent(seconds);
    demo.open_page();
    std::thread::park_timeout(BEGUN);
    let watched = demo.spent(seconds);
    println!("| `coact demo` before its door, nothing runs | no page | a page |\n|---|---|---|");
    let total = |shares: &BTreeMap<String, f64>| shares.values().sum::<f64>();
    println!("| of a core | {:.1} % | {:.1} % |", total(&alone), total(&watched));
    for (name, share) in &watched {
        let alone = alone.get(name).copied().unwrap_or(0.0);
        if alone.max(*share) >= 0.1 {
            println!("| thread `{name}` | {alone:.1} % | {share:.1} % |");
        }
    }
}
