//! What a robot is made of, looked at and corrected by a person.

use robot::{Corrections, Guessed};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether what was guessed of the robot can be looked at and corrected here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Workshop {
    #[default]
    None,
    /// The robot has a file of its own.
    Written,
    /// It is as it was guessed from its URDF: nobody has looked yet.
    Guessed,
}

/// A robot as it would be with some corrections, checked as `coact robot-check` does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RobotGuessView {
    pub urdf: String,
    pub corrections: Corrections,
    /// In the order of the file.
    pub guessed: Vec<Guessed>,
    /// Of the URDF, by name.
    pub links: Vec<String>,
    /// Errors first.
    pub problems: Vec<RobotProblem>,
    /// Where it would be written unless another name is given.
    pub file: String,
    /// A file is there already.
    pub is_there: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RobotProblem {
    pub error: bool,
    pub text: String,
}
