use std::fmt;

use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Understood otherwise than written, harmless.
    Note,
    /// Usable, but likely not as meant.
    Warning,
    /// Part of the robot is left out or not physical.
    Error,
}

/// One thing wrong with a robot file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub severity: Severity,
    /// Empty where there is but one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// From 1; 0 where there is no line to tell.
    pub line: u32,
    /// `joint left_elbow` of a URDF, `parts.left_arm` of a robot file; empty for the file as a whole.
    pub element: String,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        if !self.file.is_empty() {
            write!(f, "{} ", self.file)?;
        }
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        write!(f, "{severity}: ")?;
        if !self.element.is_empty() {
            write!(f, "{}: ", self.element)?;
        }
        f.write_str(&self.message)
    }
}

impl Problem {
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
