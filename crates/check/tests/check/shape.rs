//! Nodes that lack what they need.

use expect_test::expect;

use crate::common::problems;

#[test]
fn empty() {
    problems(
        r#"
        fallback A
        parallel B
        choose C
        fallback D
          sequence E
          wait F
          wait G
        "#,
        expect![[r#"
            warning: main.json /A: the fallback has nothing to try
                give it a first child to try, and behind that what helps if it fails
            warning: main.json /B: the parallel has no branches
                put a child into it for each branch
            warning: main.json /C: the choose has no cases
                put a child into it for each case, with a `when`
            warning: main.json /D/E: there is nothing in the first child of this fallback, so that the next one is tried instead
                put what is tried into it, or take it out
            warning: main.json /D/G: this catch never runs: nothing that is tried can fail
                give what is tried a `timeout_s` or a `while`, or take the catch out
        "#]],
    );
}

#[test]
fn not_empty() {
    problems(
        r#"
        fallback A
          stand_in B
        parallel C
          wait D
        choose E
          wait F
        "#,
        expect![[""]],
    );
}

#[test]
fn priority() {
    problems(
        r#"
        wait Out
        parallel A policy=priority
          wait B
        parallel C policy=priority priority=Out
          wait D
        parallel E priority=F
          wait F
        "#,
        expect![[r#"
            error: main.json /A [priority]: the policy is `priority`, but no branch is named as the one that decides
                name the deciding child in `priority`
            error: main.json /C [priority]: `Out` is no branch of this parallel, so nothing decides when it ends
                name one of its children in `priority`
            warning: main.json /E [priority]: `priority` counts only with the policy `priority`; here it is ignored
                set `policy` to `priority`, or take `priority` out
        "#]],
    );
}

#[test]
fn when_outside_of_a_choose() {
    problems(
        r#"
        wait A when="time() > 1.0"
        choose C
          wait B when="time() > 1.0"
        "#,
        expect![[r#"
            warning: main.json /A [when]: `when` counts only for a child of a choose; here it is ignored
                put this into a choose, or use a condition step
        "#]],
    );
}

#[test]
fn targets() {
    problems(
        r#"
        goto A
        gosub B
          wait C
        goto D target=Next
        gosub E target=F
        wait F
        "#,
        expect![[r#"
            warning: main.json /A [target]: the goto has no target, so it goes on with the step behind it
                name a node in `target`, set `end`, or write `Next`
            error: main.json /B [target]: the gosub has no target, so it fails
                name the node to run in `target`
            error: main.json /B/C: children of a gosub never run
                move them out, and name them in `target` of the gosub
        "#]],
    );
}

#[test]
fn recursion() {
    problems(
        r#"
        sequence Sub
          wait A
          gosub Again target=Sub
        "#,
        expect![[r#"
            warning: main.json /Again [target]: it runs `Sub`, which always comes to this gosub again: it fails when 64 calls are open
                put it into a choose, or use a loop or a goto
        "#]],
    );
}

#[test]
fn recursion_that_may_end() {
    problems(
        r#"
        fallback Try
          sequence Sub
            counter A limit=3
            gosub Again target=Sub
          log B
        sequence Other
          wait C
          sequence D until="time() > 3.0"
            gosub Once target=Other
        "#,
        expect![[""]],
    );
}

#[test]
fn questions() {
    problems(
        r#"
        question A text=Well?
        question B options=["yes","no"] default=maybe failures=["never"]
        choose C of=B
          wait D when={"outcome":"yes"}
          wait E when={"outcome":"yse"}
        "#,
        expect![[r#"
            error: main.json /A [options]: the question offers no answers, so nobody can answer it
                list the answers in `options`
            warning: main.json /B [default]: `maybe` is not among the answers of the question
                write one of: yes, no; or add it to `options`
            warning: main.json /B [failures]: `never` is not among the answers of the question
                write one of: yes, no; or add it to `options`
            warning: main.json /C/E [when]: this case is never taken: `yse` is no answer of `B`
                ask for one of: yes, no, maybe
        "#]],
    );
}

#[test]
fn questions_fine() {
    problems(
        r#"
        question B options=["yes","no"] default=no failures=["no"]
        question F options=["yes","no"] timeout_s=5
        choose C
          wait D when={"outcome":"yes"}
          wait E when={"outcome":"timeout"}
        "#,
        expect![[""]],
    );
}

#[test]
fn retry() {
    problems(
        r#"
        wait A retry=3
        stand_in B retry=2 fails_if="time() < 3.0"
        wait C retry=1 timeout_s=2
        "#,
        expect![[r#"
            warning: main.json /A [retry]: `retry` has no effect: this cannot fail
                take `retry` out
        "#]],
    );
}

#[test]
fn needed_settings() {
    problems(
        r#"
        condition A
        wait_until B
        send C
        receive D
        reserve E
        relinquish F
        input G
        skill H
        "#,
        expect![[r#"
            error: main.json /A [condition]: there is no condition, so it fails
                write what must hold in `condition`
            error: main.json /B [condition]: there is no condition, so it fails
                write what it waits for in `condition`
            error: main.json /C [command]: there is no command, so it fails
                name the command to send in `command`
            error: main.json /D [command]: there is no command, so it waits for ever
                name the command it waits for
            error: main.json /E [token]: there is no token to take
                name it in `token`
            error: main.json /F [token]: there is no token to give back
                name it in `token`
            error: main.json /G [variable]: the value goes to no variable
                name one in `variable`
            error: main.json /H [file]: the skill use names no file
                give the skill file in `file`
        "#]],
    );
}

#[test]
fn answers_of_a_question_that_nobody_can_read() {
    problems(
        r#"
        question Q text="Push or pull?" options=["push","","pull","push"]
        question R text="Ready?" options=["yes","  "]
        "#,
        expect![[r#"
            error: main.json /Q [options]: answer 2 of the question is blank
                write what it offers, or take it out
            error: main.json /Q [options]: answer 4, `push`, is there twice
                give it another name, or take it out
            error: main.json /R [options]: answer 2 of the question is blank
                write what it offers, or take it out
        "#]],
    );
}
