//! Objects, detections and the simulated world: what operators are told of them, and what they do to them.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Control, Ground, Placement};
use geometry::{Point3, Pose, RollPitchYaw, Vector3};
use link::udp::PeerId;
use link::{Keyed, Message};
use protocol::Role;
use protocol::talk::{Reply, SceneAt, Want, unpack};
use scene::{Cloud, Detection, Sight};
use site::{Site, Solid, SolidForm};

use crate::actor::Actor;
use crate::bench::{Bench, THREE_WAITS, automatic, run};

const TERRAIN: &str =
    r#"{"version": 1, "floor_m": 0, "obstacles": [{"name": "crate", "pose": {"x_m": 2}, "size_m": [1, 2, 1]}]}"#;

/// A ball until two seconds have passed.
fn ball(time_ns: i64) -> Option<Sight> {
    let ball = Detection {
        detector: "yolo".into(),
        class: "ball".into(),
        confidence: 0.8,
        world_position: Point3::new(1.0, 0.0, 0.7),
        world_from_object: None,
        pixels: Some([0, 0, 20, 60]),
    };
    let cloud = Some(Arc::new(Cloud::new(time_ns, Pose::identity(), 40, 60)));
    let sight = Sight { camera: "head".into(), time_ns, cloud, detections: vec![ball] };
    (time_ns % 100_000_000 == 0 && time_ns <= 2_000_000_000).then_some(sight)
}

/// A door that opens by a degree a tick, beside one that does not.
fn doors(ticks: u32) -> Vec<Solid> {
    let solid = |yaw_deg: f64| Solid {
        name: "door".into(),
        form: SolidForm::Box { half_m: [0.45, 0.02, 1.0] },
        colour: [120.0 / 255.0, 90.0 / 255.0, 60.0 / 255.0, 1.0],
        world_from_solid: Pose::from_rpy(
            Vector3::new(1.0, 0.0, 1.0),
            RollPitchYaw::new(0.0, 0.0, yaw_deg.to_radians()),
        ),
    };
    vec![solid(0.0), solid(f64::from(ticks))]
}

/// A robot whose camera sees a ball, in a room with doors.
fn room() -> Site {
    let ground = Ground::from_text(TERRAIN).expect("a terrain");
    Actor { solids: doors, ..Actor::new(ball) }.site(ground)
}

fn bench() -> (Bench, PeerId) {
    let mut bench = Bench::on_site(THREE_WAITS, room());
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    (bench, ana)
}

/// As a link would keep them.
fn things(bench: &Bench, to: PeerId) -> BTreeMap<u32, SceneAt> {
    let of = |(id, message): &(PeerId, Message)| match message {
        Message::Keyed { kind: Keyed::Scene, key, bytes } if *id == to => Some((*key, unpack(bytes).unwrap())),
        _ => None,
    };
    bench.sent.iter().filter_map(of).collect()
}

/// Frozen or not; none: it is not there.
fn object(bench: &Bench, to: PeerId, name: &str) -> Option<(bool, [f32; 7])> {
    things(bench, to).into_values().find_map(|thing| match thing {
        SceneAt::Object(object) if &*object.name == name => object.pose.map(|pose| (object.frozen, pose)),
        _ => None,
    })
}

fn place(object: &str) -> Want {
    run(Control::PlaceObject(placement(object)))
}

fn placement(object: &str) -> Placement {
    Placement {
        object: object.into(),
        class: Some("ball".into()),
        frame: "world".into(),
        pose: [1.0, 2.0, 0.5, 0.0, 0.0, 0.0, 1.0],
    }
}

#[test]
fn every_operator_changes_the_scene_and_everybody_is_told() {
    let (mut bench, ana) = bench();
    let ben = bench.connect(2);
    assert!(matches!(bench.ask(ana, "ana", Role::Observer, place("mug")), Reply::Refused(_)), "an observer");
    bench.run_s(0.3);
    assert_eq!(object(&bench, ben, "mug"), None);
    for runs in [false, true] {
        if runs {
            bench.done(ana, "ana", automatic());
        }
        // Ana has the run, the scene is everybody's.
        bench.done(ben, "ben", place("mug"));
        bench.run_s(0.3);
        assert_eq!(object(&bench, ben, "mug"), Some((false, [1.0, 2.0, 0.5, 0.0, 0.0, 0.0, 1.0])));
        bench.done(ben, "ben", run(Control::FreezeObject { object: "mug".into(), on: true }));
        bench.run_s(0.3);
        assert_eq!(object(&bench, ben, "mug").map(|(frozen, _)| frozen), Some(true));
        assert_eq!(bench.robot.desk.in_control().map(|name| &**name), Some("ana"));
        bench.done(ana, "ana", run(Control::DeleteObject { object: "mug".into() }));
        bench.run_s(0.3);
        assert_eq!(object(&bench, ben, "mug"), None);
    }
    assert!(bench.audit.iter().any(|line| line.contains("place_object") && line.contains("mug")));
}

