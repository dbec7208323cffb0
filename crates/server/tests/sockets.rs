//! Real sockets: what strangers send, what slow clients do, and what the web thread serves.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use common::{Memory, SKILL, TREE, peer};
use model::file::{Files, load};
use protocol::api::FileEntry;
use serde_json::{Value as Json, json};
use server::{ServeError, Server, Setup, Store, Tokens};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

const DEADLINE: Duration = Duration::from_secs(60);

fn setup(tokens: Tokens) -> Setup {
    let store = Memory::default();
    store.put("main.json", TREE);
    store.put("skills/nod.json", SKILL);
    let registry = nodes::registry();
    let library = load("main.json", &store, registry.catalogue()).unwrap().library;
    Setup {
        outbox: Box::new(server::Nowhere(1)),
        registry,
        store: Box::new(store),
        tokens,
        peer: peer(5),
        library,
        robot: None,
        has_link: false,
        simulated: true,
        scenes: Vec::new(),
        budget_bytes: None,
        narrow: false,
        recordings: None,
        trials: None,
        workshop: None,
        meshes: None,
    }
}

fn server() -> Server {
    Server::start(setup(Tokens::default()), None, "127.0.0.1:0".parse().unwrap()).unwrap()
}

type Client = WebSocket<TcpStream>;

fn connect_with(address: SocketAddr, headers: &[(&'static str, &str)]) -> Result<Client, String> {
    let mut request = format!("ws://{address}/api/v1").into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    tungstenite::client(request, stream).map(|(client, _)| client).map_err(|error| error.to_string())
}

fn connect(address: SocketAddr) -> Client {
    connect_with(address, &[]).unwrap()
}

fn ask(client: &mut Client, id: u32, mut ask: Json) -> Json {
    ask["id"] = json!(id);
    client.send(Message::text(ask.to_string())).unwrap();
    let until = Instant::now() + DEADLINE;
    while Instant::now() < until {
        if let Message::Text(text) = client.read().unwrap() {
            let message: Json = serde_json::from_str(&text).unwrap();
            if message["reply"] == json!(id) {
                return message;
            }
        }
    }
    panic!("no reply to {ask}");
}

fn hello(address: SocketAddr, name: &str) -> Client {
    let mut client = connect(address);
    let reply = ask(&mut client, 1, json!({"ask": "hello", "version": protocol::api::VERSION, "name": name}));
    assert_eq!(reply["ok"]["name"], name);
    client
}

/// Reads until the server has closed it.
fn is_closed(client: &mut Client) -> bool {
    let until = Instant::now() + DEADLINE;
    while Instant::now() < until {
        match client.read() {
            Ok(Message::Close(_)) | Err(_) => return true,
            Ok(_) => {}
        }
    }
    false
}

fn get(address: SocketAddr, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    text
}

#[test]
fn a_page_and_an_api() {
    let server = server();
    let host = server.address().to_string();
    let page = get(server.address(), "/", &host);
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<!doctype html"), "{page}");
    assert!(get(server.address(), "/none.js", &host).starts_with("HTTP/1.1 404"));
    assert!(get(server.address(), "/robot/mesh/..%2F..%2Fetc%2Fpasswd", &host).starts_with("HTTP/1.1 404"));
    assert!(get(server.address(), "/", "evil.example").starts_with("HTTP/1.1 403"));
    let mut ann = hello(server.address(), "Ann");
    let document = ask(&mut ann, 2, json!({"ask": "document"}));
    assert_eq!(document["ok"]["files"][0]["file"], "main.json");
}

#[test]
fn pages_from_elsewhere_are_refused() {
    let server = server();
    assert!(connect_with(server.address(), &[("origin", "http://evil.example")]).is_err());
    let own = format!("http://{}", server.address());
    assert!(connect_with(server.address(), &[("origin", &own)]).is_ok());
    let port = format!("http://127.0.0.1:{}", server.address().port().wrapping_add(1).max(1));
    assert!(connect_with(server.address(), &[("origin", &port)]).is_err(), "another port is another origin");
    assert!(connect_with(server.address(), &[("host", "evil.example")]).is_err());
}

#[test]
fn garbage_and_large_messages_end_one_session_only() {
    let server = server();
    let mut ann = hello(server.address(), "Ann");
    let mut stranger = connect(server.address());
    stranger.send(Message::text("x".repeat(100 << 10))).unwrap();
    assert!(is_closed(&mut stranger), "64 KiB before hello");
    let mut binary = hello(server.address(), "Bin");
    binary.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert!(is_closed(&mut binary));
    let mut large = hello(server.address(), "Large");
    let _ = large.send(Message::text("x".repeat(2 << 20)));
    assert!(is_closed(&mut large));
    let mut raw = TcpStream::connect(server.address()).unwrap();
    raw.write_all(&[0xff; 4096]).unwrap();
    let mut torn = connect(server.address());
    torn.get_mut().write_all(&[0x81, 0x7f, 0xff, 0xff]).unwrap();
    drop(torn);
    let reply = ask(&mut ann, 2, json!({"ask": "history", "most": 1}));
    assert_eq!(reply["ok"]["is"], "history");
}

#[test]
fn one_who_does_not_read_holds_up_nobody() {
    let server = server();
    let mut slow = hello(server.address(), "Slow");
    let mut ann = hello(server.address(), "Ann");
    let document = ask(&mut ann, 2, json!({"ask": "document"}));
    let first =
        document["ok"]["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "First").unwrap()["id"].clone();
    for id in 0..200 {
        slow.send(Message::text(json!({"id": id, "ask": "document"}).to_string())).unwrap();
    }
    let notes = "n".repeat(200_000);
    for round in 0..100 {
        let operation = json!({"do": "notes", "node": first, "notes": format!("{round}{notes}")});
        let reply = ask(&mut ann, 100 + round, json!({"ask": "edit", "operation": operation}));
        assert_eq!(reply["ok"]["is"], "edited", "{reply}");
    }
    // It reads again: either it was let go, or it is brought up to date.
    let until = Instant::now() + DEADLINE;
    let mut newest = 0;
    while Instant::now() < until && newest < 101 {
        match slow.read() {
            Ok(Message::Text(text)) => {
                let message: Json = serde_json::from_str(&text).unwrap();
                if message.get("push").is_some() {
                    newest = newest.max(message["version"].as_u64().unwrap_or(0));
                }
            }
            Ok(Message::Close(_)) | Err(_) => return,
            Ok(_) => {}
        }
    }
    assert!(newest >= 101, "{newest}");
}

#[test]
fn beyond_this_machine_only_with_tokens() {
    let refused = Server::start(setup(Tokens::default()), None, "0.0.0.0:0".parse().unwrap());
    assert!(matches!(refused, Err(ServeError::NoTokens(_))));
    let server = Server::start(setup(common::tokens()), None, "0.0.0.0:0".parse().unwrap()).unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], server.address().port()));
    let mut client = connect(address);
    let reply = ask(&mut client, 1, json!({"ask": "hello", "version": protocol::api::VERSION, "name": "Susi"}));
    assert_eq!(reply["error"]["code"], "not_allowed");
    let reply = ask(&mut client, 2, json!({"ask": "hello", "version": protocol::api::VERSION, "token": "work"}));
    assert_eq!(reply["ok"]["role"], "operator");
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let server = server();
    let again = Server::start(setup(Tokens::default()), None, server.address());
    assert!(matches!(again, Err(ServeError::Bind(..))));
}

