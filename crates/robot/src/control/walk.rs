//! A whole walk, gone through with the legs before anything moves. What is played is what was gone through: a walk that
//! is taken can be done.

use std::collections::VecDeque;
use std::sync::Arc;

use geometry::Pose;

use super::lower::{LowerBody, Stage};
use super::pelvis::{self, PelvisMoment};
use super::plan::lowerings;
use super::steps;
use crate::interface::Footstep;
use crate::{BodyPoses, Robot};

/// Where a later step does not reach, the pelvis begins lower by this, m: a walk that has begun high cannot get down in
/// time.
const BEGINS_LOWER_BY_M: [f64; 4] = [0.0, 0.03, 0.06, 0.1];

/// What a step may do beside what is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gait {
    /// The centre of pressure stays on the feet.
    pub balanced: bool,
    /// Up to this the heel of the foot that is about to leave goes up, rad, where the ground is uneven.
    pub most_heel_rad: f64,
}

/// Where the legs do not reach with the weight over one foot, they may with it in between: no one falls who has none.
const GAITS: [Gait; 2] = [Gait { balanced: true, most_heel_rad: 0.9 }, Gait { balanced: false, most_heel_rad: 0.9 }];

/// The first step that cannot be done, counted from 0; behind the last: it cannot come to standing.
#[derive(Debug, PartialEq)]
struct Stuck {
    at: usize,
    reason: String,
    /// However the steps before are done.
    hopeless: bool,
}

impl LowerBody {
    /// Every stage of the walk, and the last to standing; an error names the first step that cannot be done.
    pub(crate) fn plan_walk(&self, steps: &[Footstep]) -> Result<VecDeque<Stage>, String> {
        let first = steps.first().ok_or("there are no footsteps")?;
        self.check_support(first.side)?;
        let mut furthest = Stuck { at: 0, reason: String::new(), hopeless: false };
        for gait in GAITS.into_iter().filter(|gait| gait.balanced || !self.must_balance) {
            for lower_by_m in BEGINS_LOWER_BY_M {
                let mut trial = self.clone();
                let stuck = match trial.go_through(steps, self.standing_m - lower_by_m, gait) {
                    Ok(stages) => return Ok(stages),
                    Err(stuck) => stuck,
                };
                let (is_first, hopeless) = (stuck.at == 0, stuck.hopeless);
                if stuck.at >= furthest.at {
                    furthest = stuck;
                }
                if hopeless {
                    return Err(furthest.reason);
                }
                // The first step has been tried at all heights.
                if is_first {
                    break;
                }
            }
        }
        Err(furthest.reason)
    }

    fn go_through(&mut self, steps: &[Footstep], height_m: f64, gait: Gait) -> Result<VecDeque<Stage>, Stuck> {
        let mut stages = VecDeque::with_capacity(steps.len() + 1);
        let mut from: PelvisMoment = self.present();
        let mut height_m = height_m;
        for (at, step) in steps.iter().enumerate() {
            let (stage, its_height_m) = match self.plan_step(&from, &steps[at..], height_m, gait) {
                Ok(planned) => planned,
                Err(not_done) => {
                    let hopeless = GAITS.into_iter().filter(|other| *other != gait).all(|other| {
                        let tried = self.plan_step(&from, &steps[at..], height_m, other);
                        tried.is_err_and(|not_done| !not_done.begun_otherwise)
                    });
                    let place = format!("footstep {} of {} ({})", at + 1, steps.len(), step.side.word());
                    let reason = format!("{place}: {}", not_done.reason());
                    return Err(Stuck { at, reason, hopeless: hopeless && !not_done.begun_otherwise });
                }
            };
            height_m = its_height_m;
            self.positions.clone_from(&self.rehearsed);
            from = self.end(&stage);
            stages.push_back(stage);
        }
        let settling = self.plan_settling(&from).map_err(|reason| {
            let at = steps.len();
            Stuck { at, reason: format!("after footstep {at} of {at}: {reason}"), hopeless: false }
        })?;
        stages.push_back(settling);
        Ok(stages)
    }

    /// To standing on both feet, after a foot was set down by itself; none if it stays in the air.
    pub(super) fn plan_after_landing(&self, stage: &Stage) -> Result<Option<Stage>, String> {
        if stage.swing.as_ref().is_none_or(|swing| !swing.lands) {
            return Ok(None);
        }
        let mut after = self.clone();
        after.positions.clone_from(&self.rehearsed);
        let from = after.end(stage);
        after.plan_settling(&from).map(Some)
    }

