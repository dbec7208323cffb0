use expect_test::expect;
use robot::{PartName, Side};
use testkit::{Stage, check_on};

use super::kit::*;

const TWO: &str = "
    parallel Both
      arm First by=preset preset=ready duration_s=2
      sequence
        wait Then duration_s=0.5
        arm Second by=preset preset=wide duration_s=1 on_conflict=";

#[test]
fn the_second_on_one_arm_waits() {
    check_on(
        "coact-one",
        &format!("{TWO}wait"),
        "",
        expect![[r#"
        0.00 + Both
        0.00 + First
        0.00 + Then
        0.50 - Then success
        0.50 ! Second held: `right_arm` is held by `First`
        2.01 - First success
        2.01 + Second
        3.02 - Second success
        3.02 - Both success
        3.02 # the behavior succeeded
    "#]],
    );
}

#[test]
fn the_second_on_one_arm_fails() {
    check_on(
        "coact-one",
        &format!("{TWO}fail"),
        "",
        expect![[r#"
        0.00 + Both
        0.00 + First
        0.00 + Then
        0.50 - Then success
        0.50 - Second failure: `right_arm` is held by `First`
        0.52 - First halted: what it belongs to was halted
        0.52 - Both failure: `right_arm` is held by `First`
        0.52 # the behavior ended: failure: `right_arm` is held by `First`
    "#]],
    );
}

#[test]
fn the_second_on_one_arm_overrides() {
    check_on(
        "coact-one",
        &format!("{TWO}override"),
        "",
        expect![[r#"
        0.00 + Both
        0.00 + First
        0.00 + Then
        0.50 - Then success
        0.50 + Second
        0.51 - First halted: overridden by `Second`
        1.51 - Second success
        1.51 - Both success
        1.51 # the behavior succeeded
    "#]],
    );
}

#[test]
fn whoever_has_the_arm_ends_where_it_was_told() {
    on_every_robot(|name, robot| {
        for policy in ["wait", "override"] {
            let mut stage = Stage::new(name, &format!("{TWO}{policy}"), "");
            assert_succeeds(&mut stage, "Second");
            let goal = robot.configuration("wide").expect("it has it");
            for at in &robot.part(PartName::Arm(Side::Right)).expect("an arm").coordinates {
                assert!((stage.state().positions[*at] - goal[*at]).abs() < 1e-3, "{name} {policy}");
            }
        }
    });
}

#[test]
fn a_stop_in_the_middle_leaves_nothing_moving() {
    let steps = [
        "arm Go by=preset preset=ready",
        "screw Go frame=right_hand translation_m=0.05",
        "hand Go grip=close speed_deg_s=20",
        "gripper Go opening_deg=0",
        r#"hand_wrench Go force={"z_n": 5}"#,
    ];
    on_every_robot(|name, _| {
        for step in steps {
            for verb in ["stop", "delete Go", "force Go failure"] {
                let mut stage =
                    Stage::new(name, &format!("sequence S\n  {step}\n  wait"), &format!("end 3\n0.5 {verb}\n1.6 why"));
                stage.run_until(1.5);
                assert!(is_at_rest(&stage), "{name}: {step} after {verb}");
                assert_eq!(stage.state().hand_wrenches[1].force_n.norm(), 0.0, "{name}: {step} after {verb}");
                let before = stage.state().positions.clone();
                stage.run();
                assert_stays(&stage, &before, &format!("{name}: {step} after {verb}"));
            }
        }
    });
}

#[test]
fn a_pause_holds_and_the_motion_goes_on_after_it() {
    on_every_robot(|name, _| {
        let mut stage = Stage::new(name, "arm Go by=preset preset=ready duration_s=1", "0.5 pause\n3 resume");
        stage.run_until(1.0);
        assert!(is_at_rest(&stage));
        let held = stage.state().positions.clone();
        stage.run_until(2.9);
        assert_stays(&stage, &held, name);
        assert_succeeds(&mut stage, "Go");
        assert!((stage.time_s() - 3.5).abs() < 0.5, "{}", stage.time_s());
    });
}

#[test]
fn after_a_stop_the_arm_takes_commands_again() {
    on_every_robot(|name, _| {
        let outline = "arm Go by=preset preset=ready duration_s=1";
        let mut stage = Stage::new(name, outline, "0.5 stop\n1 automatic on");
        assert_succeeds(&mut stage, "Go");
    });
}
