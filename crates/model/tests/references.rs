use crate::common;

use common::{named, open};
use model::{Definition, Finder, NodeId, Resolution, reference_text, resolve};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

const TREE: &str = r#"{"version": 1, "name": "root", "children": [
    {"type": "wait", "name": "A"},
    {"type": "sequence", "name": "left", "children": [
        {"type": "wait", "name": "A"},
        {"type": "sequence", "name": "inner", "children": [{"type": "wait", "name": "B"}, {"type": "wait", "name": "C"}]},
        {"type": "wait", "name": "B"},
        {"type": "wait", "name": "B"}]},
    {"type": "sequence", "name": "right", "children": [{"type": "wait", "name": "only"}, {"type": "wait"}]}]}"#;

fn at(tree: &Definition, path: &str) -> NodeId {
    resolve(tree, tree.root, path).first().expect("the path leads somewhere")
}

#[test]
fn own_subtree_comes_before_ancestors() {
    let loaded = open(TREE);
    let tree = loaded.library.main();
    let inner = named(tree, "inner");
    assert_eq!(resolve(tree, inner, "B"), Resolution::Found(at(tree, "/left/inner/B")));
    let left = named(tree, "left");
    let others = vec![at(tree, "/left/B[1]"), at(tree, "/left/B[2]")];
    assert_eq!(resolve(tree, left, "B"), Resolution::Ambiguous(at(tree, "/left/inner/B"), others));
}

#[test]
fn ancestors_are_searched_upward_without_what_was_searched() {
    let loaded = open(TREE);
    let tree = loaded.library.main();
    let c = named(tree, "C");
    assert_eq!(resolve(tree, c, "B"), Resolution::Found(at(tree, "/left/inner/B")));
    assert_eq!(resolve(tree, c, "A"), Resolution::Found(at(tree, "/left/A")));
    assert_eq!(resolve(tree, c, "only"), Resolution::Found(at(tree, "/right/only")));
    // From the inner B its own name is the next ones, not itself.
    let inner_b = at(tree, "/left/inner/B");
    let expected = Resolution::Ambiguous(at(tree, "/left/B[1]"), vec![at(tree, "/left/B[2]")]);
    assert_eq!(resolve(tree, inner_b, "B"), expected);
}

#[test]
fn an_ancestor_comes_after_its_subtree_and_before_what_is_further_up() {
    let loaded = open(
        r#"{"version": 1, "name": "x", "children": [
            {"type": "sequence", "name": "x", "children": [{"type": "wait", "name": "from"}]},
            {"type": "sequence", "name": "x"}]}"#,
    );
    let tree = loaded.library.main();
    let from = named(tree, "from");
    assert_eq!(resolve(tree, from, "x"), Resolution::Found(at(tree, "/x[1]")));
    assert_eq!(resolve(tree, at(tree, "/x[1]"), "x"), Resolution::Found(at(tree, "/x[2]")));
    assert_eq!(resolve(tree, at(tree, "/x[2]"), "x"), Resolution::Found(at(tree, "/x[1]")));
}

#[test]
fn nodes_without_a_name_go_by_their_type() {
    let loaded = open(TREE);
    let tree = loaded.library.main();
    let unnamed = at(tree, "/right/wait");
    assert_eq!(&*tree.node(unnamed).kind, "wait");
    assert_eq!(resolve(tree, tree.root, "wait"), Resolution::Found(unnamed));
}

#[test]
fn paths() {
    let loaded = open(TREE);
    let tree = loaded.library.main();
    let everywhere = [tree.root, named(tree, "C")];
    for from in everywhere {
        assert_eq!(resolve(tree, from, "/"), Resolution::Found(tree.root));
        assert_eq!(resolve(tree, from, "/left/B[2]").first(), tree.node(named(tree, "left")).children.get(3).copied());
        for missing in
            ["/left/B[3]", "/left/B[0]", "/nowhere", "/left/", "/left/B[99999999999999999999999]", "//", "/root"]
        {
            assert_eq!(resolve(tree, from, missing), Resolution::Missing, "{missing}");
        }
    }
    let (first, second) = (at(tree, "/left/B[1]"), at(tree, "/left/B[2]"));
    assert_eq!(resolve(tree, tree.root, "/left/B"), Resolution::Ambiguous(first, vec![second]));
    assert_eq!(reference_text(tree, named(tree, "C"), second), "/left/B[2]");
    assert_eq!(reference_text(tree, named(tree, "only"), named(tree, "C")), "C");
}

