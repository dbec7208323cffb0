//! A world with another one's values over its own.

use serde_json::{Map, Value};

/// `with` has the form of a world file. Null removes; objects are found by name, and those that are new are added, as
/// are all disturbances and all that is expected.
pub(super) fn merge(world: &Value, with: &Value) -> Value {
    let (Value::Object(world), Value::Object(with)) = (world, with) else { return with.clone() };
    let mut merged = world.clone();
    for (key, value) in with {
        let whole = match (key.as_str(), merged.get(key), value) {
            ("objects", Some(Value::Array(old)), Value::Array(new)) => objects(old, new),
            ("disturbances" | "expect", Some(Value::Array(old)), Value::Array(new)) => {
                Value::Array(old.iter().chain(new).cloned().collect())
            }
            ("robot", Some(Value::Object(old)), Value::Object(new)) => robot(old, new),
            (_, Some(old), new) => patched(old, new),
            (_, None, new) => without_nulls(new),
        };
        put(&mut merged, key, whole);
    }
    Value::Object(merged)
}

/// A start is at a pose or before an object: the new one replaces the other kind.
fn robot(old: &Map<String, Value>, new: &Map<String, Value>) -> Value {
    let mut old = old.clone();
    if new.contains_key("before") {
        old.shift_remove("at");
    } else if new.contains_key("at") {
        ["before", "away_m", "bearing_deg", "turned_deg"].iter().for_each(|key| drop(old.shift_remove(*key)));
    }
    patched(&Value::Object(old), &Value::Object(new.clone()))
}

fn objects(old: &[Value], new: &[Value]) -> Value {
    let name = |object: &Value| object.get("name").or(object.get("type")).cloned();
    let mut merged = old.to_vec();
    for object in new {
        match merged.iter().position(|other| name(other) == name(object)) {
            Some(place) => merged[place] = patched(&merged[place], object),
            None => merged.push(without_nulls(object)),
        }
    }
    Value::Array(merged)
}

fn patched(old: &Value, new: &Value) -> Value {
    match (old, new) {
        (Value::Object(old), Value::Object(changes)) if !is_range(old) && !is_range(changes) => {
            let mut merged = old.clone();
            for (key, value) in changes {
                let value = merged.get(key).map_or_else(|| without_nulls(value), |old| patched(old, value));
                put(&mut merged, key, value);
            }
            Value::Object(merged)
        }
        (_, new) => without_nulls(new),
    }
}

fn put(map: &mut Map<String, Value>, key: &str, value: Value) {
    if value.is_null() {
        map.shift_remove(key);
    } else {
        map.insert(key.to_owned(), value);
    }
}

/// Not inside of ranges, where null is a choice.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(map) if !is_range(map) => {
            let kept = map.iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key.clone(), without_nulls(value))).collect())
        }
        other => other.clone(),
    }
}

fn is_range(map: &Map<String, Value>) -> bool {
    map.contains_key("any") || map.contains_key("from") || map.contains_key("to")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_replaces_and_the_rest_stays() {
        let world = json!({
            "version": 1,
            "robot": {"at": {"x_m": 1}, "preset": "ready"},
            "objects": [{"type": "door", "hinge": "left", "closer": {"torque_nm": {"from": 1, "to": 2}}, "at": {"x_m": 2}}],
            "disturbances": [{"at_s": 1}]
        });
        let with = json!({
            "robot": {"before": "door"},
            "objects": [
                {"name": "door", "hinge": "right", "closer": {"torque_nm": {"any": [5, 6]}}, "at": {"y_m": 3}},
                {"type": "ball", "colour": null}
            ],
            "disturbances": [{"at_s": 2}],
            "expect": [{"through": "door"}]
        });
        let merged = merge(&world, &with);
        assert_eq!(merged["robot"], json!({"preset": "ready", "before": "door"}));
        assert_eq!(
            merged["objects"],
            json!([
                {"type": "door", "hinge": "right", "closer": {"torque_nm": {"any": [5, 6]}}, "at": {"x_m": 2, "y_m": 3},
                 "name": "door"},
                {"type": "ball"}
            ])
        );
        assert_eq!(merged["disturbances"], json!([{"at_s": 1}, {"at_s": 2}]));
        assert_eq!(merged["expect"], json!([{"through": "door"}]));
    }

    #[test]
    fn null_removes_and_is_a_choice_in_a_range() {
        let world = json!({"objects": [{"type": "door", "closer": {"torque_nm": 1}}], "floor": {"friction": 1}});
        let merged = merge(&world, &json!({"objects": [{"type": "door", "closer": null}], "floor": null}));
        assert_eq!(merged, json!({"objects": [{"type": "door"}]}));
        let choice = json!({"any": [null, {"torque_nm": 2}]});
        let merged = merge(&world, &json!({"objects": [{"type": "door", "closer": choice}]}));
        assert_eq!(merged["objects"][0]["closer"], choice);
    }
}
