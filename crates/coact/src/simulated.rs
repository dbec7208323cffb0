//! A robot in simulation, and what only a simulation can tell of it.

use recording::{BalanceReport, Report};
use robot::RobotInterface;
use sim::{KinematicRobot, PhysicsRobot};

pub trait Simulated: RobotInterface {
    /// Why the run has failed, whatever the behavior says.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Adds to the report what happened around the behavior.
    fn sum_up(&mut self, _report: &mut Report) {}
}

impl Simulated for KinematicRobot {}

impl Simulated for PhysicsRobot {
    fn failure(&self) -> Option<String> {
        self.fallen().map(str::to_owned)
    }

    fn sum_up(&mut self, report: &mut Report) {
        let balance = self.balance();
        if balance.min_margin_m.is_finite() {
            report.balance = Some(BalanceReport {
                min_margin_m: balance.min_margin_m,
                at_s: balance.min_margin_at_s,
                max_friction: balance.max_friction,
            });
        }
        for note in self.take_notes() {
            report.note(note.time_ns, "world", note.text);
        }
    }
}
