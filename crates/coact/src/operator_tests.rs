use std::io;
use std::net::TcpStream;

use model::file::Files;
use protocol::api::FileEntry;
use server::Store;
use tungstenite::{Message, WebSocket};

use super::*;

/// A folder in which one name is a fault of the program.
struct Fatal;

impl Files for Fatal {
    fn read(&self, path: &str) -> Result<String, String> {
        Err(format!("there is no file {path}"))
    }
}

impl Store for Fatal {
    fn list(&self) -> io::Result<Vec<FileEntry>> {
        Ok(Vec::new())
    }

    fn exists(&self, file: &str) -> bool {
        assert_ne!(file, "fatal.json", "a fault in the operator's own thread");
        false
    }

    fn write(&self, _: &str, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn rename(&self, _: &str, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn remove(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn make_folder(&self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn reader(&self) -> Box<dyn Files + Send> {
        Box::new(Fatal)
    }

    fn lister(&self) -> Box<dyn FnOnce() -> io::Result<Vec<FileEntry>> + Send> {
        Box::new(|| Ok(Vec::new()))
    }
}

fn serving() -> Server {
    let peer = Peer { number: 7, name: "operator".into() };
    let setup = Setup {
        outbox: Box::new(Nowhere(peer.number)),
        registry: nodes::registry(),
        store: Box::new(Fatal),
        tokens: Tokens::default(),
        peer,
        library: server::empty("behavior.json"),
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
    };
    Server::start(setup, None, "127.0.0.1:0".parse().expect("an address")).expect("a port is free")
}

fn say(socket: &mut WebSocket<TcpStream>, text: String) {
    socket.send(Message::text(text)).expect("the server reads");
}

#[test]
fn a_dead_thread_ends_the_process_with_code_1() {
    let server = serving();
    let stream = TcpStream::connect(server.address()).expect("the server listens");
    let url = format!("ws://{}/api/v1", server.address());
    let (mut socket, _) = tungstenite::client(url, stream).expect("the server speaks");
    say(&mut socket, format!(r#"{{"id": 1, "ask": "hello", "version": {}, "name": "Ann"}}"#, protocol::api::VERSION));
    say(&mut socket, r#"{"id": 2, "ask": "new", "file": "fatal.json", "discard": true}"#.to_owned());
    assert_eq!(wait_for(&AtomicBool::new(false), || false, || server.has_failed()), FAILED);
}

#[test]
fn ctrl_c_is_a_success() {
    let server = serving();
    assert_eq!(wait_for(&AtomicBool::new(true), || false, || server.has_failed()), SUCCESS);
}
