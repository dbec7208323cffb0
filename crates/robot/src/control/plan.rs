//! What pelvis and legs will do, tried out before anything moves: lower, or slower, where the legs need it.

use geometry::Pose;

use super::leg_form::Miss;
use super::legs::LegPositions;
use super::lower::{LowerBody, SETTLE_S, Stage};
use super::pelvis::{self, Ground, PelvisMoment, PelvisPlan, Stride};
use super::swing::Swing;
use super::walk::Gait;
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
/// How high a heel goes, of the most, one after the other until the legs reach.
const HEELS: [f64; 4] = [0.0, 0.4, 0.7, 1.0];
/// Steps, with the one that is planned: what comes later hardly changes it.
const LOOKS_AHEAD: usize = 5;
const SAMPLES: usize = 40;
/// How hard a joint of a leg is thrown, rad/s², one after the other until a plan is found; then any. A leg that gets
/// almost straight on its way swings its knee through much harder than this, and its weight takes the centre of pressure
/// off the feet. Lower the knee stays bent.
const THROWS_RAD_S2: [f64; 3] = [60.0, 90.0, 130.0];
/// For that the pelvis goes no lower than this.
const LOWER_FOR_CALM_M: f64 = 0.06;
/// Between two samples of a plan it may be faster than from one to the other.
const SAMPLED_HASTE: f64 = 0.85;

impl LowerBody {
    /// The first of the steps, from a motion of the pelvis; with the stage its height above the lower foot. The flattest
    /// feet and the smallest change of height that the legs reach with.
    pub(super) fn plan_step(
        &mut self,
        from: &PelvisMoment,
        steps: &[Footstep],
        height_m: f64,
        gait: Gait,
    ) -> Result<(Stage, f64), NotDone> {
        let step = &steps[0];
        let side = step.side;
        let stride = Stride {
            world_from_left: self.soles[side.index()],
            world_from_landing: step.world_from_sole,
            world_from_support: self.soles[side.other().index()],
            transfer_s: step.transfer_s,
            swing_s: step.swing_s,
            height_m,
            steps: &steps[..steps.len().min(LOOKS_AHEAD)],
            balanced: gait.balanced,
            foot_m: [self.limits.foot_length_m, self.limits.foot_width_m],
        };
        let most_heel_rad = if stride.is_uneven() { gait.most_heel_rad } else { 0.0 };
        let heels = HEELS.map(|share| share * most_heel_rad);
        let heels = if most_heel_rad > 0.0 { &heels[..] } else { &heels[..1] };
        // Where nothing has weight, nothing is taken off its feet.
        let throws_rad_s2 = if self.must_balance && gait.balanced { &THROWS_RAD_S2[..] } else { &[] };
        for throw_rad_s2 in throws_rad_s2 {
            let mut hardest = Hardest { throw_rad_s2: Some(*throw_rad_s2), ..Hardest::default() };
            for lower_by_m in lowerings().filter(|lower_by_m| (0.0..=LOWER_FOR_CALM_M).contains(lower_by_m)) {
                let stride = Stride { height_m: height_m - lower_by_m, ..stride };
                if let Ok(Some(stage)) = self.try_stride(from, step, (stride, heels[0]), &mut hardest) {
                    return Ok((stage, stride.height_m));
                }
            }
        }
        let mut not_done = NotDone { leg: side, begun_otherwise: false };
        let mut hardest = Hardest::default();
        for heel_rad in heels {
            // Of what it is lowered by: what has failed tells where more of the same fails, too.
            let (mut least_m, mut most_m) = (f64::NEG_INFINITY, f64::INFINITY);
            for lower_by_m in lowerings() {
                if lower_by_m < least_m || lower_by_m > most_m {
                    continue;
                }
                let stride = Stride { height_m: height_m - lower_by_m, ..stride };
                match self.try_stride(from, step, (stride, *heel_rad), &mut hardest) {
                    Ok(Some(stage)) => return Ok((stage, stride.height_m)),
                    Ok(None) => not_done.begun_otherwise = true,
                    Err(short) => {
                        not_done.leg = short.side;
                        not_done.begun_otherwise |= short.early;
                        if let Some(nearer_m) = short.miss.nearer_m {
                            least_m = least_m.max(lower_by_m + nearer_m.max(0.5 * LOWER_BY_M));
                        }
                        if short.miss.further {
                            most_m = most_m.min(lower_by_m - 0.5 * LOWER_BY_M);
                        }
                    }
                }
            }
            // One that has begun lower may go lower still.
            not_done.begun_otherwise |= least_m > LOWERINGS as f64 * LOWER_BY_M && most_m > least_m;
        }
        Err(not_done)
    }

