use expect_test::expect;
use robot::interface::Mode;
use testkit::{Stage, check_on};

use super::kit::*;

#[test]
fn a_frozen_robot_refuses_a_step_until_it_is_active_again() {
    on_every_robot(|name, _| {
        let outline = "
            sequence S
              control_mode Freeze mode=frozen
              fallback Try
                arm Reach by=preset preset=wide duration_s=1
                always_succeed Refused
              control_mode Thaw mode=active
              arm Again by=preset preset=wide duration_s=1";
        let mut stage = Stage::new(name, outline, "");
        let mut froze = false;
        while stage.tick() {
            froze |= stage.state().mode == Mode::Frozen;
        }
        assert!(froze, "{name}");
        let trace = stage.trace();
        let refused =
            "- Reach failure: the robot refused it: the robot is frozen: set its control mode to active first";
        assert!(trace.contains(refused) && trace.contains("- Again success"), "{name}: {trace}");
        assert_eq!(stage.state().mode, Mode::Standing);
    });
}

#[test]
fn freezing_waits_for_the_body_or_takes_it() {
    let outline = "
        parallel Both
          arm Reach by=preset preset=wide duration_s=2
          sequence
            wait Then duration_s=0.5
            control_mode Freeze mode=frozen on_conflict=override";
    check_on(
        "coact-one",
        outline,
        "",
        expect![[r#"
        0.00 + Both
        0.00 + Reach
        0.00 + Then
        0.50 - Then success
        0.50 + Freeze
        0.52 - Reach halted: overridden by `Freeze`
        0.52 - Freeze success
        0.52 - Both success
        0.52 # the behavior succeeded
    "#]],
    );
    let mut stage = Stage::new("coact-one", &outline.replace("override", "wait"), "");
    let end = end_of(&mut stage, "Reach");
    assert!(end.contains("success"), "{end}");
}
