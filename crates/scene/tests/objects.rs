//! Objects: set up, lost, found, frozen, composed.

use crate::kit;

use geometry::{Pose, Vector3};
use kit::*;
use scene::{Changed, Composite, CompositeKind, Object, Scene, SceneError, SceneUpdate};

fn set_up(scene: &mut Scene, name: &str, class: &str) {
    let id = scene.nearest(&asked(name, class), &Vector3::zeros()).expect("a stable detection").id;
    scene.apply(&SceneUpdate::SetUp { name: name.into(), detection: id }).expect("it was just seen");
}

fn define(scene: &mut Scene, name: &str, kind: CompositeKind, a: &str, b: &str) -> Result<(), SceneError> {
    let composite = Composite { a: a.into(), b: b.into(), kind };
    scene.apply(&SceneUpdate::Define { name: name.into(), composite })
}

fn object<'a>(scene: &'a Scene, name: &str) -> &'a Object {
    scene.object(name).expect("the object")
}

fn x_m(scene: &Scene, name: &str) -> f64 {
    object(scene, name).world_from_object.expect("it is somewhere").translation_m().x
}

#[test]
fn the_nearest_is_taken_and_the_next_object_gets_the_next() {
    let mut scene = Scene::default();
    let balls = [3.0, 1.0, 2.0].map(|x_m| detection("ball", [x_m, 0.0, 0.5]));
    show_for(&mut scene, 0.0, 0.4, &balls);
    assert!(scene.nearest(&asked("ball", "ball"), &Vector3::zeros()).is_none(), "seen four times only");
    show_for(&mut scene, 0.4, 0.6, &balls);
    set_up(&mut scene, "ball", "ball");
    set_up(&mut scene, "other", "ball");
    assert_eq!((x_m(&scene, "ball"), x_m(&scene, "other")), (1.0, 2.0));
    // Set up again it may take the same one: only others keep it from theirs.
    set_up(&mut scene, "ball", "ball");
    assert_eq!(x_m(&scene, "ball"), 1.0);
}

#[test]
fn what_is_lost_goes_stale_stays_and_is_found_again_where_it_is() {
    let mut scene = Scene::default();
    show_for(&mut scene, 0.0, 1.0, &[detection("ball", [1.0, 0.0, 0.5])]);
    set_up(&mut scene, "ball", "ball");
    scene.advance(at_ns(30.0), &no_frames);
    assert!(object(&scene, "ball").stale);
    assert_eq!(x_m(&scene, "ball"), 1.0);
    show_for(&mut scene, 30.0, 30.3, &[detection("ball", [1.3, 0.0, 0.5])]);
    assert!(!object(&scene, "ball").stale);
    assert!((x_m(&scene, "ball") - 1.3).abs() < 1e-9, "not half way: {}", x_m(&scene, "ball"));
    let told: Vec<Changed> = scene.take_changes().into_iter().map(|change| change.what).collect();
    assert_eq!(told, [Changed::SetUp, Changed::Stale, Changed::Moved, Changed::Found]);
}

#[test]
fn what_is_frozen_stays_until_it_is_let_go_or_set_up_again() {
    let mut scene = Scene::default();
    show_for(&mut scene, 0.0, 1.0, &[detection("ball", [1.0, 0.0, 0.5])]);
    set_up(&mut scene, "ball", "ball");
    scene.apply(&SceneUpdate::Freeze { name: "ball".into(), on: true }).unwrap();
    show_for(&mut scene, 1.0, 3.0, &[detection("ball", [1.2, 0.0, 0.5])]);
    assert_eq!(x_m(&scene, "ball"), 1.0);
    scene.apply(&SceneUpdate::Freeze { name: "ball".into(), on: false }).unwrap();
    scene.advance(at_ns(3.0), &no_frames);
    assert!((x_m(&scene, "ball") - 1.2).abs() < 1e-3);
    scene.apply(&SceneUpdate::FreezeAll { on: true }).unwrap();
    assert!(object(&scene, "ball").frozen);
    set_up(&mut scene, "ball", "ball");
    assert!(!object(&scene, "ball").frozen);
}

