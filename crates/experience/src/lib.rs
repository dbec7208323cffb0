//! What past attempts at a task say of the next one. A task is done by one of several *strategies*; how it goes depends on
//! a *state*, as the angle of a valve. Attempts are kept as batches of samples; from those comes which strategy is safe
//! where, which is expected to be done first, and what is chosen. A monitor says when an attempt must end, and the counting
//! of attempts what that end means. Nothing here reads a clock or a file.

mod attempts;
mod batch;
mod choice;
mod expected;
mod gathered;
mod lines;
mod monitor;

pub use attempts::{Attempts, Means};
pub use batch::{Batch, FORMAT, Forget, Limit, Phases, Row, Shift, State};
pub use choice::{Choice, Judged, Question, Unsafe, choose};
pub use expected::{Expected, Horizon, Nominal, Strategy, slowed};
pub use gathered::{Estimator, Experience, Grid, Left, Of, next_trial, shift};
pub use lines::{Line, Lines, TaskName, WrongLine, WrongName, read, write};
pub use monitor::{Exceeded, first_exceeded};