    /// None: the legs are never fast enough. An error names the leg that does not reach.
    fn try_stride(
        &mut self,
        from: &PelvisMoment,
        step: &Footstep,
        (stride, heel_rad): (Stride<'_>, f64),
        hardest: &mut Hardest,
    ) -> Result<Option<Stage>, Short> {
        let mut stride = stride.with_time(from);
        for _ in 0..STRETCHES {
            let swing = Swing {
                side: step.side,
                start_s: stride.transfer_s,
                duration_s: stride.swing_s,
                world_from_left: stride.world_from_left,
                world_from_landing: stride.world_from_landing,
                height_m: step.swing_height_m,
                lands: true,
                heel_rad,
                toe_m: 0.5 * self.limits.foot_length_m,
            };
            let stage = Stage { plan: PelvisPlan::over(from, &stride), swing: Some(swing), time_s: 0.0 };
            let haste = self.rehearse_hard(&stage, hardest)?;
            if haste <= SAMPLED_HASTE {
                return Ok(Some(stage));
            }
            let longer = (haste / SAMPLED_HASTE).max(1.05);
            (stride.transfer_s, stride.swing_s) = (stride.transfer_s * longer, stride.swing_s * longer);
            stride = stride.with_time(from);
        }
        Ok(None)
    }

    /// From a motion of the pelvis to the middle of the feet, at rest.
    pub(super) fn plan_settling(&mut self, from: &PelvisMoment) -> Result<Stage, String> {
        let ground = Ground { soles: self.soles, foot_m: [self.limits.foot_length_m, self.limits.foot_width_m] };
        for lower_by_m in lowerings() {
            let goal = pelvis::standing(&self.soles, self.standing_m - lower_by_m, from);
            let plan = PelvisPlan::settle(from, &goal, &ground, SETTLE_S);
            let stage = Stage { plan, swing: None, time_s: 0.0 };
            if self.rehearse(&stage).is_ok() {
                return Ok(stage);
            }
        }
        Err("the legs do not reach from where it has come to standing: end with the feet nearer to each other"
            .to_owned())
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
            let haste = self.rehearse(&stage).map_err(|_| {
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
                    heel_rad: 0.0,
                    toe_m: 0.0,
                };
                let knots = [(0.0, from), (SHIFT_S, goal), (SHIFT_S + duration_s, goal)];
                let stage = Stage { plan: PelvisPlan::through(&knots), swing: Some(swing), time_s: 0.0 };
                let Ok(haste) = self.rehearse(&stage) else { break };
                if haste <= SAMPLED_HASTE {
                    return Ok(stage);
                }
                duration_s *= (haste / SAMPLED_HASTE).max(1.05);
            }
        }
        Err(format!("the {} leg does not reach it: move the foot less far", side.word()))
    }

    /// Goes through a plan without moving: how fast the legs must be, as a share of their limits. An error
    /// names the leg that does not reach.
    pub(super) fn rehearse(&mut self, stage: &Stage) -> Result<f64, Side> {
        self.rehearse_hard(stage, &mut Hardest::default()).map_err(|short| short.side)
    }

