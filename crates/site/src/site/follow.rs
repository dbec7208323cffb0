//! A site goes along with a run that is on record, and takes over from some moment on.

use engine::{Engine, TickInput};
use robot::Robot;
use robot::interface::RobotState;
use scene::Sight;

use super::Site;

impl Site {
    /// A tick as it is on record: robot, cell and jobs are given what they were given then, and the engine sees what it
    /// saw then, not what they tell now. `tick` lets it do that. The text: what they tell is something else than is on
    /// record. When jobs are done is no part of that: in real time it was by chance.
    pub fn follow(
        &mut self,
        engine: &mut Engine,
        recorded: &TickInput,
        tick: impl FnOnce(&mut Engine),
    ) -> Option<String> {
        let mut own = TickInput { time_ns: recorded.time_ns, ..TickInput::default() };
        if let Some(robot) = &mut self.robot {
            robot.gather(&mut own);
        }
        own.signals.append(&mut self.new_variables);
        if let Some(cell) = &mut self.cell {
            cell.before_tick(own.time_ns, &self.last_output, &mut own);
        }
        self.jobs.before_tick(&self.last_output, &mut own);
        let unlike = self.unlike(&own, recorded);
        self.told();
        // A job that took longer then is not done yet: whoever waits for it is told when the run goes on by itself.
        self.early.append(&mut own.finished);
        self.early.retain(|(id, _)| !recorded.finished.iter().any(|(known, _)| known == id));
        tick(engine);
        let output = engine.output();
        self.early.retain(|(id, _)| !output.cancelled_jobs.contains(id));
        if let Some(robot) = &mut self.robot {
            robot.obey(recorded.time_ns, output);
        }
        self.last_output.clone_from(output);
        if !recorded.edits.is_empty() {
            let unsuited = self.suit(engine.library(), &recorded.edits).err();
            self.warnings.extend(unsuited);
        }
        unlike
    }

    fn unlike(&self, own: &TickInput, recorded: &TickInput) -> Option<String> {
        let of_robot = match (&own.robot, &recorded.robot) {
            (Some(own), Some(recorded)) => self.driver().and_then(|driver| state(driver.robot(), own, recorded)),
            (None, None) => None,
            (own, _) => Some(format!("the robot tells {} state", if own.is_some() { "a" } else { "no" })),
        };
        let seen = |input: &TickInput| input.sights.iter().map(|sight| but_points(sight)).collect::<Vec<_>>();
        let others = [
            ("signals", own.signals != recorded.signals),
            ("where objects are", own.frames != recorded.frames),
            ("what cameras see", seen(own) != seen(recorded)),
            ("what rests", own.still != recorded.still),
            ("what equipment sends", own.received != recorded.received),
        ];
        of_robot.or_else(|| others.into_iter().find(|(_, differs)| *differs).map(|(what, _)| what.to_owned()))
    }
}

/// Points are on record only where somebody looked at them.
fn but_points(sight: &Sight) -> Sight {
    Sight { cloud: None, ..sight.clone() }
}

/// What differs first.
fn state(robot: &Robot, own: &RobotState, recorded: &RobotState) -> Option<String> {
    if own == recorded {
        return None;
    }
    let parts = [
        ("position", &own.positions, &recorded.positions),
        ("velocity", &own.velocities, &recorded.velocities),
        ("effort", &own.efforts, &recorded.efforts),
    ];
    for (what, own, recorded) in parts {
        let pairs = robot.model.coordinates().iter().zip(own.iter().zip(recorded));
        if let Some((joint, (own, recorded))) = pairs.into_iter().find(|(_, (own, recorded))| own != recorded) {
            return Some(format!("the {what} of {} is {own} and was {recorded}", joint.name));
        }
    }
    Some("the state of the robot".to_owned())
}
