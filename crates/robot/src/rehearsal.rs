//! What a robot can do as its file says, tried without weight before anybody runs a behavior on it.

use std::sync::Arc;

use geometry::Pose;

use crate::control::Controller;
use crate::interface::{Command, CommandId, Footstep, Order, Queueing};
use crate::{BodyFrame, BodyPoses, Robot, Side};

/// A walk that every robot on legs should manage, m.
pub const TRIED_WALK_M: f64 = 0.6;
/// Of the longest step, as the planners of footsteps walk by default.
const STEP_SHARE: f64 = 0.75;
/// As a walk goes by default.
const SWING_S: f64 = 0.8;
const TRANSFER_S: f64 = 0.5;

impl Robot {
    /// Whether it walks straight ahead from `home`, in balance, by steps of three quarters of what its file allows. An
    /// error says what is in the way.
    pub fn rehearse_walk(self: &Arc<Robot>, length_m: f64) -> Result<(), String> {
        let longest_m = STEP_SHARE * self.walking.max_forward_m;
        if longest_m < 0.01 {
            return Err(format!("its longest step is {:.0} mm", self.walking.max_forward_m * 1e3));
        }
        let positions = self.configuration("home").unwrap_or_else(|| self.model.neutral());
        let mut poses = BodyPoses::new(Arc::clone(self));
        let world_from_base = poses.stand(&positions);
        let soles = Side::BOTH.map(|side| poses.world_from(BodyFrame::Sole(side)));
        let mut controller = Controller::new(Arc::clone(self), &positions, &world_from_base);
        controller.must_balance();
        let steps = self.straight_steps(&soles, length_m, longest_m);
        let command = Command { id: CommandId(1), queueing: Queueing::Override, order: Order::Footsteps { steps } };
        controller.command(&command).map_err(|refusal| refusal.0)
    }

    fn straight_steps(&self, soles: &[Pose; 2], length_m: f64, longest_m: f64) -> Vec<Footstep> {
        let count = (length_m / longest_m).ceil().max(1.0) as usize;
        let step = |number: usize| {
            let side = if number % 2 == 1 { Side::Left } else { Side::Right };
            let ahead_m = (number.min(count) as f64) * length_m / count as f64;
            let sole = soles[side.index()];
            Footstep {
                side,
                world_from_sole: Pose::from_translation(ahead_m, 0.0, 0.0) * sole,
                swing_s: SWING_S.max(self.walking.min_swing_s),
                transfer_s: TRANSFER_S.max(self.walking.min_transfer_s),
                swing_height_m: self.walking.swing_height_m,
            }
        };
        // The last one brings the feet together.
        (1..=count + 1).map(step).collect()
    }
}
