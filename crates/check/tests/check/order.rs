//! Execute after.

use expect_test::expect;

use crate::common::problems;

#[test]
fn later_itself_and_inside() {
    problems(
        r#"
        wait A after=B
        wait B
        wait C after=C
        parallel P after=D
          wait D
        "#,
        expect![[r#"
            error: main.json /A [after]: it executes after `B`, which comes later; it runs as if it said Previous
                move it behind `B`, or name a step before it
            error: main.json /C [after]: `C` is the node itself; it runs as if it said Previous
                name another node
            error: main.json /P [after]: it executes after `D`, which lies inside it; it runs as if it said Previous
                name a step before it, or leave `after` out
        "#]],
    );
}

#[test]
fn around_and_elsewhere() {
    problems(
        r#"
        wait A
        loop L count=2
          wait B after=A
          wait C after=L
        parallel P
          wait D
          wait E after=D
        "#,
        expect![[r#"
            error: main.json /L/B [after]: it executes after `A`, which runs outside of what this belongs to; it runs as if it said Previous
                name a step beside it, or set `after` where the outer steps are
            error: main.json /L/C [after]: it executes after `L`, which runs outside of what this belongs to; it runs as if it said Previous
                name a step beside it, or set `after` where the outer steps are
            error: main.json /P/E [after]: it executes after `D`, which runs in another branch; it runs as if it said Previous
                name a step of its own branch, or wait for `result('D')` in a wait_until
        "#]],
    );
}

#[test]
fn of_organising_nodes() {
    problems(
        r#"
        sequence S after=T
          wait A
        sequence T after=T
          wait B
        "#,
        expect![[r#"
            error: main.json /S [after]: it executes after `T`, which comes later; it runs as if it said Previous
                move it behind `T`, or name a step before it
            error: main.json /T [after]: `T` is the node itself; it runs as if it said Previous
                name another node
        "#]],
    );
}

#[test]
fn fine() {
    problems(
        r#"
        wait A
        sequence S
          wait B after=S
          wait C after=Beginning
        parallel P
          sequence Q timeout_s=5
            wait D
            wait E after=Q
        wait F after=D
        wait G after=S
        wait H after=Previous
        "#,
        expect![[""]],
    );
}
