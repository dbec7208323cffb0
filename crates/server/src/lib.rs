//! The operator process: the shared tree, files, previews, people and their sessions, and the web server.
//!
//! [`Operator`] has all of it but sockets, threads and clocks; the shell around it has these and no more.

mod around;
mod asks;
mod bulk;
mod commands;
mod early;
mod edit;
mod from_link;
mod operator;
mod outbox;
mod people;
mod pushes;
mod robot_seen;
mod run_seen;
mod save;
mod session;
mod shared;
mod shell;
mod store;
mod tree;
mod view;
mod work;

use std::path::Path;
use std::sync::Arc;

use model::{Definition, Header, Library, Node, NodeId};
use scene::template::Library as Templates;

pub use asks::{MOST_MESSAGE, MOST_SESSIONS};
pub use operator::{Effect, Frame, Now, Operator, Setup, Tag};
pub use outbox::{Nowhere, Outbox, OutboxFolder};
pub use people::{Tokens, TokensError, token_line};
pub use session::SessionId;
pub use shared::{Shared, SharedError};
pub use shell::{ServeError, Server};
pub use store::{Folder, Store};
pub use work::{Work, Worked};

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

/// What can be done with objects: the files in `templates` beside the behavior, then our own.
pub fn templates_beside(file: &Path) -> Arc<Templates> {
    let mut templates = Templates::built_in();
    // `coact check` tells what is wrong with one; the others serve.
    let _ = templates.add_folder(&file.parent().unwrap_or(Path::new("")).join("templates"));
    Arc::new(templates)
}
