use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Value as Json;

/// Lines are not made longer than this to spare lines.
const WIDTH: usize = 100;

/// JSON for people: two spaces a level, one line for what is short and holds only scalars.
pub(super) struct Writer {
    out: String,
    line_start: usize,
    level: usize,
}

impl Writer {
    pub fn new() -> Writer {
        Writer { out: String::new(), line_start: 0, level: 0 }
    }

    pub fn finish(mut self) -> String {
        self.out.push('\n');
        self.out
    }

    pub fn open(&mut self, bracket: char) {
        self.out.push(bracket);
        self.level += 1;
    }

    pub fn close(&mut self, bracket: char) {
        self.level -= 1;
        self.line();
        self.out.push(bracket);
    }

    /// Begins an entry of a list or object.
    pub fn entry(&mut self, first: bool) {
        if !first {
            self.out.push(',');
        }
        self.line();
    }

    pub fn key(&mut self, key: &str) {
        text(&mut self.out, key);
        self.out.push_str(": ");
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.line_start = self.out.len();
        for _ in 0..self.level {
            self.out.push_str("  ");
        }
    }

    /// Writes `entries` as an object on this line, if they are few and plain enough.
    pub fn object_on_line(&mut self, entries: &[(Cow<'_, str>, Cow<'_, Json>)]) -> bool {
        self.on_line(entries.iter().map(|(_, value)| &**value), |out| {
            out.push('{');
            for (place, (key, value)) in entries.iter().enumerate() {
                out.push_str(if place > 0 { ", " } else { "" });
                text(out, key);
                out.push_str(": ");
                scalar(out, value);
            }
            out.push('}');
        })
    }

    fn on_line<'j>(&mut self, values: impl Iterator<Item = &'j Json>, write: impl FnOnce(&mut String)) -> bool {
        let mut values = values;
        let mut budget = WIDTH;
        // Long ones are found before they are written.
        let plain = values.all(|value| {
            let size = match value {
                Json::Array(_) | Json::Object(_) => return false,
                Json::String(text) => text.len(),
                _ => 1,
            };
            size <= budget && {
                budget -= size;
                true
            }
        });
        if !plain {
            return false;
        }
        let before = self.out.len();
        write(&mut self.out);
        // One column is for the comma that may follow.
        if self.out[self.line_start..].chars().count() < WIDTH {
            return true;
        }
        self.out.truncate(before);
        false
    }

    pub fn json(&mut self, value: &Json) {
        match value {
            Json::Array(items) => self.array(items),
            Json::Object(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|(key, value)| (Cow::from(key.as_str()), Cow::Borrowed(value))).collect();
                self.object(&entries);
            }
            plain => scalar(&mut self.out, plain),
        }
    }

    fn array(&mut self, items: &[Json]) {
        let on_line = self.on_line(items.iter(), |out| {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                out.push_str(if place > 0 { ", " } else { "" });
                scalar(out, item);
            }
            out.push(']');
        });
        if on_line {
            return;
        }
        self.open('[');
        for (place, item) in items.iter().enumerate() {
            self.entry(place == 0);
            self.json(item);
        }
        self.close(']');
    }

    fn object(&mut self, entries: &[(Cow<'_, str>, Cow<'_, Json>)]) {
        if self.object_on_line(entries) {
            return;
        }
        self.open('{');
        for (place, (key, value)) in entries.iter().enumerate() {
            self.entry(place == 0);
            self.key(key);
            self.json(value);
        }
        self.close('}');
    }
}

fn scalar(out: &mut String, value: &Json) {
    // Writing to a String does not fail.
    let _ = write!(out, "{value}");
}

fn text(out: &mut String, text: &str) {
    scalar(out, &Json::from(text));
}
