//! From detections of single pictures to things that persist.

use crate::kit;

use geometry::{Pose, RollPitchYaw, UnitQuaternion, Vector3};
use kit::*;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use scene::{Detection, Scene, SceneUpdate, TrackingSettings};

fn stable(scene: &Scene) -> Vec<(String, [f64; 3])> {
    scene.stable().map(|each| (each.class.to_string(), each.world_from_object.translation_m().into())).collect()
}

#[test]
fn a_thing_is_stable_once_it_was_seen_twice_and_no_longer_when_it_is_seen_too_seldom() {
    let mut scene = Scene::default();
    let ball = [detection("ball", [1.0, 0.0, 0.5])];
    show(&mut scene, 0, ball.to_vec());
    assert_eq!(stable(&scene), []);
    show(&mut scene, HZ_10_NS, ball.to_vec());
    assert_eq!(stable(&scene).len(), 1);
    // Two sightings within the history are 1 Hz while the older one is not more than 2 s old.
    scene.advance(at_ns(2.0), &no_frames);
    assert_eq!(stable(&scene).len(), 1);
    scene.advance(at_ns(2.05), &no_frames);
    assert_eq!(stable(&scene), []);
    assert_eq!(scene.detections().len(), 1);
    scene.advance(at_ns(2.11), &no_frames);
    assert_eq!(scene.detections().len(), 0);
}

#[test]
fn frequency_is_the_history_over_the_time_since_its_oldest() {
    let mut scene = Scene::default();
    for time_s in [0.0, 0.5, 1.0] {
        show(&mut scene, at_ns(time_s), vec![detection("ball", [1.0, 0.0, 0.5])]);
    }
    let hz = scene.detections()[0].frequency_hz(at_ns(1.5));
    assert!((hz - 2.0).abs() < 1e-9, "{hz}");
}

#[test]
fn the_mean_confidence_decides_and_a_class_may_have_its_own() {
    let mut scene = Scene::default();
    let unsure = |confidence: f64| Detection { confidence, ..detection("ball", [1.0, 0.0, 0.5]) };
    for (tick, confidence) in [0.1, 0.4, 0.2].into_iter().enumerate() {
        show(&mut scene, HZ_10_NS * tick as i64, vec![unsure(confidence)]);
    }
    assert!((scene.detections()[0].mean_confidence() - 0.7 / 3.0).abs() < 1e-9);
    assert_eq!(stable(&scene), []);
    let settings = TrackingSettings { class_confidence: [("ball".into(), 0.02)].into(), ..TrackingSettings::default() };
    scene.apply(&SceneUpdate::Track { settings }).unwrap();
    assert_eq!(stable(&scene).len(), 1);
}

#[test]
fn half_of_a_new_detection_counts() {
    let mut scene = Scene::default();
    show(&mut scene, 0, vec![detection("ball", [1.0, 0.0, 0.0])]);
    show(&mut scene, HZ_10_NS, vec![detection("ball", [1.4, 0.0, 0.0])]);
    let x_m = scene.detections()[0].world_from_object.translation_m().x;
    assert!((x_m - 1.2).abs() < 1e-9, "{x_m}");
}

#[test]
fn a_false_alarm_beside_a_known_thing_does_not_move_it_but_two_in_a_row_do() {
    let mut scene = Scene::default();
    for tick in 0..4 {
        show(&mut scene, HZ_10_NS * tick, vec![detection("ball", [1.0, 0.0, 0.0])]);
    }
    let x_m = |scene: &Scene| scene.detections()[0].world_from_object.translation_m().x;
    // Another camera, which does not see the ball.
    show(&mut scene, HZ_10_NS * 3, vec![detection("ball", [1.4, 0.0, 0.0])]);
    assert_eq!((x_m(&scene), scene.detections().len()), (1.0, 1));
    show(&mut scene, HZ_10_NS * 4, vec![detection("ball", [1.0, 0.0, 0.0])]);
    show(&mut scene, HZ_10_NS * 5, vec![detection("ball", [1.4, 0.0, 0.0])]);
    assert_eq!(x_m(&scene), 1.0);
    show(&mut scene, HZ_10_NS * 6, vec![detection("ball", [1.41, 0.0, 0.0])]);
    assert_eq!(x_m(&scene), 1.41);
}

#[test]
fn what_moves_at_a_metre_a_second_is_followed() {
    let mut scene = Scene::default();
    let mut behind_m = 0.0_f64;
    for tick in 0..30 {
        let x_m = if tick < 5 { 0.0 } else { 0.1 * f64::from(tick - 4) };
        show(&mut scene, HZ_10_NS * i64::from(tick), vec![detection("ball", [x_m, 0.0, 0.0])]);
        behind_m = behind_m.max(x_m - scene.detections()[0].world_from_object.translation_m().x);
    }
    assert!(scene.detections().len() == 1 && behind_m < 0.26, "{behind_m}");
}

#[test]
fn what_is_too_far_off_or_of_another_class_or_detector_is_another_thing() {
    let mut scene = Scene::default();
    let ball = detection("ball", [1.0, 0.0, 0.0]);
    show(&mut scene, 0, vec![ball.clone()]);
    show(&mut scene, HZ_10_NS, vec![detection("ball", [1.51, 0.0, 0.0])]);
    show(&mut scene, 2 * HZ_10_NS, vec![detection("box", [1.0, 0.0, 0.0])]);
    show(&mut scene, 3 * HZ_10_NS, vec![Detection { detector: "tags".into(), ..ball }]);
    assert_eq!(scene.detections().len(), 4);
}