#[test]
fn sockets_that_say_nothing_keep_nobody_out() {
    let server = server();
    let mut early = hello(server.address(), "Early");
    let silent: Vec<Client> = (0..80).map(|_| connect(server.address())).collect();
    let half: Vec<TcpStream> = (0..400)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address()).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
            stream
        })
        .collect();
    let mut late = hello(server.address(), "Late");
    for (id, client) in [(2, &mut early), (3, &mut late)] {
        assert_eq!(ask(client, id, json!({"ask": "history", "most": 1}))["ok"]["is"], "history");
    }
    // Those who still have a place lose it by themselves.
    for mut client in silent {
        assert!(is_closed(&mut client));
    }
    for mut stream in half {
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        let kept = |error: &std::io::Error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
        assert!(!stream.read_to_end(&mut Vec::new()).is_err_and(|error| kept(&error)), "it was closed, not kept");
    }
}

#[test]
fn who_guesses_tokens_is_sent_away_and_others_come_in() {
    let server = Server::start(setup(common::tokens()), None, "127.0.0.1:0".parse().unwrap()).unwrap();
    for _ in 0..3 {
        let mut stranger = connect(server.address());
        let reply = ask(&mut stranger, 1, json!({"ask": "hello", "version": protocol::api::VERSION, "token": "guess"}));
        assert_eq!(reply["error"]["code"], "not_allowed");
        assert!(is_closed(&mut stranger), "one guess a connection");
    }
    let mut otto = connect(server.address());
    assert_eq!(
        ask(&mut otto, 1, json!({"ask": "hello", "version": protocol::api::VERSION, "token": "work"}))["ok"]["name"],
        "Otto"
    );
}

fn post_stop(address: SocketAddr, headers: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    let head = format!("POST /api/v1/stop HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: 0\r\n");
    write!(stream, "{head}{headers}\r\n").unwrap();
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    text
}

#[test]
fn stop_needs_no_socket_but_a_token() {
    let server = Server::start(setup(common::tokens()), None, "127.0.0.1:0".parse().unwrap()).unwrap();
    let address = server.address();
    assert!(post_stop(address, "").starts_with("HTTP/1.1 401"));
    assert!(post_stop(address, "Authorization: Bearer guess\r\n").starts_with("HTTP/1.1 401"));
    // Without a link there is nothing to stop; that is said to those who may.
    assert!(post_stop(address, "Authorization: Bearer watch\r\n").starts_with("HTTP/1.1 503"));
    let elsewhere = "Authorization: Bearer watch\r\nOrigin: http://evil.example\r\n";
    assert!(post_stop(address, elsewhere).starts_with("HTTP/1.1 403"));
}

