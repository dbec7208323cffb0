//! Settings that are values of the moment.

use expect_test::expect;

use crate::common::problems;

#[test]
fn kinds_and_units_are_known_before_anything_runs() {
    problems(
        r#"
        @inputs {"far_m":{"default":1},"turn":{"default":3,"unit":"deg"},"side":{"choices":["left","right"],"default":"left"}}
        @variables {"pause_s": 1}
        wait Good duration_s={"=":"pause_s * 2 + 0.1"}
        wait Metres duration_s={"=":"far_m / 2"}
        wait Degrees duration_s={"=":"turn"}
        wait Word duration_s={"=":"side"}
        wait Truth duration_s={"=":"far_m > 2"}
        spine Turn yaw_deg={"=":"turn * 2"}
        arm Pose pose={"x_m":{"=":"far_m"},"y_m":{"=":"turn"},"yaw_deg":{"=":"turn"}}
        arm Side side={"=":"far_m"}
        log Say text={"=":"far_m"}
        skill Use file=go.json inputs={"side":"'up'","far_m":"turn","high_m":"side","deep_m":[1]}
        --- go.json
        @inputs {"side":{"choices":["left","right"]},"far_m":{"unit":"m"},"high_m":{"kind":"number"},"deep_m":{"kind":"number"}}
        log Say text=go value="side + text(far_m) + text(high_m) + text(deep_m)"
        "#,
        expect![[r#"
            error: main.json /Metres [duration_s]: `duration_s` is in s, and `far_m / 2` gives m
                give it what it needs: see the units at the end of names
            error: main.json /Degrees [duration_s]: `duration_s` is in s, and `turn` gives deg
                give it what it needs: see the units at the end of names
            error: main.json /Word [duration_s]: `duration_s` needs a number, and `side` gives a text
                give it what it needs: see the units at the end of names
            error: main.json /Truth [duration_s]: `duration_s` needs a number, and `far_m > 2` gives true or false
                give it what it needs: see the units at the end of names
            error: main.json /Pose [pose]: `pose.y_m` is in m, and `turn` gives deg
                give it what it needs: see the units at the end of names
            error: main.json /Side [side]: `side` needs a text, and `far_m` gives a number
                give it what it needs: see the units at the end of names
            error: main.json /Say [text]: `text` needs a text, and `far_m` gives a number
                give it what it needs: see the units at the end of names
            error: main.json /Use [inputs]: `deep_m` must be a number, is a list of 1
                give another `deep_m`
            error: main.json /Use [inputs]: `side` must be one of left, right, is "up"
                give another `side`
            error: main.json /Use [inputs]: `far_m` is in m, and `turn` gives deg
                give another `far_m`
            error: main.json /Use [inputs]: `high_m` needs a number, and `side` gives a text
                give another `high_m`
        "#]],
    );
}

#[test]
fn names_of_expressions_are_checked() {
    problems(
        r#"
        @variables {"force_n": 0, "twice": 1}
        @let {"heavy":"force_n > 38","round":"other","other":"round + 1","cut":"1 +","twice":"2","idle":"3","typo":"forse_n > 1","long_s":"0 - 4"}
        wait A duration_s=1 while="!heavy && cut && twice == 2"
        wait B duration_s={"=":"long_s"} until="round > 1 || typo"
        set C values={"heavy":"true"}
        "#,
        expect![[r#"
            error: main.json / [let]: the expression `1 +` is wrong at column 3: `1 +` is not complete: something is missing after column 3
                mend the expression there
            error: main.json / [let]: nothing declares or sets the variable `forse_n`
                did you mean `force_n`?
            error: main.json / [let]: `round` cannot be made out: `other` is made of itself, through `round`
                write out one of them
            error: main.json / [let]: `other` cannot be made out: `round` is made of itself, through `other`
                write out one of them
            error: main.json / [let]: `twice` is a name of an expression and a variable of the file; the expression counts
                take another name for one of them
            warning: main.json / [let]: nothing in the file says `idle`
                use it, or take it out
            error: main.json /B [duration_s]: `duration_s` must be at least 0 s, is -4
                mend the expression there
            error: main.json /C [values]: `heavy` stands for an expression of the file and cannot be set
                set another variable, or take it out of `let`
        "#]],
    );
}

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
            error: main.json /Typo [duration_s]: `duration_s` is in s, and `pause_m` gives m
                give it what it needs: see the units at the end of names
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
