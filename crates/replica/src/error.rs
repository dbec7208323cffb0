use thiserror::Error;

/// Why bytes from elsewhere were not taken, or an edit could not be recorded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplicaError {
    #[error("the bytes are damaged: {0}; ask for them again")]
    Damaged(&'static str),
    #[error("the bytes are of a version this program does not know: update the older of the two")]
    Version,
    /// The sender has the tree of another epoch. If ours is older we need its genesis, else it needs ours.
    #[error("the change belongs to epoch {theirs}, the tree here to epoch {ours}: the older side takes the newer tree")]
    OtherEpoch { ours: u64, theirs: u64 },
    #[error("the shared tree could not take the edit: {0}")]
    Refused(String),
}

impl From<loro::LoroError> for ReplicaError {
    fn from(error: loro::LoroError) -> ReplicaError {
        ReplicaError::Refused(error.to_string())
    }
}
