use std::io;
use std::sync::Arc;

use model::{EditError, NodeId};
use thiserror::Error;

/// Why an operation was refused. Nothing has changed then.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DocumentError {
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error("node {0} is not in the tree; it may have been deleted meanwhile")]
    NoNode(NodeId),
    #[error("{0} is no file of this behavior")]
    NoFile(String),
    #[error("nothing was chosen")]
    Nothing,
    #[error("this version does not know the type `{0}`")]
    UnknownType(String),
    #[error("a `{kind}` has no setting `{field}`; it has {known}")]
    UnknownField { kind: String, field: String, known: String },
    #[error("`{field}` {problem}")]
    Value { field: String, problem: String },
    #[error("a `{0}` has no children of its own")]
    Childless(String),
    #[error("`{label}` has children, and a `{kind}` has none; move them out first")]
    HasChildren { label: String, kind: String },
    #[error("the root of a file cannot be a skill use; put it into a sequence")]
    SkillAsRoot,
    #[error("the nodes to wrap must be children of one node")]
    NotSiblings,
    #[error("a `{0}` does not hold other nodes: wrap in a sequence, fallback, parallel, loop or choose")]
    NoWrapper(String),
    #[error("`{0}` is no skill use of a file that is loaded")]
    NoSkill(String),
    #[error("{0}")]
    File(String),
    #[error("it cannot become a file of its own: {}", .0.join("; "))]
    CrossesBorder(Vec<String>),
    #[error("it cannot be written out here: {}", .0.join("; "))]
    Captures(Vec<String>),
    #[error("`{from}` refers to `{to}`: let it refer to another node first")]
    Referred { from: String, to: String },
    #[error("`{path}`: {why}")]
    Rework { path: String, why: String },
    #[error(
        "`{path}` uses {file}, which has poses in frames of objects: mirrored, its use would mirror the objects too. \
         Mirror the world with its objects, let the use lead to a mirrored copy of that file, or write the skill out here"
    )]
    SidedSkill { path: String, file: String },
    #[error(
        "`{0}` is `mirrored`: take that out first, write the skill out, and mirror what was written out, with the objects \
         of the world"
    )]
    MirroredUse(String),
    #[error("{file} is already part of this behavior and is no mirror image of {of}: rename one of them")]
    NoMirrorImage { file: String, of: String },
    #[error("there is nothing to undo")]
    NothingToUndo,
    #[error("there is nothing to redo")]
    NothingToRedo,
}

/// A file that could not be written. Those in `written` are; the others keep their mark.
#[derive(Debug, Error)]
#[error("{file} could not be saved: {error}")]
pub struct SaveError {
    pub file: Arc<str>,
    pub error: io::Error,
    /// Somebody else wrote the file since; a person may be asked whether to save over it.
    pub changed_on_disk: bool,
    pub written: Vec<Arc<str>>,
}
