//! Every `$ coact …` line in the documentation is run.

mod common;

use std::path::{Path, PathBuf};

use common::{coact, folder, root};

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

/// A test draws beside the pages, not into them: the picture that the page shows, and the one that is drawn now.
fn picture_elsewhere(words: &mut [String]) -> Option<(PathBuf, PathBuf)> {
    let word = words.iter_mut().skip_while(|word| *word != "--svg").nth(1)?;
    let drawn = folder("docs-pictures").join("drawn.svg");
    let shown = root().join(std::mem::replace(word, drawn.to_str().expect("UTF-8").to_owned()));
    Some((shown, drawn))
}

/// Timelines end a little earlier or later on another machine; trees are the same everywhere. `UPDATE_EXPECT=1` takes both
/// as they are now.
fn compare(shown: &Path, drawn: &Path, is_tree: bool) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::copy(drawn, shown).expect("a picture of a page");
    }
    let text =
        |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (shown_text, drawn) = (text(shown), text(drawn));
    assert!(!is_tree || shown_text == drawn, "{} is not as its tree is now", shown.display());
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("ARCHITECTURE.md")];
    for folder in ["docs", "docs/behaviors"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("a folder of pages");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        pages.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "md")));
    }
    pages
}

#[test]
fn every_command_in_the_documentation_works() {
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for (mut words, code) in commands(&text) {
            if words.iter().any(|word| word == "--world") && !cfg!(feature = "mujoco") {
                continue;
            }
            let picture = picture_elsewhere(&mut words);
            let ran = coact(&words.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(ran.code, code, "{}: coact {}\n{}{}", page.display(), words.join(" "), ran.out, ran.err);
            if let Some((shown, drawn)) = picture {
                compare(&shown, &drawn, words[0] == "show");
            }
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} commands found");
}

/// A link to a page that is gone helps nobody.
#[test]
fn every_link_between_pages_leads_somewhere() {
    for path in pages() {
        let page = path.display();
        let text = std::fs::read_to_string(&path).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            assert!(path.parent().expect("a folder").join(target).exists(), "{page} links to {target}");
        }
    }
}
