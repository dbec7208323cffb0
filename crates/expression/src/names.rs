use model::Value;

use crate::Query;

/// Where a variable lives; the engine gives it meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot(pub u32);

/// Resolves names while an expression is compiled.
pub trait Names {
    /// None: no such variable, which is an error that names it.
    fn variable(&mut self, name: &str) -> Option<Slot>;

    /// The expression that a name stands for; None: it stands for none.
    fn definition(&mut self, _name: &str) -> Option<std::sync::Arc<str>> {
        None
    }

    /// The number of a token in `free('token')`.
    fn token(&mut self, name: &str) -> u32;

    /// The number of a node in `outcome('node')` and `result('node')`; None: no such node.
    fn node(&mut self, name: &str) -> Option<u32>;
}

/// What an expression sees while it is evaluated.
pub trait Env {
    /// None: declared, but without a value yet.
    fn variable(&self, slot: Slot) -> Option<&Value>;

    fn is_free(&self, token: u32) -> bool;

    /// Named outcome of the last run of a node, "" if none.
    fn outcome(&self, node: u32) -> &str;

    /// "success", "failure", "halted", "running", or "" if it never ran.
    fn result(&self, node: u32) -> &'static str;

    fn time_s(&self) -> f64;

    /// Uniform in [0, 1), from the run's seed.
    fn random(&self) -> f64;

    /// Between the origins of two frames, or why there is none now.
    fn distance_m(&self, a: &str, b: &str) -> Result<f64, String> {
        Err(format!("the distance of `{a}` and `{b}` is not known: there is no robot here"))
    }

    /// Of the newest picture within a radius of a frame, or why that is not known now.
    fn points(&self, frame: &str, _radius_m: f64) -> Result<usize, String> {
        Err(format!("the points near `{frame}` are not known: there is no robot here"))
    }

    /// What a function asks of the robot and of what is around it, or why there is no answer now.
    fn ask(&self, _query: Query, _about: &[Value]) -> Result<Value, String> {
        Err("there is no robot here that could be asked".to_owned())
    }
}
