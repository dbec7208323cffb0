//! `coact footsteps`: plans for scripts, and pictures for people.

use crate::common;

use common::{coact, file, folder};

#[test]
fn a_plan_is_one_object_and_the_same_every_time() {
    let words = ["footsteps", "--robot", "coact-one", "--from", "0,0,0", "--to", "2,1,90", "--json"];
    let ran = coact(&words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let plan = ran.json();
    assert_eq!(plan["result"], "success");
    assert_eq!(plan["problems"].as_array().map(Vec::len), Some(0));
    let steps = plan["steps"].as_array().expect("steps");
    assert!((5..12).contains(&steps.len()));
    let last = &steps[steps.len() - 1]["sole"];
    assert!((last["yaw_deg"].as_f64().expect("a heading") - 90.0).abs() < 1e-6, "{last}");
    assert_eq!(coact(&words).out, ran.out);
}

#[test]
fn every_planner_and_every_terrain_can_be_named() {
    for (planner, terrain, parameters) in [
        ("quick", "terrains/door-frame.json", "flat"),
        ("a-star", "terrains/ramp.json", "rough"),
        ("turn-walk-turn", "terrains/parameters/../door-frame.json", "terrains/parameters/narrow.json"),
    ] {
        let words = ["footsteps", "--to", "3.4,0,0", "--planner", planner, "--terrain", terrain, "--parameters"];
        let limit = [parameters, "--max-expansions", "200", "--json"];
        let ran = coact(&[&words[..], &limit[..]].concat());
        assert_eq!(ran.code, 0, "{planner}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_goal_that_cannot_be_reached_says_why_and_where() {
    let words = ["footsteps", "--to", "2.9,0,0", "--terrain", "terrains/ditch.json", "--planner", "a-star", "--json"];
    let ran = coact(&words);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let failure = ran.json();
    assert_eq!(failure["result"], "failure");
    assert!(failure["reason"].as_str().is_some_and(|reason| reason.contains("before the goal")), "{failure}");
    assert!(failure["at_m"][0].is_number());
    assert!(coact(&words[..words.len() - 1]).out.starts_with("no plan: "));
}

#[test]
fn a_picture_is_drawn() {
    let path = folder("footsteps_picture").join("plan.svg");
    let path = path.to_str().expect("UTF-8");
    let ran = coact(&["footsteps", "--to", "1,0,0", "--svg", path]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(std::fs::read_to_string(path).is_ok_and(|text| text.starts_with("<svg")));
}

#[test]
fn what_is_wrong_is_named() {
    let broken = file("footsteps_broken", r#"{"version": 1, "floor_m": 0, "obstacles": [{"size_m": [1, 1, 0]}]}"#);
    for (words, told) in [
        (&["--to", "1,2"][..], "X,Y,YAW"),
        (&["--to", "1,2,nan"], "finite"),
        (&["--to", "1,0,0", "--robot", "nobody"], "nobody"),
        (&["--to", "1,0,0", "--parameters", "sandy"], "flat, rough"),
        (&["--to", "1,0,0", "--terrain", "gone.json"], "gone.json"),
        (&["--to", "1,0,0", "--terrain", &broken], "obstacles[0]"),
        (&[], "--to"),
    ] {
        let ran = coact(&[&["footsteps"], words].concat());
        assert_eq!(ran.code, 2, "{words:?}: {}", ran.out);
        assert!(ran.err.contains(told), "{words:?}: {}", ran.err);
    }
}
