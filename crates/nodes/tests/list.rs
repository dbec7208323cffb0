//! Rules that hold for every node type in the list.

use std::fs;
use std::path::{Path, PathBuf};

use model::{COMMON_FIELDS, validate};
use serde_json::Value as Json;

/// Keys every node object has beside its settings.
const STRUCTURE: [&str; 12] =
    ["type", "id", "name", "notes", "children", "version", "inputs", "outputs", "variables", "let", "cell", "file"];

#[test]
fn every_type_and_every_setting_is_documented() {
    for entry in nodes::entries() {
        let info = &entry.info;
        assert!(info.doc.ends_with('.'), "`{}` has no sentence that says what it does", info.name);
        for field in &info.fields {
            assert!(!field.doc.is_empty(), "`{}` of `{}` is not documented", field.name, info.name);
        }
    }
}

#[test]
fn names_are_snake_case_and_unique() {
    let mut names: Vec<&str> = nodes::entries().iter().map(|entry| entry.info.name).collect();
    for name in &names {
        assert!(name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'), "{name}");
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn settings_do_not_hide_what_every_node_has() {
    for entry in nodes::entries() {
        let is_skill = entry.info.role == model::Role::Skill;
        for field in &entry.info.fields {
            let taken = COMMON_FIELDS.contains(&field.name.as_str());
            let structure = STRUCTURE.contains(&field.name.as_str()) && !is_skill;
            assert!(!taken && !structure, "`{}` of `{}`", field.name, entry.info.name);
        }
    }
}

#[test]
fn defaults_fit_their_own_schema() {
    for entry in nodes::entries() {
        for field in &entry.info.fields {
            let wrong = validate(&entry.info.schema, &field.schema, &field.default);
            assert!(wrong.is_empty(), "`{}` of `{}`: {wrong:?}", field.name, entry.info.name);
        }
    }
}

/// The longer endings first.
const UNITS: [(&str, &str); 9] = [
    ("_m_s", "m/s"),
    ("_deg_s", "deg/s"),
    ("_rad_s", "rad/s"),
    ("_deg", "deg"),
    ("_rad", "rad"),
    ("_nm", "N·m"),
    ("_n", "N"),
    ("_m", "m"),
    ("_s", "s"),
];

#[test]
fn numbers_with_a_unit_in_their_name_say_it_in_their_schema() {
    for entry in nodes::entries() {
        for field in &entry.info.fields {
            if let Some((_, unit)) = UNITS.iter().find(|(ending, _)| field.name.ends_with(ending)) {
                assert_eq!(field.unit.as_deref(), Some(*unit), "`{}` of `{}`", field.name, entry.info.name);
            }
        }
    }
}

/// A scenario is a test of the engine, a test on a simulated robot, or an example in which a node of the type runs.
#[test]
fn every_type_has_a_scenario() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut text = String::new();
    for folder in [
        "crates/engine/tests",
        "crates/nodes/tests/body",
        "crates/nodes/tests/legs",
        "crates/nodes/tests/scene",
        "examples",
    ] {
        read_all(&root.join(folder), &mut text);
    }
    for entry in nodes::entries() {
        let name = entry.info.name;
        let in_outline = text.contains(&format!("{name} "));
        let in_file = text.contains(&format!("\"type\": \"{name}\""));
        assert!(in_outline || in_file, "no test or example runs a `{name}`");
    }
}

fn read_all(folder: &Path, text: &mut String) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read_all(&path, text);
        } else if let Ok(content) = fs::read_to_string(&path) {
            text.push_str(&content);
        }
    }
}

/// People look for a type by what they want to do.
#[test]
fn other_words_for_a_type_are_none_of_its_own() {
    for entry in nodes::entries() {
        let info = &entry.info;
        for word in info.declared.words {
            assert!(!word.is_empty() && **word == word.to_lowercase(), "`{word}` of `{}`", info.name);
            assert!(info.name != *word, "`{word}` of `{}` is its name", info.name);
        }
    }
    let by = |word: &str| nodes::entries().iter().any(|entry| entry.info.declared.words.contains(&word));
    for word in ["try", "repeat", "look", "turn", "say", "if", "ask", "grasp", "squat"] {
        assert!(by(word), "nothing is found by `{word}`");
    }
}

/// Whatever stands in space has something to drag it by.
#[test]
fn every_pose_point_axis_and_force_has_a_handle() {
    let stands_in_space = |schema: &Json| {
        let has = |key: &str| schema["properties"].get(key).is_some();
        (has("x_m") && has("y_m")) || (has("x_n") && has("y_n")) || (has("x_nm") && has("y_nm"))
    };
    for entry in nodes::entries() {
        let info = &entry.info;
        let resolve = |schema: &Json| -> Json {
            let name = schema["$ref"].as_str().and_then(|name| name.strip_prefix('#'));
            name.and_then(|place| info.schema.pointer(place)).unwrap_or(schema).clone()
        };
        // Of a setting, of an entry of a list, and of what may be left out.
        let forms = |schema: &Json| -> Vec<Json> {
            let whole = resolve(schema);
            let any = whole["anyOf"].as_array().cloned().unwrap_or_default();
            let items = whole.get("items").map(resolve);
            std::iter::once(whole).chain(any.iter().map(resolve)).chain(items).collect()
        };
        for field in &info.fields {
            let found = forms(&field.schema);
            let parts = found.iter().flat_map(|form| form["properties"].as_object().cloned().unwrap_or_default());
            let inner = parts.into_iter().any(|(_, part)| stands_in_space(&resolve(&part)));
            if inner || found.iter().any(stands_in_space) {
                let has = info.declared.handles.iter().any(|handle| handle.field == field.name);
                assert!(has, "`{}` of `{}` has no handle", field.name, info.name);
            }
        }
        for handle in info.declared.handles {
            assert!(info.field(handle.field).is_some(), "`{}` has no `{}` to drag", info.name, handle.field);
        }
    }
}
