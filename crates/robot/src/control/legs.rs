//! Both legs, from where pelvis and soles should be to their joints.

use geometry::Pose;

use super::follow::JointLimits;
use super::leg_form::{Found, LegForm, Miss};
use crate::{BodyPoses, Chain, IkSettings, IkSolver, PartName, Robot, Side};

#[derive(Clone, Debug)]
pub(crate) struct Legs {
    legs: [Leg; 2],
}

#[derive(Clone, Debug)]
struct Leg {
    /// None: a leg that only numbers solve.
    form: Option<LegForm>,
    solver: IkSolver,
    pelvis_from_chain: Pose,
    limits: Vec<JointLimits>,
}

/// Positions of the joints of both legs.
pub(crate) type LegPositions = [Vec<f64>; 2];

/// Far below what a sole may slip.
const SETTINGS: IkSettings = IkSettings { position_tolerance_m: 1e-5, angle_tolerance_rad: 1e-5, restarts: 0, seed: 1 };
/// A solver that ends this near has done what can be done by numbers.
const GOOD_ENOUGH: f64 = 10.0;

impl Legs {
    /// None: a robot without legs.
    pub fn new(robot: &Robot, neutral: &BodyPoses) -> Option<Legs> {
        let leg = |side: Side| {
            let part = robot.part(PartName::Leg(side))?;
            let chain = Chain::new(&robot.model, part.base, robot.frames.soles[side.index()]).ok()?;
            let base_from_pelvis = neutral.base_from_link(robot.frames.pelvis);
            let pelvis_from_chain = base_from_pelvis.inverse() * neutral.base_from_link(part.base);
            let limits = chain.limits().iter().map(JointLimits::of).collect();
            let form = LegForm::of(&chain);
            Some(Leg { form, solver: IkSolver::new(chain, SETTINGS), pelvis_from_chain, limits })
        };
        Some(Legs { legs: [leg(Side::Left)?, leg(Side::Right)?] })
    }

    pub fn coordinates(&self, side: Side) -> &[usize] {
        self.legs[side.index()].solver.chain().coordinates()
    }

    pub fn pick(&self, positions: &[f64]) -> LegPositions {
        [0, 1].map(|index| self.legs[index].solver.chain().pick(positions))
    }

    /// From the positions given, which become those found: within the limits, and as near as can be. An error names the
    /// leg that is not there.
    pub fn solve(
        &mut self,
        world_from_pelvis: &Pose,
        soles: &[Pose; 2],
        positions: &mut LegPositions,
    ) -> Result<(), Side> {
        let mut reached = Ok(());
        for side in Side::BOTH {
            let (leg, positions) = (&mut self.legs[side.index()], &mut positions[side.index()]);
            let chain_from_sole = (*world_from_pelvis * leg.pelvis_from_chain).inverse() * soles[side.index()];
            if let Some(Found::Reached(found)) = leg.form.as_ref().map(|form| form.solve(&chain_from_sole)) {
                positions.copy_from_slice(&found);
            } else if leg.solver.solve(&chain_from_sole, positions).quality > GOOD_ENOUGH {
                reached = reached.and(Err(side));
            }
        }
        reached
    }

    /// The same where only what is reached counts: what is not costs little, and the error says what would help.
    pub fn try_solve(
        &mut self,
        world_from_pelvis: &Pose,
        soles: &[Pose; 2],
        positions: &mut LegPositions,
    ) -> Result<(), (Side, Miss)> {
        for side in Side::BOTH {
            let (leg, positions) = (&mut self.legs[side.index()], &mut positions[side.index()]);
            let chain_from_sole = (*world_from_pelvis * leg.pelvis_from_chain).inverse() * soles[side.index()];
            match leg.form.as_ref().map_or(Found::Near, |form| form.solve(&chain_from_sole)) {
                Found::Reached(found) => positions.copy_from_slice(&found),
                Found::OutOfReach(miss) => return Err((side, miss)),
                Found::Near if leg.solver.solve(&chain_from_sole, positions).quality > GOOD_ENOUGH => {
                    return Err((side, Miss::default()));
                }
                Found::Near => {}
            }
        }
        Ok(())
    }

    /// Whether a leg is surely out of reach, wherever it comes from.
    pub fn miss(&self, world_from_pelvis: &Pose, soles: &[Pose; 2]) -> Option<(Side, Miss)> {
        Side::BOTH.into_iter().find_map(|side| {
            let leg = &self.legs[side.index()];
            let chain_from_sole = (*world_from_pelvis * leg.pelvis_from_chain).inverse() * soles[side.index()];
            match leg.form.as_ref()?.solve(&chain_from_sole) {
                Found::OutOfReach(miss) => Some((side, miss)),
                Found::Reached(_) | Found::Near => None,
            }
        })
    }

    /// The largest change, as a share of what the speed limits allow in this time.
    pub fn haste(&self, from: &LegPositions, to: &LegPositions, dt_s: f64) -> f64 {
        let mut haste = 0.0_f64;
        for (leg, (from, to)) in self.legs.iter().zip(from.iter().zip(to)) {
            for ((from, to), limits) in from.iter().zip(to).zip(&leg.limits) {
                haste = haste.max((to - from).abs() / (limits.pace.speed * dt_s));
            }
        }
        haste
    }

    /// As far towards `to` as the speed limits allow.
    pub fn towards(&self, from: &mut LegPositions, to: &LegPositions, dt_s: f64) {
        for (leg, (from, to)) in self.legs.iter().zip(from.iter_mut().zip(to)) {
            for ((from, to), limits) in from.iter_mut().zip(to).zip(&leg.limits) {
                let largest = limits.pace.speed * dt_s;
                *from += (to - *from).clamp(-largest, largest);
            }
        }
    }
}
