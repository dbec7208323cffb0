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
        expect![[r#"
            warning: main.json /Grasp [outcome_autonomy]: it never ends with the outcome ``, so this level is never asked for
                those that come are `held`; take it out, or give a step that outcome
            warning: main.json /Grasp [outcome_autonomy]: it never ends with the outcome `hled`, so this level is never asked for
                did you mean `held`?
            warning: main.json /C/A [when]: this case is never taken: what is asked never ends with the outcome `hold`
                did you mean `held`?
            warning: main.json /C/B [when]: this case is never taken: what is asked never ends with the outcome `dropped`
                those that come are `held`; take the case out, or give what is asked that outcome
            warning: main.json /D/E [when]: this case is never taken: what is asked never ends with the outcome `nothing`
                those that come are `held`; take the case out, or give what is asked that outcome
        "#]],
    );
}

#[test]
fn a_counter_without_a_limit() {
    problems(
        "
        counter A
        counter B limit=3
        ",
        expect![[r#"
            error: main.json /A [limit]: the counter has no limit, so the first execution reaches it
                write in `limit` how many executions reach it
        "#]],
    );
}

/// Only where it is known which there are.
#[test]
fn detector_models() {
    let tree = r#"configure_detectors A models={"simulated":true,"simulatd":false,"yolo":true}"#;
    assert_eq!(text(&found(tree, &[], &Options::default())), "");
    let options = Options { detectors: Some(vec!["simulated".into()]), ..Options::default() };
    expect![[r#"
        warning: main.json /A [models]: there is no detector model `simulatd` here
            did you mean `simulated`?
        warning: main.json /A [models]: there is no detector model `yolo` here
            there is `simulated`; name that, or run it where that model is
    "#]]
    .assert_eq(&text(&found(tree, &[], &options)));
}
