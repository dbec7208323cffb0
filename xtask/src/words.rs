//! What must not be left behind in a tracked file.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

const MAX_RUST_LINES: usize = 700;

struct Leftover {
    text: &'static str,
    /// Set where the text may be a part of something harmless, as in `mktemp x.XXXXXX` or `tree/root/walk`.
    alone: bool,
    mend: &'static str,
}

const LEFTOVERS: &[Leftover] = &[
    Leftover { text: "todo!(", alone: false, mend: "finish it, or return an error" },
    Leftover { text: "unimplemented!(", alone: false, mend: "finish it, or return an error" },
    Leftover { text: "dbg!(", alone: false, mend: "remove it" },
    Leftover { text: "#[ignore", alone: false, mend: "mend the test or delete it" },
    Leftover { text: "FIXME", alone: true, mend: "mend it, or say in the comment what stays true" },
    Leftover { text: "XXX", alone: true, mend: "mend it, or say in the comment what stays true" },
    Leftover { text: "/root/", alone: true, mend: "use a path relative to the repository" },
    Leftover { text: "/home/", alone: true, mend: "use a path relative to the repository" },
];

pub fn run(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in tracked_files(root)? {
        let file = root.join(&path);
        // Deleted but not yet committed files, links and submodules hold no text of their own.
        if excluded(&path) || !file.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
            continue;
        }
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {path}"))?;
        if let Ok(text) = std::str::from_utf8(&bytes) {
            problems.extend(problems_in(&path, text));
        }
    }
    Ok(problems)
}

pub(crate) fn tracked_files(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        // In a container the checkout often belongs to another user, and git would refuse to list it.
        .args(["-c", &format!("safe.directory={}", root.display()), "ls-files", "-z"])
        .current_dir(root)
        .output()
        .context("cannot run `git ls-files`; is git installed?")?;
    ensure!(output.status.success(), "`git ls-files` failed:\n{}", String::from_utf8_lossy(&output.stderr));
    let paths = String::from_utf8(output.stdout).context("a tracked file has a name that is not UTF-8")?;
    Ok(paths.split_terminator('\0').map(str::to_owned).collect())
}

/// This crate has to spell what it looks for.
fn excluded(path: &str) -> bool {
    path.starts_with("xtask/") || path == "Cargo.lock" || path.ends_with("/Cargo.lock")
}

fn problems_in(path: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let found = LEFTOVERS.iter().filter(|leftover| occurs(leftover, line));
        problems.extend(found.map(|Leftover { text, mend, .. }| format!("{path}:{}: `{text}`: {mend}", index + 1)));
    }
    let lines = text.lines().count();
    if path.ends_with(".rs") && lines > MAX_RUST_LINES {
        problems.push(format!("{path}: {lines} lines, the limit is {MAX_RUST_LINES}: split it by topic"));
    }
    // Without it a new failure is forgotten, and those that were committed are not tried.
    let is_kept = ["failure_persistence", "testing::cases"].iter().any(|how| text.contains(how));
    if path.ends_with(".rs") && text.contains("proptest!") && !is_kept {
        problems.push(format!("{path}: its property tests keep no failure: give `failure_persistence` as others do"));
    }
    problems
}

fn occurs(leftover: &Leftover, line: &str) -> bool {
    line.match_indices(leftover.text).any(|(start, text)| {
        let before = line[..start].chars().next_back();
        let after = line[start + text.len()..].chars().next();
        !leftover.alone
            || (!before.is_some_and(is_word) && (text.ends_with('/') || !after.is_some_and(|c| c.is_alphanumeric())))
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || "_-.}".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str) -> bool {
        !problems_in("a.rs", line).is_empty()
    }

    #[test]
    fn every_leftover_is_found_with_its_place() {
        for leftover in LEFTOVERS {
            let found = problems_in("a/b.rs", &format!("fine\n    {}x) // end\n", spelled(leftover)));
            assert_eq!(found.len(), 1, "{}", leftover.text);
            assert!(found[0].starts_with("a/b.rs:2: "), "{found:?}");
        }
    }

    fn spelled(leftover: &Leftover) -> String {
        if leftover.text.ends_with(|c: char| c.is_alphabetic()) && leftover.alone {
            format!("{}: ", leftover.text)
        } else {
            leftover.text.to_owned()
        }
    }

    #[test]
    fn harmless_neighbours_pass() {
        assert!(!check("mktemp -d coact.XXXXXX"));
        assert!(!check("tree/root/walk and https://example.org/home/page"));
        assert!(!check("ignore this, todo lists are fine"));
    }

    #[test]
    fn home_paths_are_found_in_quotes_and_assignments() {
        assert!(check("\"/home/ada/robot.urdf\""));
        assert!(check("ROBOT=/root/robot.urdf"));
    }

    #[test]
    fn long_rust_files_are_named_and_other_files_may_be_long() {
        let text = "\n".repeat(MAX_RUST_LINES + 1);
        assert_eq!(problems_in("a.rs", &text), ["a.rs: 701 lines, the limit is 700: split it by topic"]);
        assert!(problems_in("a.rs", &text[1..]).is_empty());
        assert!(problems_in("a.json", &text).is_empty());
    }
}
