use expect_test::expect;
use testkit::{Stage, check_on};

const ROBOT: &str = "coact-one";

/// Runs to the end and gives where an object is.
fn place_of(stage: &Stage, object: &str) -> [f64; 3] {
    let body = stage.engine.body().expect("a robot");
    let at_m = body.world_from(object).expect("the object").translation_m();
    [at_m.x, at_m.y, at_m.z].map(|number| (number * 1e3).round() / 1e3)
}

#[test]
fn locks_on_to_the_nearest_of_three_balls_and_the_next_step_sees_it() {
    check_on(
        ROBOT,
        "setup_object Lock class=ball
proximity There a=ball b=world axes=xy min_m=0.99 max_m=1.01 within_s=0",
        "0 see far ball 2.5 0 1
0 see near ball 1 0 1
0 see side ball 1 1.5 1",
        expect![[r#"
            0.00 + Lock
            0.40 @ ball set up at 1 0 1, 0°
            0.41 - Lock success
            0.41 + There
            0.41 ~ There 1 m holds
            0.41 - There success
            0.41 # the behavior succeeded
        "#]],
    );
}

#[test]
fn says_why_it_found_nothing() {
    check_on(
        ROBOT,
        "setup_object Lock class=ball search_s=1",
        "end 3",
        expect![[r#"
        0.00 + Lock
        1.00 - Lock failure: no camera saw anything in 1 s: run it in a world, or look at it with `coact preview`
        1.00 # the behavior ended: failure: no camera saw anything in 1 s: run it in a world, or look at it with `coact preview`
    "#]],
    );
    check_on(
        ROBOT,
        "setup_object Lock class=ball search_s=1",
        "end 3
0 see box box 1 0 1",
        expect![[r#"
            0.00 + Lock
            1.00 - Lock failure: no `ball` was seen in 1 s; seen was box
            1.00 # the behavior ended: failure: no `ball` was seen in 1 s; seen was box
        "#]],
    );
    check_on(
        ROBOT,
        "setup_object Lock class=ball search_s=1",
        "end 3
0 see ball ball 1 0 1 confidence=0.1",
        expect![[r#"
            0.00 + Lock
            1.00 - Lock failure: no stable `ball` was found in 1 s: 1 seen, too seldom, too unsure or taken by another object
            1.00 # the behavior ended: failure: no stable `ball` was found in 1 s: 1 seen, too seldom, too unsure or taken by another object
        "#]],
    );
}

#[test]
fn occlusion_moves_what_is_not_frozen() {
    let outline = |freeze: &str| format!("setup_object Lock class=ball\n{freeze}wait Grasp duration_s=2");
    let script = "0 see ball ball 1 0 1\n1 see ball ball 1.08 0.05 1";
    let mut loose = Stage::new(ROBOT, &outline(""), script);
    loose.run();
    assert_eq!(place_of(&loose, "ball"), [1.08, 0.05, 1.0]);
    let mut frozen = Stage::new(ROBOT, &outline("freeze_object Freeze object=ball\n"), script);
    frozen.run();
    assert_eq!(place_of(&frozen, "ball"), [1.0, 0.0, 1.0]);
}

#[test]
fn freezes_before_the_grasp_and_follows_again_when_it_is_let_go() {
    check_on(
        ROBOT,
        "setup_object Lock class=ball
freeze_object Freeze object=ball
wait Grasp duration_s=1
freeze_object Release object=ball freeze=false
wait See duration_s=0.5",
        "0 see ball ball 1 0 1
1 see ball ball 1.2 0 1",
        expect![[r#"
            0.00 + Lock
            0.40 @ ball set up at 1 0 1, 0°
            0.41 - Lock success
            0.41 + Freeze
            0.41 @ ball frozen at 1 0 1, 0°
            0.42 - Freeze success
            0.42 + Grasp
            1.42 - Grasp success
            1.42 + Release
            1.42 @ ball unfrozen at 1 0 1, 0°
            1.43 @ ball moved at 1.19 0 1, 0°
            1.43 - Release success
            1.43 + See
            1.93 - See success
            1.93 # the behavior succeeded
        "#]],
    );
}

#[test]
fn a_frozen_handle_is_walked_by_when_it_is_seen_no_more() {
    let mut stage = Stage::new(
        ROBOT,
        "setup_object Lock class=handle
freeze_object Freeze object=handle
walk Through frame=handle stance={\"x_m\":0.2,\"y_m\":0.1} focal={\"x_m\":2,\"y_m\":0.1}",
        "end 60
0 see handle handle 0.8 -0.1 1
0.8 hide handle",
    );
    stage.run();
    let trace = stage.trace();
    assert!(trace.contains("- Through success"), "{trace}");
    assert!(trace.contains("@ handle stale"), "{trace}");
    let at_m = stage.poses().world_from(robot::BodyFrame::Walking).translation_m();
    assert!((at_m.x - 1.0).abs() < 0.03 && at_m.y.abs() < 0.03, "{at_m}");
}

#[test]
fn two_objects_of_a_class() {
    let mut stage = Stage::new(
        ROBOT,
        "setup_object One class=ball object=first
setup_object Two class=ball object=second
setup_object Again class=ball object=first",
        "0 see a ball 1 0.1 1
0 see b ball 1.2 0.1 1",
    );
    stage.run();
    assert_eq!(place_of(&stage, "first"), [1.0, 0.1, 1.0]);
    assert_eq!(place_of(&stage, "second"), [1.2, 0.1, 1.0]);
}

#[test]
fn what_is_lost_goes_stale_and_is_found_again() {
    check_on(
        ROBOT,
        "setup_object Lock class=ball
wait Watch duration_s=6",
        "0 see ball ball 1 0 1
1 hide ball
4 see ball ball 1.3 0 1",
        expect![[r#"
            0.00 + Lock
            0.40 @ ball set up at 1 0 1, 0°
            0.41 - Lock success
            0.41 + Watch
            2.81 @ ball stale at 1 0 1, 0°
            4.00 @ ball moved at 1.3 0 1, 0°
            4.10 @ ball found again at 1.3 0 1, 0°
            6.41 - Watch success
            6.41 # the behavior succeeded
        "#]],
    );
}

#[test]
fn objects_are_deleted_one_by_one_or_all_at_once() {
    check_on(
        ROBOT,
        "setup_object One class=ball object=first
setup_object Two class=ball object=second
delete_object Delete object=first
delete_object Again object=first
freeze_scene Freeze
clear_scene Clear
delete_object Must object=second must_exist=true",
        "0 see a ball 1 0.1 1
0 see b ball 1.2 0.1 1",
        expect![[r#"
            0.00 + One
            0.40 @ first set up at 1 0.1 1, 0°
            0.41 - One success
            0.41 + Two
            0.41 @ second set up at 1.2 0.1 1, 0°
            0.42 - Two success
            0.42 + Delete
            0.42 @ first deleted at 1 0.1 1, 0°
            0.43 - Delete success
            0.43 + Again
            0.43 - Again success
            0.43 + Freeze
            0.43 @ second frozen at 1.2 0.1 1, 0°
            0.44 - Freeze success
            0.44 + Clear
            0.44 @ second deleted at 1.2 0.1 1, 0°
            0.45 - Clear success
            0.45 + Must
            0.45 - Must failure: there is no object `second` to delete: no object was set up
            0.45 # the behavior ended: failure: there is no object `second` to delete: no object was set up
        "#]],
    );
}

#[test]
fn frames_of_two_others_stack_in_any_order_and_circles_fail() {
    check_on(
        ROBOT,
        "define_frame Stand object=stand a=walking b=mixed distance_m=0.5
define_frame Mixed object=mixed kind=hybrid a=ball b=world
setup_object Lock class=ball
proximity There a=stand b=ball min_m=0.49 max_m=0.51 within_s=0
define_frame Circle object=mixed kind=hybrid a=stand b=world",
        "0 see ball ball 2 0 0.5",
        expect![[r#"
            0.00 + Stand
            0.00 @ stand defined
            0.01 - Stand success
            0.01 + Mixed
            0.01 @ mixed defined
            0.02 - Mixed success
            0.02 + Lock
            0.40 @ ball set up at 2 0 0.5, 0°
            0.41 @ mixed moved at 2 0 0.5, 0°
            0.41 @ stand moved at 1.51 0 0.38, 0°
            0.41 - Lock success
            0.41 + There
            0.41 ~ There 0.5 m holds
            0.41 - There success
            0.41 + Circle
            0.42 - Circle failure: `mixed` would be made of itself, through `stand` and `mixed`: take another frame
            0.42 # the behavior ended: failure: `mixed` would be made of itself, through `stand` and `mixed`: take another frame
        "#]],
    );
}

#[test]
fn freezing_what_is_not_there_waits_and_fails() {
    check_on(
        ROBOT,
        "freeze_object Freeze object=ball search_s=0.5",
        "end 2",
        expect![[r#"
        0.00 + Freeze
        0.50 - Freeze failure: there is no object `ball` to freeze: no object was set up
        0.50 # the behavior ended: failure: there is no object `ball` to freeze: no object was set up
    "#]],
    );
}

#[test]
fn detectors_and_tracking_are_configured() {
    check_on(
        ROBOT,
        "configure_detectors Look models={\"yolo\":true,\"tags\":false} classes=[\"ball\"] confidence={\"ball\":0.1}
configure_persistent_detections Track class_confidence={\"ball\":0.02} stability_hz=0.5
setup_object Lock class=ball search_s=1",
        "0 see ball ball 1 0 1 confidence=0.05",
        expect![[r#"
            0.00 + Look
            0.00 - Look success
            0.00 + Track
            0.00 @ scene tracking configured
            0.00 > detectors {"models":{"tags":false,"yolo":true},"classes":["ball"],"confidence":{"ball":0.1}}
            0.01 - Track success
            0.01 + Lock
            0.40 @ ball set up at 1 0 1, 0°
            0.41 - Lock success
            0.41 # the behavior succeeded
        "#]],
    );
}

#[test]
fn an_object_cannot_take_the_name_of_a_frame_of_the_body() {
    let mut stage = Stage::new(ROBOT, "setup_object Lock class=chest", "0 see a chest 1 0 1");
    stage.run();
    assert!(stage.trace().contains("`chest` is a frame of the robot"), "{}", stage.trace());
}

#[test]
fn in_a_preview_objects_are_where_they_nominally_are() {
    check_on(
        ROBOT,
        "setup_object Lock class=ball nominal={\"x_m\":1.5,\"z_m\":1}
define_frame Stand object=stand a=walking b=ball distance_m=0.5
freeze_object Freeze object=stand
approach_table Table nominal={\"x_m\":1}
shape_contains Points contains=points
setup_object Bare class=cup",
        "preview
0 see ball ball 5 0 1",
        expect![[r#"
            0.00 + Lock
            0.00 @ ball set up at 1.5 0 1, 0°
            0.01 - Lock success
            0.01 + Stand
            0.01 @ stand defined
            0.02 @ stand moved at 1.08 0 0.72, 0°
            0.02 - Stand success
            0.02 + Freeze
            0.02 @ stand frozen at 1.08 0 0.72, 0°
            0.03 - Freeze success
            0.03 + Table
            0.03 @ table set up at 1 0 0, 0°
            0.04 - Table success
            0.04 + Points
            0.04 # Points: there are no points in a preview: taken as fulfilled
            0.04 - Points success
            0.04 + Bare
            0.04 - Bare failure: `cup` has no nominal pose: give it one to preview with
            0.04 # the behavior ended: failure: `cup` has no nominal pose: give it one to preview with
        "#]],
    );
}

#[test]
fn updates_of_one_tick_apply_in_execution_order_and_what_is_refused_fails_its_step() {
    check_on(
        ROBOT,
        "parallel All
  define_frame One object=one kind=hybrid a=two b=world
  define_frame Two object=two kind=hybrid a=one b=world
  define_frame First object=same kind=hybrid a=world b=world
  define_frame Last object=same a=world b=right_hand distance_m=0.1",
        "end 2",
        expect![[r#"
            0.00 + All
            0.00 + One
            0.00 + Two
            0.00 + First
            0.00 + Last
            0.00 @ one defined
            0.00 @ same defined
            0.00 @ same defined
            0.01 @ same moved at 0.05 -0.28 0.67, -80°
            0.01 - One success
            0.01 - Two failure: `two` would be made of itself, through `one` and `two`: take another frame
            0.01 - First halted: what it belongs to was halted
            0.01 - Last halted: what it belongs to was halted
            0.01 - All failure: `two` would be made of itself, through `one` and `two`: take another frame
            0.01 # the behavior ended: failure: `two` would be made of itself, through `one` and `two`: take another frame
        "#]],
    );
}
