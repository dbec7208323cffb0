//! Named outcomes are handed up by what ends with them.

use testkit::run;

/// The line that says how `X` ended, without its time.
#[track_caller]
fn end_of_x(outline: &str, script: &str) -> String {
    let trace = run(outline, script);
    let line = trace.lines().rev().find(|line| line.contains(" - X "));
    let line = line.unwrap_or_else(|| panic!("X did not end:\n{trace}"));
    line.split_once(" - X ").expect("it was found by this").1.to_owned()
}

/// `retry` makes a sequence, a fallback and a skill a step, so that their end is in the trace.
#[test]
fn every_composite_hands_up() {
    let cases = [
        // A sequence: of its last step in tree order that ran.
        ("sequence X retry=1\n  always_succeed A outcome=a\n  always_succeed B outcome=b", r#"success "b""#),
        ("sequence X retry=1\n  always_succeed A outcome=a\n  always_succeed B", "success"),
        ("sequence X retry=1\n  sequence S\n    always_succeed A outcome=a\n  sequence Empty", r#"success "a""#),
        (
            "sequence X retry=1\n  always_succeed A outcome=a\n  goto End target=Next\n  always_succeed B outcome=b",
            r#"success "b""#,
        ),
        // Whichever ended last: tree order counts.
        (
            "sequence X retry=1\n  stand_in A duration_s=0.3 outcome_as=a\n  stand_in B duration_s=0.1 after=Beginning outcome_as=b",
            r#"success "b""#,
        ),
        // Of the step that failed it.
        (
            "sequence X retry=0 timeout_s=9\n  always_succeed A outcome=a\n  always_fail B outcome=b",
            r#"failure "b": it is set to always fail"#,
        ),
        // A fallback: of the child that decided it.
        ("fallback X retry=1\n  always_succeed A outcome=a\n  always_succeed Catch outcome=c", r#"success "a""#),
        ("fallback X retry=1\n  always_fail A outcome=a\n  always_succeed Catch outcome=c", r#"success "c""#),
        ("fallback X retry=1\n  always_fail A outcome=a\n  always_succeed Catch", "success"),
        // Without a catch the failure decides it, also where another of the try ended later.
        ("fallback X retry=1\n  always_fail A outcome=a", r#"success "a""#),
        (
            "fallback X retry=1\n  stand_in A duration_s=0.1 fails_if=true outcome=a\n  stand_in B duration_s=0.3 after=Beginning outcome_as=b",
            r#"success "a""#,
        ),
        // Inside a sequence, a fallback that gave up is what ran last.
        (
            "sequence X retry=1\n  fallback F\n    stand_in A duration_s=0.1 fails_if=true outcome=a\n    stand_in B duration_s=0.3 after=Beginning outcome_as=b",
            r#"success "a""#,
        ),
        // Choose: of its case; none taken: none.
        (
            "choose X\n  always_succeed A outcome=a when=\"1 > 2\"\n  always_succeed B outcome=b when=\"2 > 1\"",
            r#"success "b""#,
        ),
        ("choose X\n  always_succeed A outcome=a when=\"1 > 2\"", "success"),
        // A loop: of its last pass.
        ("loop X count=2\n  always_succeed A outcome=a\n  counter C limit=9 outcome_as=c", r#"success "c""#),
        // A parallel: all, only if every branch has the same.
        ("parallel X\n  always_succeed A outcome=a\n  always_succeed B outcome=a", r#"success "a""#),
        ("parallel X\n  always_succeed A outcome=a\n  always_succeed B outcome=b", "success"),
        ("parallel X\n  always_succeed A outcome=a\n  always_succeed B", "success"),
        // One, priority: of the branch that decided it.
        (
            "parallel X policy=one\n  stand_in A\n  sequence S\n    wait W duration_s=0.2\n    always_succeed B outcome=b",
            r#"success "b""#,
        ),
        (
            "parallel X policy=priority priority=B\n  always_succeed A outcome=a\n  stand_in B duration_s=0.2 outcome_as=b",
            r#"success "b""#,
        ),
        ("parallel X\n  stand_in A\n  always_fail B outcome=b", r#"failure "b": it is set to always fail"#),
        // A gosub: of what it runs.
        (
            "gosub X target=S\nchoose Never\n  sequence S when=\"1 > 2\"\n    always_succeed A outcome=a",
            r#"success "a""#,
        ),
        // An until that ends a step gives its own, else none.
        (
            "sequence X until={\"condition\":\"time() > 0.15\",\"outcome\":\"late\"}\n  always_succeed A outcome=a\n  wait W",
            r#"success "late": `until time() > 0.15` holds"#,
        ),
        (
            "sequence X until=\"time() > 0.15\"\n  always_succeed A outcome=a\n  wait W",
            "success: `until time() > 0.15` holds",
        ),
        // `outcome_as` replaces it.
        ("sequence X outcome_as=mine\n  always_succeed A outcome=a", r#"success "mine""#),
        ("parallel P\n  loop X count=1 outcome_as=mine\n    always_succeed A outcome=a", r#"success "mine""#),
    ];
    for (outline, expected) in cases {
        assert_eq!(end_of_x(outline, ""), expected, "{outline}");
    }
}

/// Through composites in composites, up to a skill.
#[test]
fn up_through_all_of_them() {
    let outline = "
        skill X file=s.json retry=1
        --- s.json
        sequence S
          loop L count=1
            parallel P policy=one
              choose C
                fallback F
                  always_fail A
                  always_succeed B outcome=found
          sequence Nothing
        ";
    assert_eq!(end_of_x(outline, ""), r#"success "found""#);
}

/// A pass and a run begin without what steps ended with before.
#[test]
fn nothing_of_an_earlier_pass_counts() {
    let outline = "
        loop X count=2
          counter First limit=2 at_limit=fail end_as=success outcome_as=counted
          choose C
            always_succeed A outcome=a when=\"outcome('First') == 'never'\"
        ";
    assert_eq!(end_of_x(outline, ""), "success");
}

/// Organising nodes that are flattened away have outcomes, too: for a choose that names one or stands behind one, and
/// for conditions.
#[test]
fn flattened_nodes_have_outcomes() {
    let asks = [
        "choose X of=Grasp\n  always_succeed Other outcome=other when={\"outcome\":\"lost\"}\n  always_succeed Held outcome=yes when={\"outcome\":\"held\"}",
        "choose X\n  always_succeed Other outcome=other when={\"outcome\":\"lost\"}\n  always_succeed Held outcome=yes when={\"outcome\":\"held\"}",
        "choose X\n  always_succeed Held outcome=yes when=\"outcome('Grasp') == 'held'\"",
    ];
    let grasps = [
        "fallback Grasp\n  always_succeed Try outcome=held\n  always_succeed Catch outcome=lost",
        "fallback Grasp\n  always_fail Try outcome=slipped\n  always_succeed Catch outcome=held",
        "sequence Grasp\n  always_succeed Close outcome=held\n  sequence Empty",
        "skill Grasp file=grasp.json",
    ];
    for grasp in grasps {
        for ask in asks {
            let outline = format!(
                "{grasp}\n{ask}\n--- grasp.json\nfallback F\n  always_succeed Try outcome=held\n  always_succeed Catch outcome=lost"
            );
            assert_eq!(end_of_x(&outline, ""), r#"success "yes""#, "{outline}");
        }
    }
}

/// A catch may ask for named outcomes: a failure it does not ask for passes it by.
#[test]
fn a_catch_asks_for_what_was_handed_up() {
    let tried = "loop L count=1\n      sequence S\n        always_fail A outcome=slipped";
    let outline = |asked: &str| {
        format!(
            "fallback X retry=0 timeout_s=9\n  fallback Inner outcomes=[\"{asked}\"]\n    {tried}\n    always_succeed Catch outcome=caught\n  always_succeed Outer outcome=passed"
        )
    };
    assert_eq!(end_of_x(&outline("slipped"), ""), r#"success "caught""#);
    assert_eq!(end_of_x(&outline("dropped"), ""), r#"success "passed""#);
}
