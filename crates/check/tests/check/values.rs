//! Settings that are values of the moment.

use expect_test::expect;

use crate::common::problems;

#[test]
fn what_can_be_known_of_values_before_they_run() {
    problems(
        r#"
        @variables {"pause_s": 1}
        wait Good duration_s={"=":"pause_s * 2"} timeout_s={"=":"pause_s + 3"}
        wait Typo duration_s={"=":"pause_m"}
        wait Cut duration_s={"=":"pause_s *"}
        wait Below duration_s={"=":"0 - 2"}
        wait Word duration_s={"=":"'soon'"}
        goto Jump target={"=":"'Good'"}
        wait After duration_s=1 after={"=":"'Good'"}
        wait Guarded duration_s=1 until={"=":"pause_s > 1"}
        set Write values={"pause_s": {"=":"1"}}
        "#,
        expect![[r#"
            error: main.json /Typo [duration_s]: nothing declares or sets the variable `pause_m`
                did you mean `pause_s`?
            error: main.json /Cut [duration_s]: the expression `pause_s *` is wrong at column 9: `pause_s *` is not complete: something is missing after column 9
                mend the expression there
            error: main.json /Below [duration_s]: `duration_s` must be at least 0 s, is -2
                mend the expression there
            error: main.json /Word [duration_s]: `duration_s` must be a number in s, is "soon"
                mend the expression there
            error: main.json /Jump [target]: `target` cannot be a value of the moment: it is read before anything runs
                change it, or leave it out for its default, ""
            error: main.json /After [after]: `after` cannot be a value of the moment: it is read before anything runs
                change it, or leave it out
            error: main.json /Guarded [until]: `until` cannot be a value of the moment: it is read before anything runs
                change it, or leave it out
            error: main.json /Write [values]: `values.pause_s` cannot be a value of the moment: it is read before anything runs
                change it, or leave it out for its default, {}
        "#]],
    );
}
