use synthesis::{Capabilities, Request};

use crate::common::{names, read, reason, request, run, vigir};

fn problems(text: &str) -> Vec<String> {
    Capabilities::load("c.json", text).1.iter().map(ToString::to_string).collect()
}

#[test]
fn a_request_that_means_nothing_is_refused() {
    let said = |from: &str, goals: &str| reason(&vigir(), &request(from, goals));
    assert_eq!(said("stand", ""), "no goal is given");
    assert_eq!(said("stand", "grasp_objct"), "`grasp_objct` is unknown: did you mean `grasp_object`?");
    assert_eq!(said("sit", "walk"), "`sit` is unknown");
    assert_eq!(said("stand walk", "step"), "`stand` and `walk` cannot both be on at the start: name one mode");
    assert_eq!(
        said("object_template", "grasp_object"),
        "no mode is given for the start: name the one that is on, of stand_prep, stand, manipulate, step, walk"
    );
    assert_eq!(said("stand", "walk walk"), "the goal `walk` is named twice");
    assert_eq!(
        said("stand look_down", "look_down"),
        "`look_down` is so already: leave the goal out, or take it out of the start to have it done again"
    );
    assert_eq!(said("stand", "stand"), said("stand look_down", "look_down").replace("look_down", "stand"));
    // There and back is no mistake.
    assert_eq!(run(&vigir(), &request("stand", "walk stand")).unwrap().names(), ["walk", "stand"]);
    let odd = Request { modes: names("look_down"), ..request("stand", "walk") };
    assert_eq!(reason(&vigir(), &odd), "`look_down` is no mode, and only modes can be chosen from");
}

#[test]
fn a_file_says_all_that_is_wrong_with_it() {
    assert_eq!(
        problems(
            r#"{
              "speed": 1,
              "modes": {"stand": {"to": ["wlak"]}, "walk": {"needs": 3}},
              "actions": {"stand": {}, "go on": {}}
            }"#
        ),
        [
            "error: c.json speed: `speed` is unknown here\n    a capabilities file has name, notes, start, modes, sensors, facts, actions",
            "error: c.json modes/walk: invalid type: integer `3`, expected a sequence",
            "error: c.json stand: `stand` names two things\n    modes, actions and facts share one set of names: rename one",
            "error: c.json go on: `go on` is no name\n    write letters, digits and _, beginning with a letter",
        ]
    );
    let found = problems(
        r#"{
          "modes": {"stand": {"to": ["wlak"]}, "walk": {}},
          "actions": {
            "lift": {"needs": ["stand", "walk", "lift", "grip"], "loses": ["stand"]},
            "turn": {"to": ["walk"], "achieves": ["turn"], "loses": ["turn"], "completes": ["ok"], "fails": ["ok"]},
            "type": {"step": {"type": "log"}, "takes": {"text": "'x'"}}
          }
        }"#,
    );
    for expected in [
        "stand: it leads to the mode `wlak`, which is unknown\n    did you mean `walk`?",
        "lift: it needs `grip`, which is unknown\n    name a mode",
        "lift: it needs itself",
        "lift: it needs the modes `stand` and `walk`, and only one can be on",
        "lift: it loses the mode `stand`",
        "turn: an action leads to no mode",
        "turn: it achieves and loses `turn`",
        "turn: the outcome `ok` means completed and failed",
        "type: only a skill takes and gives",
    ] {
        assert!(found.iter().any(|problem| problem.contains(expected)), "{expected}\n{found:#?}");
    }
    assert!(problems("[1, 2]")[0].contains("it is not a JSON object"));
    assert!(problems("{")[0].contains("it is not a JSON object"));
}

