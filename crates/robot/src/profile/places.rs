//! On which line each key of a JSON file is: the parser of values does not keep them.

use std::collections::BTreeMap;

use crate::reader::join;

/// Lines, from 1, by key path: `parts.left_arm.joints[2]`.
#[derive(Clone, Debug, Default)]
pub struct Places {
    lines: BTreeMap<String, u32>,
    /// Paths that are there twice.
    pub twice: Vec<String>,
}

struct Open {
    path: String,
    /// None in an object.
    next: Option<usize>,
}

impl Places {
    /// The text is JSON; of what is not, no more is asked than to come to an end.
    pub fn of(text: &str) -> Places {
        let mut places = Places::default();
        let mut open: Vec<Open> = Vec::new();
        let mut key: Option<String> = None;
        let mut line = 1;
        let mut letters = text.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\n' => line += 1,
                '"' => {
                    let end = end_of_text(&mut letters).unwrap_or(text.len());
                    let is_key = open.last().is_some_and(|open| open.next.is_none()) && key.is_none();
                    if is_key {
                        key = Some(serde_json::from_str(&text[at..end]).unwrap_or_default());
                        places.add(&path(&open, key.as_deref()), line);
                    } else {
                        places.add_item(&open, line);
                    }
                }
                '{' | '[' => {
                    places.add_item(&open, line);
                    let path = path(&open, key.take().as_deref());
                    open.push(Open { path, next: (letter == '[').then_some(0) });
                }
                '}' | ']' => {
                    open.pop();
                    key = None;
                }
                ',' => {
                    key = None;
                    if let Some(next) = open.last_mut().and_then(|open| open.next.as_mut()) {
                        *next += 1;
                    }
                }
                _ if letter.is_whitespace() || letter == ':' => {}
                _ => places.add_item(&open, line),
            }
        }
        places
    }

    /// Of the path, or of the nearest one around it; 1 without any.
    pub fn line(&self, path: &str) -> u32 {
        let mut path = path;
        loop {
            if let Some(line) = self.lines.get(path) {
                return *line;
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return 1,
            }
        }
    }

    fn add(&mut self, path: &str, line: u32) {
        if self.lines.insert(path.to_owned(), line).is_some() {
            self.twice.push(path.to_owned());
        }
    }

    fn add_item(&mut self, open: &[Open], line: u32) {
        if open.last().is_some_and(|open| open.next.is_some()) {
            self.lines.insert(path(open, None), line);
        }
    }
}

fn path(open: &[Open], key: Option<&str>) -> String {
    let Some(last) = open.last() else { return String::new() };
    match (last.next, key) {
        (Some(next), _) => format!("{}[{next}]", last.path),
        (None, Some(key)) => join(&last.path, key),
        (None, None) => last.path.clone(),
    }
}

/// Behind the closing quote.
fn end_of_text(letters: &mut std::str::CharIndices) -> Option<usize> {
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_keys_and_items() {
        let places =
            Places::of("{\n\"a\": {\"b\\\"\": 1,\n\"c\": [1,\n{\"d\": \"x, y\"},\n\"e\"]},\n\"f\": 2, \"f\": 3}");
        let line = |path| places.line(path);
        assert_eq!([line("a"), line("a.b\""), line("a.c"), line("a.c[1]"), line("a.c[1].d")], [2, 2, 3, 4, 4]);
        assert_eq!([line("a.c[2]"), line("f"), line("a.gone"), line("gone")], [5, 6, 2, 1]);
        assert_eq!(places.twice, ["f"]);
    }
}
