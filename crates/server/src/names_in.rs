//! Names of files in other files: who uses one, and what a file says when it or what it uses has another place.

use model::file::{join, relative};
use serde_json::Value as Json;

/// Keys whose value is the name of another file, seen from the folder of this one.
const NAMING: [&str; 2] = ["file", "cell"];

/// A node in it, or in what is below it, uses the file.
pub(crate) fn uses(text: &str, from: &str, file: &str) -> bool {
    let Ok(mut json) = serde_json::from_str::<Json>(text) else { return false };
    let mut is_used = false;
    each_name(&mut json, |_, name| {
        is_used |= join(from, name) == file;
        None
    });
    is_used
}

/// What a file says after `old` was renamed to `new`; it is at `from` and will be at `to`. None: the same as before. Only
/// names change: the rest stays as somebody wrote it.
pub(crate) fn renamed(text: &str, (from, to): (&str, &str), (old, new): (&str, &str)) -> Option<String> {
    let mut json = serde_json::from_str::<Json>(text).ok()?;
    let mut changes: Vec<(&'static str, String, String)> = Vec::new();
    each_name(&mut json, |key, name| {
        let meant = join(from, name);
        let wanted = if meant == old { new } else { &*meant };
        let other = (join(to, name) != wanted).then(|| relative(to, wanted))?;
        changes.push((key, name.to_owned(), other.clone()));
        Some(other)
    });
    if changes.is_empty() {
        return None;
    }
    changes.sort();
    changes.dedup();
    let written = changes.iter().fold(text.to_owned(), |text, (key, name, other)| put(&text, key, (name, other)));
    let is_meant = serde_json::from_str::<Json>(&written).is_ok_and(|written| written == json);
    // A name may be written in other ways, as with \u0061 in it.
    if is_meant { Some(written) } else { serde_json::to_string_pretty(&json).ok() }
}

/// Shows each name to somebody who may give another one for it.
fn each_name(json: &mut Json, mut change: impl FnMut(&'static str, &str) -> Option<String>) {
    // Not by calls within calls: a tree may be very deep.
    let mut left = vec![json];
    while let Some(node) = left.pop() {
        for (key, value) in node.as_object_mut().into_iter().flatten() {
            if let Some(key) = NAMING.iter().find(|naming| key == *naming) {
                if let Some(other) = value.as_str().and_then(|name| change(key, name)) {
                    *value = other.into();
                }
            } else if key == "children" {
                left.extend(value.as_array_mut().into_iter().flatten());
            }
        }
    }
}

fn put(text: &str, key: &str, (name, other): (&str, &str)) -> String {
    let quoted = |text: &str| Json::from(text).to_string();
    let (key, name, other) = (quoted(key), quoted(name), quoted(other));
    let (mut done, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(&key) {
        let (before, after) = rest.split_at(at + key.len());
        done.push_str(before);
        let value = after.trim_start().strip_prefix(':').map_or(after, str::trim_start);
        rest = after;
        if let Some(tail) = value.strip_prefix(&*name) {
            done.push_str(&after[..after.len() - value.len()]);
            done.push_str(&other);
            rest = tail;
        }
    }
    done.push_str(rest);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_change_and_the_rest_stays_as_it_was_written() {
        let text = r#"{ "cell":"cells/a.json",
  "children": [{"type": "skill", "file": "nod.json", "name": "nod.json"},
    {"type":"sequence","children":[{"type":"skill","file" : "./nod.json"}, {"type":"skill","file":"bow.json"}]}] }"#;
        let other = renamed(text, ("main.json", "main.json"), ("nod.json", "low/nod.json")).unwrap();
        let wanted = text
            .replace(r#""file": "nod.json""#, r#""file": "low/nod.json""#)
            .replace(r#""file" : "./nod.json""#, r#""file" : "low/nod.json""#);
        assert_eq!(other, wanted);
        assert_eq!(renamed(text, ("main.json", "main.json"), ("tilt.json", "x.json")), None);
        assert!(uses(text, "main.json", "cells/a.json") && !uses(text, "main.json", "a.json"));
    }

    #[test]
    fn what_a_file_uses_it_finds_from_its_new_place() {
        let text = r#"{"children": [{"type": "skill", "file": "nod.json"}, {"type": "skill", "file": "self.json"}]}"#;
        let other = renamed(text, ("self.json", "low/me.json"), ("self.json", "low/me.json")).unwrap();
        assert_eq!(
            other,
            r#"{"children": [{"type": "skill", "file": "../nod.json"}, {"type": "skill", "file": "me.json"}]}"#
        );
    }

    #[test]
    fn a_name_that_is_written_in_another_way_is_changed_too() {
        let text = r#"{"children": [{"type": "skill", "file": "\u006eod.json"}]}"#;
        let other = renamed(text, ("main.json", "main.json"), ("nod.json", "bow.json")).unwrap();
        assert!(uses(&other, "main.json", "bow.json") && !uses(&other, "main.json", "nod.json"));
    }
}
