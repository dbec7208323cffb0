//! Behaviors in worlds: with physics, or told why not; worlds that are checked.

use crate::common;

use common::{behavior, coact, folder};

const REACH: &str =
    r#"{"type": "arm", "name": "Out", "side": "left", "by": "preset", "preset": "wide", "duration_s": 2}"#;

fn world(name: &str, text: &str) -> String {
    let path = folder(name).join("world.json");
    std::fs::write(&path, text).expect("a file for the test");
    path.to_str().expect("UTF-8").to_owned()
}

const BROKEN: &str = r#"{
  "version": 1,
  "objects": [
    {"type": "dor"},
    {"type": "ball", "colour": "reddish"}
  ],
  "camera": {"widht": 5, "near_m": 3, "far_m": 2}
}"#;

#[test]
fn broken_worlds_are_told_with_all_their_problems() {
    let file = behavior("world-broken", REACH);
    let broken = world("world-broken-world", BROKEN);
    let checked = coact(&["check", &broken]);
    let ran = coact(&["run", &file, "--world", &broken]);
    for (code, told) in [(checked.code, &checked.out), (ran.code, &ran.err)] {
        assert_eq!(code, 2, "{told}");
        for wanted in ["line 4", "`dor` is none of", "line 5", "`reddish` is no colour", "`widht` does not belong here"]
        {
            assert!(told.contains(wanted), "{wanted} in {told}");
        }
        assert!(told.contains("such a camera has no view"), "{told}");
    }
    assert!(checked.out.contains("4 errors in 1 file"), "{}", checked.out);
    let unknown = coact(&["run", &file, "--world", "push-dor"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("there is no world `push-dor`") && unknown.err.contains("push-door-lever"));
}

#[test]
fn good_worlds_pass_the_check() {
    let files: Vec<String> = sim::World::names().iter().map(|name| format!("worlds/{name}.json")).collect();
    let mut arguments = vec!["check"];
    arguments.extend(files.iter().map(String::as_str));
    let checked = coact(&arguments);
    assert_eq!(checked.code, 0, "{}", checked.out);
}

#[cfg(not(feature = "mujoco"))]
#[test]
fn without_physics_it_says_what_to_run() {
    let ran = coact(&["run", &behavior("world-none", REACH), "--world", "empty"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("./dev setup"), "{}", ran.err);
}

#[cfg(feature = "mujoco")]
mod physics {
    use super::*;

    #[test]
    fn a_behavior_runs_in_a_world_and_the_same_seed_gives_the_same_bytes() {
        let file = behavior("world-runs", REACH);
        let run = |seed: &str| coact(&["run", &file, "--world", "push-door-lever", "--json", "--seed", seed]);
        let ran = run("3");
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        let report = ran.json();
        assert_eq!((&report["robot"], &report["world"]), (&"coact-one".into(), &"push-door-lever".into()));
        let margin_m = report["balance"]["min_margin_m"].as_f64().expect("a margin");
        assert!((0.001..0.12).contains(&margin_m), "{margin_m}");
        assert!(report["balance"]["at_s"].as_f64().is_some_and(|at_s| (0.0..3.0).contains(&at_s)));
        assert_eq!(ran.out, run("3").out);
        let text = coact(&["run", &file, "--world", "push-door-lever"]);
        assert!(text.out.contains("balance: smallest margin "), "{}", text.out);
    }

    #[test]
    fn a_behavior_without_a_body_still_stands_in_its_world() {
        let file = behavior("world-waits", r#"{"type": "wait", "duration_s": 0.5}"#);
        let ran = coact(&["run", &file, "--world", "worlds/empty.json", "--robot", "coact-mini", "--json"]);
        assert_eq!((ran.code, &ran.json()["robot"]), (0, &"coact-mini".into()), "{}{}", ran.out, ran.err);
    }

    #[test]
    fn a_fall_ends_the_run_as_failed_and_what_happened_is_told() {
        let file = behavior("world-falls", REACH);
        let push = r#"{"version": 1, "disturbances": [
            {"at_s": 0.5, "do": "push_hand", "side": "right", "force_n": [250, 0, 0], "duration_s": 1}]}"#;
        let path = world("world-falls-world", push);
        let ran = coact(&["run", &file, "--world", &path, "--json"]);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        let report = ran.json();
        assert_eq!(report["result"], "failure");
        assert!(report["reason"].as_str().is_some_and(|reason| reason.contains("the robot fell")), "{report}");
        assert!(report["balance"]["min_margin_m"].as_f64().is_some_and(|margin_m| margin_m < 0.0));
        let log = report["log"].as_array().expect("a log");
        let is_stop = |text: &str| text.starts_with("stopped: the robot fell");
        let stopped = log.iter().find(|note| note["text"].as_str().is_some_and(is_stop)).expect("a stop");
        assert!(stopped["time_s"].as_f64().is_some_and(|time_s| time_s < 1.0), "{stopped}");
        let pushed = log.iter().find(|note| note["kind"] == "world").expect("a note of the world");
        assert_eq!(pushed["text"], "something pushes the right hand with 250 N");
        assert!((pushed["time_s"].as_f64().expect("a time") - 0.5).abs() < 0.01, "{pushed}");
        let text = coact(&["run", &file, "--world", &path]);
        assert!(
            text.out.contains("something pushes the right hand") && text.out.contains("balance: smallest margin -")
        );
    }

    #[test]
    fn faults_happen_in_physics_too() {
        let file = behavior("world-faults", REACH);
        let stuck = r#"{"kind": {"joint_stuck": {"joint": "left_shoulder_roll"}}}"#;
        let ran = coact(&["run", &file, "--quiet", "--world", "empty", "--fault", stuck]);
        assert_eq!(ran.code, 1, "{}", ran.out);
        let guard = r#""until": {"condition": "left_hand_force_n > 15", "outcome": "touched"}"#;
        let careful = behavior("world-touch", &REACH.replace(r#""side""#, &format!(r#"{guard}, "side""#)));
        let touch = r#"{"at_s": 1, "kind": {"hand_force": {"side": "left", "force_n": [0, 0, 20]}}}"#;
        let ran = coact(&["run", &careful, "--json", "--world", "empty", "--fault", touch]);
        assert_eq!((ran.code, &ran.json()["steps"][0]["outcome"]), (0, &"touched".into()), "{}", ran.out);
        let none = coact(&["run", &careful, "--json", "--world", "empty"]);
        assert!(none.json()["steps"][0].get("outcome").is_none(), "{}", none.out);
    }

    #[test]
    fn what_cannot_be_opened_is_told_before_the_run() {
        let file = behavior("world-refused", REACH);
        let inside = world("world-inside", r#"{"version": 1, "objects": [{"type": "wall", "name": "north"}]}"#);
        let ran = coact(&["run", &file, "--world", &inside]);
        assert_eq!((ran.code, &*ran.out), (2, ""), "{}", ran.err);
        assert!(ran.err.contains("the robot starts inside of something") && ran.err.contains("north"), "{}", ran.err);
        let path = folder("world-mjcf").join("mine.xml");
        let own = path.to_str().expect("UTF-8");
        std::fs::write(&path, "<mujoco><worldbody><geom size=\"x\"/></worldbody></mujoco>").expect("written");
        let ran = coact(&["run", &file, "--world", own]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("MuJoCo does not take the world `mine`"), "{}", ran.err);
        let good = r#"<mujoco><worldbody><body name="post" pos="2 0 0.5"><geom type="box" size="0.1 0.1 0.5"/></body>
            </worldbody></mujoco>"#;
        std::fs::write(&path, good).expect("written");
        let ran = coact(&["run", &file, "--world", own, "--json"]);
        assert_eq!((ran.code, &ran.json()["world"]), (0, &"mine".into()), "{}", ran.err);
    }

    /// Looks for a ball, and tells where it is by reaching for it.
    const LOOK: &str = r#"{"type": "setup_object", "class": "ball", "object": "target"},
        {"type": "freeze_object", "object": "target"}"#;

    #[test]
    fn what_the_camera_sees_becomes_an_object() {
        let file = behavior("world-sees", LOOK);
        let shelf = r#"{"type": "wall", "name": "shelf", "at": {"x_m": 1.2}, "length_m": 0.4, "height_m": 1.1},
            {"type": "ball", "on": "shelf", "radius_m": 0.06}"#;
        let seen = world("world-sees-world", &format!(r#"{{"version": 1, "objects": [{shelf}]}}"#));
        let ran = coact(&["run", &file, "--world", &seen, "--json", "--seed", "4"]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert_eq!(ran.out, coact(&["run", &file, "--world", &seen, "--json", "--seed", "4"]).out);
        assert_ne!(ran.out, coact(&["run", &file, "--world", &seen, "--json", "--seed", "5"]).out);
        let none = coact(&["run", &file, "--world", "empty"]);
        assert_eq!(none.code, 1, "{}", none.out);
        let blind = r#""disturbances": [{"at_s": 0, "do": "blind_camera", "duration_s": 100}]"#;
        let dark = world("world-dark", &format!(r#"{{"version": 1, "objects": [{shelf}], {blind}}}"#));
        assert_eq!(coact(&["run", &file, "--world", &dark]).code, 1);
    }

    #[test]
    fn the_truth_where_no_camera_looks_changes_nothing() {
        let file = behavior("world-hidden", LOOK);
        let run = |x_m: f64| {
            let text = format!(
                r#"{{"version": 1, "objects": [
                    {{"type": "wall", "name": "shelf", "at": {{"x_m": 1.2}}, "length_m": 0.4, "height_m": 1.1, "width_m": 4}},
                    {{"type": "ball", "on": "shelf", "radius_m": 0.06}},
                    {{"type": "ball", "name": "hidden", "at": {{"x_m": {x_m}}}}}]}}"#
            );
            coact(&["run", &file, "--world", &world("world-hidden-world", &text), "--json"])
        };
        let ran = run(1.8);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert_eq!(ran.out, run(2.1).out);
    }

    #[test]
    fn a_walk_is_planned_with_steps_that_a_robot_with_weight_takes() {
        // With their first plans, these were refused: in balance the legs do not reach so far.
        for (name, walk) in [
            ("forward", r#""stance": {"x_m": 1.5}, "step_length_m": 0.45, "swing_s": 0.6, "transfer_s": 0.2"#),
            (
                "slow",
                r#""stance": {"x_m": 1.5}, "focal": {"x_m": 5}, "swing_s": 2, "transfer_s": 0, "step_length_m": 0.6"#,
            ),
            ("sideways", r#""stance": {"y_m": -1}, "focal": {"x_m": 5, "y_m": -1}, "swing_s": 2, "transfer_s": 0.2"#),
        ] {
            let file = behavior(
                &format!("world-balanced-{name}"),
                &format!(r#"{{"type": "walk", "frame": "world", {walk}}}"#),
            );
            let ran = coact(&["run", &file, "--world", "empty", "--robot", "coact-mini", "--json"]);
            assert_eq!(ran.code, 0, "{name}: {}{}", ran.out, ran.err);
        }
    }

    const UP: &str = r#"{"type": "walk", "name": "Up", "frame": "world", "stance": {"x_m": 1.65}, "focal": {"x_m": 9},
        "planner": "a_star", "parameters": "stairs"}"#;

    #[test]
    fn who_takes_stairs_for_a_floor_fails_and_both_are_named() {
        let quick =
            r#"{"type": "walk", "name": "Into", "frame": "world", "stance": {"x_m": 1.6}, "focal": {"x_m": 5}}"#;
        let file = behavior("world-into-stairs", quick);
        let floor = world("world-into-stairs-floor", r#"{"version": 1, "floor_m": 0, "regions": []}"#);
        let ran = coact(&["run", &file, "--world", "stairs", "--terrain", &floor, "--json"]);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        let report = ran.json();
        let why = report["reason"].as_str().unwrap_or_default();
        assert!(why.contains("_foot was ") && why.ends_with(" cm inside stairs"), "{why}");
        assert_eq!(report["truths"][0]["met"], false, "{report}");
    }

    #[test]
    fn who_looks_for_footholds_climbs_the_stairs_of_the_world() {
        let file = behavior("world-up-stairs", UP);
        for seed in ["0", "1", "2"] {
            let ran = coact(&["run", &file, "--world", "stairs", "--seed", seed, "--json"]);
            assert_eq!(ran.code, 0, "seed {seed}: {}{}", ran.out, ran.err);
            assert_eq!(ran.json()["truths"][0]["met"], true, "seed {seed}: {}", ran.out);
        }
    }

    #[test]
    fn a_camera_that_the_robot_lacks_is_told() {
        let chest = world("world-chest", r#"{"version": 1, "camera": {"names": ["chest"]}}"#);
        let ran = coact(&["run", &behavior("world-lacks", LOOK), "--world", &chest]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("no camera `chest`") && ran.err.contains("head"), "{}", ran.err);
    }
}
