//! The longest texts that are accepted need little stack: to parse, compile, evaluate and drop.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a small stack needs a thread of its own")]

use crate::world;

use world::sample;

const STACK: usize = 1 << 20;

fn run(text: String) -> String {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || sample().run(&text));
    thread.unwrap().join().unwrap()
}

#[test]
fn long_texts_are_refused_before_they_are_parsed() {
    let expected = "2001: the expression is longer than 2000 characters: split it over variables";
    assert_eq!(run("x".repeat(2001)), expected);
    assert_eq!(run("(".repeat(1_000_000)), expected);
    assert_eq!(run("é".repeat(2001)), expected);
}

#[test]
fn deep_texts_are_evaluated() {
    assert_eq!(run("(".repeat(900) + "x" + &")".repeat(900)), "3");
    assert_eq!(run("x + ".repeat(240) + "x"), "723");
    assert_eq!(run("x - ".repeat(240) + "x"), "-717");
    assert_eq!(run("1+".repeat(240) + "1"), "241");
    assert_eq!(run("-".repeat(1999) + "x"), "-3");
    assert_eq!(run("!".repeat(1998) + "ok"), "true");
    assert_eq!(run("ok && ".repeat(330) + "ok"), "true");
    assert_eq!(run("!ok ? 1 : ".repeat(190) + "x"), "3");
    assert_eq!(run("-(x - ".repeat(90) + "x" + &")".repeat(90)), "-267");
    assert_eq!(run("abs(".repeat(90) + "x" + &")".repeat(90)), "3");
    assert_eq!(run("min(1".to_string() + &",1".repeat(990) + ")"), "1");
    assert_eq!(run("size([x".to_string() + &",1".repeat(900) + "])"), "901");
}

#[test]
fn what_is_too_deep_is_refused() {
    for text in [
        "(x + ".repeat(120) + "x" + &")".repeat(120),
        "x + ".repeat(400) + "x",
        "1+".repeat(999) + "1",
        "-!".repeat(900) + "x",
        "ok?1:".repeat(390) + "x",
        "tray".to_string() + &".a".repeat(900),
        "items".to_string() + &"[0]".repeat(600),
        "s".to_string() + &".size()".repeat(280),
        "[".repeat(150) + &"]".repeat(150),
        "{'a':".repeat(150) + "1" + &"}".repeat(150),
        "abs(".repeat(150) + "x" + &")".repeat(150),
    ] {
        let said = run(text.clone());
        assert!(said.ends_with("deep: split it over variables") || said.contains("too deeply"), "{text:.20}: {said}");
    }
}
