//! A client of an operator process: what it was told last.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use super::PATIENCE;

pub struct Client {
    socket: WebSocket<TcpStream>,
    last: u32,
    replies: BTreeMap<u64, Json>,
    nodes: BTreeMap<String, Json>,
    version: u64,
    robot_has: u64,
    pub run: Json,
    pub link: Json,
    /// First bytes of binary messages.
    frames: Vec<u8>,
    pub notices: Vec<String>,
    pub warnings: Vec<String>,
}

impl Client {
    pub fn connect(operator: SocketAddr) -> Client {
        Client::open(operator, "/api/v1")
    }

    /// On the socket of clouds and pictures.
    #[cfg(feature = "mujoco")]
    pub fn bulk(operator: SocketAddr, name: &str) -> Client {
        let mut client = Client::open(operator, "/api/v1/bulk");
        client.ok(json!({"ask": "hello", "version": protocol::api::VERSION, "name": name}));
        client
    }

    /// A binary message of this kind came.
    #[cfg(feature = "mujoco")]
    pub fn until_frame(&mut self, kind: u8) {
        self.until("a cloud or a picture", |client| client.frames.contains(&kind));
    }

    fn open(operator: SocketAddr, path: &str) -> Client {
        let stream = TcpStream::connect(operator).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        let request = format!("ws://{operator}{path}").into_client_request().unwrap();
        let until = Instant::now() + PATIENCE;
        let mut handshake = tungstenite::client(request, stream);
        let socket = loop {
            match handshake {
                Ok((socket, _)) => break socket,
                Err(tungstenite::HandshakeError::Interrupted(begun)) if Instant::now() < until => {
                    handshake = begun.handshake();
                }
                Err(error) => panic!("{error}"),
            }
        };
        let (run, link) = (Json::Null, Json::Null);
        let (replies, nodes) = (BTreeMap::new(), BTreeMap::new());
        let (frames, notices, warnings) = (Vec::new(), Vec::new(), Vec::new());
        Client { socket, last: 0, replies, nodes, version: 0, robot_has: 0, run, link, frames, notices, warnings }
    }

    /// Lets nobody in before the robot's tree is there.
    pub fn hello(operator: SocketAddr, name: &str) -> Client {
        let mut client = Client::connect(operator);
        client.ok(json!({"ask": "hello", "version": protocol::api::VERSION, "name": name}));
        let document = client.ok(json!({"ask": "document"}));
        client.take_nodes(&document);
        client.until("the robot's tree", |client| client.link["quality"] == "good" && client.document_has("all"));
        client
    }

    pub fn send(&mut self, mut ask: Json) -> u64 {
        self.last += 1;
        ask["id"] = json!(self.last);
        self.socket.send(Message::text(ask.to_string())).unwrap();
        u64::from(self.last)
    }

    /// Whatever becomes of it.
    pub fn throw(&mut self, text: &str) {
        let _ = self.socket.send(Message::text(text.to_owned()));
    }

    pub fn reply(&mut self, id: u64) -> Json {
        self.until("a reply", |client| client.replies.contains_key(&id));
        self.replies.remove(&id).unwrap()
    }

    pub fn ask(&mut self, ask: Json) -> Json {
        let id = self.send(ask);
        self.reply(id)
    }

    pub fn ok(&mut self, ask: Json) -> Json {
        let reply = self.ask(ask.clone());
        assert!(reply.get("ok").is_some(), "{ask}: {reply}");
        reply["ok"].clone()
    }

    /// Listens until it is so.
    pub fn until(&mut self, what: &str, is_so: impl Fn(&Client) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < until, "never: {what}; run {}, link {}", self.run, self.link);
            self.listen();
        }
    }

    fn listen(&mut self) {
        match self.socket.read() {
            Ok(Message::Text(text)) => {
                let message: Json = serde_json::from_str(&text).unwrap();
                self.take(message);
            }
            Ok(Message::Binary(bytes)) => {
                let kind = bytes.first().copied().unwrap_or_default();
                self.frames.push(kind);
                if kind != protocol::api::ROBOT_STATE {
                    self.send(json!({"ask": "ack"}));
                }
            }
            Ok(_) => {}
            Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => panic!("{error}"),
        }
    }

    fn take(&mut self, message: Json) {
        if let Some(id) = message["reply"].as_u64() {
            if message["ok"]["is"] == "edited" {
                self.note_version(&message["ok"]);
            }
            self.replies.insert(id, message);
            return;
        }
        match message["push"].as_str().unwrap_or_default() {
            "document" => {
                self.nodes.clear();
                self.take_nodes(&message);
            }
            "changed" => self.take_nodes(&message),
            "delivery" => self.robot_has = message["robot_has"].as_u64().unwrap(),
            "run" => self.run = message,
            "link" => self.link = message,
            "happened" => {
                let all = message["happenings"].as_array().unwrap().iter();
                let warnings = all.filter(|one| one["kind"] == "warning").filter_map(|one| one["text"].as_str());
                self.warnings.extend(warnings.map(str::to_owned));
            }
            "notice" => self.notices.push(message["text"].as_str().unwrap().to_owned()),
            _ => {}
        }
    }

    fn take_nodes(&mut self, message: &Json) {
        self.note_version(message);
        for id in message["removed"].as_array().into_iter().flatten() {
            self.nodes.remove(id.as_str().unwrap());
        }
        for node in message["nodes"].as_array().into_iter().flatten() {
            self.nodes.insert(node["id"].as_str().unwrap().to_owned(), node.clone());
        }
    }

    fn note_version(&mut self, told: &Json) {
        self.version = told["version"].as_u64().unwrap_or(0).max(self.version);
    }

    fn named(&self, name: &str) -> Option<&Json> {
        self.nodes.values().find(|node| node["name"] == name)
    }

    pub fn node(&self, name: &str) -> String {
        self.named(name).unwrap_or_else(|| panic!("no {name}"))["id"].as_str().unwrap().to_owned()
    }

    /// What all nodes are called, and what is set in them.
    pub fn content(&self) -> Vec<String> {
        let mut all: Vec<String> =
            self.nodes.values().map(|node| format!("{} {} {}", node["id"], node["name"], node["settings"])).collect();
        all.sort();
        all
    }

    pub fn count(&self, name: &str) -> usize {
        self.nodes.values().filter(|node| node["name"] == name).count()
    }

    pub fn document_has(&self, name: &str) -> bool {
        self.named(name).is_some()
    }

    pub fn setting(&self, name: &str, key: &str) -> Json {
        self.named(name).map_or(Json::Null, |node| node["settings"][key].clone())
    }

    pub fn robot_has_all(&self) -> bool {
        self.robot_has >= self.version
    }

    pub fn until_robot_has_all(&mut self) {
        self.until("the robot has it", Client::robot_has_all);
    }

    pub fn is_running(&self, name: &str) -> bool {
        let running = self.run["running"].as_array().into_iter().flatten();
        let mut ids = running.filter_map(|step| step["step"]["node"].as_str());
        ids.any(|id| self.nodes.get(id).is_some_and(|node| node["name"] == name))
    }

    pub fn until_running(&mut self, name: &str) {
        self.until("it runs", |client| client.is_running(name));
    }
}
