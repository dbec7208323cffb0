//! The operator process: the shared tree, files, previews, people and their sessions, and the web server.
//!
//! [`Operator`] has all of it but sockets, threads and clocks; the shell around it has these and no more.

mod around;
mod asks;
mod beside;
mod body_seen;
mod bulk;
mod clip;
mod commands;
mod difference;
mod edit;
mod files;
mod flow;
mod from_link;
mod goals;
mod hello;
mod load;
mod looks;
mod marks;
mod names_in;
mod node_view;
mod numbers;
mod operator;
mod outbox;
mod people;
mod present;
mod previewing;
mod pushes;
mod reading;
mod recall;
mod rehearsal;
mod robot_seen;
mod run_seen;
mod save;
mod session;
mod shared;
mod shell;
mod store;
mod syncing;
mod touched;
mod trace;
mod tree;
mod trials;
mod tries;
mod untold;
mod view;
mod work;
mod workshop;

use model::{Definition, Header, Library, Node, NodeId};

pub use asks::MOST_MESSAGE;
pub use flow::Flow;
pub use hello::{FOR_SUPERVISORS, MOST_SESSIONS, MOST_WINDOWS};
pub use operator::{Effect, Frame, NOT_ALLOWED, Now, Operator, Setup, TAKEN_UP, Tag};
pub use outbox::{Nowhere, Outbox, OutboxFolder};
pub use people::{Tokens, TokensError, token_line};
pub use recall::{Recall, Recordings};
pub use rehearsal::{Beginning, Rehearsal, RehearsalOrder, Rehearsed, TICK_S};
pub use session::SessionId;
pub use shared::{Shared, SharedError};
pub use shell::{ServeError, Server};
pub use store::{Folder, Store};
pub use trials::Trials;
pub use work::{Listing, Work, Worked};
pub use workshop::Workshop;

/// A behavior with nothing in it.
pub fn empty(file: &str) -> Library {
    let root = Node {
        id: NodeId::from_position(file, &[]),
        parent: None,
        kind: "sequence".into(),
        name: "".into(),
        notes: "".into(),
        children: Vec::new(),
        fields: model::Fields::default(),
        id_written: false,
    };
    let mut library = Library::default();
    library.add(Definition::new(file.into(), Header::default(), root));
    library
}