#[test]
fn a_proxy_is_let_in_with_tokens_only() {
    let open = server();
    let refused = get_with(open.address(), "X-Forwarded-For: 192.0.2.7\r\n");
    assert!(refused.starts_with("HTTP/1.1 403") && refused.contains("--tokens"), "{refused}");
    assert!(connect_with(open.address(), &[("x-forwarded-for", "192.0.2.7")]).is_err());
    let named = get(open.address(), "/", "robot.example");
    assert!(named.starts_with("HTTP/1.1 403") && named.contains("--tokens"), "{named}");

    let guarded = Server::start(setup(common::tokens()), None, "127.0.0.1:0".parse().unwrap()).unwrap();
    let headers = [
        ("host", "robot.example"),
        ("origin", "https://robot.example"),
        ("x-forwarded-for", "192.0.2.7"),
        ("x-forwarded-proto", "https"),
    ];
    let mut otto = connect_with(guarded.address(), &headers).unwrap();
    assert_eq!(
        ask(&mut otto, 1, json!({"ask": "hello", "version": protocol::api::VERSION, "token": "work"}))["ok"]["name"],
        "Otto"
    );
    let other = [("host", "robot.example"), ("origin", "https://robot.example:8443")];
    assert!(connect_with(guarded.address(), &other).is_err());
}

fn get_with(address: SocketAddr, headers: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{headers}\r\n").unwrap();
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    text
}

/// A folder that takes its time, and in which one name is fatal.
#[derive(Clone)]
struct Slow {
    files: Memory,
    go: std::sync::Arc<std::sync::Mutex<std::sync::mpsc::Receiver<()>>>,
}

impl Files for Slow {
    fn read(&self, path: &str) -> Result<String, String> {
        self.files.read(path)
    }
}

impl Store for Slow {
    fn list(&self) -> std::io::Result<Vec<FileEntry>> {
        self.go.lock().unwrap().recv().unwrap();
        self.files.list()
    }

    fn exists(&self, file: &str) -> bool {
        assert_ne!(file, "fatal.json", "a fault in the operator's own thread");
        self.files.exists(file)
    }

    fn write(&self, file: &str, text: &str) -> std::io::Result<()> {
        self.files.write(file, text)
    }

    fn rename(&self, file: &str, to: &str) -> std::io::Result<()> {
        self.files.rename(file, to)
    }

    fn remove(&self, file: &str) -> std::io::Result<()> {
        self.files.remove(file)
    }

    fn make_folder(&self, folder: &str) -> std::io::Result<()> {
        self.files.make_folder(folder)
    }

    fn reader(&self) -> Box<dyn Files + Send> {
        self.files.reader()
    }

    fn lister(&self) -> Box<dyn FnOnce() -> std::io::Result<Vec<FileEntry>> + Send> {
        let store = self.clone();
        Box::new(move || store.list())
    }
}

fn slow() -> (Server, std::sync::mpsc::Sender<()>) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut setup = setup(Tokens::default());
    let files = Memory::default();
    files.put("main.json", TREE);
    files.put("skills/nod.json", SKILL);
    setup.store = Box::new(Slow { files, go: std::sync::Arc::new(std::sync::Mutex::new(receiver)) });
    (Server::start(setup, None, "127.0.0.1:0".parse().unwrap()).unwrap(), sender)
}

#[test]
fn a_folder_that_takes_long_to_list_delays_nobody() {
    let (server, go) = slow();
    let mut ann = hello(server.address(), "Ann");
    let mut bob = hello(server.address(), "Bob");
    ann.send(Message::text(json!({"id": 9, "ask": "files"}).to_string())).unwrap();
    // The list is not done before this is answered: it waits for the line after it.
    assert_eq!(ask(&mut bob, 2, json!({"ask": "document"}))["ok"]["is"], "document");
    assert_eq!(ask(&mut ann, 3, json!({"ask": "check"}))["ok"]["is"], "problems");
    go.send(()).unwrap();
    go.send(()).unwrap();
    assert_eq!(ask(&mut ann, 4, json!({"ask": "files"}))["ok"]["files"].as_array().unwrap().len(), 2);
}

#[test]
fn a_server_whose_operator_has_failed_says_so() {
    let (server, _go) = slow();
    assert!(!server.has_failed());
    let mut ann = hello(server.address(), "Ann");
    ann.send(Message::text(json!({"id": 2, "ask": "new", "file": "fatal.json"}).to_string())).unwrap();
    let until = Instant::now() + DEADLINE;
    while !server.has_failed() && Instant::now() < until {
        std::thread::yield_now();
    }
    assert!(server.has_failed());
}
