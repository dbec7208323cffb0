//! Walks that are gone through beside the control steps: up stairs it takes longer than one of them has time for.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::lower::{LowerBody, Stage};
use crate::interface::Footstep;

/// How a robot stands that may begin a walk, shared by its controller with whoever asks for one. A walk that was gone
/// through from there is not gone through again when it is commanded: it is the same walk, and only begins sooner.
#[derive(Clone, Default)]
pub struct Standing(Known);

#[derive(Clone, Default)]
enum Known {
    #[default]
    No,
    Here(Arc<Stand>),
    /// By the robot of a run that is on record: whoever reads it asks for walks as was done then.
    There,
}

struct Stand {
    lower: LowerBody,
    /// The last that was gone through.
    walk: Mutex<Option<Walk>>,
}

struct Walk {
    steps: Vec<Footstep>,
    stages: Stages,
}

/// Of a whole walk; an error names the first step that cannot be done.
pub(super) type Stages = Result<VecDeque<Stage>, String>;

impl Standing {
    pub(super) fn of(lower: &LowerBody) -> Standing {
        Standing(Known::Here(Arc::new(Stand { lower: lower.clone(), walk: Mutex::new(None) })))
    }

    /// It is known how the legs stand: else a walk is gone through when it is commanded.
    pub fn is_known(&self) -> bool {
        !matches!(self.0, Known::No)
    }

    fn stand(&self) -> Option<&Arc<Stand>> {
        if let Known::Here(stand) = &self.0 { Some(stand) } else { None }
    }

    /// Goes through a walk as its controller would. Takes up to tens of milliseconds.
    pub fn go_through(&self, steps: &[Footstep]) {
        let Some(stand) = self.stand() else { return };
        let stages = stand.lower.plan_walk(steps);
        *stand.walk.lock().unwrap_or_else(PoisonError::into_inner) = Some(Walk { steps: steps.to_vec(), stages });
    }

    pub fn has_gone_through(&self, steps: &[Footstep]) -> bool {
        let Some(stand) = self.stand() else { return false };
        let walk = stand.walk.lock().unwrap_or_else(PoisonError::into_inner);
        walk.as_ref().is_some_and(|walk| walk.steps == steps)
    }

    pub(super) fn take(&self, steps: &[Footstep]) -> Option<Stages> {
        let mut walk = self.stand()?.walk.lock().unwrap_or_else(PoisonError::into_inner);
        walk.take_if(|walk| walk.steps == steps).map(|walk| walk.stages)
    }
}

/// Of it a record holds whether it was known, on which the order of jobs depends.
impl Serialize for Standing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.is_known().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Standing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Standing, D::Error> {
        Ok(Standing(if bool::deserialize(deserializer)? { Known::There } else { Known::No }))
    }
}

/// How it stands is not a part of what is told.
impl PartialEq for Standing {
    fn eq(&self, _other: &Standing) -> bool {
        true
    }
}

impl fmt::Debug for Standing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if self.is_known() { "Standing(known)" } else { "Standing(not known)" })
    }
}

#[cfg(test)]
mod tests {
    use geometry::Pose;

    use super::*;
    use crate::control::Controller;
    use crate::interface::{Command, CommandId, Order, Queueing};
    use crate::{BodyFrame, BodyPoses, Robot, Side};

    fn controller() -> Controller {
        let robot = Arc::new(Robot::builtin("coact-one").expect("our own"));
        let positions = robot.configuration("home").expect("a preset");
        let mut poses = BodyPoses::new(robot.clone());
        poses.place(&positions, &Pose::identity());
        let world_from_base = poses.world_from(BodyFrame::Walking).inverse();
        Controller::new(robot, &positions, &world_from_base)
    }

    fn one_step(controller: &mut Controller, ahead_m: f64) -> Vec<Footstep> {
        let left = controller.poses().world_from(BodyFrame::Sole(Side::Left));
        let world_from_sole = Pose::from_translation(ahead_m, 0.0, 0.0) * left;
        vec![Footstep { side: Side::Left, world_from_sole, swing_s: 0.8, transfer_s: 0.5, swing_height_m: 0.05 }]
    }

    fn walk(controller: &mut Controller, id: u64, steps: &[Footstep]) -> Result<(), String> {
        let order = Order::Footsteps { steps: steps.to_vec() };
        let command = Command { id: CommandId(id), queueing: Queueing::Override, order };
        controller.command(&command).map_err(|refusal| refusal.0)
    }

    /// As if another robot had gone through them: whoever goes through them itself finds that they can be done.
    fn say(standing: &Standing, steps: &[Footstep], answer: &str) {
        let walk = Walk { steps: steps.to_vec(), stages: Err(answer.to_owned()) };
        *standing.stand().expect("it stands").walk.lock().expect("nobody panicked") = Some(walk);
    }

    #[test]
    fn what_was_gone_through_is_not_gone_through_in_a_control_step() {
        let mut controller = controller();
        let steps = one_step(&mut controller, 0.2);
        let standing = controller.walking().standing;
        say(&standing, &steps, "as it was told");
        assert_eq!(walk(&mut controller, 1, &steps), Err("as it was told".to_owned()));
        standing.go_through(&steps);
        assert!(standing.has_gone_through(&steps));
        assert_eq!(walk(&mut controller, 2, &steps), Ok(()));
        assert!(!standing.has_gone_through(&steps), "it has been taken up");
    }

    #[test]
    fn what_was_gone_through_counts_from_where_it_stood_only() {
        let mut controller = controller();
        let (steps, other) = (one_step(&mut controller, 0.2), one_step(&mut controller, 0.1));
        let before = controller.walking().standing;
        say(&before, &steps, "as it was told");
        assert_eq!(walk(&mut controller, 1, &other), Ok(()), "other steps");
        assert!(!controller.walking().standing.is_known(), "it walks");
        while !controller.is_at_rest() {
            controller.step(2_000_000);
        }
        assert_eq!(walk(&mut controller, 2, &steps), Ok(()), "it stands elsewhere by now");
        assert!(before.has_gone_through(&steps));
    }

    #[test]
    fn it_is_the_same_walk() {
        let ways = [false, true].map(|beside| {
            let mut controller = controller();
            let steps = one_step(&mut controller, 0.2);
            if beside {
                controller.walking().standing.go_through(&steps);
            }
            assert_eq!(walk(&mut controller, 1, &steps), Ok(()));
            let mut way = Vec::new();
            while !controller.is_at_rest() {
                controller.step(2_000_000);
                way.push(controller.desired().positions.clone());
            }
            way
        });
        assert!(ways[0].len() > 100);
        assert_eq!(ways[0], ways[1]);
    }
}