#[test]
fn on_a_narrow_link_objects_are_told_seldom_and_yet_as_they_are() {
    let mut bench = Bench::on_narrow_site(THREE_WAITS, room());
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.run_s(2.5);
    bench.done(ana, "ana", place("mug"));
    bench.run_s(0.3);
    bench.done(ana, "ana", run(Control::FreezeObject { object: "mug".into(), on: true }));
    // Nothing changes any more, and still it becomes known.
    bench.run_s(4.0);
    assert_eq!(object(&bench, ana, "mug").map(|(frozen, _)| frozen), Some(true));
    let told = bench.sent.iter().filter(|(_, message)| {
        matches!(message, Message::Keyed { kind: Keyed::Scene, bytes, .. } if matches!(unpack(bytes), Some(SceneAt::Object(_))))
    });
    assert!(told.count() <= 2, "not each of its changes");
}

#[test]
fn detections_are_told_while_they_are_seen() {
    let (mut bench, ana) = bench();
    bench.run_s(1.0);
    let detected = |bench: &Bench| {
        things(bench, ana).into_values().find_map(|thing| match thing {
            SceneAt::Detection(detection) => Some(detection.at),
            _ => None,
        })
    };
    let at = detected(&bench).flatten().expect("a ball");
    assert_eq!((&*at.class, at.confidence, at.stable), ("ball", 80, true));
    assert_eq!(at.pose[..3], [1.0, 0.0, 0.7]);
    assert_eq!(at.seen_in, Some(("head".into(), [0, 0, 128, 255])));
    bench.sent.clear();
    bench.run_s(0.5);
    let count = bench.sent.iter().filter(|(_, message)| {
        matches!(message, Message::Keyed { kind: Keyed::Scene, bytes, .. } if matches!(unpack(bytes), Some(SceneAt::Detection(_))))
    });
    assert_eq!(count.count(), 0, "it is where it was");
    bench.run_s(5.0);
    assert_eq!(detected(&bench), Some(None), "it is not followed any more");
}

#[test]
fn of_the_world_only_what_moves_is_told_again_and_late_comers_get_all() {
    let (mut bench, ana) = bench();
    let solids = |bench: &Bench, to| -> Vec<u32> {
        let number = |thing: &SceneAt| match thing {
            SceneAt::Solid(solid) => Some(solid.number),
            _ => None,
        };
        let mut numbers: Vec<u32> = things(bench, to).values().filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    };
    bench.run_s(0.5);
    assert_eq!(solids(&bench, ana), [0, 1]);
    bench.sent.clear();
    bench.run_s(0.5);
    assert_eq!(solids(&bench, ana), [1], "the frame of the door stands still");
    let told = bench.sent.iter().filter(|(_, message)| matches!(message, Message::Keyed { kind: Keyed::Scene, .. }));
    assert!((4..=6).contains(&told.count()), "ten times a second");
    let ben = bench.connect(2);
    assert_eq!(solids(&bench, ben), [0, 1]);
    let outline = things(&bench, ben).into_values().find_map(|thing| match thing {
        SceneAt::Outline(outline) => Some(outline),
        _ => None,
    });
    let outline = outline.expect("the terrain");
    assert_eq!((&*outline.name, outline.obstacle, outline.corners_m.len()), ("crate", true, 4));
}

#[test]
fn an_object_that_a_single_step_sets_up_is_told_though_nothing_runs_on() {
    let lock_on =
        r#"{"version": 1, "name": "Lock on", "children": [{"type": "setup_object", "name": "Ball", "class": "ball"}]}"#;
    let mut bench = Bench::on_site(lock_on, room());
    let ana = bench.connect(1);
    bench.done(ana, "ana", Want::TakeControl);
    bench.run_s(1.5);
    bench.done(ana, "ana", run(Control::Press { track: None, into: false }));
    bench.run_s(0.5);
    assert!(object(&bench, ana, "ball").is_some());
}

