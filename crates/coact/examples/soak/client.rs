//! A person's client of an operator process: what it asked, and what it was told last.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// How long a read waits: short, so that answers are noticed when they come.
const READ: Duration = Duration::from_millis(2);

pub struct Client {
    socket: WebSocket<TcpStream>,
    last: u64,
    /// With when they came.
    pub replies: BTreeMap<u64, (Instant, Json)>,
    pub nodes: BTreeMap<String, Json>,
    pub version: u64,
    pub robot_has: u64,
    pub link: Json,
    /// What became of edits, as told to people.
    pub notices: Vec<String>,
}

impl Client {
    /// Says hello and has the tree that the operator has.
    pub fn join(operator: SocketAddr, token: &str, patience: Duration) -> Result<Client, String> {
        let until = Instant::now() + patience;
        let stream = TcpStream::connect_timeout(&operator, patience).map_err(text)?;
        stream.set_read_timeout(Some(READ)).map_err(text)?;
        stream.set_nodelay(true).map_err(text)?;
        let request = format!("ws://{operator}/api/v1").into_client_request().map_err(text)?;
        let mut handshake = tungstenite::client(request, stream);
        let socket = loop {
            match handshake {
                Ok((socket, _)) => break socket,
                Err(tungstenite::HandshakeError::Interrupted(begun)) if Instant::now() < until => {
                    handshake = begun.handshake();
                }
                Err(error) => return Err(error.to_string()),
            }
        };
        let mut client = Client {
            socket,
            last: 0,
            replies: BTreeMap::new(),
            nodes: BTreeMap::new(),
            version: 0,
            robot_has: 0,
            link: Json::Null,
            notices: Vec::new(),
        };
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        let hello = json!({"ask": "hello", "version": protocol::api::VERSION, "token": token});
        client.ok(hello, left(until))?;
        client.refresh(left(until))?;
        Ok(client)
    }

    /// The tree as it is now.
    pub fn refresh(&mut self, patience: Duration) -> Result<(), String> {
        let document = self.ok(json!({"ask": "document"}), patience)?;
        self.nodes.clear();
        self.take_nodes(&document);
        Ok(())
    }

    pub fn send(&mut self, mut ask: Json) -> Result<u64, String> {
        self.last += 1;
        ask["id"] = json!(self.last);
        self.socket.send(Message::text(ask.to_string())).map_err(text)?;
        Ok(self.last)
    }

    pub fn ask(&mut self, ask: Json, patience: Duration) -> Result<(Instant, Json), String> {
        let until = Instant::now() + patience;
        let id = self.send(ask.clone())?;
        loop {
            if let Some(reply) = self.replies.remove(&id) {
                return Ok(reply);
            }
            if Instant::now() > until {
                return Err(format!("no answer to {ask} in {patience:?}"));
            }
            self.listen()?;
        }
    }

    pub fn ok(&mut self, ask: Json, patience: Duration) -> Result<Json, String> {
        let (_, mut reply) = self.ask(ask.clone(), patience)?;
        if reply.get("ok").is_none() {
            return Err(format!("{ask}: {reply}"));
        }
        Ok(reply["ok"].take())
    }

    /// False: it never was so.
    pub fn until(&mut self, patience: Duration, is_so: impl Fn(&Client) -> bool) -> Result<bool, String> {
        let until = Instant::now() + patience;
        while !is_so(self) {
            if Instant::now() > until {
                return Ok(false);
            }
            self.listen()?;
        }
        Ok(true)
    }

    /// Takes one message, if one comes. False: none came.
    pub fn listen(&mut self) -> Result<bool, String> {
        match self.socket.read() {
            Ok(Message::Text(said)) => {
                self.take(serde_json::from_str(&said).map_err(text)?);
                Ok(true)
            }
            Ok(_) => Ok(true),
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) =>
            {
                Ok(false)
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn take(&mut self, message: Json) {
        if let Some(id) = message["reply"].as_u64() {
            self.replies.insert(id, (Instant::now(), message));
            return;
        }
        match message["push"].as_str().unwrap_or_default() {
            "document" => {
                self.nodes.clear();
                self.take_nodes(&message);
            }
            "changed" => self.take_nodes(&message),
            "delivery" => self.robot_has = message["robot_has"].as_u64().unwrap_or(0),
            "link" => self.link = message,
            "notice" => self.notices.push(message["text"].as_str().unwrap_or_default().to_owned()),
            _ => {}
        }
    }

    fn take_nodes(&mut self, message: &Json) {
        self.version = message["version"].as_u64().unwrap_or(0).max(self.version);
        for id in message["removed"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            self.nodes.remove(id);
        }
        for node in message["nodes"].as_array().into_iter().flatten() {
            self.nodes.insert(node["id"].as_str().unwrap_or_default().to_owned(), node.clone());
        }
    }

    pub fn named(&self, name: &str) -> Option<&Json> {
        self.nodes.values().find(|node| node["name"] == name)
    }

    pub fn id_of(&self, name: &str) -> Option<String> {
        self.named(name)?["id"].as_str().map(str::to_owned)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
