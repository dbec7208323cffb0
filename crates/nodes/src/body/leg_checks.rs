//! What a robot cannot do with its trunk and legs, known before anything moves. Only what no stance could make
//! possible: where the feet will be is not known yet.

use std::sync::Arc;

use footsteps::{Planar, reachable};
use geometry::Pose;
use robot::{BodyPoses, PartName, Robot, Side};

/// A leg that is stretched out, from the pelvis to its sole: it is never longer.
fn leg_m(robot: &Robot) -> Option<f64> {
    let leg = robot.part(PartName::Leg(Side::Left))?;
    let poses = BodyPoses::new(Arc::new(robot.clone()));
    let joint_m = |coordinate: &usize| {
        let joint = robot.description.joint(&robot.model.coordinates()[*coordinate].name)?;
        Some(poses.base_from_link(robot.description.joints[joint].child).translation_m())
    };
    let pelvis_m = poses.base_from_link(leg.base).translation_m();
    let sole_m = poses.base_from_link(leg.tip).translation_m();
    let mut at_m = pelvis_m;
    let mut length_m = 0.0;
    for next_m in leg.coordinates.iter().filter_map(joint_m).chain([sole_m]) {
        length_m += (next_m - at_m).norm();
        at_m = next_m;
    }
    Some(length_m)
}

/// How high a pelvis is above the feet.
pub fn pelvis_height(robot: &Robot, height_m: f64) -> Option<String> {
    let leg_m = leg_m(robot)?;
    let name = &robot.name;
    if height_m > leg_m {
        return Some(format!("the legs of robot `{name}` reach {leg_m:.2} m, the pelvis cannot be {height_m} m high"));
    }
    (height_m <= 0.0).then(|| format!("the pelvis of robot `{name}` cannot be {height_m} m above its feet"))
}

/// A sole seen from between the feet, while the other one stands.
pub fn foot(robot: &Robot, walking_from_sole: &Pose) -> Option<String> {
    let leg_m = leg_m(robot)?;
    let stance_m = robot.walking.stance_width_m;
    let away_m = walking_from_sole.translation_m().norm();
    (away_m > 2.0 * leg_m + stance_m).then(|| {
        format!("the legs of robot `{}` reach {leg_m:.2} m, its foot cannot go {away_m:.2} m away", robot.name)
    })
}

/// Steps that are given one by one, in one frame: each must be in reach of those before it. Where both feet stand at
/// first is not known, so it begins with the first step whose foot has stepped before, and the other one too.
pub fn steps(robot: &Robot, steps: &[(Side, Pose)]) -> Vec<String> {
    let mut feet: [Option<Pose>; 2] = [None, None];
    let mut wrong = Vec::new();
    for (index, (side, landing)) in steps.iter().enumerate() {
        let [from, stance] = [*side, side.other()].map(|side| feet[side.index()]);
        if let Some(stance) = stance {
            // Not known: it comes from where it lands.
            let from = from.unwrap_or(*landing);
            if let Err(why) = reachable(&robot.walking, *side, &stance, landing, &from) {
                wrong.push(format!("robot `{}` cannot take step {}: {why}", robot.name, index + 1));
            }
        }
        feet[side.index()] = Some(*landing);
    }
    wrong
}

/// Feet that stand at the end of a walk, seen from between them: one of them must get beside the other.
pub fn stance(robot: &Robot, middle_from_soles: [Option<Pose>; 2]) -> Option<String> {
    let usual = footsteps::stance_feet(&robot.walking, &Planar::new(0.0, 0.0, 0.0)).map(|foot| foot.level(0.0));
    let [left, right] = [0, 1].map(|side| middle_from_soles[side].unwrap_or(usual[side]));
    let onto = |side: Side, stance: &Pose, landing: &Pose| reachable(&robot.walking, side, stance, landing, landing);
    let why = onto(Side::Left, &right, &left).err()?;
    onto(Side::Right, &left, &right).err()?;
    Some(format!("the feet of robot `{}` cannot stand so: the left one is {why}", robot.name))
}
