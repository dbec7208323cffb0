use check::Options;
use expect_test::expect;

use crate::common::{found, problems, text};

/// What is handed up is known: from a skill, a loop, a catch.
#[test]
fn outcomes_that_come() {
    problems(
        r#"
        skill Grasp file=grasp.json outcome_autonomy={"held":"low","lost":"high"}
        choose C of=Grasp
          wait A when={"outcome":"held"}
          wait B when={"outcome":"lost"}
        loop L count=2
          question Q options=["left","right"]
        choose D
          wait E when={"outcome":"left"}
          wait F when={"outcome":"held"}
        --- grasp.json
        fallback F
          stand_in Try outcome_as=held fails_if="time() > 1.0"
          always_succeed Catch outcome=lost
        "#,
        expect![[""]],
    );
}

/// What never comes is told, with what does.
#[test]
fn outcomes_that_never_come() {
    problems(
        r#"
        skill Grasp file=grasp.json outcome_autonomy={"hled":"low","":"high"}
        choose C of=Grasp
          wait A when={"outcome":"hold"}
          wait B when={"outcome":"dropped"}
        choose D
          wait E when={"outcome":"nothing"}
        --- grasp.json
        sequence S
          always_succeed A outcome=held
        "#,
        expect![[""]],
    );
}

#[test]
fn a_counter_without_a_limit() {
    problems(
        "
        counter A
        counter B limit=3
        ",
        expect![[""]],
    );
}

/// Only where it is known which there are.
#[test]
fn detector_models() {
    let tree = r#"configure_detectors A models={"simulated":true,"simulatd":false,"yolo":true}"#;
    assert_eq!(text(&found(tree, &[], &Options::default())), "");
    let options = Options { detectors: Some(vec!["simulated".into()]), ..Options::default() };
    expect![[""]].assert_eq(&text(&found(tree, &[], &options)));
}
