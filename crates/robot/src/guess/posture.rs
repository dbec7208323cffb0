//! Postures of the whole body, computed for its own legs, arms and neck: how it stands, holds its hands ready, spreads its
//! arms, keeps them out of the way, looks down.

use geometry::{Pose, RollPitchYaw, UnitQuaternion, Vector3};
use model::Random;

use super::told::Confidence;
use crate::roles::Sweep;
use crate::{Chain, IkSettings, IkSolver, LinkPoses, PartName, Robot, Side};

/// How much shorter than stretched a leg is that stands ready to step; the first with which it walks is taken.
pub(super) const BENT: [f64; 5] = [0.03, 0.05, 0.08, 0.11, 0.15];
/// Less is no bend that a step can begin with.
const LEAST_KNEE_RAD: f64 = 0.08;
const TRIES: usize = 24;
const ELBOW_RAD: f64 = 0.26;
const SPREAD_RAD: f64 = 0.14;
const LOOK_DOWN_RAD: f64 = 0.6;
/// Of the reach, from the shoulder, x forward, y away from the body, z up.
const HANGS: [[f64; 3]; 2] = [[0.06, 0.14, -0.92], [0.15, 0.2, -0.8]];
/// The first that is reached is taken.
const READY: [[f64; 3]; 3] = [[0.55, 0.06, -0.45], [0.5, 0.1, -0.6], [0.4, 0.15, -0.7]];
const WIDE: [[f64; 3]; 4] = [[0.1, 0.88, -0.25], [0.25, 0.75, -0.4], [0.3, 0.55, -0.55], [0.2, 0.4, -0.75]];
const CLEAR: [[f64; 3]; 3] = [[0.35, -0.08, -0.35], [0.4, 0.0, -0.5], [0.3, 0.05, -0.7]];

pub(super) struct Posture {
    pub name: &'static str,
    /// One number for each coordinate of the model.
    pub positions: Vec<f64>,
    pub reason: String,
    pub confidence: Confidence,
}

/// All but `home`, on its legs.
pub(super) fn others(robot: &Robot, home: &Posture) -> Vec<Posture> {
    let mut all = Vec::new();
    let goals = [
        ("ready", &READY[..], Some(fingers_forward()), "hands before the body, fingers forward, thumbs up"),
        ("wide", &WIDE[..], None, "arms spread"),
        ("door_clearance", &CLEAR[..], None, "hands close before the chest"),
    ];
    for (name, places, rotation, what) in goals {
        let mut positions = home.positions.clone();
        let found = first_of(robot, &mut positions, (places, rotation));
        let (reason, confidence) = match found {
            [true, true] => (format!("{what}, where they are reached without touching the body"), Confidence::Likely),
            _ => continue,
        };
        all.push(Posture { name, positions, reason, confidence });
    }
    if let Some(pitch) = robot.role(PartName::Neck, "pitch") {
        let limits = &robot.model.coordinates()[pitch.coordinate].limits;
        let mut positions = home.positions.clone();
        let at = pitch.zero + pitch.sign * LOOK_DOWN_RAD;
        positions[pitch.coordinate] = at.max(limits.lower).min(limits.upper);
        let reason = "the neck goes down, within its limits".to_owned();
        all.push(Posture { name: "look_down", positions, reason, confidence: Confidence::Likely });
    }
    all
}

/// To the first of some places that both hands reach.
fn first_of(
    robot: &Robot,
    positions: &mut Vec<f64>,
    (places, rotation): (&[[f64; 3]], Option<UnitQuaternion<f64>>),
) -> [bool; 2] {
    for place in places {
        let mut tried = positions.clone();
        if both(robot, &mut tried, (*place, rotation)) == [true; 2] {
            *positions = tried;
            return [true; 2];
        }
    }
    [false; 2]
}

/// The right arm as the left one in a mirror, where that touches nothing; else each by itself.
fn both(robot: &Robot, positions: &mut Vec<f64>, goal: ([f64; 3], Option<UnitQuaternion<f64>>)) -> [bool; 2] {
    let left = reach(robot, Side::Left, positions, goal);
    let Some(arm) = robot.part(PartName::Arm(Side::Right)) else { return [left, true] };
    let mirrored = robot.mirrored(positions);
    let mut both = positions.clone();
    arm.coordinates.iter().for_each(|at| both[*at] = mirrored[*at]);
    if left && robot.model.within_limits(&both) && !touches(robot, &both, &mut robot.model.new_poses()) {
        *positions = both;
        return [true; 2];
    }
    [left, reach(robot, Side::Right, positions, goal)]
}

/// Fingers forward, thumb up.
fn fingers_forward() -> UnitQuaternion<f64> {
    RollPitchYaw { roll_rad: 0.0, pitch_rad: -std::f64::consts::FRAC_PI_2, yaw_rad: 0.0 }.to_quaternion()
}

