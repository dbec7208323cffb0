//! What a node type says of itself to those who look at a tree without running it.

use model::Severity;

/// How sure it is that a node fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fails {
    Never,
    Maybe,
    Always,
}

/// What is certain of a node's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    pub fails: Fails,
    /// Once started it goes on until it is halted from outside.
    pub never_ends: bool,
    /// It ends in the tick it starts in.
    pub instant: bool,
}

impl Flow {
    pub const UNKNOWN: Flow = Flow { fails: Fails::Maybe, never_ends: false, instant: false };
    pub const NOTHING: Flow = Flow { fails: Fails::Never, never_ends: false, instant: true };

    #[must_use]
    pub fn failing(self, fails: Fails) -> Flow {
        Flow { fails, ..self }
    }

    /// By whether a constant condition fails it; none: that depends.
    #[must_use]
    pub fn fails_if(self, holds: Option<bool>) -> Flow {
        match holds {
            Some(true) => self.failing(Fails::Always),
            Some(false) => self.failing(Fails::Never),
            None => self,
        }
    }
}

/// Which of its children a composite runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// All, at once.
    All,
    /// All, one behind the other.
    InOrder,
    /// The first whose `when` holds.
    FirstCase,
    /// None of its own: the node that this setting names.
    Called(&'static str),
    /// As it decides.
    Some,
}

/// The children of a composite, as a checker knows them.
pub struct Within<'a> {
    pub branches: &'a [Case],
    /// One behind the other.
    pub in_order: Flow,
    /// A jump in it leads out of it.
    pub is_left: bool,
    /// Of a setting that names a node: the child that this is or lies in.
    pub position_of: &'a dyn Fn(&str) -> Option<usize>,
    /// What the node is called that a setting names; none: it names none, or none that is there.
    pub label_of: &'a dyn Fn(&str) -> Option<&'a str>,
    /// A setting names a node, whether there is one or not.
    pub is_named: &'a dyn Fn(&str) -> bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub flow: Flow,
    /// Whether its `when` always or never holds; none: that depends.
    pub holds: Option<bool>,
}

/// Something that is wrong with settings or children, and how to mend it.
#[derive(Clone, Debug)]
pub struct Finding {
    pub severity: Severity,
    /// None: the node itself.
    pub field: Option<&'static str>,
    pub message: String,
    pub remedy: String,
}

impl Finding {
    pub fn error(field: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { severity: Severity::Error, field: Some(field), message: message.into(), remedy: remedy.into() }
    }

    pub fn warning(field: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warning, field: Some(field), message: message.into(), remedy: remedy.into() }
    }

    pub fn of_node(message: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warning, field: None, message: message.into(), remedy: remedy.into() }
    }
}
