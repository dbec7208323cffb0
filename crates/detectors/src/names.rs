//! The names of a model's classes.

use std::path::Path;

/// As Ultralytics writes them into a model's metadata, `{0: 'cup', 1: "child's ball"}`, or as JSON: a list, or a map
/// from numbers. None: it is neither, or a number is missing or there twice.
pub fn class_names(text: &str) -> Option<Vec<String>> {
    if let Ok(names) = serde_json::from_str::<Vec<String>>(text) {
        return Some(names);
    }
    let mut rest = text.trim().strip_prefix('{')?.trim_start();
    let mut names: Vec<Option<String>> = Vec::new();
    while !rest.starts_with('}') {
        let (number, behind) = rest.split_once(':')?;
        let index: usize = number.trim().trim_matches(['"', '\'']).parse().ok()?;
        let (name, behind) = quoted(behind.trim_start())?;
        if index >= 100_000 {
            return None;
        }
        if names.len() <= index {
            names.resize(index + 1, None);
        }
        if names[index].replace(name).is_some() {
            return None;
        }
        let behind = behind.trim_start();
        rest = behind.strip_prefix(',').unwrap_or(behind).trim_start();
        if rest.len() == behind.len() && !rest.starts_with('}') {
            return None;
        }
    }
    (rest.trim_end() == "}").then(|| names.into_iter().collect())?
}

/// A text in either kind of quotes, and what is behind it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut letters = text.char_indices();
    let (_, quote) = letters.next().filter(|(_, letter)| ['"', '\''].contains(letter))?;
    let mut name = String::new();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => name.push(letters.next()?.1),
            _ if letter == quote => return Some((name, &text[at + 1..])),
            _ => name.push(letter),
        }
    }
    None
}

/// From the file beside a model; None where there is none.
pub fn read_names(file: &Path) -> Option<Result<Vec<String>, String>> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => return Some(Err(format!("cannot read {}: {error}", file.display()))),
    };
    Some(class_names(&text).ok_or_else(|| format!("{} is not a list of names", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_python_and_as_json_write_them() {
        let names = Some(vec!["cup".to_owned(), "child's ball".to_owned()]);
        assert_eq!(class_names(r#"{0: 'cup', 1: "child's ball"}"#), names);
        assert_eq!(class_names(r"{1: 'child\'s ball', 0: 'cup', }"), names);
        assert_eq!(class_names(r#"["cup", "child's ball"]"#), names);
        assert_eq!(class_names(r#" {"0": "cup", "1": "child's ball"} "#), names);
        assert_eq!(class_names("{}"), Some(vec![]));
    }

    #[test]
    fn anything_else_is_no_list_of_names() {
        for text in [
            "",
            "cup",
            "{0: 'cup'",
            "{0: cup}",
            "{1: 'cup'}",
            "{0: 'a', 0: 'b'}",
            "{0: 'a' 1: 'b'}",
            "{-1: 'a'}",
            "{0: 'a'} x",
        ] {
            assert_eq!(class_names(text), None, "{text}");
        }
    }
}
