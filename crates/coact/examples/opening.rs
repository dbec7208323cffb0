//! How soon a robot and a page have a behavior of 10,000 nodes or as many as are said, and what the process of `coact demo`
//! takes for each: `cargo build --release -p coact && cargo run --release -p coact --example opening -- [NODES]`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it prints, and ends where something is wrong")]

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// What is freed has gone back to the machine by then.
const REST: Duration = Duration::from_secs(4);
const PATIENCE: Duration = Duration::from_secs(60);

/// Killed when dropped.
struct Demo(Child);

impl Demo {
    fn start(folder: &Path) -> (Demo, SocketAddr) {
        let binary = std::env::current_exe().unwrap().parent().unwrap().join("../coact");
        let mut command = Command::new(std::env::var_os("COACT").map_or(binary, PathBuf::from));
        command.args(["demo", "--no-browser", "--port", "0", "small.json"]).current_dir(folder).stdout(Stdio::piped());
        let mut child = command.spawn().expect("build coact first");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://")).unwrap();
        (Demo(child), address.parse().unwrap())
    }

    /// Now, and the most it has been.
    fn memory_kb(&self) -> (f64, f64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = |name: &str| status.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        let number = |name| line(name).split_whitespace().nth(1).unwrap().parse().unwrap();
        (number("VmRSS"), number("VmHWM"))
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Client {
    socket: WebSocket<TcpStream>,
    last: u64,
}

impl Client {
    fn hello(operator: SocketAddr) -> Client {
        let stream = TcpStream::connect(operator).unwrap();
        stream.set_nodelay(true).unwrap();
        let request = format!("ws://{operator}/api/v1").into_client_request().unwrap();
        let (socket, _) = tungstenite::client(request, stream).expect("a socket");
        let mut client = Client { socket, last: 0 };
        client.ask(json!({"ask": "hello", "version": protocol::api::VERSION, "name": "Ann"}));
        client
    }

    fn ask(&mut self, mut ask: Json) -> Json {
        self.last += 1;
        ask["id"] = json!(self.last);
        self.socket.send(Message::text(ask.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let message: Json = serde_json::from_str(&text).unwrap();
            if message["reply"].as_u64() == Some(self.last) {
                return message;
            }
        }
    }

    /// As soon as it is not refused.
    fn insist(&mut self, ask: &Json) {
        let until = Instant::now() + PATIENCE;
        loop {
            let reply = self.ask(ask.clone());
            if reply.get("ok").is_some() {
                return;
            }
            assert!(Instant::now() < until, "{ask}: {reply}");
            std::thread::park_timeout(Duration::from_millis(20));
        }
    }

    fn nodes(&mut self) -> usize {
        self.ask(json!({"ask": "document"}))["ok"]["nodes"].as_array().map_or(0, Vec::len)
    }
}

fn behavior(nodes: usize) -> String {
    let step = |at| format!(r#"{{"type": "wait", "name": "step {at}", "duration_s": 1, "notes": "as in the plan"}}"#);
    let steps: Vec<String> = (1..nodes).map(step).collect();
    format!(r#"{{"version": 1, "children": [{}]}}"#, steps.join(",\n"))
}

fn main() {
    let nodes: usize = std::env::args().nth(1).map_or(10_000, |count| count.parse().expect("a number of nodes"));
    let folder = std::env::temp_dir().join(format!("coact-opening-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("small.json"), behavior(3)).unwrap();
    std::fs::write(folder.join("large.json"), behavior(nodes)).unwrap();
    {
        let (demo, address) = Demo::start(&folder);
        let mut client = Client::hello(address);
        client.insist(&json!({"ask": "take_control"}));
        std::thread::park_timeout(REST);
        let (before_kb, _) = demo.memory_kb();
        let begun = Instant::now();
        client.insist(&json!({"ask": "open", "file": "large.json"}));
        let robot_s = begun.elapsed().as_secs_f64();
        while client.nodes() < nodes {}
        let page_s = begun.elapsed().as_secs_f64();
        std::thread::park_timeout(REST);
        let (after_kb, most_kb) = demo.memory_kb();
        let each = |kb: f64| (kb - before_kb) / nodes as f64;
        println!("| nodes | robot has them | page has them | process, a node | while opening, at most |");
        println!("|---|---|---|---|---|");
        println!("| {nodes} | {robot_s:.2} s | {page_s:.2} s | {:.2} kB | {:.2} kB |", each(after_kb), each(most_kb));
    }
    let _ = std::fs::remove_dir_all(&folder);
}
