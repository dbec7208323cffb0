//! What a node type is: what it says of itself, what its steps see and how they end.

mod bind;
mod cannot;
mod context;
mod declared;
mod dry;
mod end;
mod ground;
mod node_type;
mod registry;

pub use bind::{Binder, Resolver, Target, Token, Variable, reference_in};
pub use cannot::Cannot;
pub use context::Context;
pub(crate) use context::{Effects, Jump};
pub use declared::{Case, Fails, Finding, Flow, Runs, Within};
pub use end::{End, Halt, Tick, Verdict};
pub use ground::Ground;
pub(crate) use node_type::{AnyComposite, AnyStep, AskedSettings, Authored, Made};
pub use node_type::{Branching, CompositeType, Entry, OrganiserType, Rework, StepType, composite, organiser, step};
pub use registry::Registry;
