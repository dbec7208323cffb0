use geometry::Pose;
use robot::{BodyFrame, Side};
use testkit::Stage;

use super::kit::*;

/// Of the pelvis above the ground, as the robot stands.
fn standing_m(name: &str) -> f64 {
    let poses = Stage::new(name, "wait W", "").poses();
    (poses.world_from(BodyFrame::Walking).inverse() * poses.world_from(BodyFrame::Pelvis)).translation_m().z
}

#[test]
fn the_pelvis_goes_down_and_up_over_feet_that_stay() {
    on_every_robot(|name, _| {
        let high_m = standing_m(name);
        let low_m = high_m - 0.06;
        let outline = format!(
            "sequence S\n  pelvis Down height_m={low_m} duration_s=1.5\n  pelvis Up height_m={high_m} duration_s=1.5"
        );
        let mut stage = Stage::new(name, &outline, "");
        let before = soles(&stage);
        let pelvis_m = |stage: &Stage| {
            let poses = stage.poses();
            (poses.world_from(BodyFrame::Walking).inverse() * poses.world_from(BodyFrame::Pelvis)).translation_m().z
        };
        let mut lowest_m = high_m;
        while stage.tick() {
            lowest_m = lowest_m.min(pelvis_m(&stage));
            for (sole, before) in soles(&stage).iter().zip(&before) {
                assert_near(sole, before, 1e-3, 0.1);
            }
        }
        assert!((lowest_m - low_m).abs() < 1e-3 && (pelvis_m(&stage) - high_m).abs() < 1e-3, "{lowest_m}");
        assert!(end_of(&stage, "Up").contains("success"), "{}", stage.trace());
    });
}

#[test]
fn the_pelvis_leans_turns_and_shifts_if_asked() {
    on_every_robot(|name, _| {
        let stood = Stage::new(name, "wait W", "").poses().world_from(BodyFrame::Pelvis);
        let outline = "pelvis Lean yaw_deg=10 pitch_deg=5 moves_sideways=true y_m=0.03 duration_s=2";
        let mut stage = Stage::new(name, outline, "");
        assert_succeeds(&mut stage, "Lean");
        let walking = Stage::new(name, "wait W", "").poses().world_from(BodyFrame::Walking);
        let pelvis = walking.inverse() * stage.poses().world_from(BodyFrame::Pelvis);
        let (at, rpy) = (pelvis.translation_m(), pelvis.rpy());
        assert!((at.y - 0.03).abs() < 1e-3 && at.x.abs() < 1e-3, "{at:?}");
        assert!((at.z - (walking.inverse() * stood).translation_m().z).abs() < 1e-3, "as high as before");
        assert!((rpy.yaw_rad.to_degrees() - 10.0).abs() < 0.1 && (rpy.pitch_rad.to_degrees() - 5.0).abs() < 0.1);
    });
}

#[test]
fn a_pelvis_out_of_reach_fails_and_says_how_far() {
    on_every_robot(|name, _| {
        let mut stage = Stage::new(name, "pelvis High height_m=3 duration_s=1", "end 20");
        stage.run();
        assert!(end_of(&stage, "High").contains("failure"), "{}", stage.trace());
    });
}

#[test]
fn a_hand_is_held_in_the_world_while_the_pelvis_goes_down() {
    on_every_robot(|name, _| {
        for (hold, most_m) in [("true", 0.003), ("false", 0.07)] {
            let low_m = standing_m(name) - 0.06;
            let outline = format!(
                "sequence S\n  arm Hold frame=right_hand duration_s=0.5 hold_in_world={hold}\n  pelvis Down height_m={low_m} duration_s=1.5"
            );
            let mut stage = Stage::new(name, &outline, "preset ready");
            let before = stage.poses().world_from(BodyFrame::Hand(Side::Right));
            assert_succeeds(&mut stage, "Down");
            let moved_m = stage.poses().world_from(BodyFrame::Hand(Side::Right)).distance(&before).position_m;
            assert!(moved_m < most_m && (hold == "true" || moved_m > 0.02), "{name} {hold}: {moved_m} m");
        }
    });
}

#[test]
fn a_foot_is_lifted_and_set_down_again() {
    on_every_robot(|name, _| {
        for side in Side::BOTH {
            let sole = if side == Side::Left { "left_sole" } else { "right_sole" };
            let leg = |step: &str, z_m: f64| {
                let pose = format!(r#"{{"z_m": {z_m}}}"#);
                format!("\n  leg {step} side={} frame={sole} pose={pose} duration_s=1.5", side.word())
            };
            let outline = format!("sequence S{}{}", leg("Lift", 0.08), leg("Back", -0.08));
            let mut stage = Stage::new(name, &outline, "");
            let before = soles(&stage);
            let (mut lifted_m, mut left_ground) = (0.0_f64, false);
            while stage.tick() {
                lifted_m = lifted_m.max(soles(&stage)[side.index()].translation_m().z);
                left_ground |= !stage.state().feet[side.index()].contact;
                let standing = side.other().index();
                assert_near(&soles(&stage)[standing], &before[standing], 1e-3, 0.1);
                assert!(stage.state().feet[standing].contact);
            }
            assert!(end_of(&stage, "Back").contains("success"), "{}", stage.trace());
            assert!(lifted_m > 0.075 && left_ground, "{lifted_m}");
            assert_near(&soles(&stage)[side.index()], &before[side.index()], 2e-3, 0.2);
            assert!(stage.state().feet[side.index()].contact);
        }
    });
}

#[test]
fn a_foot_goes_to_a_pose_at_an_object() {
    on_every_robot(|name, robot| {
        let half_m = robot.walking.stance_width_m / 2.0;
        let outline = r#"leg Step side=left frame=mark pose={"x_m": -0.2, "z_m": 0.05} duration_s=2"#;
        let script = format!("0 frame mark 0.3 {half_m} 0.0");
        let mut stage = Stage::new(name, outline, &script);
        let ground_m = soles(&stage)[0].translation_m().z;
        assert_succeeds(&mut stage, "Step");
        let goal = Pose::from_translation(0.1, half_m, 0.05);
        assert_near(&soles(&stage)[0], &goal, 5e-3, 0.5);
        assert!(ground_m.abs() < 0.02, "the robot stands on the ground");
    });
}

#[test]
fn legs_that_move_are_claimed_whole() {
    let outline = "
        parallel Both
          leg Lift side=right frame=right_sole pose={\"z_m\": 0.05} duration_s=1
          pelvis Down duration_s=1 on_conflict=fail";
    let trace = testkit::run_on("coact-one", outline, "");
    assert!(trace.contains("- Down failure"), "{trace}");
}
