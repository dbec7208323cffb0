//! Names, references, results, scopes. Each case carries the sentence it holds the engine to.

mod outcomes;
mod results;
mod settable;

use engine::Options;
use expect_test::expect;
use testkit::{Script, check, load, run_engine};

const TWICE: &str = "
    skill One file=s.json
    skill Two file=s.json
    --- s.json
    sequence S
      counter K limit=2
      stand_in A duration_s=0.1
    ";

/// Next, state, commands and traces name instances, so that a skill used twice has two states.
#[test]
fn a_skill_used_twice_has_two_states() {
    check(
        TWICE,
        "",
        expect![[r#"
            0.0 + One/K
            0.0 - One/K success
            0.0 + One/A
            0.1 - One/A success
            0.1 + Two/K
            0.1 - Two/K success
            0.1 + Two/A
            0.2 - Two/A success
            0.2 # the behavior succeeded
        "#]],
    );
}

/// Next names an instance; the state of the other use is not touched.
#[test]
fn set_next_names_an_instance() {
    check(
        TWICE,
        "
        0.1 next One/K
        0.2 why
        ",
        expect![[r#"
            0.0 + One/K
            0.0 - One/K success
            0.0 + One/A
            0.1 - One/A success
            0.1 + One/K
            0.1 - One/K failure "counter": executed 2 times: the limit of 2 is reached
            0.1 # the behavior ended: failure: executed 2 times: the limit of 2 is reached
            0.2 > root at One/K: automatic is off
        "#]],
    );
}

/// Locks and breakpoints name instances.
#[test]
fn breakpoints_and_locks_name_instances() {
    check(
        TWICE,
        "
        0 break Two/A
        0 lock One
        0.2 unlock One
        0.3 continue Two/A
        ",
        expect![[r#"
            0.0 + One/K
            0.0 - One/K success
            0.0 + One/A
            0.1 - One/A success
            0.1 ! Two/K held: `One` is locked
            0.2 + Two/K
            0.2 - Two/K success
            0.2 ! Two/A held: held at `A`: breakpoint
            0.3 + Two/A
            0.4 - Two/A success
            0.4 # the behavior succeeded
        "#]],
    );
}

/// Instance = path of skill uses and gosub calls + node id: skills in skills and calls in calls.
#[test]
fn instances_of_nested_uses_and_calls() {
    check(
        "
        skill Outer file=outer.json
        gosub Call target=Outer
        --- outer.json
        sequence S
          skill Inner file=inner.json
          gosub Again target=Inner
        --- inner.json
        stand_in A duration_s=0.2
        ",
        "0.7 force Call/Outer/Again/Inner/A success",
        expect![[r#"
            0.0 + Outer/Inner/A
            0.2 - Outer/Inner/A success
            0.2 + Outer/Again
            0.2 + Outer/Again/Inner/A
            0.4 - Outer/Again/Inner/A success
            0.4 - Outer/Again success
            0.4 + Call
            0.4 + Call/Outer/Inner/A
            0.6 - Call/Outer/Inner/A success
            0.6 + Call/Outer/Again
            0.6 + Call/Outer/Again/Inner/A
            0.7 - Call/Outer/Again/Inner/A success: forced by the operator
            0.7 - Call/Outer/Again success
            0.7 - Call success
            0.7 # the behavior succeeded
        "#]],
    );
}

/// Ids missing in a file are derived from position in the document, never random.
#[test]
fn ids_are_derived_from_position() {
    let ids = |outline: &str| {
        let engine = load(outline, &Options::default());
        let tree = engine.library().main();
        tree.walk(tree.root).collect::<Vec<_>>()
    };
    let tree = "sequence S\n  wait A\n  sequence T\n    wait B";
    assert_eq!(ids(tree), ids(tree));
    assert_eq!(ids(tree), ids(&tree.replace("wait B", "log Other text=x")));
    let more = ids(&format!("{tree}\n    wait C"));
    assert_eq!(ids(tree), more[..4], "what stands before keeps its id");
    let mut unique = more.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), more.len());
}

/// References resolve to the own subtree first: the sequence waits for nothing further up, though `X` is there too.
#[test]
fn a_reference_finds_the_own_subtree_first() {
    check(
        "
        stand_in X duration_s=0.5
        stand_in Z duration_s=0.1 after=Beginning
        sequence T after=X
          stand_in A duration_s=0.1
          stand_in X duration_s=0.1
        ",
        "",
        expect![[r#"
            0.0 + X
            0.0 + Z
            0.1 - Z success
            0.1 + A
            0.2 - A success
            0.2 + X
            0.3 - X success
            0.5 - X success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// … then for each ancestor upward its subtree in tree order.
#[test]
fn a_reference_finds_the_nearest_ancestors_subtree() {
    check(
        "
        sequence root
          log X text=far
          sequence S
            sequence T
              goto G target=X
            log Skipped text=skipped
            sequence U
              log X text=near
            log X text=later
          log X text=behind
        ",
        "0 next G",
        expect![[r#"
            0.0 + G
            0.0 - G success
            0.0 + X
            0.0 # X: near
            0.0 - X success
            0.0 + X
            0.0 # X: later
            0.0 - X success
            0.0 + X
            0.0 # X: behind
            0.0 - X success
            0.0 # the behavior succeeded
        "#]],
    );
}

/// … then the ancestor itself, before anything of that name further up.
#[test]
fn a_reference_finds_the_ancestor_before_what_is_further_up() {
    check(
        "
        sequence root
          log X text=far
          sequence X
            log A text=first
            goto G target=X
        ",
        "
        0 next A
        end 0.1
        ",
        expect![[r#"
            0.0 + A
            0.0 # A: first
            0.0 - A success
            0.0 + G
            0.0 - G success
            0.0 # A: came round to this step twice in one tick: no time passes in this loop, so it goes once a tick
            0.1 + A
            0.1 # A: first
            0.1 - A success
            0.1 + G
            0.1 - G success
        "#]],
    );
}

/// Inside a skill first: the tree that uses it may have the same name.
#[test]
fn a_reference_stays_inside_the_skill() {
    check(
        "
        log Home text=outside
        skill U file=s.json
        --- s.json
        sequence S
          goto G target=Home
          log No text=no
          log Home text=inside
        ",
        "0 next U/G",
        expect![[r#"
            0.0 + U/G
            0.0 - U/G success
            0.0 + U/Home
            0.0 # U/Home: inside
            0.0 - U/Home success
            0.0 # the behavior succeeded
        "#]],
    );
}

/// … outward per use with a warning: each use finds what is nearest to it.
#[test]
fn a_reference_goes_outward_per_use() {
    check(
        "
        sequence root
          sequence First
            skill One file=s.json
            log No text=no
            log Home text=first
          sequence Second
            skill Two file=s.json
            log No text=no
            log Home text=second
        --- s.json
        sequence S
          goto G target=Home
        ",
        "",
        expect![[r#"
            0.0 + One/G
            0.0 # One/G: its target is not in the skill: the tree that uses the skill has it
            0.0 - One/G success
            0.0 + Home
            0.0 # Home: first
            0.0 - Home success
            0.0 + Two/G
            0.0 # Two/G: its target is not in the skill: the tree that uses the skill has it
            0.0 - Two/G success
            0.0 + Home
            0.0 # Home: second
            0.0 - Home success
            0.0 # the behavior succeeded
        "#]],
    );
}

/// Execute after goes outward too; a gosub as well.
#[test]
fn execute_after_and_gosub_go_outward() {
    check(
        "
        stand_in A duration_s=0.2
        stand_in B duration_s=0.5 after=Beginning
        skill U file=s.json
        --- s.json
        sequence S
          stand_in C duration_s=0.1 after=A
          gosub Call target=A after=A
        ",
        "",
        expect![[r#"
            0.0 + A
            0.0 + B
            0.2 - A success
            0.2 + U/C
            0.2 + U/Call
            0.2 # U/Call: its target is not in the skill: the tree that uses the skill has it
            0.2 + U/Call/A
            0.3 - U/C success
            0.4 - U/Call/A success
            0.4 - U/Call success
            0.5 - B success
            0.5 # the behavior succeeded
        "#]],
    );
}

/// Saving writes a path wherever the bare name would resolve elsewhere; the reference itself keeps its node.
#[test]
fn saving_writes_a_path_where_a_name_would_mislead() {
    let outline = "
        sequence root
          sequence S
            goto G target=Y
            log Z text=near
          log Y text=meant
        ";
    let script = Script::parse("manual\n0 rename Z Y\n0.1 next G\n0.1 automatic on");
    let mut engine = load(outline, &script.options);
    expect![[r#"
        0.1 + G
        0.1 - G success
        0.1 + Y
        0.1 # Y: meant
        0.1 - Y success
        0.1 # the behavior succeeded
    "#]]
    .assert_eq(&run_engine(&mut engine, &script));
    let saved = model::file::save(engine.library().main(), testkit::registry().catalogue());
    assert!(saved.contains(r#""target": "/Y""#), "{saved}");
    let untouched = load(outline, &Options::default());
    let saved = model::file::save(untouched.library().main(), testkit::registry().catalogue());
    assert!(saved.contains(r#""target": "Y""#), "{saved}");
}

/// For each ancestor its subtree, then the ancestor itself: of two that have the name the one inside is meant.
#[test]
fn a_reference_finds_the_subtree_before_the_ancestor() {
    check(
        r#"
        log First text=first
        sequence X
          goto G target=X
          log No text=no
          log X text=inside
        "#,
        "",
        expect![[r#"
            0.0 + First
            0.0 # First: first
            0.0 - First success
            0.0 + G
            0.0 - G success
            0.0 + X
            0.0 # X: inside
            0.0 - X success
            0.0 # the behavior succeeded
        "#]],
    );
}

/// Names in expressions too: inside a skill first, then outward.
#[test]
fn a_name_in_an_expression_stays_inside_the_skill() {
    check(
        r#"
        always_succeed A outcome=outer
        always_succeed B outcome=outer
        skill U file=s.json
        --- s.json
        sequence S
          always_succeed A outcome=inner
          condition C condition=outcome('A')=='inner'
          condition D condition=outcome('B')=='outer'
        "#,
        "",
        expect![[r#"
            0.0 + A
            0.0 - A success "outer"
            0.0 + B
            0.0 - B success "outer"
            0.0 + U/A
            0.0 - U/A success "inner"
            0.0 + U/C
            0.0 - U/C success
            0.0 + U/D
            0.0 - U/D success
            0.0 # the behavior succeeded
        "#]],
    );
}
