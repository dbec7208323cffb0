use std::f64::consts::{FRAC_PI_2, PI};

use geometry::{Point3, Pose, RollPitchYaw, Vector3};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn poses() -> impl Strategy<Value = Pose> {
    let pitch_rad = prop_oneof![
        8 => -FRAC_PI_2..FRAC_PI_2,
        1 => Just(FRAC_PI_2),
        1 => Just(-FRAC_PI_2),
        1 => (-1e-7..1e-7).prop_map(|off| FRAC_PI_2 + off),
    ];
    ([-3.0..3.0, -3.0..3.0, -3.0..3.0], -PI..PI, pitch_rad, -PI..PI).prop_map(|(t, roll_rad, pitch_rad, yaw_rad)| {
        Pose::from_rpy(Vector3::from(t), RollPitchYaw::new(roll_rad, pitch_rad, yaw_rad))
    })
}

fn assert_same(left: &Pose, right: &Pose) {
    let distance = left.distance(right);
    assert!(distance.position_m < 1e-9 && distance.angle_rad < 1e-7, "{left:?} is not {right:?}: {distance:?}");
    let matrices = left.rotation().to_rotation_matrix().matrix() - right.rotation().to_rotation_matrix().matrix();
    assert!(matrices.norm() < 1e-9, "{left:?} is not {right:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn every_form_gives_the_pose_back(pose in poses()) {
        let t = pose.translation_m();
        assert_same(&pose, &Pose::from_rpy(t, pose.rpy()));
        assert_same(&pose, &Pose::from_axis_angle(t, pose.axis_angle_rad()));
        assert_same(&pose, &Pose::from_numbers(pose.numbers()).unwrap());
        let written = serde_json::to_string(&pose).unwrap();
        assert_same(&pose, &serde_json::from_str(&written).unwrap());
    }

    #[test]
    fn inverse_and_composition(world_from_a in poses(), a_from_b in poses(), b_from_c in poses()) {
        assert_same(&(world_from_a * world_from_a.inverse()), &Pose::identity());
        assert_same(&((world_from_a * a_from_b) * b_from_c), &(world_from_a * (a_from_b * b_from_c)));
        let point_b = Point3::new(0.3, -0.2, 0.9);
        let there = world_from_a.transform_point(&a_from_b.transform_point(&point_b));
        prop_assert!(((world_from_a * a_from_b).transform_point(&point_b) - there).norm() < 1e-9);
    }

    #[test]
    fn mirror_twice_is_nothing(a in poses(), b in poses(), plane in poses()) {
        assert_same(&a.mirrored().mirrored(), &a);
        assert_same(&a.mirrored_across(&plane).mirrored_across(&plane), &a);
        // Whatever hangs on a frame is mirrored with it.
        assert_same(&(a * b).mirrored(), &(a.mirrored() * b.mirrored()));
        let (apart, mirrored_apart) = (a.distance(&b), a.mirrored().distance(&b.mirrored()));
        prop_assert!((apart.position_m - mirrored_apart.position_m).abs() < 1e-9);
        prop_assert!((apart.angle_rad - mirrored_apart.angle_rad).abs() < 1e-7);
    }

    #[test]
    fn interpolation_goes_evenly_from_one_to_the_other(a in poses(), b in poses(), share in 0.0..1.0) {
        assert_same(&a.interpolate(&b, 0.0), &a);
        assert_same(&a.interpolate(&b, 1.0), &b);
        let (whole, part) = (a.distance(&b), a.distance(&a.interpolate(&b, share)));
        prop_assert!((part.position_m - share * whole.position_m).abs() < 1e-9);
        prop_assert!((part.angle_rad - share * whole.angle_rad).abs() < 1e-7);
    }

    #[test]
    fn a_screw_keeps_the_distance_to_its_axis(hand in poses(), screw in poses(), angle in -6.0..6.0, advance in -1.0..1.0) {
        let moved = hand.moved_about_screw(&screw, angle, advance);
        let (before, after) = ((screw.inverse() * hand).translation_m(), (screw.inverse() * moved).translation_m());
        prop_assert!((libm::hypot(before.y, before.z) - libm::hypot(after.y, after.z)).abs() < 1e-9);
        prop_assert!((after.x - before.x - advance).abs() < 1e-9);
        let halfway = hand.moved_about_screw(&screw, 0.5 * angle, 0.5 * advance);
        assert_same(&halfway.moved_about_screw(&screw, 0.5 * angle, 0.5 * advance), &moved);
        let axis = screw.rotation() * Vector3::x_axis();
        let turned = Pose::turn_about(&Point3::from(screw.translation_m()), &axis, angle) * hand;
        assert_same(&hand.moved_about_screw(&screw, angle, 0.0), &turned);
    }
}

#[test]
fn a_file_holds_metres_and_degrees() {
    let pose: Pose = serde_json::from_str(r#"{"x_m": 0.5, "yaw_deg": 90}"#).unwrap();
    assert!((pose.rpy().yaw_rad - FRAC_PI_2).abs() < 1e-12);
    assert_eq!(serde_json::to_string(&Pose::from_translation(0.5, 0.0, -1.0)).unwrap(), r#"{"x_m":0.5,"z_m":-1.0}"#);
    assert!(serde_json::from_str::<Pose>(r#"{"yaw": 90}"#).is_err());
}

#[test]
fn a_mirror_turns_left_into_right() {
    let left = Pose::from_rpy(Vector3::new(0.4, 0.3, 1.1), RollPitchYaw::new(0.2, 0.3, 0.4));
    let right = Pose::from_rpy(Vector3::new(0.4, -0.3, 1.1), RollPitchYaw::new(-0.2, 0.3, -0.4));
    assert_same(&left.mirrored(), &right);
}

#[test]
fn four_numbers_that_are_no_orientation() {
    assert!(Pose::from_numbers([0.0; 7]).is_none());
    assert!(Pose::from_numbers([0.0, 0.0, 0.0, f64::NAN, 0.0, 0.0, 1.0]).is_none());
}

#[test]
fn the_order_of_numbers_is_position_then_x_y_z_w() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Exact(#[serde(with = "geometry::exact")] Pose);

    let half_turn_about_y = [1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0];
    let pose = Pose::from_numbers(half_turn_about_y).unwrap();
    assert_eq!(pose.numbers(), half_turn_about_y);
    assert_eq!(pose.transform_vector(&Vector3::x()), -Vector3::x());
    let written = serde_json::to_string(&Exact(pose)).unwrap();
    assert_eq!(written, "[1.0,2.0,3.0,0.0,1.0,0.0,0.0]");
    assert_eq!(serde_json::from_str::<Exact>(&written).unwrap().0, pose);
}
