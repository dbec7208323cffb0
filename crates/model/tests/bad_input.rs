use crate::common;

use common::{catalogue, open, report};
use model::file::{MAX_BYTES, MAX_LEVELS, MemoryFiles, load, save};

/// Why a main file does not open at all.
fn refused(text: &str) -> String {
    let files = MemoryFiles::from([("main.json", text)]);
    load("main.json", &files, &catalogue()).expect_err("it must not open").to_string()
}

#[test]
fn broken_json_names_the_place() {
    for (text, place) in [
        ("{\n  \"version\": 1,\n  \"name\" \"x\"\n}", "main.json: line 3, column 10: expected `:`"),
        ("{\"version\": 1", "main.json: line 1, column 13: EOF while parsing an object"),
        ("{\"version\": 1} x", "main.json: line 1, column 16: trailing characters"),
        ("{\"version\": 1e999}", "main.json: line 1, column 17: number out of range"),
        ("{\"children\": [{\"a\": [1e999]}]}", "main.json: line 1, column 26: number out of range"),
        ("{\"version\": NaN}", "main.json: line 1, column 13: expected value"),
        ("{\"name\": \"\\ud800\"}", "main.json: line 1, column 17"),
        ("{\"name\": \"a\nb\"}", "main.json: line 2, column 0: control character"),
        ("[1]", "main.json: a behavior file is one JSON object, and this is none"),
        ("", "main.json: a behavior file is one JSON object, and this is none"),
        ("\u{feff}null", "main.json: a behavior file is one JSON object, and this is none"),
    ] {
        let said = refused(text);
        assert!(said.starts_with(&format!("error: {place}")), "{text:?}: {said}");
    }
    assert_eq!(report(&open("\u{feff}{\"version\": 1}")), "");
}

#[test]
fn a_main_file_that_is_not_there() {
    let error = load("a/../none.json", &MemoryFiles::default(), &catalogue()).expect_err("not there");
    assert_eq!(error.message, "there is no file none.json");
    assert_eq!(error.file, "none.json");
}

#[test]
fn files_too_large_are_refused() {
    let said = refused(&format!("{{\"notes\": \"{}\"}}", "x".repeat(MAX_BYTES)));
    assert!(said.contains("the file is too large: 64 MB, at most 64 MB are read"), "{said}");
}

fn deep(nodes: usize) -> String {
    let open = r#"{"type":"sequence","children":["#;
    format!(r#"{{"version":1,"children":[{}{}]}}"#, open.repeat(nodes - 1), "]}".repeat(nodes - 1))
}

#[test]
fn nesting_to_the_limit_loads_on_a_small_stack() {
    let run = || {
        let loaded = open(&deep(MAX_LEVELS / 2));
        assert_eq!(loaded.library.main().len(), MAX_LEVELS / 2);
        let text = save(loaded.library.main(), &catalogue());
        assert_eq!(save(open(&text).library.main(), &catalogue()), text);
        let lists = format!("{}{}", "[".repeat(MAX_LEVELS - 3), "]".repeat(MAX_LEVELS - 3));
        for key in ["until", "colour"] {
            open(&format!(r#"{{"version": 1, "children": [{{"type": "wait", "{key}": {lists}}}]}}"#));
        }
    };
    let small = std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread");
    small.join().expect("no overflow");
}

#[test]
fn nesting_beyond_the_limit_is_refused() {
    for text in [deep(MAX_LEVELS / 2 + 1), deep(10_000), format!("{{\"a\": {}", "[".repeat(1_000_000))] {
        let said = refused(&text);
        assert!(said.contains("line 1, column ") && said.contains("nested more than 512 deep"), "{said}");
    }
    // Brackets in texts are no nesting.
    let text = format!(r#"{{"version": 1, "notes": "\"\\\\{}"}}"#, "[{".repeat(1000));
    assert_eq!(report(&open(&text)), "");
}

#[test]
fn many_nodes() {
    let children: Vec<String> = (0..100_000).map(|at| format!(r#"{{"type":"wait","name":"w{at}"}}"#)).collect();
    let loaded = open(&format!(r#"{{"version":1,"children":[{}]}}"#, children.join(",")));
    assert_eq!(loaded.library.main().len(), 100_001);
    assert_eq!(report(&loaded), "");
}

#[test]
fn many_references_and_many_keys() {
    let children: Vec<String> = (0..20_000).map(|_| r#"{"type":"wait","name":"w","after":"w"}"#.to_owned()).collect();
    let loaded = open(&format!(r#"{{"version":1,"children":[{}]}}"#, children.join(",")));
    let text = save(loaded.library.main(), &catalogue());
    assert!(text.contains(r#""after": "w""#));
    let keys: Vec<String> = (0..20_000).map(|at| format!(r#""k{at}":{at}"#)).collect();
    let loaded = open(&format!(r#"{{"version":1,"children":[{{"type":"teleport",{},"k7":1}}]}}"#, keys.join(",")));
    assert_eq!(loaded.problems.len(), 2);
}