#[test]
fn what_is_not_there_can_be_neither_frozen_nor_deleted() {
    let mut scene = Scene::default();
    show_for(&mut scene, 0.0, 1.0, &[detection("ball", [1.0, 0.0, 0.5])]);
    let wrong = scene.apply(&SceneUpdate::Delete { name: "ball".into() }).unwrap_err();
    assert_eq!(wrong.to_string(), "there is no object `ball`: none was set up");
    set_up(&mut scene, "ball", "ball");
    let wrong = scene.apply(&SceneUpdate::Freeze { name: "bull".into(), on: true }).unwrap_err();
    assert_eq!(wrong.to_string(), "there is no object `bull`; there are ball");
    scene.apply(&SceneUpdate::Delete { name: "ball".into() }).unwrap();
    assert!(scene.objects().is_empty());
    set_up(&mut scene, "ball", "ball");
    scene.apply(&SceneUpdate::Clear).unwrap();
    assert!(scene.objects().is_empty());
    assert!(scene.stable().count() == 1, "what is seen is still seen");
}

/// Frames of a body that walks along x.
fn body(x_m: f64) -> impl Fn(&str) -> Option<Pose> {
    move |name| (name == "walking").then(|| Pose::from_translation(x_m, 0.0, 0.0))
}

#[test]
fn composites_stack_in_any_order_of_definition() {
    let mut scene = Scene::default();
    let approach = CompositeKind::Approach { distance_m: 0.5 };
    define(&mut scene, "before", approach, "walking", "mixed").unwrap();
    scene.advance(0, &body(0.0));
    assert_eq!(object(&scene, "before").world_from_object, None);
    define(&mut scene, "mixed", CompositeKind::Hybrid, "ball", "walking").unwrap();
    let world_from_object = Pose::from_translation(2.0, 0.0, 0.0);
    scene.apply(&SceneUpdate::Place { name: "ball".into(), class: None, world_from_object }).unwrap();
    scene.advance(1, &body(0.0));
    assert!((x_m(&scene, "before") - 1.5).abs() < 1e-9);
    // From the other side it is on the other side: in the same tick, however long the chain is.
    scene.advance(2, &body(4.0));
    assert!((x_m(&scene, "before") - 2.5).abs() < 1e-9);
}

#[test]
fn a_composite_of_what_is_deleted_goes_stale_and_stays() {
    let mut scene = Scene::default();
    let world_from_object = Pose::from_translation(2.0, 0.0, 0.0);
    scene.apply(&SceneUpdate::Place { name: "ball".into(), class: None, world_from_object }).unwrap();
    define(&mut scene, "before", CompositeKind::Approach { distance_m: 0.5 }, "walking", "ball").unwrap();
    scene.advance(0, &body(0.0));
    scene.apply(&SceneUpdate::Delete { name: "ball".into() }).unwrap();
    scene.advance(1, &body(1.0));
    assert!(object(&scene, "before").stale);
    assert!((x_m(&scene, "before") - 1.5).abs() < 1e-9);
}

#[test]
fn circles_are_refused_and_change_nothing() {
    let mut scene = Scene::default();
    let hybrid = || CompositeKind::Hybrid;
    assert!(define(&mut scene, "a", hybrid(), "a", "world").is_err());
    define(&mut scene, "a", hybrid(), "b", "world").unwrap();
    define(&mut scene, "b", hybrid(), "world", "c").unwrap();
    let before = scene.clone();
    let wrong = define(&mut scene, "c", hybrid(), "world", "a").unwrap_err();
    assert_eq!(wrong.to_string(), "`c` would be made of itself, through `a` and `b` and `c`: take another frame");
    assert_eq!(scene, before);
}

#[test]
fn the_newest_cloud_of_a_camera_is_kept() {
    let mut scene = Scene::default();
    let cloud = |time_ns: i64| scene::Cloud::new(time_ns, Pose::identity(), 1, 1);
    for (camera, time_ns) in [("head", 5), ("chest", 9), ("head", 3)] {
        let sight =
            scene::Sight { camera: camera.into(), cloud: Some(cloud(time_ns).into()), ..sight(time_ns, vec![]) };
        scene.see(&sight, &geometry::UnitQuaternion::identity());
    }
    assert_eq!(scene.latest_cloud(Some("head")).map(|cloud| cloud.time_ns), Some(5));
    assert_eq!(scene.latest_cloud(None).map(|cloud| cloud.time_ns), Some(9));
    assert_eq!(scene.latest_cloud(Some("foot")), None);
}