#[test]
fn needs_that_go_round_are_told_with_the_round() {
    let text = r#"{"actions": {"a": {"needs": ["b"]}, "b": {"needs": ["c"]}, "c": {"needs": ["b"]}}}"#;
    let found = problems(text);
    assert!(found[0].contains("these need each other, so none can be the first: b needs c needs b"), "{found:?}");
    // What may hold at the start breaks it.
    let text = r#"{
      "facts": {"charged": "At the start."},
      "actions": {"dock": {"needs": ["charged"]}, "charge": {"needs": ["dock"], "achieves": ["charged"]}}
    }"#;
    let battery = read(text);
    assert_eq!(run(&battery, &request("charged", "charge")).unwrap().names(), ["dock", "charge"]);
    assert_eq!(
        reason(&battery, &request("", "charge")),
        "`charge` needs `dock`, `dock` needs `charged`: none of these can be the first: charge needs dock \
         needs charged needs charge"
    );
}

#[test]
fn what_is_missing_is_told_down_to_its_ground() {
    let text = r#"{
      "facts": {"key": "", "dry": ""},
      "modes": {"out": {"to": ["in"]}, "in": {"to": ["deep"]}, "deep": {}},
      "actions": {
        "open": {"needs": ["key"]},
        "fetch": {"needs": ["open", "in"]},
        "wash": {"needs": ["deep"]},
        "dry_off": {"needs": ["out"]}
      }
    }"#;
    let house = read(text);
    assert_eq!(
        reason(&house, &request("out", "fetch")),
        "`fetch` needs `open`, `open` needs `key`: nothing achieves `key`, and it does not hold at the start"
    );
    assert_eq!(
        reason(&house, &request("in", "dry_off")),
        "`dry_off` needs `out`: `out` cannot be reached from `in`: nothing leads to it"
    );
    // As a wish the order gives way; as a must it cannot.
    assert_eq!(run(&house, &request("out", "wash dry_off")).unwrap().names(), ["dry_off", "in", "deep", "wash"]);
    let must = Request { strict: true, ..request("out", "wash dry_off") };
    assert_eq!(
        reason(&house, &must),
        "`dry_off` cannot be had any more after `wash`, in no order of what comes before it"
    );
}

/// Thousands of actions, each an obstacle to others, so that nothing can be told at once.
#[test]
fn a_search_that_would_not_end_stops_and_says_how_far_it_got() {
    let mut actions: Vec<String> = (0..3000)
        .map(|at| {
            format!(r#""a{at}": {{"needs": ["f{}"], "achieves": ["f{at}"], "loses": ["f{}"]}}"#, at % 7, (at + 1) % 40)
        })
        .collect();
    actions.push(r#""first": {}"#.into());
    let all = (0..3000).step_by(3).map(|at| format!(r#""f{at}""#)).collect::<Vec<_>>().join(", ");
    actions.push(format!(r#""goal": {{"needs": [{all}]}}"#));
    let facts = (0..3000).map(|at| format!(r#""f{at}": """#)).collect::<Vec<_>>().join(", ");
    let text = format!(r#"{{"facts": {{{facts}}}, "actions": {{{}}}}}"#, actions.join(", "));
    let (many, _) = Capabilities::load("many.json", &text);
    let from = (0..7).map(|at| format!("f{at}")).collect::<Vec<_>>().join(" ");
    let why = synthesis::synthesize(&many, &request(&from, "first goal"), 50).unwrap_err();
    assert_eq!(why.to_string(), "stopped after 50 situations: 1 of 2 goals were reached, `goal` was being looked for");
}

#[test]
fn a_chain_of_thousands_of_actions_is_no_trouble() {
    let actions: Vec<String> = (0..2000)
        .map(|at| if at == 0 { r#""a0": {}"#.into() } else { format!(r#""a{at}": {{"needs": ["a{}"]}}"#, at - 1) })
        .collect();
    let chain = read(&format!(r#"{{"actions": {{{}}}}}"#, actions.join(", ")));
    assert_eq!(run(&chain, &request("", "a300")).unwrap().activations.len(), 301);
}

#[test]
fn a_search_that_is_stopped_says_how_far_it_got() {
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        true
    };
    let limit = synthesis::Limit::new(synthesis::LIMIT, &stop);
    let why = synthesis::find(&crate::common::vigir(), &crate::common::request("stand", "grasp_object"), &limit);
    assert!(why.unwrap_err().to_string().starts_with("stopped after 0 situations: 0 of 1 goals"), "{}", asked.get());
}
