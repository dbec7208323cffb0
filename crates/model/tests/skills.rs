use crate::common;

use common::{named, open_all, report};
use expect_test::expect;
use model::{DefinitionId, Library};

#[test]
fn each_file_is_loaded_once_and_found_from_its_users() {
    let loaded = open_all([
        (
            "main.json",
            r#"{"version": 1, "children": [
                {"type": "skill", "name": "one", "file": "skills/pick.json"},
                {"type": "skill", "name": "two", "file": "./skills/../skills/pick.json"}]}"#,
        ),
        (
            "skills/pick.json",
            r#"{"version": 1, "children": [{"type": "skill", "name": "grip", "file": "parts/grip.json"}]}"#,
        ),
        ("skills/parts/grip.json", r#"{"version": 1, "children": [{"type": "wait"}]}"#),
    ]);
    assert_eq!(report(&loaded), "");
    let library = &loaded.library;
    assert_eq!(library.len(), 3);
    for name in ["one", "two"] {
        assert_eq!(library.skill_of(Library::MAIN, named(library.main(), name)), Some(DefinitionId(1)));
    }
    let pick = library.get(DefinitionId(1));
    assert_eq!(library.skill_of(DefinitionId(1), named(pick, "grip")), Some(DefinitionId(2)));
    assert_eq!(&*library.get(DefinitionId(2)).file, "skills/parts/grip.json");
}

#[test]
fn missing_and_broken_skill_files() {
    let loaded = open_all([
        (
            "main.json",
            r#"{"version": 1, "children": [
                {"type": "skill", "name": "gone", "file": "gone.json"},
                {"type": "skill", "name": "broken", "file": "broken.json"},
                {"type": "skill", "name": "none"},
                {"type": "skill", "name": "odd", "file": 5}]}"#,
        ),
        ("broken.json", "{\"version\": 1,\n]"),
    ]);
    expect![[r#"
        error: main.json /odd [file]: `file` must be a text, is 5
            change it, or leave it out for its default, ""
        error: main.json /gone [file]: the skill file cannot be loaded: there is no file gone.json
            mend the file, or name another one in `file`
        error: main.json /broken [file]: the skill file cannot be loaded: broken.json: line 2, column 1: key must be a string
            mend the file, or name another one in `file`
        error: main.json /none [file]: the skill use names no file
            give the skill file in `file`
        error: main.json /odd [file]: the skill use names no file
            give the skill file in `file`
    "#]]
    .assert_eq(&report(&loaded));
}

#[test]
fn skills_that_use_each_other() {
    let loaded = open_all([
        ("main.json", r#"{"version": 1, "children": [{"type": "skill", "name": "a", "file": "s/a.json"}]}"#),
        ("s/a.json", r#"{"version": 1, "children": [{"type": "skill", "name": "b", "file": "b.json"}]}"#),
        (
            "s/b.json",
            r#"{"version": 1, "children": [
                {"type": "skill", "name": "a", "file": "a.json"},
                {"type": "skill", "name": "self", "file": "b.json"}]}"#,
        ),
    ]);
    expect![[r#"
        error: s/b.json /a [file]: skills use each other in a circle: s/a.json → s/b.json → s/a.json
            take one of these uses out
        error: s/b.json /self [file]: skills use each other in a circle: s/b.json → s/b.json
            take one of these uses out
    "#]]
    .assert_eq(&report(&loaded));
    assert_eq!(loaded.library.len(), 3);
}

#[test]
fn inputs_and_outputs() {
    let skill = r#"{"version": 1, "inputs": {"object": {}, "speed": {"default": 1, "unit": "m/s"}}, "outputs": {"weight": {}}}"#;
    let loaded = open_all([
        (
            "main.json",
            r#"{"version": 1, "children": [
                {"type": "skill", "name": "good", "file": "pick.json", "inputs": {"object": "box"}, "outputs": {"weight": "w"}},
                {"type": "skill", "name": "bad", "file": "pick.json", "inputs": {"sped": 2}, "outputs": {"height": "h"}}]}"#,
        ),
        ("pick.json", skill),
    ]);
    expect![[r#"
        error: main.json /bad [inputs]: pick.json declares no input `sped`
            did you mean `speed`?
        error: main.json /bad [inputs]: input `object` of pick.json has no default and is not given
            give `object` in `inputs`
        error: main.json /bad [outputs]: pick.json declares no output `height`
            did you mean `weight`?
    "#]]
    .assert_eq(&report(&loaded));
}

#[test]
fn ids_are_unique_across_files() {
    let loaded = open_all([
        (
            "main.json",
            r#"{"version": 1, "children": [{"type": "wait", "id": "5"}, {"type": "skill", "file": "pick.json"}]}"#,
        ),
        ("pick.json", r#"{"version": 1, "children": [{"type": "wait", "name": "w", "id": "5"}]}"#),
    ]);
    expect![[r#"
        error: pick.json /w [id]: id 0000000000000005 is already taken in main.json; the node gets another one
            leave the id out, or write one of its own
    "#]]
    .assert_eq(&report(&loaded));
}

#[test]
fn the_root_is_no_skill_use() {
    let loaded = open_all([
        ("main.json", r#"{"version": 1, "type": "skill", "file": "pick.json"}"#),
        ("pick.json", r#"{"version": 1}"#),
    ]);
    expect![[r#"
        error: main.json / [type]: the root of a file cannot be a skill use
            make the root a sequence and put the skill use into it
    "#]]
    .assert_eq(&report(&loaded));
}
