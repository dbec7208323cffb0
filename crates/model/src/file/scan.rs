use crate::{Problem, Severity};

/// Lists and objects may lie in each other this deep. Reading is recursive: without a limit a file of brackets ends
/// the program by stack overflow.
pub const MAX_LEVELS: usize = 512;

/// The largest file that is read.
pub const MAX_BYTES: usize = 64 << 20;

/// What can be said of a text before it is read as JSON.
pub(super) fn scan(file: &str, text: &str) -> Result<(), Problem> {
    if text.len() > MAX_BYTES {
        return Err(too_large(file, text.len() as u64));
    }
    if !text.trim_start().starts_with('{') {
        return Err(Problem::in_file(
            Severity::Error,
            file,
            "a behavior file is one JSON object, and this is none",
            r#"write an object: {"version": 1, "name": "…", "children": […]}"#,
        ));
    }
    match too_deep(text.as_bytes()) {
        None => Ok(()),
        Some(at) => {
            let (line, column) = place(text, at);
            Err(Problem::in_file(
                Severity::Error,
                file,
                format!("line {line}, column {column}: lists and objects nested more than {MAX_LEVELS} deep"),
                "move inner parts of the tree to skill files of their own",
            ))
        }
    }
}

pub(super) fn too_large(file: &str, bytes: u64) -> Problem {
    let (is, most) = (bytes >> 20, MAX_BYTES >> 20);
    Problem::in_file(
        Severity::Error,
        file,
        format!("the file is too large: {is} MB, at most {most} MB are read"),
        "move parts of the tree to skill files of their own",
    )
}

pub(super) fn not_json(file: &str, error: &serde_json::Error) -> Problem {
    let (line, column) = (error.line(), error.column());
    let whole = error.to_string();
    let what = whole.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&whole);
    Problem::in_file(
        Severity::Error,
        file,
        format!("line {line}, column {column}: {what}"),
        "the text is no valid JSON; mend it at this place",
    )
}

/// Where the nesting first goes too deep. Brackets inside texts do not count.
fn too_deep(text: &[u8]) -> Option<usize> {
    let mut level = 0_usize;
    let mut quoted = false;
    let mut at = 0;
    while at < text.len() {
        match (quoted, text[at]) {
            (true, b'\\') => at += 1,
            (_, b'"') => quoted = !quoted,
            (false, b'{' | b'[') => {
                level += 1;
                if level > MAX_LEVELS {
                    return Some(at);
                }
            }
            (false, b'}' | b']') => level = level.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}

fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    (line, before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1)
}
