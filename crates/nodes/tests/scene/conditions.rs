use expect_test::expect;
use testkit::{Stage, check_on};

const ROBOT: &str = "coact-one";

#[test]
fn waits_until_a_distance_is_right_and_shows_it() {
    check_on(
        ROBOT,
        "proximity Near a=ball b=world axes=z min_m=0.5 max_m=0.8",
        "0 frame ball 5 0 1
0.5 frame ball 5 0 0.9
1 frame ball 5 0 0.7",
        expect![[r#"
            0.00 + Near
            0.00 ~ Near 1 m does not hold
            0.50 ~ Near 0.9 m does not hold
            1.00 ~ Near 0.7 m holds
            1.00 - Near success
            1.00 # the behavior succeeded
        "#]],
    );
}

#[test]
fn fails_with_the_distance_or_with_the_frame_that_is_not_there() {
    check_on(
        ROBOT,
        "fallback Try
  proximity Near a=ball b=world axes=xy max_m=1 within_s=0.3 outcome=far
  proximity Missing a=cup b=world within_s=0.1",
        "0 frame ball 3 4 1",
        expect![[r#"
            0.00 + Near
            0.00 ~ Near 5 m does not hold
            0.30 - Near failure "far": `ball` and `world` are 5 m apart, not 0 to 1 m
            0.30 + Missing
            0.40 - Missing failure: there is no frame `cup` now; there are world, walking, pelvis, chest, head, left_hand, right_hand, left_sole, right_sole, ball
            0.40 # the behavior ended: failure: there is no frame `cup` now; there are world, walking, pelvis, chest, head, left_hand, right_hand, left_sole, right_sole, ball
        "#]],
    );
}

#[test]
fn a_shape_contains_a_frame() {
    for (shape, inside, outside) in [
        (r#"{"shape":"sphere","radius_m":0.2}"#, "1.1 0.1 1.1", "1.15 0.15 1"),
        (r#"{"shape":"box","size_m":[0.4,0.2,0.2]}"#, "1.19 0.09 0.91", "1.19 0.11 1"),
        (r#"{"shape":"capsule","radius_m":0.1,"length_m":0.4}"#, "1 0 1.29", "1.08 0.08 1"),
        (r#"{"shape":"cylinder","radius_m":0.1,"length_m":0.4}"#, "1.06 0.06 1.19", "1 0 1.21"),
    ] {
        let outline =
            format!("shape_contains Check shape={shape} frame=table pose={{\"z_m\":0.2}} inside=ball within_s=0");
        for (place, result) in [(inside, "success"), (outside, "failure")] {
            let mut stage = Stage::new(ROBOT, &outline, &format!("0 frame table 1 0 0.8\n0 frame ball {place}"));
            stage.run();
            let trace = stage.trace();
            assert!(trace.contains(&format!("- Check {result}")), "{shape} {place}: {trace}");
        }
    }
}

#[test]
fn points_are_counted_in_pictures_taken_since_it_began() {
    check_on(
        ROBOT,
        "wait Before duration_s=0.45
shape_contains Panel contains=points frame=world pose={\"x_m\":1,\"z_m\":1} min_points=100",
        "0 points door 500 1 0 1
0.45 points door 50 1 0 1
1 points door 200 1 0 1",
        expect![[r#"
            0.00 + Before
            0.45 - Before success
            0.45 + Panel
            0.50 ~ Panel 50 points does not hold
            1.00 ~ Panel 200 points holds
            1.00 - Panel success
            1.00 # the behavior succeeded
        "#]],
    );
}

#[test]
fn points_may_be_too_many_or_of_another_colour() {
    check_on(
        ROBOT,
        "shape_contains Green contains=points frame=world pose={\"x_m\":1,\"z_m\":1} min_points=10 colour={\"hue_from_deg\":90,\"hue_to_deg\":150,\"saturation_min\":0.5}
shape_contains Empty contains=points frame=world pose={\"x_m\":1,\"z_m\":1} min_points=0 max_points=20 within_s=0.3",
        "0 points red 100 1 0 1 255 0 0
0 points green 12 1 0 1 0 255 0",
        expect![[r#"
            0.00 + Green
            0.00 ~ Green 12 points holds
            0.00 - Green success
            0.00 + Empty
            0.00 ~ Empty 112 points does not hold
            0.30 - Empty failure: 112 points in the shape, not 0 to 20
            0.30 # the behavior ended: failure: 112 points in the shape, not 0 to 20
        "#]],
    );
}

#[test]
fn without_a_camera_there_are_no_points() {
    check_on(
        ROBOT,
        "shape_contains Panel contains=points within_s=0.2",
        "end 2",
        expect![[r#"
        0.00 + Panel
        0.20 - Panel failure: there is no new picture of any camera to count points in
        0.20 # the behavior ended: failure: there is no new picture of any camera to count points in
    "#]],
    );
}
