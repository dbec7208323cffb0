//! What pelvis and legs will do, tried out before anything moves: lower, or slower, where the legs need it.

use geometry::Pose;

use super::lower::{LowerBody, Stage};
use super::pelvis::{self, PelvisPlan, Stride};
use super::swing::Swing;
use crate::Side;
use crate::interface::Footstep;
use crate::trajectory::Moment;

/// Over one foot, before the other leaves the ground for long.
const SHIFT_S: f64 = 1.4;
/// A foot that is moved by itself and ends this near the height of the other stands on the ground.
const GROUND_M: f64 = 0.01;
const FOOT_LIFT_M: f64 = 0.03;
/// How much lower the pelvis goes, bit by bit, where the legs do not reach; a robot that crouches goes higher.
const LOWER_BY_M: f64 = 0.01;
const LOWERINGS: usize = 25;
const RISINGS: usize = 15;
const STRETCHES: usize = 6;
const SAMPLES: usize = 40;
/// Between two samples of a plan it may be faster than from one to the other.
const SAMPLED_HASTE: f64 = 0.85;

impl LowerBody {
    pub(super) fn plan_step(&mut self, step: &Footstep, last: bool, height_m: f64) -> Result<(Stage, f64), String> {
        let from = self.present();
        let side = step.side;
        // Where the legs do not reach with the weight over one foot, they may with it in between: no one falls who has none.
        let tries =
            lowerings().map(|lower_by_m| (lower_by_m, true)).chain(lowerings().map(|lower_by_m| (lower_by_m, false)));
        for (lower_by_m, balanced) in tries {
            let mut stride = Stride {
                world_from_left: self.soles[side.index()],
                world_from_landing: step.world_from_sole,
                world_from_support: self.soles[side.other().index()],
                transfer_s: step.transfer_s,
                swing_s: step.swing_s,
                height_m: height_m - lower_by_m,
                next_transfer_s: step.transfer_s,
                last,
                balanced,
                foot_m: [self.limits.foot_length_m, self.limits.foot_width_m],
            }
            .with_time(&from);
            for _ in 0..STRETCHES {
                let swing = Swing {
                    side,
                    start_s: stride.transfer_s,
                    duration_s: stride.swing_s,
                    world_from_left: stride.world_from_left,
                    world_from_landing: stride.world_from_landing,
                    height_m: step.swing_height_m,
                    lands: true,
                };
                let stage = Stage { plan: PelvisPlan::over(&from, &stride), swing: Some(swing), time_s: 0.0 };
                let Some(haste) = self.rehearse(&stage) else { break };
                if haste <= SAMPLED_HASTE {
                    return Ok((stage, stride.height_m));
                }
                let longer = (haste / SAMPLED_HASTE).max(1.05);
                (stride.transfer_s, stride.swing_s) = (stride.transfer_s * longer, stride.swing_s * longer);
                stride = stride.with_time(&from);
            }
        }
        Err("the legs do not reach it: take a smaller step".to_owned())
    }

    pub(super) fn plan_pelvis(
        &mut self,
        world_from_pelvis: &Pose,
        moves_sideways: bool,
        duration_s: f64,
    ) -> Result<Stage, String> {
        if self.grounded != [true; 2] {
            return Err("it stands on one foot: put the other one down before the pelvis moves".to_owned());
        }
        let from = self.present();
        let mut goal = pelvis::at_rest(world_from_pelvis);
        if !moves_sideways {
            (goal[0], goal[1]) = (Moment::rest(from[0].position), Moment::rest(from[1].position));
        }
        let mut duration_s = duration_s;
        for _ in 0..STRETCHES {
            let stage = Stage { plan: PelvisPlan::to_rest(&from, &goal, duration_s), swing: None, time_s: 0.0 };
            let haste = self.rehearse(&stage).ok_or_else(|| {
                let lower_m = self.soles[0].translation_m().z.min(self.soles[1].translation_m().z);
                let height_m = goal[2].position - lower_m;
                format!("the legs do not reach with the pelvis {height_m:.2} m above the soles: move it less")
            })?;
            if haste <= SAMPLED_HASTE {
                return Ok(stage);
            }
            duration_s *= (haste / SAMPLED_HASTE).max(1.05);
        }
        Err("the legs cannot go that fast: give the pelvis more time".to_owned())
    }

    pub(super) fn plan_foot(&mut self, side: Side, world_from_sole: &Pose, duration_s: f64) -> Result<Stage, String> {
        let from = self.present();
        let support = self.soles[side.other().index()];
        let lands = (world_from_sole.translation_m().z - support.translation_m().z).abs() < GROUND_M;
        let from_the_air = !self.grounded[side.index()];
        for lower_by_m in lowerings() {
            let goal = pelvis::above(&support, self.standing_m - lower_by_m, &from);
            let mut duration_s = duration_s;
            for _ in 0..STRETCHES {
                let swing = Swing {
                    side,
                    start_s: SHIFT_S,
                    duration_s,
                    world_from_left: self.soles[side.index()],
                    world_from_landing: *world_from_sole,
                    height_m: if from_the_air && !lands { 0.0 } else { FOOT_LIFT_M },
                    lands,
                };
                let knots = [(0.0, from), (SHIFT_S, goal), (SHIFT_S + duration_s, goal)];
                let stage = Stage { plan: PelvisPlan::through(&knots), swing: Some(swing), time_s: 0.0 };
                let Some(haste) = self.rehearse(&stage) else { break };
                if haste <= SAMPLED_HASTE {
                    return Ok(stage);
                }
                duration_s *= (haste / SAMPLED_HASTE).max(1.05);
            }
        }
        Err(format!("the {} leg does not reach it: move the foot less far", side.word()))
    }

    /// Goes through a plan without moving: how fast the legs must be, as a share of their limits. None: out of reach.
    pub(super) fn rehearse(&mut self, stage: &Stage) -> Option<f64> {
        let duration_s = stage.plan.duration_s();
        let mut last = self.positions.clone();
        let mut next = last.clone();
        let mut haste = 0.0_f64;
        let mut trial = Stage { plan: stage.plan.clone(), swing: stage.swing.clone(), time_s: 0.0 };
        for sample in 1..=SAMPLES {
            trial.time_s = duration_s * sample as f64 / SAMPLES as f64;
            let (moment, soles) = trial.wanted(&self.soles);
            if !self.legs.solve(&pelvis::world_from_pelvis(&moment), &soles, &mut next) {
                return None;
            }
            haste = haste.max(self.legs.haste(&last, &next, duration_s / SAMPLES as f64));
            last.clone_from(&next);
        }
        Some(haste)
    }
}

pub(super) fn lowerings() -> impl Iterator<Item = f64> {
    let lower = (0..=LOWERINGS).map(|index| index as f64 * LOWER_BY_M);
    lower.chain((1..=RISINGS).map(|index| index as f64 * -LOWER_BY_M))
}
