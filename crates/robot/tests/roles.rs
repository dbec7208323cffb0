//! Joints by role and sizes, on robots whose joints have nothing in common: names, order and axes differ.

use robot::{PartName, Robot, Side};

fn both() -> [Robot; 2] {
    ["coact-one", "coact-mini"].map(|name| Robot::find(name).unwrap_or_else(|error| panic!("{error}")).0)
}

fn joint(robot: &Robot, part: PartName, role: &str) -> String {
    robot.role(part, role).map_or(String::new(), |joint| robot.model.coordinates()[joint.coordinate].name.clone())
}

#[test]
fn joints_are_known_by_their_role() {
    let [one, mini] = both();
    let (arm, leg) = (PartName::Arm(Side::Left), PartName::Leg(Side::Left));
    for (part, role, of_one, of_mini) in [
        (arm, "shoulder_pitch", "left_shoulder_pitch", "l_arm_2"),
        (arm, "shoulder_roll", "left_shoulder_roll", "l_arm_1"),
        (arm, "shoulder_yaw", "left_shoulder_yaw", "l_arm_3"),
        (arm, "elbow", "left_elbow_pitch", "l_arm_4"),
        (leg, "hip_pitch", "left_hip_pitch", "l_leg_1"),
        (leg, "hip_roll", "left_hip_roll", "l_leg_2"),
        (leg, "hip_yaw", "left_hip_yaw", "l_leg_3"),
        (leg, "knee", "left_knee_pitch", "l_leg_4"),
        (leg, "ankle_pitch", "left_ankle_pitch", "l_leg_6"),
        (leg, "ankle_roll", "left_ankle_roll", "l_leg_5"),
        (PartName::Spine, "yaw", "spine_yaw", "waist_yaw"),
        (PartName::Spine, "pitch", "spine_pitch", "waist_pitch"),
        (PartName::Spine, "roll", "spine_roll", ""),
        (PartName::Neck, "pitch", "neck_pitch", "head_tilt"),
    ] {
        assert_eq!((joint(&one, part, role).as_str(), joint(&mini, part, role).as_str()), (of_one, of_mini), "{role}");
    }
}

/// What a role says of one side it says of the other, so that a mirrored skill only swaps the sides.
#[test]
fn both_sides_count_the_same_way() {
    for robot in both() {
        for joint in robot.roles() {
            let mirrored = robot.mirror[joint.coordinate];
            let (other, negative) = match joint.part {
                PartName::Arm(side) => (PartName::Arm(side.other()), false),
                PartName::Leg(side) => (PartName::Leg(side.other()), false),
                part => (part, joint.role != "pitch"),
            };
            let there = robot.role(other, joint.role).unwrap_or_else(|| panic!("{} of {other}", joint.role));
            assert_eq!(there.coordinate, mirrored.coordinate, "{}: {} of {other}", robot.name, joint.role);
            let factor = if negative { -1.0 } else { 1.0 };
            let (here, beyond) = (joint.angle(0.3), there.angle(mirrored.sign * 0.3));
            assert!((here - factor * beyond).abs() < 1e-9, "{}: {} of {other}", robot.name, joint.role);
        }
    }
}

#[test]
fn robots_are_as_large_as_they_are() {
    let [one, mini] = both().map(|robot| robot.sizes().clone());
    let near = |found: Option<f64>, wanted: f64| found.is_some_and(|found| (found - wanted).abs() < 0.02);
    // By hand, from their URDFs.
    assert!(near(one.leg_length_m, 0.83) || near(one.leg_length_m, 0.80), "{one:?}");
    for (sizes, robot) in [(&one, "coact-one"), (&mini, "coact-mini")] {
        assert_eq!(sizes.reach_m[0].map(|reach| (reach * 1e6).round()), sizes.reach_m[1].map(|r| (r * 1e6).round()));
        let (reach, shoulder) = (sizes.reach_m[1].unwrap(), sizes.shoulder_height_m.unwrap());
        assert!(sizes.pelvis_height_m < shoulder && shoulder < sizes.head_height_m, "{robot}: {sizes:?}");
        assert!(reach > 0.3 && reach < shoulder, "{robot}: {sizes:?}");
        assert!(sizes.body_width_m > sizes.shoulder_width_m.unwrap(), "{robot}: {sizes:?}");
        assert!(sizes.body_width_m < 1.0, "{robot}: {sizes:?}");
    }
    assert!(mini.reach_m[1] < one.reach_m[1] && mini.leg_length_m < one.leg_length_m, "{mini:?} {one:?}");
}
