use std::sync::Arc;

use experience::{Batch, Line};

/// Where what attempts at tasks have shown outlives a run.
pub trait Memory {
    /// All of it as it is now, for an engine that knows nothing yet.
    fn stored(&mut self) -> Arc<Vec<Batch>>;

    /// Behind what is there. It must not wait.
    fn keep(&mut self, lines: &[Line]);

    /// What of it cannot be read or written.
    fn take_warnings(&mut self) -> Vec<String>;
}
