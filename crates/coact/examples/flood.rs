//! How soon a stop and a command are answered while two people edit as fast as they are let, through a robot process and
//! two operator processes of this machine:
//! `cargo build --release -p coact && cargo run --release -p coact --example flood -- [SECONDS] [NODES]`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "it prints, and ends where something is wrong")]

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Edits that one person has given and that are not answered.
const UNANSWERED: usize = 300;
const PAUSE: Duration = Duration::from_millis(150);
const PATIENCE: Duration = Duration::from_secs(300);

/// Killed when dropped.
struct Process(Child);

impl Process {
    fn start(arguments: &[&str], folder: &Path) -> (Process, SocketAddr) {
        let binary = std::env::current_exe().unwrap().parent().unwrap().join("../coact");
        let mut command = Command::new(std::env::var_os("COACT").map_or(binary, PathBuf::from));
        command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("build coact first");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit([' ', '/']).next().unwrap().parse().expect("where it listens");
        (Process(child), address)
    }

    fn memory_mb(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1e3
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Client {
    socket: WebSocket<TcpStream>,
    last: u32,
    nodes: Vec<String>,
    version: u64,
    robot_has: u64,
}

impl Client {
    fn hello(operator: SocketAddr, name: &str) -> Client {
        let stream = TcpStream::connect(operator).unwrap();
        stream.set_nodelay(true).unwrap();
        let request = format!("ws://{operator}/api/v1").into_client_request().unwrap();
        let (socket, _) = tungstenite::client(request, stream).expect("a socket");
        let mut client = Client { socket, last: 0, nodes: Vec::new(), version: 0, robot_has: 0 };
        client.ask(json!({"ask": "hello", "version": protocol::api::VERSION, "name": name}));
        let until = Instant::now() + PATIENCE;
        while client.nodes.len() < 3 && Instant::now() < until {
            std::thread::park_timeout(Duration::from_millis(50));
            let document = client.ask(json!({"ask": "document"}));
            let nodes = document["ok"]["nodes"].as_array().unwrap();
            client.nodes = nodes.iter().map(|node| node["id"].as_str().unwrap().to_owned()).collect();
        }
        client
    }

    fn send(&mut self, mut ask: Json) -> u64 {
        self.last += 1;
        ask["id"] = json!(self.last);
        self.socket.send(Message::text(ask.to_string())).unwrap();
        u64::from(self.last)
    }

    /// The next reply, with what was told before it noted.
    fn reply(&mut self) -> (u64, Json) {
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let message: Json = serde_json::from_str(&text).unwrap();
            if let Some(version) = message["version"].as_u64().or(message["ok"]["version"].as_u64()) {
                self.version = self.version.max(version);
            }
            if let Some(has) = message["robot_has"].as_u64() {
                self.robot_has = has;
            }
            if let Some(id) = message["reply"].as_u64() {
                return (id, message);
            }
        }
    }

    fn ask(&mut self, ask: Json) -> Json {
        let wanted = self.send(ask);
        loop {
            let (id, reply) = self.reply();
            if id == wanted {
                return reply;
            }
        }
    }

    /// What one asks, and how long its answer takes.
    fn timed_ms(&mut self, ask: Json) -> f64 {
        let begun = Instant::now();
        let reply = self.ask(ask.clone());
        assert!(reply.get("ok").is_some(), "{ask}: {reply}");
        begun.elapsed().as_secs_f64() * 1e3
    }
}

#[derive(Default)]
struct Edited {
    taken: usize,
    refused: usize,
    why: String,
}

/// Settings, names, and a step that comes and goes.
fn edit(client: &Client, number: usize) -> Json {
    let node = &client.nodes[1 + number % (client.nodes.len() - 1)];
    let operation = match number % 4 {
        0 => json!({"do": "rename", "node": node, "name": format!("step {number}")}),
        1 => json!({"do": "add", "parent": client.nodes[0], "index": 1, "kind": "wait", "name": format!("n{number}")}),
        _ => json!({"do": "set", "node": node, "settings": {"duration_s": number}}),
    };
    json!({"ask": "edit", "operation": operation})
}

fn edit_without_end(client: &mut Client, ended: &AtomicBool) -> Edited {
    let mut edited = Edited::default();
    let (mut number, mut unanswered) = (0, 0);
    loop {
        let ends = ended.load(Ordering::Relaxed);
        if ends && unanswered == 0 {
            return edited;
        }
        if !ends && unanswered < UNANSWERED {
            number += 1;
            let edit = edit(client, number);
            client.send(edit);
            unanswered += 1;
            continue;
        }
        let (_, reply) = client.reply();
        unanswered -= 1;
        match reply.get("error") {
            None => edited.taken += 1,
            Some(error) => {
                edited.refused += 1;
                edited.why = error["text"].as_str().unwrap_or_default().to_owned();
                // As a person or a program would that was told to.
                if error["code"] == "too_many" {
                    std::thread::park_timeout(Duration::from_millis(20));
                }
            }
        }
    }
}

fn folder(nodes: usize) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("coact-flood-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let steps: Vec<String> =
        (1..nodes).map(|number| format!(r#"{{"type": "wait", "name": "step {number}", "duration_s": 60}}"#)).collect();
    let text = format!(r#"{{"version": 1, "type": "sequence", "name": "all", "children": [{}]}}"#, steps.join(","));
    std::fs::write(folder.join("behavior.json"), text).unwrap();
    folder
}

fn print_latencies(what: &str, times_ms: &mut [f64]) {
    times_ms.sort_by(f64::total_cmp);
    let at = |share: f64| times_ms[((times_ms.len() - 1) as f64 * share) as usize];
    println!("| {what}: {} | {:.1} ms | {:.1} ms | {:.1} ms |", times_ms.len(), at(0.5), at(0.99), at(1.0));
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().map_or(25.0, |text| text.parse().unwrap());
    let nodes: usize = arguments.next().map_or(300, |text| text.parse().unwrap());
    let folder = folder(nodes);
    let state = folder.join("state");
    let state = state.to_str().unwrap();
    let (robot, address) =
        Process::start(&["robot", "--listen", "127.0.0.1:0", "--behavior", "behavior.json", "--state", state], &folder);
    let connect = address.to_string();
    let operator = || Process::start(&["operator", "--listen", "127.0.0.1:0", "--connect", &connect], &folder);
    let (first, here) = operator();
    let (_second, there) = operator();
    let mut watcher = Client::hello(here, "Ann");
    let memory_mb = (robot.memory_mb(), first.memory_mb());

    let ended = Arc::new(AtomicBool::new(false));
    let editors: Vec<_> = [(here, "Bob"), (there, "Cid")]
        .into_iter()
        .map(|(operator, name)| {
            let (mut client, ended) = (Client::hello(operator, name), Arc::clone(&ended));
            std::thread::spawn(move || edit_without_end(&mut client, &ended))
        })
        .collect();

    let (mut stops_ms, mut commands_ms) = (Vec::new(), Vec::new());
    watcher.timed_ms(json!({"ask": "take_control"}));
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    while Instant::now() < until {
        let level = json!({"ask": "run", "control": {"do": "autonomy_level", "level": "full"}, "valid_for_s": 30});
        commands_ms.push(watcher.timed_ms(level));
        stops_ms.push(watcher.timed_ms(json!({"ask": "stop"})));
        std::thread::park_timeout(PAUSE);
    }
    ended.store(true, Ordering::Relaxed);
    let edited: Vec<Edited> = editors.into_iter().map(|editor| editor.join().unwrap()).collect();
    let over = Instant::now();
    while watcher.robot_has < watcher.version && over.elapsed() < PATIENCE {
        watcher.ask(json!({"ask": "presence", "edits": false}));
        std::thread::park_timeout(Duration::from_millis(20));
    }

    println!("| answered, {nodes} nodes, {seconds} s | median | 99 of 100 | worst |\n|---|---|---|---|");
    print_latencies("stop", &mut stops_ms);
    print_latencies("command", &mut commands_ms);
    println!("\n| edits | taken | told to wait |\n|---|---|---|");
    for (name, edited) in ["first", "second"].iter().zip(&edited) {
        println!("| {name} person | {} | {} {} |", edited.taken, edited.refused, edited.why);
    }
    println!("\nThe robot had all of them {:.2} s after the last.", over.elapsed().as_secs_f64());
    println!(
        "Memory of the robot {:.0} → {:.0} MB, of an operator {:.0} → {:.0} MB.",
        memory_mb.0,
        robot.memory_mb(),
        memory_mb.1,
        first.memory_mb()
    );
    drop(robot);
    let _ = std::fs::remove_dir_all(&folder);
}
