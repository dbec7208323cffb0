//! What the feet can do, measured on the legs as they stand in `home`.

use std::sync::Arc;

use geometry::Pose;

use super::told::Confidence;
use crate::roles::Sweep;
use crate::{Chain, IkSettings, IkSolver, PartName, Robot, Side, TRIED_WALK_M, WalkingLimits};

/// Of what the legs reach while the pelvis stays where it is.
const SAFE: f64 = 0.85;
/// Steps get shorter by this until a walk of them is taken, this often at most.
const SHORTER: f64 = 0.85;
const SHORTEST: usize = 9;
/// Of the length of the leg: a longer step is a jump.
const LONGEST_STEP: f64 = 0.5;
/// Of a leg for which the default times are.
const USUAL_LEG_M: f64 = 0.9;
const USUAL: [f64; 2] = [0.22, 0.1];
/// Between the inner edges of two feet side by side.
const BETWEEN_FEET_M: f64 = 0.015;

pub(super) struct Walking {
    pub limits: WalkingLimits,
    pub leg_m: f64,
    /// Why a walk was refused, if none was taken.
    pub refused: Option<String>,
    pub reason: String,
    pub confidence: Confidence,
}

/// As [`limits`], with steps that a rehearsed walk takes.
pub(super) fn walking(robot: &Robot, home: &[f64], foot_m: Option<[f64; 2]>) -> Walking {
    let mut walking = limits(robot, home, foot_m);
    let mut tried = robot.clone();
    tried.presets.insert("home".to_owned(), home.iter().copied().enumerate().collect());
    for _ in 0..SHORTEST {
        tried.walking = walking.limits.clone();
        let walker = Arc::new(tried);
        walking.refused = walker.rehearse_walk(TRIED_WALK_M).err();
        if walking.refused.is_none() {
            walking.reason += &format!("; a walk of {TRIED_WALK_M} m was rehearsed");
            return walking;
        }
        tried = Arc::unwrap_or_clone(walker);
        let limits = &mut walking.limits;
        for length_m in [&mut limits.max_forward_m, &mut limits.max_backward_m, &mut limits.swing_height_m] {
            *length_m = rounded(*length_m * SHORTER, 1e3);
        }
    }
    walking.confidence = Confidence::Doubtful;
    walking
}

struct Stand<'a> {
    robot: &'a Robot,
    positions: &'a [f64],
    pelvis_from_soles: [Pose; 2],
}