/// The arms beside the body; how that went.
pub(super) fn hanging(robot: &Robot) -> (Vec<f64>, &'static str) {
    let mut positions = robot.model.neutral();
    let arms = hang(robot, &mut positions);
    (positions, arms)
}

/// On legs that are shorter than stretched by a share. None: they do not stand so with both soles level.
pub(super) fn home(robot: &Robot, (hanging, arms): &(Vec<f64>, &str), share: f64) -> Option<Posture> {
    let mut positions = hanging.clone();
    let knee_rad = bend_legs(robot, &mut positions, share)?;
    let reason = format!(
        "knees bent by {:.0}°, so that the legs are {:.0} % shorter than stretched; {arms}",
        knee_rad.to_degrees(),
        share * 100.0
    );
    Some(Posture { name: "home", positions, reason, confidence: Confidence::Sure })
}

pub(super) fn straight(hanging: Vec<f64>) -> Posture {
    let reason = "no bent posture of the legs was found in which both soles are level: it stands with straight legs and \
                  will hardly step";
    Posture { name: "home", positions: hanging, reason: reason.to_owned(), confidence: Confidence::Doubtful }
}

/// Both soles level, under where they are with straight legs. The angle of the left knee; None: that cannot be.
fn bend_legs(robot: &Robot, positions: &mut [f64], share: f64) -> Option<f64> {
    let model = &robot.model;
    let mut zero = model.new_poses();
    model.forward(&vec![0.0; model.coordinates().len()], &mut zero);
    let mut knee_rad = None;
    for side in Side::BOTH {
        let name = PartName::Leg(side);
        let part = robot.part(name)?;
        let stretched_m = Sweep::of_bend(robot, part)?.longest_m;
        let sole = robot.frames.soles[side.index()];
        let hip = crate::roles::root(model, part)?;
        let from_pelvis = |link: usize| zero.base_from(robot.frames.pelvis).inverse() * zero.base_from(link);
        let (hip_m, sole_m) = (from_pelvis(hip).translation_m(), from_pelvis(sole).translation_m());
        let aside_m = (sole_m - hip_m).xy();
        let wanted_m = stretched_m * (1.0 - share);
        let below_m = (wanted_m * wanted_m - aside_m.norm_squared()).max(0.0).sqrt();
        let pelvis_from_sole = Pose::from_translation(sole_m.x, sole_m.y, hip_m.z - below_m);
        let chain_from_sole = from_pelvis(part.base).inverse() * pelvis_from_sole;
        let knee = robot.role(name, "knee")?;
        let bend_rad = 2.0 * libm::acos(1.0 - share);
        let mut start = positions.to_vec();
        start[knee.coordinate] = knee.zero + knee.sign * bend_rad;
        for role in ["hip_pitch", "ankle_pitch"] {
            if let Some(joint) = robot.role(name, role) {
                // Thigh up at the front, toes up: the other way for knees that bend to the front.
                start[joint.coordinate] = joint.zero + joint.sign * bend_rad / 2.0;
            }
        }
        model.clamp(&mut start);
        let found = solve(robot, (part.base, sole), &chain_from_sole, &mut start, 30)?;
        if knee.angle(start[knee.coordinate]) < LEAST_KNEE_RAD {
            return None;
        }
        found.iter().for_each(|coordinate| positions[*coordinate] = start[*coordinate]);
        knee_rad.get_or_insert(knee.angle(start[knee.coordinate]));
    }
    knee_rad
}

/// The coordinates that moved; None: it is out of reach.
fn solve(
    robot: &Robot,
    (base, tip): (usize, usize),
    base_from_tip: &Pose,
    positions: &mut [f64],
    restarts: usize,
) -> Option<Vec<usize>> {
    let chain = Chain::new(&robot.model, base, tip).ok()?;
    for restarts in [0, restarts] {
        let mut solver = IkSolver::new(chain.clone(), IkSettings { restarts, ..IkSettings::default() });
        let mut found = chain.pick(positions);
        if solver.solve(base_from_tip, &mut found).is_solved() {
            chain.coordinates().iter().zip(found).for_each(|(at, position)| positions[*at] = position);
            return Some(chain.coordinates().to_vec());
        }
    }
    None
}

