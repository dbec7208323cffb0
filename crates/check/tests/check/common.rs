use std::sync::Arc;

use check::Options;
use expect_test::Expect;
use model::Problem;
use model::file::MemoryFiles;

/// The problems of an outline, as people see them.
#[track_caller]
pub fn problems(outline: &str, expected: Expect) {
    expected.assert_eq(&text(&found(outline, &[], &Options::default())));
}

pub fn found(outline: &str, world: &[&str], options: &Options) -> Vec<Problem> {
    let files = testkit::to_json(outline);
    let mut memory = MemoryFiles::default();
    for (name, json) in &files {
        memory.insert(name, json.to_string());
    }
    let registry = testkit::registry();
    let loaded = model::file::load(&files[0].0, &memory, registry.catalogue()).expect("an outline makes a file");
    let world: Vec<Arc<str>> = world.iter().map(|name| Arc::from(*name)).collect();
    check::check(&loaded, &registry, &world, options)
}

pub fn text(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("{problem}\n")).collect()
}
