//! Named outcomes of parallels with a goal, of guards and of what a catch asks for; results of organising nodes.

use expect_test::expect;
use testkit::{check, run};

/// When and how `X` ended.
#[track_caller]
fn end_of_x(outline: &str, script: &str) -> String {
    let trace = run(outline, script);
    let line = trace.lines().rev().find(|line| line.contains(" - X "));
    line.unwrap_or_else(|| panic!("X did not end:\n{trace}")).trim().to_owned()
}

/// With a goal all branches run until it holds or all have ended, whatever the policy; its holding is success.
#[test]
fn a_goal_under_each_policy() {
    for policy in ["all", "one", "priority"] {
        let outline = format!(
            "
            parallel X policy={policy} priority=A goal=done
              stand_in A duration_s=0.2 outcome_as=a
              stand_in B duration_s=0.5 outcome_as=b
            @variables {{\"done\": false}}
            "
        );
        assert_eq!(end_of_x(&outline, ""), "0.5 - X success", "{policy}");
        assert_eq!(end_of_x(&outline, "0.3 set done true"), "0.3 - X success: its goal holds", "{policy}");
        let same = outline.replace("outcome_as=b", "outcome_as=a");
        assert_eq!(end_of_x(&same, ""), r#"0.5 - X success "a""#, "{policy}");
        let fails = outline.replace("stand_in A duration_s=0.2 outcome_as=a", "always_fail A outcome=a");
        assert_eq!(end_of_x(&fails, ""), r#"0.0 - X failure "a": it is set to always fail"#, "{policy}");
    }
}

/// An until that ends a composite gives its own named outcome, else none; `outcome_as` replaces it.
#[test]
fn an_until_ends_each_composite() {
    let composites = [
        "sequence X {until}\n  always_succeed A outcome=a\n  wait W",
        "fallback X {until}\n  sequence S\n    always_succeed A outcome=a\n    wait W\n  wait Catch",
        "parallel X {until}\n  always_succeed A outcome=a\n  wait W",
        "loop X {until}\n  always_succeed A outcome=a\n  wait W",
        "choose X {until}\n  sequence S\n    always_succeed A outcome=a\n    wait W",
        "skill X file=s.json {until}\n--- s.json\nalways_succeed A outcome=a\nwait W",
        "wait X {until}",
    ];
    let late = r#"until={"condition":"time() > 0.15","outcome":"late"}"#;
    for composite in composites {
        let with = |until: &str| end_of_x(&composite.replace("{until}", until), "");
        assert_eq!(with(late), r#"0.2 - X success "late": `until time() > 0.15` holds"#, "{composite}");
        let bare = "until=\"time() > 0.15\"";
        assert_eq!(with(bare), "0.2 - X success: `until time() > 0.15` holds", "{composite}");
        let replaced = format!("{late} outcome_as=mine");
        assert_eq!(with(&replaced), r#"0.2 - X success "mine": `until time() > 0.15` holds"#, "{composite}");
    }
}

/// The named outcome of a failure goes up through each composite.
#[test]
fn a_failure_goes_up_through_each_composite() {
    let composites = [
        "sequence X timeout_s=9\n  always_fail A outcome=a\n  wait W",
        "fallback X timeout_s=9\n  always_fail Try outcome=t\n  always_fail A outcome=a",
        "parallel X\n  wait W\n  always_fail A outcome=a",
        "loop X\n  always_fail A outcome=a",
        "choose X\n  always_fail A outcome=a",
        "gosub X target=S\nchoose Never\n  sequence S when=\"1 > 2\"\n    always_fail A outcome=a",
        "skill X file=s.json timeout_s=9\n--- s.json\nalways_fail A outcome=a",
    ];
    for composite in composites {
        let end = end_of_x(composite, "");
        assert_eq!(end, r#"0.0 - X failure "a": it is set to always fail"#, "{composite}");
    }
}

/// A failure that a catch does not ask for passes it by: without a named outcome, too.
#[test]
fn a_catch_that_asks() {
    let outline = |outcome: &str| {
        format!(
            "
            fallback X timeout_s=9
              fallback Inner outcomes=[\"slipped\",\"lost\"]
                always_fail Try{outcome}
                always_succeed Catch outcome=caught
              always_succeed Outer outcome=passed
            "
        )
    };
    assert_eq!(end_of_x(&outline(" outcome=lost"), ""), r#"0.0 - X success "caught""#);
    assert_eq!(end_of_x(&outline(" outcome=slipped"), ""), r#"0.0 - X success "caught""#);
    assert_eq!(end_of_x(&outline(" outcome=other"), ""), r#"0.0 - X success "passed""#);
    assert_eq!(end_of_x(&outline(""), ""), r#"0.0 - X success "passed""#);
    // What `outcome_as` makes of it is what the catch hears.
    assert_eq!(end_of_x(&outline(" outcome=other outcome_as=lost"), ""), r#"0.0 - X success "caught""#);
}

/// An organising node that is flattened away has a result, too: that of the last time it was passed.
#[test]
fn results_of_flattened_nodes() {
    check(
        r#"
        loop L count=2
          sequence S
            wait A duration_s=0.1
            wait B duration_s=0.1
          fallback F
            sequence T
              always_fail C
            skill U file=s.json
          log Said value="[result('S'), result('F'), result('T'), result('U'), result('Later')]"
          sequence Later
            log Here value="[result('Later'), result('S')]"
        --- s.json
        wait D duration_s=0.1
        "#,
        "0.1 why",
        expect![[r#"
            0.0 + L
            0.0 + A
            0.1 - A success
            0.1 + B
            0.1 > root at the end: the end is reached
            0.1 > L at C: waits until `B` has ended
            0.2 - B success
            0.2 + C
            0.2 - C failure: it is set to always fail
            0.2 + U/D
            0.3 - U/D success
            0.3 + Said
            0.3 # Said:  ["success","success","failure","success",""]
            0.3 - Said success
            0.3 + Here
            0.3 # Here:  ["running","success"]
            0.3 - Here success
            0.3 + A
            0.4 - A success
            0.4 + B
            0.5 - B success
            0.5 + C
            0.5 - C failure: it is set to always fail
            0.5 + U/D
            0.6 - U/D success
            0.6 + Said
            0.6 # Said:  ["success","success","failure","success","success"]
            0.6 - Said success
            0.6 + Here
            0.6 # Here:  ["running","success"]
            0.6 - Here success
            0.6 - L success
            0.6 # the behavior succeeded
        "#]],
    );
}

/// Left by a jump or stopped, it is halted; while it runs, it is running.
#[test]
fn results_of_flattened_nodes_that_are_left() {
    check(
        r#"
        parallel P
          sequence One
            sequence S
              wait A duration_s=0.2
              goto Out target=End
              wait B
            log End value="result('S')"
          sequence Two
            wait W duration_s=0.1
            log Meanwhile value="result('S')"
        "#,
        "",
        expect![[r#"
            0.0 + P
            0.0 + A
            0.0 + W
            0.1 - W success
            0.1 + Meanwhile
            0.1 # Meanwhile:  running
            0.1 - Meanwhile success
            0.2 - A success
            0.2 + Out
            0.2 - Out success
            0.2 + End
            0.2 # End:  halted
            0.2 - End success
            0.2 - P success
            0.2 # the behavior succeeded
        "#]],
    );
}
