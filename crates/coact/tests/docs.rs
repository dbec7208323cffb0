//! Every `$ coact …` line in the documentation is run.

use crate::common;

use std::path::{Path, PathBuf};

use common::{coact, file, folder, pages, root};

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

/// Trees are the same everywhere. Timelines end a little earlier or later on another machine.
fn compare(shown: &Path, drawn: &Path) {
    let text =
        |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(text(shown) == text(drawn), "{} is not as its tree is now: ./dev pictures", shown.display());
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
            let is_elsewhere = |word: &String| word.starts_with("third_party/") && !root().join(word).exists();
            if words.iter().any(is_elsewhere) {
                eprintln!("SKIPPED: coact {}: `./dev robots` gets what it needs", words.join(" "));
                continue;
            }
            let picture = picture_elsewhere(&mut words);
            let ran = coact(&words.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(ran.code, code, "{}: coact {}\n{}{}", page.display(), words.join(" "), ran.out, ran.err);
            if let Some((shown, drawn)) = picture.filter(|_| words[0] == "show") {
                compare(&shown, &drawn);
            }
            count += 1;
        }
    }
    assert!(count >= 10, "only {count} commands found");
}

/// What a newcomer copies from the page must work as it stands there.
#[test]
fn the_behavior_to_copy_runs() {
    let page = std::fs::read_to_string(root().join("docs/start.md")).expect("docs/start.md");
    let (_, rest) = page.split_once("```json\n").expect("a behavior");
    let (text, _) = rest.split_once("```").expect("the end of the behavior");
    let mine = file("docs-mine", text);
    for verb in ["check", "run"] {
        let ran = coact(&[verb, &mine]);
        assert_eq!(ran.code, 0, "{verb}: {}{}", ran.out, ran.err);
    }
}
