//! A body that would be driven into itself does not move.

use robot::{PartName, Robot, Side};
use testkit::Stage;

use super::kit::*;

const LEFT: PartName = PartName::Arm(Side::Left);

/// Positions of the left arm, from the preset `home` but for the arm, that have its hand centimetres inside the trunk.
fn into_trunk(robot: &Robot) -> Vec<f64> {
    let home = robot.configuration("home").expect("the preset");
    let arm = robot.part(LEFT).expect("an arm");
    let (of_arm, beyond_elbow) = (moved_by(robot, &arm.coordinates), moved_by(robot, &arm.coordinates[3..]));
    let (mut poses, mut share) = (robot.model.new_poses(), shares());
    for _ in 0..20_000 {
        let mut positions = home.clone();
        for at in &arm.coordinates {
            let limits = robot.model.coordinates()[*at].limits;
            positions[*at] = limits.lower + share() * (limits.upper - limits.lower);
        }
        robot.model.forward(&positions, &mut poses);
        let contacts = robot.collision_model().self_collisions(&poses);
        let is_meant = |contact: &robot::LinkContact| {
            contact.depth_m > 0.03 && !of_arm[contact.links[0]] && beyond_elbow[contact.links[1]]
        };
        if contacts.iter().any(is_meant) {
            return arm.coordinates.iter().map(|at| positions[*at]).collect();
        }
    }
    panic!("{}: no arm gets there", robot.name);
}

/// Between 0 and 1, the same each time.
fn shares() -> impl FnMut() -> f64 {
    let mut seed = 1_u64;
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as f64 / f64::from(u32::MAX >> 1)
    }
}

/// Links that these joints and those behind them move.
fn moved_by(robot: &Robot, coordinates: &[usize]) -> Vec<bool> {
    let joints: Vec<&str> = coordinates.iter().map(|at| robot.model.coordinates()[*at].name.as_str()).collect();
    let mut moved = vec![false; robot.description.links.len()];
    for joint in &robot.description.joints {
        moved[joint.child] = moved[joint.parent] || joints.contains(&joint.name.as_str());
    }
    moved
}

#[track_caller]
fn assert_refused(name: &str, outline: &str) {
    let mut stage = Stage::new(name, outline, "");
    let before = stage.state().positions.clone();
    let end = end_of(&mut stage, "Into");
    assert!(end.contains("failure") && end.contains("it would drive "), "{name}: {end}");
    assert!(end.contains(" of its own body") && end.contains("may_touch_body"), "{name}: {end}");
    assert_eq!(stage.state().positions, before, "{name}");
}

