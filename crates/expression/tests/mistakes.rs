//! Texts that are not expressions, and the sentence about each.

use crate::world;

use world::sample;

#[test]
fn each_mistake_is_named() {
    let table = [
        ("", "1: the expression is empty"),
        ("  // only a remark", "1: the expression is empty"),
        ("x &&", "4: `x &&` is not complete: something is missing after column 4"),
        ("x + ", "3: `x +` is not complete: something is missing after column 3"),
        ("-", "1: `-` is not complete: something is missing after column 1"),
        ("tray.", "5: `tray.` is not complete: something is missing after column 5"),
        ("x = 3", "3: `=` is not an operator: write `==` to compare"),
        ("ok & ok", "4: `&` is not an operator: write `&&` for and"),
        ("ok | ok", "4: `|` is not an operator: write `||` for or"),
        ("ok and ok", "4: `and` is not an operator: write `&&`"),
        ("not ok", "1: `not` is not an operator: write `!`"),
        ("x <> 3", "3: `<>` is not an operator: write `!=`"),
        ("x ≤ 3", "3: `≤` is not an operator: write `<=`"),
        ("x ** 2", "3: `**` is not an operator: write the product, x * x"),
        ("s == “go”", "6: `“` is not a quote of expressions: write 'text' or \"text\""),
        ("s == 'go", "6: the text that begins at column 6 is not closed: add `'`"),
        ("s == \"go", "6: the text that begins at column 6 is not closed: add `\"`"),
        ("x # 3", "3: `#` has no meaning in an expression"),
        ("größe > 1", "1: `größe` cannot be a name: names use a-z, A-Z, 0-9 and _"),
        ("(x + 1", "1: `(` at column 1 is never closed"),
        ("x + 1)", "6: `)` at column 6 closes nothing"),
        ("(x + 1]", "7: `(` at column 1 is closed by `]`"),
        ("items[0", "6: `[` at column 6 is never closed"),
        ("x 3", "3: an operator is missing between `x` and `3`"),
        ("x 'é' y", "3: an operator is missing between `x` and `'é'`"),
        ("x * / 3", "5: something is missing between `*` and `/`"),
        ("* x", "1: something is missing before `*`"),
        ("ok && && ok", "7: something is missing between `&&` and `&&`"),
        ("(x + )", "6: something is missing between `+` and `)`"),
        ("min(, 1)", "5: something is missing between `(` and `,`"),
        ("min(1, 2,)", "10: `)` at column 10 does not fit there"),
        ("ok ? 1", "7: `?` has no `:`; a choice is written `condition ? this : that`"),
        ("{'a'}", "5: a map is written {'key': value}: a `:` is missing"),
        ("if", "1: `if` is a reserved word: write `condition ? this : that`"),
        ("x + while", "5: `while` is a reserved word and cannot be a name"),
        (
            "99999999999999999999",
            "1: the number `99999999999999999999` is too large: write it with a point or an exponent, as in 1e19",
        ),
        ("1e999", "1: the number `1e999` is too large"),
        ("3x", "1: `3x` is not a number"),
        (r"'a\q'", r"1: the text 'a\q' has a `\` that begins nothing: write `\\` for a backslash"),
        ("()", "2: `)` at column 2 does not fit there"),
        ("tray..slot", "6: something is missing between `.` and `.`"),
    ];
    let mut world = sample();
    let wrong: Vec<String> = table
        .iter()
        .map(|(text, expected)| (text, expected, world.run(text)))
        .filter(|(_, expected, found)| found != *expected)
        .map(|(text, expected, found)| format!("{text}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
