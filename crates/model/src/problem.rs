use std::fmt;

use serde::Serialize;

use crate::NodeId;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Runs, but likely not as meant.
    Warning,
    /// The file is wrong; it still opens, but does not run.
    Error,
}

/// One thing wrong with a file: where, what, and how to mend it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Problem {
    pub severity: Severity,
    pub file: String,
    /// The path that finds the node and no other, `/Pick/Grasp[2]`; empty for the file as a whole.
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    pub message: String,
    pub remedy: String,
}

impl Problem {
    pub fn in_file(severity: Severity, file: &str, message: impl Into<String>, remedy: impl Into<String>) -> Problem {
        Problem {
            severity,
            file: file.to_owned(),
            path: String::new(),
            node: None,
            field: None,
            message: message.into(),
            remedy: remedy.into(),
        }
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}: {}", self.file)?;
        if !self.path.is_empty() {
            write!(f, " {}", self.path)?;
        }
        if let Some(field) = &self.field {
            write!(f, " [{field}]")?;
        }
        write!(f, ": {}", self.message)?;
        if !self.remedy.is_empty() {
            write!(f, "\n    {}", self.remedy)?;
        }
        Ok(())
    }
}
