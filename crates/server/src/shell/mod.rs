//! Sockets, threads and clocks around an [`Operator`].
//!
//! One thread has the operator, one the link, one does long work, and one serves the web. A stop goes from the web to the
//! link by itself: nothing that keeps the operator busy holds it up.

mod core;
mod http;
mod inbox;
mod link_thread;
mod page;
mod socket;

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

use axum::Router;
use axum::serve::ListenerExt;
use link::udp::UdpNode;
use thiserror::Error;
use tokio::sync::oneshot;

use crate::{Operator, Setup, SharedError};
use core::Core;

#[derive(Debug, Error)]
pub enum ServeError {
    #[error("{0}: {1}")]
    Bind(SocketAddr, std::io::Error),
    #[error("{0} can be reached from other machines: give people tokens with --tokens, or listen on 127.0.0.1")]
    NoTokens(SocketAddr),
    #[error("a thread cannot be started: {0}")]
    Thread(std::io::Error),
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
        let meshes = setup.robot.clone();
        let operator = Operator::new(setup)?;
        let (core, mut threads) = Core::start(operator, node)?;
        let (stop, stopped) = oneshot::channel();
        let (bound, address) = std::sync::mpsc::channel();
        let router = http::router(Arc::clone(&core), meshes);
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
        let listener = match tokio::net::TcpListener::bind(listen).await {
            Ok(listener) => listener,
            Err(error) => {
                let _ = bound.send(Err(error));
                return;
            }
        };
        let _ = bound.send(listener.local_addr());
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        // Small messages must not wait for the acknowledgement of others.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let served = axum::serve(listener, service);
        // Open sockets of clients do not keep it alive.
        tokio::select! {
            _ = served => {}
            _ = stopped => {}
        }
    });
}
