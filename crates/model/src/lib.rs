//! What a node, a tree, a skill file and an edit are. No behaviour lives here, and only `file::Disk` and
//! `file::save_to_disk` touch a disk.

mod beside;
mod bound;
mod catalogue;
mod common;
mod definition;
mod edit;
mod field;
pub mod file;
mod fit;
pub mod hash;
mod id;
mod library;
mod node;
mod problem;
mod random;
mod reference;
mod schema;
mod value;
mod wanted;

pub use beside::{Beside, is_template, templates_folder};
pub use bound::{Bound, Fits, bound_text, may_be_bound};
pub use catalogue::{
    Catalogue, Declared, Drag, FieldInfo, Fixed, Foreign, Gives, Handle, Looks, Needs, NodeInfo, Offer, Role, Stands,
    Written,
};
pub use common::{
    Autonomy, COMMON_FIELDS, Common, ConflictPolicy, Edge, EndAs, Guard, Guards, When, common_fields, is_common,
};
pub use definition::{Definition, Header, Input, Output};
pub use edit::{Edit, EditError, Touched};
pub use field::{Field, Fields};
pub use fit::{fits, fits_below, is_setting};
pub use id::{DefinitionId, NodeId};
pub use library::Library;
pub use node::{Node, Subtree};
pub use problem::{Problem, Severity};
pub use random::Random;
pub use reference::{Finder, NodeRef, Resolution, reference_text, resolve};
pub use schema::{common_schema, fields_of, validate};
pub use value::Value;
pub use wanted::{ValueKind, Wanted};