#[test]
fn odd_names_are_reached() {
    let names = [
        "Previous",
        "Next",
        "Beginning",
        "/",
        "/a",
        "a/b",
        "~",
        "~1",
        "~01",
        "x[2]",
        "x[",
        "[1]",
        "[]",
        "ü ☃",
        "~2",
        "sequence",
    ];
    let children: Vec<String> = names.iter().map(|name| format!(r#"{{"type": "wait", "name": "{name}"}}"#)).collect();
    let loaded = open(&format!(r#"{{"version": 1, "children": [{}]}}"#, children.join(",")));
    let tree = loaded.library.main();
    let texts: Vec<String> = names.iter().map(|name| reference_text(tree, tree.root, named(tree, name))).collect();
    let expected = [
        "/Previous",
        "/Next",
        "/Beginning",
        "/~1",
        "/~1a",
        "a/b",
        "~",
        "~1",
        "~01",
        "x[2]",
        "x[",
        "[1]",
        "[]",
        "ü ☃",
        "~2",
        "sequence",
    ];
    assert_eq!(texts, expected);
    for (name, text) in names.iter().zip(&texts) {
        assert_eq!(resolve(tree, tree.root, text), Resolution::Found(named(tree, name)), "{text}");
    }
}

#[test]
fn references_follow_a_rename_and_are_written_as_paths_where_a_name_would_mislead() {
    let text = r#"{
  "version": 2,
  "children": [
    {"type": "wait", "name": "A", "duration_s": 1},
    {"type": "goto", "name": "back", "after": "Previous", "target": "A"},
    {"type": "goto", "target": "Nowhere"},
    {"type": "goto", "name": "last", "after": "A"}
  ]
}
"#;
    let mut loaded = open(text);
    assert_eq!(common::report(&loaded), "");
    assert_eq!(model::file::save(loaded.library.main(), &common::catalogue()), text);
    let a = named(loaded.library.main(), "A");
    loaded.library.apply(&model::Edit::Rename { node: a, name: "Previous".into() }).expect("A is there");
    let saved = model::file::save(loaded.library.main(), &common::catalogue());
    assert!(saved.contains(r#""target": "/Previous""#), "{saved}");
    assert!(saved.contains(r#""after": "Previous", "#), "{saved}");
    assert!(saved.contains(r#""after": "/Previous"}"#), "{saved}");
    assert!(saved.contains(r#""target": "Nowhere""#), "{saved}");
}

/// What is left of a reference to a deleted node may find another one when the file is read again; saving then must
/// not change from one time to the next.
#[test]
fn a_reference_whose_node_is_gone_is_saved_the_same_twice() {
    let mut loaded = open(
        r#"{"version": 1, "children": [{"type": "wait", "name": "Previous"}, {"type": "goto", "target": "/Previous"},
            {"type": "sequence", "children": [{"type": "wait", "name": "Previous"}]}]}"#,
    );
    let gone = named(loaded.library.main(), "Previous");
    loaded.library.apply(&model::Edit::Delete { node: gone }).expect("it is there");
    let goto = loaded.library.main().node(loaded.library.main().root).children[0];
    let text = model::NodeRef { id: Some(gone), text: "Previous".into() };
    let value = Some(model::Field::Ref(Box::new(text)));
    loaded
        .library
        .apply(&model::Edit::Set { node: goto, field: "target".into(), value, at: None })
        .expect("it is there");
    let once = model::file::save(loaded.library.main(), &common::catalogue());
    assert_eq!(model::file::save(open(&once).library.main(), &common::catalogue()), once);
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab]",
        Just(String::new()),
        Just("Previous".to_owned()),
        Just("Next".to_owned()),
        "[a/~\\[\\]12]{0,6}",
        "\\PC{0,5}",
    ]
}

/// For each node its name and which earlier node it hangs below.
fn tree() -> impl Strategy<Value = Definition> {
    prop::collection::vec((name(), any::<prop::sample::Index>()), 1..40).prop_map(|nodes| {
        let node = |place: usize, parent: Option<usize>| model::Node {
            id: NodeId(place as u64),
            parent: parent.map(|parent| NodeId(parent as u64)),
            kind: if place % 7 == 3 { "".into() } else { "sequence".into() },
            name: nodes[place].0.as_str().into(),
            notes: "".into(),
            children: Vec::new(),
            fields: model::Fields::default(),
            id_written: false,
        };
        let mut tree = Definition::new("t.json".into(), model::Header::default(), node(0, None));
        for (place, (_, above)) in nodes.iter().enumerate().skip(1) {
            let parent = above.index(place);
            tree.insert_node(node(place, Some(parent)));
            tree.get_mut(NodeId(parent as u64)).expect("inserted before").children.push(NodeId(place as u64));
        }
        tree
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn every_node_is_reached_from_everywhere(tree in tree(), from in any::<prop::sample::Index>(), target in any::<prop::sample::Index>()) {
        let from = NodeId(from.index(tree.len()) as u64);
        let target = NodeId(target.index(tree.len()) as u64);
        let text = reference_text(&tree, from, target);
        prop_assert_eq!(resolve(&tree, from, &text).first(), Some(target), "{}", text);
        let finder = Finder::new(&tree);
        prop_assert_eq!(finder.text(from, target), text);
    }

    #[test]
    fn the_index_finds_what_a_search_finds(tree in tree(), from in any::<prop::sample::Index>(), text in name()) {
        let from = NodeId(from.index(tree.len()) as u64);
        let finder = Finder::new(&tree);
        prop_assert_eq!(finder.find(from, &text), resolve(&tree, from, &text).first());
    }
}
