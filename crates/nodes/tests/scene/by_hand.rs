//! What operators do to the scene by hand, while a behavior runs, is paused or stands still.

use engine::{Command, Control, Engine, Options, Placement, TickInput};
use geometry::{Pose, RollPitchYaw, Vector3};
use testkit::Stage;

const TICK_NS: i64 = 10_000_000;

fn engine(outline: &str) -> Engine {
    let body = Stage::new("coact-mini", "wait W", "").body();
    testkit::load(outline, &Options { body: Some(body), attended: true, ..Options::default() })
}

fn place(object: &str, class: Option<&str>, frame: &str, pose: [f64; 7]) -> Control {
    let class = class.map(Into::into);
    Control::PlaceObject(Placement { object: object.into(), class, frame: frame.into(), pose })
}

const AHEAD: [f64; 7] = [0.6, 0.0, 0.2, 0.0, 0.0, 0.0, 1.0];

/// Each in a tick of its own.
fn inputs(controls: &[Control]) -> Vec<TickInput> {
    let input = |(tick, what): (usize, &Control)| TickInput {
        time_ns: tick as i64 * TICK_NS,
        commands: vec![Command { id: tick as u64 + 1, what: what.clone() }],
        ..TickInput::default()
    };
    controls.iter().enumerate().map(input).collect()
}

fn refusals(engine: &mut Engine, controls: &[Control]) -> Vec<Option<String>> {
    let answer = |input: &TickInput| {
        let answers = engine.tick(input).answers.clone();
        assert_eq!(answers.len(), 1, "answered once");
        answers[0].refused.clone()
    };
    inputs(controls).iter().map(answer).collect()
}

fn is_frozen(engine: &Engine, name: &str) -> Option<bool> {
    Some(engine.body()?.scene().object(name)?.frozen)
}

