//! Loops that no time passes in.

use expect_test::expect;

use crate::common::problems;

#[test]
fn loops() {
    problems(
        r#"
        loop A condition="time() < 3.0"
          log B
          choose C
            checkpoint D when="time() > 1.0"
        loop E count=2
        loop F count=5
          wait G duration_s=0
        "#,
        expect![[r#"
            warning: main.json /A: no time passes in this loop, so it goes once a tick
                put a wait, or an action that takes time, into it
            warning: main.json /E: the loop has nothing to repeat
                put steps into it, or take it out
            warning: main.json /F: no time passes in this loop, so it goes once a tick
                put a wait, or an action that takes time, into it
        "#]],
    );
}

#[test]
fn time_passes() {
    problems(
        r#"
        @variables {"n":0}
        loop A condition="time() < 3.0"
          log B
          wait C duration_s=0.1
        loop D condition="n < 3"
          set E values={"n":"n + 1"}
        loop F count=1
          log G
        loop H condition="time() < 9.0"
          wait_until I condition="time() > 5.0"
        "#,
        expect![[""]],
    );
}

#[test]
fn gotos() {
    problems(
        r#"
        checkpoint A
        log B
        fallback C
          condition D condition="time() > 1.0"
          goto E target=A
        wait Last
        "#,
        expect![[r#"
            warning: main.json /C/E: no time passes between `A` and this goto, so it goes once a tick
                put a wait, or an action that takes time, before the goto
        "#]],
    );
}

#[test]
fn gotos_with_time() {
    problems(
        r#"
        checkpoint A
        wait B duration_s=0.5
        fallback C
          condition D condition="time() > 1.0"
          goto E target=A
        "#,
        expect![[""]],
    );
}