/// Arms beside the body.
fn hang(robot: &Robot, positions: &mut Vec<f64>) -> &'static str {
    let mut poses = robot.model.new_poses();
    let neutral = positions.clone();
    robot.model.forward(&neutral, &mut poses);
    let hangs = Side::BOTH.map(|side| {
        let Some((shoulder_m, reach_m)) = shoulder(robot, side, &poses) else { return true };
        let hand_m = pelvis_from(robot, &poses, robot.frames.hands[side.index()]).translation_m();
        hand_m.z < shoulder_m.z - 0.75 * reach_m
    });
    if hangs == [true; 2] {
        for name in Side::BOTH.map(PartName::Arm) {
            for (role, angle_rad) in [("elbow", ELBOW_RAD), ("shoulder_roll", SPREAD_RAD)] {
                if let Some(joint) = robot.role(name, role) {
                    positions[joint.coordinate] = joint.zero + joint.sign * angle_rad;
                }
            }
        }
        robot.model.clamp(positions);
        if !touches(robot, positions, &mut poses) {
            return "the arms hang, a little bent";
        }
        positions.clone_from(&neutral);
        return "the arms hang";
    }
    let found = first_of(robot, positions, (&HANGS, None));
    if found == [true; 2] { "the arms are lowered beside the body" } else { "the arms are as with all joints at zero" }
}

fn touches(robot: &Robot, positions: &[f64], poses: &mut LinkPoses) -> bool {
    robot.model.forward(positions, poses);
    robot.collision_model().is_self_colliding(poses)
}

fn pelvis_from(robot: &Robot, poses: &LinkPoses, link: usize) -> Pose {
    poses.base_from(robot.frames.pelvis).inverse() * poses.base_from(link)
}

/// In the pelvis; and how far the hand gets from it.
fn shoulder(robot: &Robot, side: Side, poses: &LinkPoses) -> Option<(Vector3<f64>, f64)> {
    let part = robot.part(PartName::Arm(side))?;
    let root = crate::roles::root(&robot.model, part)?;
    let reach_m = Sweep::of_bend(robot, part)?.longest_m;
    Some((pelvis_from(robot, poses, root).translation_m(), reach_m))
}

/// One hand to a place seen from its shoulder, with the joints near the middle of their ranges; whether it got there.
fn reach(
    robot: &Robot,
    side: Side,
    positions: &mut [f64],
    (from_shoulder, rotation): ([f64; 3], Option<UnitQuaternion<f64>>),
) -> bool {
    let mut poses = robot.model.new_poses();
    robot.model.forward(positions, &mut poses);
    let Some(part) = robot.part(PartName::Arm(side)) else { return true };
    let Some((shoulder_m, reach_m)) = shoulder(robot, side, &poses) else { return false };
    let hand = robot.frames.hands[side.index()];
    let Ok(chain) = Chain::new(&robot.model, part.base, hand) else { return false };
    let outward = if side == Side::Left { 1.0 } else { -1.0 };
    let [x, y, z] = from_shoulder;
    let before = touches(robot, positions, &mut poses);
    // Hands that cannot be turned so are anywhere near.
    for (size, turned) in [(1.0, rotation), (0.9, rotation), (0.8, rotation), (0.97, None), (0.85, None), (0.7, None)] {
        if rotation.is_some() && turned.is_some() && chain.len() < 6 {
            continue;
        }
        let target_m = shoulder_m + Vector3::new(x, y * outward, z) * (reach_m * size);
        let target = pelvis_from(robot, &poses, part.base).inverse() * Pose::new(target_m, turned.unwrap_or_default());
        let angle_tolerance_rad = if turned.is_some() { 0.02 } else { 10.0 };
        let settings = IkSettings { position_tolerance_m: 0.005, angle_tolerance_rad, restarts: 0, seed: 1 };
        let mut solver = IkSolver::new(chain.clone(), settings);
        let mut random = Random::new(7);
        let mut best: Option<(f64, Vec<f64>)> = None;
        for attempt in 0..TRIES {
            let mut found = chain.pick(positions);
            if attempt > 0 {
                for (position, limits) in found.iter_mut().zip(chain.limits()) {
                    *position = random
                        .between(limits.lower.max(-2.0).min(limits.upper), limits.upper.min(2.0).max(limits.lower));
                }
            }
            if !solver.solve(&target, &mut found).is_solved() {
                continue;
            }
            let cost: f64 = found.iter().zip(chain.limits()).map(|(position, limits)| askew(*position, limits)).sum();
            if best.as_ref().is_some_and(|(least, _)| *least <= cost) {
                continue;
            }
            let mut whole = positions.to_vec();
            chain.coordinates().iter().zip(&found).for_each(|(at, position)| whole[*at] = *position);
            if !touches(robot, &whole, &mut poses) || before {
                best = Some((cost, found));
            }
        }
        robot.model.forward(positions, &mut poses);
        if let Some((_, found)) = best {
            chain.coordinates().iter().zip(found).for_each(|(at, position)| positions[*at] = position);
            return true;
        }
    }
    false
}

/// Far from zero, and worse near an end of the range.
fn askew(position: f64, limits: &crate::Limits) -> f64 {
    let to_end = (position - limits.lower).min(limits.upper - position);
    position * position + if to_end < 0.1 { 1.0 } else { 0.0 }
}