#[test]
fn an_object_is_placed_in_a_frame_frozen_and_deleted() {
    let mut engine = engine("wait W duration_s=9");
    let chest = engine.body().unwrap().world_from("chest").unwrap();
    let done = refusals(&mut engine, &[place(" ball ", Some("ball"), "chest", AHEAD)]);
    assert_eq!(done, [None]);
    let body = engine.body().unwrap();
    let wanted = chest * Pose::from_translation(0.6, 0.0, 0.2);
    assert!(body.world_from("ball").unwrap().distance(&wanted).position_m < 1e-9);
    assert_eq!(body.scene().object("ball").unwrap().class().map(|class| &**class), Some("ball"));
    assert_eq!(engine.output().frames.len(), 1, "a robot that follows objects hears of it in the same tick");
    let (freeze, thaw) = (|on| Control::FreezeObject { object: "ball".into(), on }, false);
    assert_eq!(refusals(&mut engine, &[freeze(true)]), [None]);
    assert_eq!(is_frozen(&engine, "ball"), Some(true));
    assert_eq!(refusals(&mut engine, &[freeze(thaw)]), [None]);
    assert_eq!(is_frozen(&engine, "ball"), Some(false));
    assert_eq!(refusals(&mut engine, &[Control::DeleteObject { object: "ball".into() }]), [None]);
    assert!(engine.body().unwrap().world_from("ball").is_err(), "its frame is gone, too");
    engine.check_invariants().unwrap();
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let mut engine = engine("wait W");
    let mut bad = AHEAD;
    bad[6] = 0.0;
    let refused = refusals(
        &mut engine,
        &[
            Control::FreezeObject { object: "ball".into(), on: true },
            Control::DeleteObject { object: "ball".into() },
            place("ball", None, "nowhere", AHEAD),
            place("ball", None, "world", bad),
            place("ball", None, "world", [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
            place("", None, "world", AHEAD),
            place("chest", None, "world", AHEAD),
            place(&"x".repeat(61), None, "world", AHEAD),
        ],
    );
    let says = [
        "no object `ball`",
        "no object `ball`",
        "no frame `nowhere`",
        "a quaternion",
        "a quaternion",
        "needs a name",
        "a frame of the robot",
        "at most 60",
    ];
    for (refused, says) in refused.iter().zip(says) {
        assert!(refused.as_ref().is_some_and(|text| text.contains(says)), "{refused:?}: {says}");
    }
    assert!(engine.body().unwrap().scene().objects().is_empty());
    let mut bodiless = testkit::load("wait W", &Options::default());
    let refused = refusals(&mut bodiless, &[place("ball", None, "world", AHEAD)]);
    assert!(refused[0].as_ref().is_some_and(|text| text.contains("no robot")), "{refused:?}");
}

#[test]
fn a_step_that_waits_for_it_goes_on_and_a_pause_does_not_hinder() {
    let mut engine = engine("proximity Near a=chest b=ball max_m=1 within_s=5\nlog Done text=there");
    let controls = [
        Control::Automatic { on: true },
        Control::Pause { on: true },
        place("ball", Some("ball"), "chest", AHEAD),
        Control::Pause { on: false },
        Control::Concurrency { on: true },
    ];
    assert_eq!(refusals(&mut engine, &controls), vec![None; 5]);
    let trace = testkit::trace(&engine, &[]);
    assert!(trace.contains("there"), "{trace}");
}

#[test]
fn written_and_read_again_it_is_the_same_run() {
    let turned = Pose::from_rpy(Vector3::new(0.123_456_789, -0.7, 0.3), RollPitchYaw::new(0.1, 0.2, 0.3));
    let controls = [
        Control::Automatic { on: true },
        place("ball", Some("ball"), "left_hand", turned.numbers()),
        Control::FreezeObject { object: "stand".into(), on: true },
        place("ball", None, "ball", AHEAD),
        Control::DeleteObject { object: "ball".into() },
    ];
    let inputs = inputs(&controls);
    let text = serde_json::to_string(&inputs).unwrap();
    let read: Vec<TickInput> = serde_json::from_str(&text).unwrap();
    assert_eq!(read, inputs);
    let run = |inputs: &[TickInput]| {
        let mut engine = engine("define_frame Stand object=stand a=walking b=ball\nwait W");
        let outputs: Vec<_> = inputs.iter().map(|input| engine.tick(input).clone()).collect();
        (outputs, testkit::trace(&engine, &[]), engine.body().map(|body| body.scene().clone()))
    };
    assert_eq!(run(&read), run(&inputs));
}

#[test]
fn what_a_hand_has_stays_in_it_where_somebody_places_it_anew() {
    let mut engine = engine("attach_object Take object=ball side=right\nwait W duration_s=9");
    let (robot, hand) = (engine.body().unwrap().robot().clone(), |engine: &Engine| {
        engine.body().unwrap().world_from("right_hand").unwrap()
    });
    let controls = [
        place("ball", Some("ball"), "right_hand", AHEAD),
        Control::Automatic { on: true },
        Control::Concurrency { on: true },
        Control::FreezeObject { object: "ball".into(), on: true },
        place("ball", None, "world", [0.9, -0.2, 1.1, 0.0, 0.0, 0.0, 1.0]),
    ];
    assert_eq!(refusals(&mut engine, &controls), vec![None; 5]);
    let scene = engine.body().unwrap().scene();
    assert!(scene.held().side_of("ball").is_some(), "it was not let go");
    assert_eq!(scene.object("ball").unwrap().class().map(|class| &**class), Some("ball"), "it is what it was");
    let at = engine.body().unwrap().world_from("ball").unwrap();
    assert!(at.distance(&Pose::from_translation(0.9, -0.2, 1.1)).position_m < 1e-9, "it is where it was put");
    let hand_from_ball = hand(&engine).inverse() * at;
    // The hand goes elsewhere.
    let elsewhere = robot.model.coordinates().iter().map(|joint| if joint.name.contains("elbow") { 0.4 } else { 0.1 });
    let positions: Vec<f64> = elsewhere.collect();
    let state = robot::interface::RobotState::standing(&positions, &Pose::from_translation(0.3, 0.1, 0.0));
    engine.tick(&TickInput { time_ns: 6 * TICK_NS, robot: Some(state.into()), ..TickInput::default() });
    let (was_at, now_at) = (at, engine.body().unwrap().world_from("ball").unwrap());
    assert!(was_at.distance(&now_at).position_m > 0.1, "it goes along");
    assert!((hand(&engine) * hand_from_ball).distance(&now_at).position_m < 1e-9, "as the hand had it");
}
