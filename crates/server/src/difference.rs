//! Where two runs part, in words: what is recorded are facts.

use runlog::Difference;
use serde_json::{Map, Value as Json};

/// All of it, for a person. `at_s`: since the recording began.
pub fn words(difference: &Difference, at_s: f64) -> String {
    let Difference { tick, path, what, was, is, .. } = difference;
    let at = if path.is_empty() { String::new() } else { format!(" at {path}") };
    let what = what.replace('_', " ");
    format!("At {at_s:.2} s, tick {tick}{at}, {what}: before {}, now {}.", told(was), told(is))
}

fn told(value: &Json) -> String {
    match value {
        Json::Null => "nothing".to_owned(),
        Json::String(text) => format!("“{text}”"),
        Json::Bool(_) | Json::Number(_) => value.to_string(),
        Json::Array(list) => list.iter().map(told).collect::<Vec<_>>().join(", "),
        Json::Object(map) => fact(map),
    }
}

/// One that is of a kind is told by what a person would call it, any other by its parts.
fn fact(map: &Map<String, Json>) -> String {
    let text = |key: &str| map.get(key).and_then(Json::as_str).unwrap_or_default();
    let why = || if text("reason").is_empty() { String::new() } else { format!(": {}", text("reason")) };
    match text("is") {
        "started" => format!("{} began", text("path")),
        "ended" => format!("{} ended with {}{}", text("path"), text("result"), why()),
        "held" => format!("{} was held back{}", text("path"), why()),
        "changed" => format!("{} became {}", text("name"), told(map.get("value").unwrap_or(&Json::Null))),
        "log" | "warning" => format!("“{}”", text("text")),
        "" => {
            let parts = map.iter().filter(|(_, value)| !value.is_null());
            parts
                .map(|(key, value)| format!("{} {}", key.replace('_', " "), told(value)))
                .collect::<Vec<_>>()
                .join(", ")
        }
        kind => kind.replace('_', " "),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(what: &str, was: Json, is: Json) -> String {
        let difference = Difference {
            tick: 12,
            time_ns: 0,
            step: None,
            path: "/Try/Grasp".to_owned(),
            what: what.to_owned(),
            was,
            is,
        };
        words(&difference, 1.25)
    }

    #[test]
    fn nothing_of_it_is_json() {
        let ended = json!({"is": "ended", "path": "/Try/Grasp", "result": "failure", "reason": "it slipped", "step": {"node": "n1"}});
        let all = [
            said("ended", ended, Json::Null),
            said("changed count: value", json!(3.0), json!(7.0)),
            said("object_moved", json!({"world_from_object": [1.0, 2.0], "object": "mug"}), json!({"is": "sent"})),
        ];
        assert_eq!(
            all[0],
            "At 1.25 s, tick 12 at /Try/Grasp, ended: before /Try/Grasp ended with failure: it slipped, now nothing."
        );
        assert_eq!(all[1], "At 1.25 s, tick 12 at /Try/Grasp, changed count: value: before 3.0, now 7.0.");
        assert!(all.iter().all(|text| !text.contains(['{', '[', '"', '_'])), "{all:?}");
    }
}