fn answer(bench: &Bench, name: &str) -> Want {
    run(Control::Answer { step: bench.instance("which"), value: model::Value::text(name) })
}

#[test]
fn an_answer_names_what_is_there_and_of_its_kind() {
    for (kind, class, right) in [("object", "", "mug"), ("template", "ball", "mug"), ("frame", "", "pelvis")] {
        let text = format!(
            r#"{{"version": 1, "type": "sequence", "variables": {{"it": ""}}, "children": [
                {{"type": "input", "name": "which", "variable": "it", "kind": "{kind}", "class": "{class}"}},
                {{"type": "wait", "name": "then", "duration_s": 9}}]}}"#
        );
        let mut bench = Bench::on_site(&text, room());
        let ana = bench.connect(1);
        bench.done(ana, "ana", Want::TakeControl);
        bench.done(ana, "ana", automatic());
        bench.run_s(0.3);
        let nothing = answer(&bench, "nothing");
        let why = bench.refused(ana, "ana", Role::Operator, nothing);
        assert!(why.contains("there is no"), "{kind}: {why}");
        bench.done(ana, "ana", place("mug"));
        if kind == "template" {
            let other = Placement { class: Some("cup".into()), ..placement("cup") };
            bench.done(ana, "ana", run(Control::PlaceObject(other)));
            let cup = answer(&bench, "cup");
            let why = bench.refused(ana, "ana", Role::Operator, cup);
            assert!(why.contains("not of the class `ball`"), "{why}");
        }
        let it = answer(&bench, right);
        bench.done(ana, "ana", it);
        bench.run_s(0.3);
        assert_eq!(bench.robot.runner.engine().running().len(), 1, "{kind}: `then` runs");
    }
}

/// Solids of one world, and of another that has fewer.
fn one_door(ticks: u32) -> Vec<Solid> {
    doors(ticks).into_iter().take(1).collect()
}

fn solids(bench: &Bench, to: PeerId) -> BTreeMap<u32, u16> {
    let of = |thing| match thing {
        SceneAt::Solid(solid) => Some((solid.number, solid.world)),
        _ => None,
    };
    things(bench, to).into_values().filter_map(of).collect()
}

#[test]
fn the_world_begins_anew_with_the_same_tree_and_marks() {
    let mut bench = Bench::on_site(THREE_WAITS, room());
    bench.robot.runner.reset_with(Box::new(|world| match world {
        None => Ok(Actor { solids: one_door, ..Actor::new(ball) }.site(Ground::default())),
        Some(name) => Err(format!("there is no world `{name}`")),
    }));
    let (ana, ben) = (bench.connect(1), bench.connect(2));
    let without = bench.refused(ana, "ana", Role::Operator, Want::ResetWorld(None));
    assert!(without.contains("take control first"), "{without}");
    bench.done(ana, "ana", Want::TakeControl);
    bench.refused(ben, "ben", Role::Operator, Want::ResetWorld(None));
    let first = bench.instance("first");
    bench.done(ana, "ana", run(Control::Breakpoint { node: first.clone(), on: true }));
    bench.done(ana, "ana", place("mug"));
    bench.run_s(0.3);
    assert_eq!(solids(&bench, ben), BTreeMap::from([(0, 0), (1, 0)]));
    let wrong = bench.refused(ana, "ana", Role::Operator, Want::ResetWorld(Some("moon".into())));
    assert_eq!(wrong, "there is no world `moon`");
    assert!(object(&bench, ben, "mug").is_some(), "all is as it was");

    bench.done(ana, "ana", Want::ResetWorld(None));
    bench.run_s(0.5);
    assert_eq!(object(&bench, ben, "mug"), None);
    assert_eq!(solids(&bench, ben)[&0], 1, "of the new world");
    let late = bench.connect(3);
    bench.run_s(0.3);
    assert_eq!(solids(&bench, late), BTreeMap::from([(0, 1)]), "who comes now hears of no other");
    bench.done(ana, "ana", automatic());
    bench.run_s(0.3);
    assert!(!bench.is_running(), "the breakpoint is still there");
    bench.done(ana, "ana", run(Control::Continue { step: Some(first) }));
    bench.run_s(0.3);
    let runs = bench.refused(ana, "ana", Role::Operator, Want::ResetWorld(None));
    assert!(runs.contains("something runs"), "{runs}");
}