#[test]
fn an_arm_that_would_go_into_the_trunk_stays_where_it_is() {
    on_every_robot(|name, robot| {
        let goal = into_trunk(robot);
        let angles: Vec<String> = goal.iter().map(|position| format!("{:.3}", position.to_degrees())).collect();
        let by_angles = format!("arm Into side=left by=angles angles_deg=[{}] duration_s=3", angles.join(","));
        assert_refused(name, &by_angles);
        // On the way, too: the goal itself is free.
        let home = preset_deg(robot, "home", LEFT);
        let through = format!(r#"waypoints=[{{"at":0.5,"angles_deg":[{}]}}]"#, angles.join(","));
        assert_refused(name, &format!("arm Into side=left by=angles angles_deg={home} {through} duration_s=6"));
        let joints: Vec<String> =
            joints(robot, LEFT).iter().zip(&angles).map(|(joint, angle)| format!(r#""{joint}":{angle}"#)).collect();
        assert_refused(name, &format!("joint_move Into angles_deg={{{}}} duration_s=3", joints.join(",")));
        let mut meant = Stage::new(name, &format!("{by_angles} may_touch_body=true"), "");
        assert_succeeds(&mut meant, "Into");
    });
}

#[test]
fn a_hand_that_would_go_into_the_trunk_stays_where_it_is() {
    on_every_robot(|name, _| {
        let pose = r#"frame=chest pose={"x_m":0.02,"y_m":0.04,"z_m":0.1}"#;
        assert_refused(name, &format!("arm Into side=left {pose} duration_s=3"));
    });
}

/// Angles of both arms in degrees that have the hands centimetres in each other before the chest, each arm with the
/// other at home free.
fn arms_in_each_other(robot: &Robot) -> [String; 2] {
    let home = robot.configuration("home").expect("the preset");
    let arms = [LEFT, PartName::Arm(Side::Right)].map(|arm| robot.part(arm).expect("an arm").coordinates.clone());
    let of_left = moved_by(robot, &arms[0]);
    let (mut poses, mut share) = (robot.model.new_poses(), shares());
    let mut contacts = |positions: &[f64]| {
        robot.model.forward(positions, &mut poses);
        robot.collision_model().self_collisions(&poses)
    };
    for _ in 0..20_000 {
        let mut left = home.clone();
        for at in &arms[0] {
            let limits = robot.model.coordinates()[*at].limits;
            left[*at] = limits.lower + share() * (limits.upper - limits.lower);
        }
        let mirrored = robot.mirrored(&left);
        let mut both = left.clone();
        arms[1].iter().for_each(|at| both[*at] = mirrored[*at]);
        let is_meant = |contact: &robot::LinkContact| {
            contact.depth_m > 0.03 && of_left[contact.links[0]] != of_left[contact.links[1]]
        };
        if contacts(&left).is_empty() && contacts(&both).iter().any(is_meant) {
            return [0, 1].map(|side| {
                let angles: Vec<String> =
                    arms[side].iter().map(|at| format!("{:.3}", both[*at].to_degrees())).collect();
                format!("[{}]", angles.join(","))
            });
        }
    }
    panic!("{}: no arms get there", robot.name);
}

#[test]
fn an_arm_is_spared_where_the_other_one_will_be() {
    on_every_robot(|name, robot| {
        let [left, right] = arms_in_each_other(robot);
        // Each would be free with the other at home, where it is when both start.
        let outline = format!(
            "parallel Both\n  arm First side=left by=angles angles_deg={left} duration_s=4 may_touch_body=true\n  arm Into side=right by=angles angles_deg={right} duration_s=4"
        );
        let mut stage = Stage::new(name, &outline, "");
        let end = end_of(&mut stage, "Into");
        assert!(end.contains("failure") && end.contains("it would drive r"), "{name}: {end}");
        assert!(end.contains("cm into l"), "{name}: {end}");
    });
}

/// The arm that is meant to be in the trunk does not come deeper by what carries both.
#[test]
fn who_moves_both_is_not_to_blame() {
    on_every_robot(|name, robot| {
        let goal = into_trunk(robot);
        let angles: Vec<String> = goal.iter().map(|position| format!("{:.3}", position.to_degrees())).collect();
        let angles = angles.join(",");
        let outline = format!(
            "parallel Both\n  arm In side=left by=angles angles_deg=[{angles}] duration_s=3 may_touch_body=true\n  spine Turn yaw_deg=0.3 duration_s=1"
        );
        let mut stage = Stage::new(name, &outline, "");
        let end = end_of(&mut stage, "Turn");
        assert!(end.contains("success"), "{name}: {end}");
    });
}

#[test]
fn presets_of_our_own_robots_are_free_from_each_other() {
    on_every_robot(|name, robot| {
        let presets: Vec<&String> = robot.presets.keys().collect();
        for (from, to) in presets.iter().flat_map(|from| presets.iter().map(move |to| (from, to))) {
            for side in ["left", "right"] {
                let outline = format!(
                    "sequence All\n  arm From side={side} by=preset preset={from} duration_s=3\n  arm To side={side} by=preset preset={to} duration_s=3"
                );
                let mut stage = Stage::new(name, &outline, "");
                assert_succeeds(&mut stage, "To");
            }
        }
    });
}
