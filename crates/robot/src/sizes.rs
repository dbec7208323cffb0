//! How large a robot is, measured on its description: what a behavior that fits every robot is written with.

use geometry::{Pose, Vector3};

use crate::roles::{Sweep, apart_m, root};
use crate::{LinkPoses, PartName, Robot, Side};

/// Standing as in its preset `home`, or with straight joints where it has none.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// From shoulder to palm with a stretched arm; left, right; none: it has no such arm.
    pub reach_m: [Option<f64>; 2],
    pub shoulder_height_m: Option<f64>,
    pub shoulder_width_m: Option<f64>,
    /// From hip to sole with a stretched leg.
    pub leg_length_m: Option<f64>,
    pub pelvis_height_m: f64,
    pub head_height_m: f64,
    /// Of all its shapes, arms hanging.
    pub body_width_m: f64,
}

const STANDING: &str = "home";

impl Robot {
    pub fn sizes(&self) -> &Sizes {
        self.sizes.get_or_init(|| Sizes::of(self))
    }
}

impl Sizes {
    fn of(robot: &Robot) -> Sizes {
        let standing = robot.configuration(STANDING).unwrap_or_else(|| robot.model.neutral());
        let mut poses = robot.model.new_poses();
        robot.model.forward(&standing, &mut poses);
        let base_from_ground = base_from_ground(robot, &poses);
        let ground_from_base = base_from_ground.inverse();
        let at_m = |link: usize| (ground_from_base * poses.base_from(link)).translation_m();
        let shoulder = |side| root(&robot.model, robot.part(PartName::Arm(side))?);
        let [left, right] = Side::BOTH.map(shoulder);
        let shoulders = left.zip(right);
        let limb_m = |name| Sweep::of_bend(robot, robot.part(name)?).map(|sweep| sweep.longest_m);
        Sizes {
            reach_m: Side::BOTH.map(|side| limb_m(PartName::Arm(side))),
            shoulder_height_m: left.or(right).map(|link| at_m(link).z),
            shoulder_width_m: shoulders.map(|(left, right)| apart_m(&poses, left, right)),
            leg_length_m: limb_m(PartName::Leg(Side::Left)).or_else(|| limb_m(PartName::Leg(Side::Right))),
            pelvis_height_m: at_m(robot.frames.pelvis).z,
            head_height_m: at_m(robot.frames.head).z,
            body_width_m: width_m(robot, &poses, &ground_from_base),
        }
    }
}

/// Between the soles, turned as the pelvis.
fn base_from_ground(robot: &Robot, poses: &LinkPoses) -> Pose {
    let [left_m, right_m] = robot.frames.soles.map(|link| poses.base_from(link).translation_m());
    Pose::new((left_m + right_m) * 0.5, poses.base_from(robot.frames.pelvis).rotation())
}

fn width_m(robot: &Robot, poses: &LinkPoses, ground_from_base: &Pose) -> f64 {
    let (mut least_m, mut most_m) = (f64::INFINITY, f64::NEG_INFINITY);
    for shape in &robot.collision_model().shapes {
        let ground_from_link = *ground_from_base * poses.base_from(shape.link);
        let placed = &shape.placed;
        let middle_m = ground_from_link.transform_point(&placed.centre_m.into()).y;
        let rod: Vector3<f64> = ground_from_link.transform_vector(&placed.rod_half_m);
        let half_m = rod.y.abs() + placed.rod_radius_m;
        (least_m, most_m) = (least_m.min(middle_m - half_m), most_m.max(middle_m + half_m));
    }
    (most_m - least_m).max(0.0)
}