    /// As it will be when the foot in the air has landed, if one is.
    pub(super) fn after_swing(&self) -> LowerBody {
        let mut after = self.clone();
        if self.swinging().is_some()
            && let Some(mut stage) = after.stage.clone()
        {
            stage.time_s = stage.plan.duration_s();
            let (moment, soles) = stage.wanted(&after.soles);
            // From where the legs are now; the rehearsal of the walk tells whether they get further.
            let _ = after.legs.solve(&pelvis::world_from_pelvis(&moment), &soles, &mut after.positions);
            after.end(&stage);
        }
        after
    }

    /// Standing still with the feet there, as it will when all before has been walked.
    pub fn standing_on(&self, soles: [Pose; 2]) -> LowerBody {
        let mut there = self.clone();
        (there.soles, there.grounded, there.stage) = (soles, [true; 2], None);
        there.forget_job();
        let from = there.present();
        for lower_by_m in lowerings() {
            let mut positions = self.positions.clone();
            let goal = pelvis::standing(&soles, self.standing_m - lower_by_m, &from);
            there.stand(goal);
            if there.legs.solve(&pelvis::world_from_pelvis(&goal), &soles, &mut positions).is_ok() {
                there.positions = positions;
                break;
            }
        }
        there
    }
}

/// Whether the legs of a robot that stands so can do these steps, found without moving it: an error names the step that
/// would be refused, and why. `must_balance` as the robot tells in its state.
pub fn rehearse(
    robot: &Arc<Robot>,
    positions: &[f64],
    world_from_base: &Pose,
    steps: &[Footstep],
    must_balance: bool,
) -> Result<(), String> {
    let neutral = BodyPoses::new(robot.clone());
    let mut poses = neutral.clone();
    poses.place(positions, world_from_base);
    let mut lower = LowerBody::new(robot, &neutral, &poses, positions).ok_or("the robot has no legs")?;
    lower.must_balance = must_balance;
    steps::check(steps, lower.soles, &robot.walking)?;
    lower.plan_walk(steps).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    fn standing(name: &str) -> LowerBody {
        let robot = Arc::new(Robot::builtin(name).expect("our own"));
        let positions = robot.configuration("home").expect("a preset");
        let neutral = BodyPoses::new(robot.clone());
        let mut poses = neutral.clone();
        poses.place(&positions, &Pose::identity());
        LowerBody::new(&robot, &neutral, &poses, &positions).expect("legs")
    }

    /// A foot on each tread, both on the last.
    fn stairs(lower: &LowerBody, rise_m: f64, tread_m: f64, treads: usize) -> Vec<Footstep> {
        let step = |index: usize| {
            let side = if index % 2 == 1 { Side::Left } else { Side::Right };
            let up = index.min(treads) as f64;
            Footstep {
                side,
                world_from_sole: Pose::from_translation(up * tread_m, 0.0, up * rise_m) * lower.soles[side.index()],
                swing_s: 0.9,
                transfer_s: 0.4,
                swing_height_m: lower.limits.swing_height_m,
            }
        };
        (1..=treads + 1).map(step).collect()
    }

    fn in_balance(lower: &LowerBody, steps: &[Footstep]) -> Result<(), Stuck> {
        let mut first = Ok(());
        for lower_by_m in BEGINS_LOWER_BY_M {
            match lower.clone().go_through(steps, lower.standing_m - lower_by_m, GAITS[0]) {
                Ok(_) => return Ok(()),
                Err(reason) => first = first.and(Err(reason)),
            }
        }
        first
    }

    #[test]
    fn stairs_of_a_house_are_climbed_and_descended_in_balance() {
        let lower = standing("coact-one");
        for rise_m in [0.17, -0.17] {
            assert_eq!(in_balance(&lower, &stairs(&lower, rise_m, 0.28, 5)), Ok(()), "{rise_m} m");
        }
    }

    #[test]
    fn a_step_within_the_limits_of_steps_but_not_of_legs_is_refused_by_its_number() {
        let lower = standing("coact-one");
        let more = [lower.limits.max_forward_m - 0.28, lower.limits.max_step_up_m - 0.17];
        for at in [0, 5] {
            let mut walk = stairs(&lower, 0.17, 0.28, 9);
            for (index, step) in walk[at..9].iter_mut().enumerate() {
                let [forward_m, up_m] = more.map(|more_m| more_m * (index + 1) as f64);
                step.world_from_sole = Pose::from_translation(forward_m, 0.0, up_m) * step.world_from_sole;
            }
            walk.pop();
            assert_eq!(steps::check(&walk, lower.soles, &lower.limits).err(), None);
            let reason = lower.plan_walk(&walk).map(|_| ()).expect_err("too far and too high");
            // From two treads below.
            assert!(reason.starts_with(&format!("footstep {} of 9", at + 2)), "{reason}");
        }
    }
}
