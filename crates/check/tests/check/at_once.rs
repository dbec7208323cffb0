//! Everything wrong with a file comes in one go, in the order of the tree, each once.

use expect_test::expect;

use crate::common::{found, problems, text};

const WRONG: &str = r#"
    @variables {"count": 0, "goal": null}
    sequence Start
      wiat A
      wait B duration_s=-1 colour=red
      wait C after=Last
    loop Spin condition="coutn < 3"
      log D text=round
    fallback Try
      wait E
      log F
    parallel P policy=priority
      sequence G
        reserve H token=press
        loop I
          wait J
        wait K
      stand_in L claims=["press"]
    goto M target=Nowhere
    skill N file=place.json inputs={"spead":"1 +"}
    skill O file=gone.json
    wait Last retry=2
    always_fail STOP
    wait Q
    --- place.json
    @inputs {"speed":{}}
    wait R
    gosub S
"#;

#[test]
fn a_file_with_two_dozen_problems() {
    problems(
        WRONG,
        expect![[r#"
            warning: main.json / [variables]: the variable `goal` is declared without a value, and nothing sets it
                give `goal` a value under `variables`, or set it
            error: main.json /Start/A [type]: unknown type `wiat`
                did you mean `wait`?
            error: main.json /Start/B [duration_s]: `duration_s` must be at least 0 s, is -1
                change it, or leave it out for its default, 4.0
            error: main.json /Start/B [colour]: unknown field `colour`
                known fields of `wait` are `duration_s`, `after`, `when`, `until`, `while`, `timeout_s`, `retry`, `end_as`, `outcome_as`, `claims`, `on_conflict`, `autonomy`, `outcome_autonomy`, `disabled`, `preview`
            error: main.json /Start/C [after]: it executes after `Last`, which comes later; it runs as if it said Previous
                move it behind `Last`, or name a step before it
            warning: main.json /Spin: no time passes in this loop, so it goes once a tick
                put a wait, or an action that takes time, into it
            error: main.json /Spin [condition]: nothing declares or sets the variable `coutn`
                did you mean `count`?
            warning: main.json /Try/F: this catch never runs: nothing that is tried can fail
                give what is tried a `timeout_s` or a `while`, or take the catch out
            error: main.json /P [priority]: the policy is `priority`, but no branch is named as the one that decides
                name the deciding child in `priority`
            warning: main.json /P/G/K: this never runs: `I` before it never ends
                let `I` end, or set `after` so that this does not wait for it
            error: main.json /P/L [claims]: the token `press` is reserved by `H` in a branch that never ends and never gives it back, so this waits for ever
                relinquish `press` in that branch, or let the branch end
            error: main.json /M [target]: there is no node `Nowhere`
                write the name of a node of this file, or its path
            error: main.json /N [inputs]: place.json declares no input `spead`
                did you mean `speed`?
            error: main.json /N [inputs]: input `speed` of place.json has no default and is not given
                give `speed` in `inputs`
            error: main.json /N [inputs]: the expression `1 +` is wrong at column 3: `1 +` is not complete: something is missing after column 3
                mend the expression there
            error: main.json /O [file]: the skill file cannot be loaded: there is no file gone.json
                mend the file, or name another one in `file`
            warning: main.json /Last [retry]: `retry` has no effect: this cannot fail
                take `retry` out
            warning: main.json /Q: this never runs: `STOP` before it always fails
                take `STOP` out, or move this before it
            warning: place.json / [inputs]: the input `speed` is never read
                use `speed` in the skill, or take it out of `inputs`
            error: place.json /S [target]: the gosub has no target, so it fails
                name the node to run in `target`
        "#]],
    );
}

#[test]
fn the_same_file_gives_the_same_problems() {
    let first = found(WRONG, &[], &check::Options::default());
    assert_eq!(text(&first), text(&found(WRONG, &[], &check::Options::default())));
    let mut seen = std::collections::BTreeSet::new();
    for problem in &first {
        assert!(seen.insert(problem.to_string()), "twice: {problem}");
        assert!(!problem.remedy.is_empty(), "no remedy: {problem}");
        assert!(!problem.path.is_empty(), "no path: {problem}");
    }
}
