//! Sockets, threads and clocks around an [`Operator`].
//!
//! One thread has the operator, one the link, one does long work, and one serves the web. A stop goes from the web to the
//! link by itself: nothing that keeps the operator busy holds it up.

mod core;
mod door;
mod http;
mod inbox;
mod link_thread;
mod page;
mod rehearsals;
mod socket;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use link::udp::UdpNode;
use looks::{Gallery, Kept};
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::{Operator, Setup, SharedError};
use core::Core;
use door::{Door, Ticket};

/// A request whose head does not come within this time does not come.
const HEADERS: Duration = Duration::from_secs(5);
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

#[derive(Debug, Error)]
pub enum ServeError {
    #[error("{0}: {1}")]
    Bind(SocketAddr, std::io::Error),
    #[error("{0} can be reached from other machines: give people tokens with --tokens, or listen on 127.0.0.1")]
    NoTokens(SocketAddr),
    #[error("a thread cannot be started: {0}")]
    Thread(std::io::Error),
    #[error("the operating system gives no randomness: {0}")]
    Randomness(String),
    #[error(transparent)]
    Shared(#[from] SharedError),
}

/// A server that runs until it is dropped.
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    threads: Vec<JoinHandle<()>>,
    core: Arc<Core>,
}

impl Server {
    /// `node`: the operator's end of the link; none: there is only the tree.
    pub fn start(setup: Setup, node: Option<UdpNode>, listen: SocketAddr) -> Result<Server, ServeError> {
        if !listen.ip().is_loopback() && setup.tokens.is_empty() {
            return Err(ServeError::NoTokens(listen));
        }
        let tokens = setup.tokens.clone();
        let gallery = setup.robot.as_deref().and_then(Gallery::of);
        let gallery = gallery.map(|gallery| gallery.kept_in(setup.meshes.clone().map(Kept::new)));
        let mut operator = Operator::new(setup)?;
        operator.seed_sessions(link::random().map_err(|error| ServeError::Randomness(error.to_string()))?);
        let (core, mut threads) = Core::start(operator, node)?;
        let (stop, stopped) = oneshot::channel();
        let (bound, address) = std::sync::mpsc::channel();
        let router = http::router(Arc::clone(&core), tokens, gallery);
        let web =
            std::thread::Builder::new().name("web".to_owned()).spawn(move || serve(listen, router, &bound, stopped));
        threads.push(web.map_err(ServeError::Thread)?);
        let address = address.recv().expect("the web thread says what became of its socket");
        match address {
            Ok(address) => Ok(Server { address, stop: Some(stop), threads, core }),
            Err(error) => {
                core.end();
                Err(ServeError::Bind(listen, error))
            }
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Somebody wants all to begin anew with the robot of this file.
    pub fn wanted_robot(&self) -> Option<PathBuf> {
        self.core.wanted_robot()
    }

    /// A part of it has ended, by a fault of ours: what is left serves nobody, and the process should end.
    pub fn has_failed(&self) -> bool {
        self.threads.iter().any(JoinHandle::is_finished)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.core.end();
        for thread in self.threads.drain(..) {
            // One that has failed has said so.
            let _ = thread.join();
        }
    }
}

type Bound = std::sync::mpsc::Sender<std::io::Result<SocketAddr>>;

fn serve(listen: SocketAddr, router: Router, bound: &Bound, stopped: oneshot::Receiver<()>) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = bound.send(Err(error));
            return;
        }
    };
    runtime.block_on(async move {
        let listener = match TcpListener::bind(listen).await {
            Ok(listener) => listener,
            Err(error) => {
                let _ = bound.send(Err(error));
                return;
            }
        };
        let _ = bound.send(listener.local_addr());
        // Open sockets of clients do not keep it alive.
        tokio::select! {
            () = accept(&listener, &router) => {}
            _ = stopped => {}
        }
    });
}

async fn accept(listener: &TcpListener, router: &Router) {
    let door = Arc::new(Door::default());
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                // Small messages must not wait for the acknowledgement of others.
                let _ = stream.set_nodelay(true);
                let ticket = Arc::new(door.enter(from.ip()));
                tokio::spawn(connection(stream, ticket, router.clone()));
            }
            // No room for another one now, or one that left while it came.
            Err(_) => tokio::time::sleep(ACCEPT_AGAIN).await,
        }
    }
}

async fn connection(stream: TcpStream, ticket: Arc<Ticket>, router: Router) {
    let service = TowerToHyperService::new(router.layer(Extension(Arc::clone(&ticket))));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // What becomes of a socket is the socket's; what breaks off breaks off.
    tokio::select! {
        _ = served => {}
        () = ticket.sent_away() => {}
    }
}