#[test]
fn the_nearest_pair_is_matched_first() {
    let mut scene = Scene::default();
    show(&mut scene, 0, vec![detection("ball", [0.0, 0.0, 0.0]), detection("ball", [0.3, 0.0, 0.0])]);
    // In the order of the picture the first would take what the second is nearer to.
    show(&mut scene, HZ_10_NS, vec![detection("ball", [0.2, 0.0, 0.0]), detection("ball", [0.3, 0.0, 0.0])]);
    let xs: Vec<f64> = scene.detections().iter().map(|each| each.world_from_object.translation_m().x).collect();
    assert_eq!(xs.len(), 2);
    assert!((xs[0] - 0.1).abs() < 1e-9 && (xs[1] - 0.3).abs() < 1e-9, "{xs:?}");
}

#[test]
fn a_position_takes_the_turn_of_the_chest_and_a_pose_keeps_its_own() {
    let mut scene = Scene::default();
    let chest = UnitQuaternion::from_euler_angles(0.0, 0.0, 1.0);
    let turned = Pose::from_rpy(Vector3::new(2.0, 0.0, 0.0), RollPitchYaw::new(0.0, 0.0, -0.5));
    let tag = Detection { world_from_object: Some(turned), ..detection("tag", [9.0, 9.0, 9.0]) };
    scene.see(&sight(0, vec![detection("ball", [1.0, 0.0, 0.0]), tag]), &chest);
    let [ball, tag] = scene.detections() else { panic!("two things were seen") };
    assert!(ball.world_from_object.rotation().angle_to(&chest) < 1e-9);
    assert!(!ball.has_orientation && tag.has_orientation);
    assert!(tag.world_from_object.distance(&turned).position_m < 1e-9);
    assert!(tag.world_from_object.distance(&turned).angle_rad < 1e-9);
}

#[test]
fn numbers_that_are_none_are_left_out() {
    let mut scene = Scene::default();
    let sick = |xyz_m| detection("ball", xyz_m);
    let unsure = Detection { confidence: f64::NAN, ..sick([1.0, 0.0, 0.0]) };
    show(&mut scene, 0, vec![sick([f64::NAN, 0.0, 0.0]), sick([f64::INFINITY, 0.0, 0.0]), unsure]);
    assert_eq!(scene.detections().len(), 0);
}

#[test]
fn pictures_may_arrive_in_another_order() {
    let mut scene = Scene::default();
    let ball = || vec![detection("ball", [1.0, 0.0, 0.0])];
    scene.see(&sight(at_ns(0.3), ball()), &UnitQuaternion::identity());
    scene.see(&sight(at_ns(0.1), ball()), &UnitQuaternion::identity());
    scene.advance(at_ns(0.5), &no_frames);
    assert_eq!(scene.detections()[0].last_seen_ns(), Some(at_ns(0.3)));
    assert!((scene.detections()[0].frequency_hz(at_ns(0.5)) - 5.0).abs() < 1e-9);
}

fn pictures() -> impl Strategy<Value = Vec<Vec<Detection>>> {
    let one = (0..2_usize, prop::array::uniform3(-1.0..1.0_f64), 0.0..1.0_f64)
        .prop_map(|(class, at, confidence)| Detection { confidence, ..detection(["ball", "box"][class], at) });
    prop::collection::vec(prop::collection::vec(one, 0..8), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    /// Nothing is lost and nothing is counted twice: every detection of a picture is in exactly one history.
    #[test]
    fn every_detection_belongs_to_one_thing(pictures in pictures()) {
        let mut scene = Scene::default();
        let mut shown = 0;
        for (tick, picture) in pictures.into_iter().enumerate() {
            shown += picture.len();
            show(&mut scene, HZ_10_NS * tick as i64, picture);
            let counted: usize = scene.detections().iter().map(|each| each.history_len()).sum();
            prop_assert_eq!(counted, shown);
        }
    }

    #[test]
    fn the_same_pictures_give_the_same_scene_also_after_it_was_written_and_read(pictures in pictures()) {
        let (mut one, mut other) = (Scene::default(), Scene::default());
        for (tick, picture) in pictures.into_iter().enumerate() {
            show(&mut one, HZ_10_NS * tick as i64, picture.clone());
            let text = serde_json::to_string(&other).unwrap();
            other = serde_json::from_str(&text).unwrap();
            show(&mut other, HZ_10_NS * tick as i64, picture);
            prop_assert_eq!(&one, &other);
        }
    }
}

#[test]
fn what_is_followed_knows_where_in_the_picture_it_was_last() {
    let mut scene = Scene::default();
    let cloud = || Some(std::sync::Arc::new(scene::Cloud::new(0, Pose::identity(), 200, 100)));
    let ball = |pixels| Detection { pixels, ..detection("ball", [1.0, 0.0, 0.5]) };
    let pictures = [(cloud(), Some([0, 0, 10, 10])), (cloud(), Some([20, 50, 100, 100])), (None, Some([0, 0, 1, 1]))];
    let wanted = [Some([0.0, 0.0, 0.05, 0.1]), Some([0.1, 0.5, 0.5, 1.0]), None];
    for (tick, ((cloud, pixels), wanted)) in pictures.into_iter().zip(wanted).enumerate() {
        let sight = scene::Sight { cloud, ..sight(HZ_10_NS * tick as i64, vec![ball(pixels)]) };
        scene.see(&sight, &UnitQuaternion::identity());
        let part = scene.detections()[0].in_picture.clone();
        assert_eq!(part.as_ref().map(|part| part.shares), wanted);
        assert!(part.is_none_or(|part| &*part.camera == "head"));
    }
}