    /// The same, at first where plans like it have failed.
    fn rehearse_hard(&mut self, stage: &Stage, hardest: &mut Hardest) -> Result<f64, Short> {
        if let Some(missed) = self.misses(stage, hardest) {
            return Err(missed);
        }
        let sample_s = stage.plan.duration_s() / SAMPLES as f64;
        let mut last = self.positions.clone();
        let mut next = last.clone();
        let mut before: Option<LegPositions> = None;
        let mut haste = 0.0_f64;
        for sample in 1..=SAMPLES {
            let (moment, soles) = stage.wanted_at(sample_s * sample as f64, &self.soles);
            let tried = self.legs.try_solve(&pelvis::world_from_pelvis(&moment), &soles, &mut next);
            if let Err((side, miss)) = tried {
                hardest.samples[usize::from(miss.further)] = Some(sample);
                return Err(Short { side, miss, early: stage.is_early(sample, &miss) });
            }
            haste = haste.max(self.legs.haste(&last, &next, sample_s));
            if let (Some(before), Some(most)) = (&before, hardest.throw_rad_s2)
                && let Some(side) = thrown(before, &last, &next, most * sample_s * sample_s)
            {
                return Err(Short { side, miss: Miss::default(), early: false });
            }
            if hardest.throw_rad_s2.is_some() {
                before = Some(last.clone());
            }
            last.clone_from(&next);
        }
        self.rehearsed = next;
        Ok(haste)
    }

    fn misses(&self, stage: &Stage, hardest: &Hardest) -> Option<Short> {
        let sample_s = stage.plan.duration_s() / SAMPLES as f64;
        let missed = hardest.samples.iter().flatten().filter_map(|sample| {
            let (moment, soles) = stage.wanted_at(sample_s * *sample as f64, &self.soles);
            let (side, miss) = self.legs.miss(&pelvis::world_from_pelvis(&moment), &soles)?;
            Some(Short { side, miss, early: stage.is_early(*sample, &miss) })
        });
        missed.reduce(|one, other| {
            let nearer_m = one.miss.nearer_m.into_iter().chain(other.miss.nearer_m).reduce(f64::max);
            let miss = Miss { nearer_m, further: one.miss.further || other.miss.further };
            Short { side: one.side, miss, early: one.early || other.early }
        })
    }
}

impl Stage {
    /// Whether what is missed there may come from how the stage begins: until the foot leaves, the pelvis is on its way
    /// to the height that was asked for.
    fn is_early(&self, sample: usize, miss: &Miss) -> bool {
        let time_s = self.plan.duration_s() * sample as f64 / SAMPLES as f64;
        *miss == Miss::default() || self.swing.as_ref().is_none_or(|swing| time_s < swing.start_s)
    }
}

/// A leg that does not reach.
#[derive(Clone, Copy, Debug)]
struct Short {
    side: Side,
    miss: Miss,
    /// Begun otherwise the same stage may be reached.
    early: bool,
}

/// Why a step is not done.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotDone {
    leg: Side,
    /// It may be where the steps before were done otherwise.
    pub begun_otherwise: bool,
}

impl NotDone {
    pub fn reason(&self) -> String {
        format!("the {} leg does not reach: take a smaller step", self.leg.word())
    }
}

/// What a rehearsal looks for.
#[derive(Clone, Copy, Debug, Default)]
struct Hardest {
    /// At which plans like it failed: last for a leg too straight, and for one bent too much.
    samples: [Option<usize>; 2],
    /// None: however hard.
    throw_rad_s2: Option<f64>,
}

/// A leg with a joint that changes its pace by more than this from one sample to the next.
fn thrown(before: &LegPositions, last: &LegPositions, next: &LegPositions, most_rad: f64) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| {
        let [before, last, next] = [before, last, next].map(|positions| &positions[side.index()]);
        before.iter().zip(last).zip(next).any(|((before, last), next)| (next - 2.0 * last + before).abs() > most_rad)
    })
}

pub(super) fn lowerings() -> impl Iterator<Item = f64> {
    let lower = (0..=LOWERINGS).map(|index| index as f64 * LOWER_BY_M);
    lower.chain((1..=RISINGS).map(|index| index as f64 * -LOWER_BY_M))
}