/// `home` is the whole configuration; `foot_m` what of a sole stands on the ground.
fn limits(robot: &Robot, home: &[f64], foot_m: Option<[f64; 2]>) -> Walking {
    let mut poses = robot.model.new_poses();
    robot.model.forward(home, &mut poses);
    let pelvis_from = |link| poses.base_from(robot.frames.pelvis).inverse() * poses.base_from(link);
    let stand = Stand { robot, positions: home, pelvis_from_soles: robot.frames.soles.map(pelvis_from) };
    let [left_m, right_m] = stand.pelvis_from_soles.map(|sole| sole.translation_m());
    let leg = robot.part(PartName::Leg(Side::Left));
    let leg_m =
        leg.and_then(|leg| Sweep::of_bend(robot, leg)).map_or(-left_m.z, |sweep| sweep.longest_m).abs().max(0.05);
    let [length_m, width_m] = foot_m.unwrap_or(USUAL.map(|size_m| size_m * leg_m / USUAL_LEG_M));
    let stance_width_m = (left_m.y - right_m.y).abs();
    let usual = WalkingLimits::default();
    let slower = (leg_m / USUAL_LEG_M).sqrt().max(0.5);
    let far = |most: f64, moved: &dyn Fn(f64) -> [Pose; 2]| SAFE * stand.furthest(most, moved);
    let along = |x: f64, y: f64, z: f64, yaw: f64| {
        Pose::from_axis_angle(geometry::Vector3::new(x, y, z), geometry::Vector3::z() * yaw)
    };
    // Half of it before the pelvis, half behind it.
    let forward_m = far(LONGEST_STEP * leg_m, &|at| [along(at / 2.0, 0.0, 0.0, 0.0), along(-at / 2.0, 0.0, 0.0, 0.0)]);
    let wider_m = far(0.5 * leg_m, &|at| [along(0.0, at / 2.0, 0.0, 0.0), along(0.0, -at / 2.0, 0.0, 0.0)]);
    let up_m = far(0.3 * leg_m, &|at| [along(0.3 * forward_m, 0.0, at, 0.0), along(-0.3 * forward_m, 0.0, 0.0, 0.0)]);
    let out_rad = far(0.9, &|at| [along(0.0, 0.0, 0.0, at / 2.0), along(0.0, 0.0, 0.0, -at / 2.0)]);
    let in_rad = far(0.2, &|at| [along(0.0, 0.0, 0.0, -at / 2.0), along(0.0, 0.0, 0.0, at / 2.0)]);
    let lift_m = far(0.15 * leg_m, &|at| [along(0.0, 0.0, at, 0.0), along(0.0, 0.0, 0.0, 0.0)]);
    let limits = WalkingLimits {
        foot_length_m: rounded(length_m, 1e3),
        foot_width_m: rounded(width_m, 1e3),
        stance_width_m: rounded(stance_width_m, 1e3),
        min_width_m: rounded((width_m + BETWEEN_FEET_M).max(0.7 * stance_width_m).min(stance_width_m), 1e3),
        max_width_m: rounded(stance_width_m + wider_m, 1e3),
        max_forward_m: rounded(forward_m, 1e3),
        max_backward_m: rounded(forward_m * usual.max_backward_m / usual.max_forward_m, 1e3),
        max_step_up_m: rounded(up_m, 1e3),
        max_step_down_m: rounded(up_m * usual.max_step_down_m / usual.max_step_up_m, 1e3),
        max_turn_out_deg: rounded(out_rad.to_degrees(), 1.0),
        max_turn_in_deg: rounded(in_rad.to_degrees(), 1.0),
        min_swing_s: rounded(usual.min_swing_s * slower, 1e2),
        min_transfer_s: rounded(usual.min_transfer_s * slower, 1e2),
        swing_height_m: rounded((usual.swing_height_m * leg_m / USUAL_LEG_M).min(lift_m.max(0.02)), 1e3),
    };
    let foot = if foot_m.is_some() {
        "feet as their shapes are"
    } else {
        "feet of a usual size for such legs, as theirs have no shape"
    };
    let reason = format!(
        "measured on legs of {leg_m:.2} m that stand as in `home`: steps as far as both reach less {:.0} %; {foot}; times \
         that grow with the root of the leg",
        (1.0 - SAFE) * 100.0
    );
    let confidence = match (foot_m, forward_m > 0.1 * leg_m) {
        (_, false) => Confidence::Doubtful,
        (None, _) => Confidence::Likely,
        (Some(_), true) => Confidence::Sure,
    };
    Walking { limits, leg_m, refused: None, reason, confidence }
}

impl Stand<'_> {
    /// The furthest that both legs reach, up to `most`.
    fn furthest(&self, most: f64, moved: &dyn Fn(f64) -> [Pose; 2]) -> f64 {
        let (mut low, mut high) = (0.0, most);
        if self.reaches(&moved(most)) {
            return most;
        }
        for _ in 0..7 {
            let middle = 0.5 * (low + high);
            if self.reaches(&moved(middle)) { low = middle } else { high = middle }
        }
        low
    }

    fn reaches(&self, moved: &[Pose; 2]) -> bool {
        let robot = self.robot;
        let mut poses = robot.model.new_poses();
        robot.model.forward(self.positions, &mut poses);
        Side::BOTH.into_iter().all(|side| {
            let Some(part) = robot.part(PartName::Leg(side)) else { return false };
            let sole = self.pelvis_from_soles[side.index()];
            let shift = moved[side.index()];
            let wanted = Pose::new(sole.translation_m() + shift.translation_m(), shift.rotation() * sole.rotation());
            let pelvis_from_base = poses.base_from(robot.frames.pelvis).inverse() * poses.base_from(part.base);
            let Ok(chain) = Chain::new(&robot.model, part.base, robot.frames.soles[side.index()]) else { return false };
            let mut found = chain.pick(self.positions);
            let settings = IkSettings { restarts: 2, ..IkSettings::default() };
            IkSolver::new(chain, settings).solve(&(pelvis_from_base.inverse() * wanted), &mut found).is_solved()
        })
    }
}

pub(super) fn rounded(number: f64, per_one: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * per_one).round() / per_one + 0.0
}
