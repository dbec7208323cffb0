//! Real sockets: what strangers send, what slow clients do, and what the web thread serves.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use common::{Memory, SKILL, TREE, peer};
use model::file::load;
use serde_json::{Value as Json, json};
use server::{ServeError, Server, Setup, Tokens};
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
    let reply = ask(&mut client, 1, json!({"ask": "hello", "version": 1, "name": name}));
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
    assert!(get(server.address(), "/robot/../../etc/passwd.png", &host).starts_with("HTTP/1.1 404"));
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
    let reply = ask(&mut client, 1, json!({"ask": "hello", "version": 1, "name": "Susi"}));
    assert_eq!(reply["error"]["code"], "not_allowed");
    let reply = ask(&mut client, 2, json!({"ask": "hello", "version": 1, "token": "work"}));
    assert_eq!(reply["ok"]["role"], "operator");
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let server = server();
    let again = Server::start(setup(Tokens::default()), None, server.address());
    assert!(matches!(again, Err(ServeError::Bind(..))));
}
