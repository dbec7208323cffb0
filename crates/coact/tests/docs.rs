//! Every `$ coact …` line in the documentation is run.

mod common;

use common::{coact, root};

/// The lines of console blocks that begin with `$ coact`, with the exit code that a comment announces.
fn commands(text: &str) -> Vec<(Vec<String>, i32)> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(line) = line.strip_prefix("$ coact ").filter(|_| inside) {
            let (line, comment) = line.split_once(" # ").unwrap_or((line, ""));
            let code = comment.trim().strip_prefix("exits ").map_or(0, |code| code.parse().expect("a number"));
            found.push((words(line), code));
        }
    }
    found
}

/// Blanks part words, except inside single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            letter => words.last_mut().expect("never empty").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn every_command_in_the_documentation_works() {
    let mut pages = vec![root().join("README.md")];
    for folder in ["docs", "docs/behaviors"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder of pages");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        pages.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "md")));
    }
    let mut count = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        for (words, code) in commands(&text) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            if words.contains(&"--world") && !cfg!(feature = "mujoco") {
                continue;
            }
            let ran = coact(&words);
            assert_eq!(ran.code, code, "{}: coact {}\n{}{}", page.display(), words.join(" "), ran.out, ran.err);
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} commands found");
}

/// A link to a page that is gone helps nobody.
#[test]
fn every_link_between_pages_leads_somewhere() {
    for page in [
        "README.md",
        "ARCHITECTURE.md",
        "docs/api.md",
        "docs/behaviors.md",
        "docs/cells.md",
        "docs/detectors.md",
        "docs/expressions.md",
        "docs/operator.md",
        "docs/robot-behaviors.md",
        "docs/robots.md",
        "docs/running.md",
        "docs/scene.md",
        "docs/nodes.md",
        "docs/trials.md",
        "docs/worlds.md",
    ] {
        let path = root().join(page);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            assert!(path.parent().expect("a folder").join(target).exists(), "{page} links to {target}");
        }
    }
}
