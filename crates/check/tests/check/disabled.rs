//! Nodes that are disabled.

use expect_test::expect;

use crate::common::problems;

#[test]
fn what_is_disabled_is_not_judged_and_nothing_may_lead_there() {
    problems(
        r#"
        sequence S disabled=true
          question Q
          wait A after=Z
        wait B after=S
        goto G target=A
        fallback F
          wait C disabled=true
        "#,
        expect![[r#"
            error: main.json /G [target]: `/S/A` is disabled
                enable it, or name another node
            warning: main.json /F: the fallback has nothing to try
                give it a first child to try, and behind that what helps if it fails
        "#]],
    );
}
