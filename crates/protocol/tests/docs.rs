//! The page of the API names everything there is.

use std::path::Path;

/// The words that stand behind `tag` in a declaration, or all quoted words where it has none.
fn words(declarations: &str, name: &str, tag: Option<&str>) -> Vec<String> {
    let start = format!("export type {name} = ");
    let (_, text) = declarations.split_once(&start).unwrap_or_else(|| panic!("no {name}"));
    let text = text.split("\nexport ").next().unwrap_or_default();
    match tag {
        Some(tag) => text
            .split(&format!("\"{tag}\": \""))
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .map(str::to_owned)
            .collect(),
        None => text.split('"').skip(1).step_by(2).map(str::to_owned).collect(),
    }
}

#[test]
fn the_page_names_every_request_answer_push_and_error() {
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api.md")).expect("docs/api.md");
    let declarations = protocol::typescript::declarations();
    let mut seen = 0;
    for (name, tag) in [
        ("Request", Some("ask")),
        ("Operation", Some("do")),
        ("Answer", Some("is")),
        ("Push", Some("push")),
        ("FailureCode", None),
    ] {
        let words = words(&declarations, name, tag);
        assert!(words.len() >= 8, "{name}: {words:?}");
        for word in words {
            assert!(page.contains(&format!("`{word}`")), "docs/api.md does not name `{word}` of {name}");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
    for binary in ["ROBOT_STATE", "CLOUD", "PICTURE"] {
        assert!(page.contains(binary), "{binary}");
    }
}
