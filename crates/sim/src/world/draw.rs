//! Values that differ from run to run: a range or a list in the file, one value for each seed.

use model::Random;
use serde_json::{Map, Number, Value};

/// What is taken of each range.
#[derive(Clone, Copy, Debug)]
pub(super) enum Pick {
    Seed(u64),
    Lowest,
    Highest,
    /// The last where a list is shorter.
    Item(usize),
}

/// Every range below the value is replaced; where null is drawn, the key is left out. What is drawn depends on the seed and on its own place in the file alone:
/// an object more does not change the others.
pub(super) fn draw(value: &Value, path: &str, pick: Pick) -> Value {
    match value {
        Value::Object(map) => match taken(map, path, pick) {
            Some(drawn) => drawn,
            None => {
                let drawn = map.iter().map(|(key, value)| {
                    let drawn = draw(value, &robot::reader::join(path, key), pick);
                    (key.clone(), drawn, value.is_null())
                });
                let kept = drawn.filter(|(_, drawn, was_null)| !drawn.is_null() || *was_null);
                Value::Object(kept.map(|(key, drawn, _)| (key, drawn)).collect())
            }
        },
        Value::Array(items) => {
            let drawn = |(index, item)| draw(item, &format!("{path}[{index}]"), pick);
            Value::Array(items.iter().enumerate().map(drawn).collect())
        }
        other => other.clone(),
    }
}

/// None: it is no range, or a broken one, which whoever reads the value will tell.
fn taken(map: &Map<String, Value>, path: &str, pick: Pick) -> Option<Value> {
    if let (1, Some(Value::Array(items))) = (map.len(), map.get("any")) {
        let last = items.len().checked_sub(1)?;
        let index = match pick {
            Pick::Seed(seed) => ((Random::of_stream(seed, path).share() * items.len() as f64) as usize).min(last),
            Pick::Lowest => 0,
            Pick::Highest => last,
            Pick::Item(item) => item.min(last),
        };
        return Some(draw(&items[index], path, pick));
    }
    let (from, to) = ends(map)?;
    let at = match pick {
        Pick::Seed(seed) => Random::of_stream(seed, path).share(),
        Pick::Lowest | Pick::Item(_) => 0.0,
        Pick::Highest => 1.0,
    };
    Number::from_f64(from + (to - from) * at).map(Value::Number)
}

fn ends(map: &Map<String, Value>) -> Option<(f64, f64)> {
    let end = |key| map.get(key).and_then(Value::as_f64);
    (map.len() == 2).then_some(())?;
    end("from").zip(end("to")).filter(|(from, to)| from <= to)
}

/// The longest list of choices below the value.
pub(super) fn most_choices(value: &Value) -> usize {
    match value {
        Value::Object(map) => {
            let own = map.get("any").and_then(Value::as_array).map_or(0, Vec::len);
            map.values().map(most_choices).fold(own, usize::max)
        }
        Value::Array(items) => items.iter().map(most_choices).max().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_value_for_each_seed_within_its_range() {
        let file = json!({"a": {"from": 1.0, "to": 2.0}, "b": {"any": ["x", {"from": 5, "to": 6}]}});
        let mut words = 0;
        for seed in 0..200 {
            let drawn = draw(&file, "", Pick::Seed(seed));
            assert_eq!(drawn, draw(&file, "", Pick::Seed(seed)));
            assert!((1.0..2.0).contains(&drawn["a"].as_f64().expect("a number")));
            words += usize::from(drawn["b"] == "x");
        }
        assert!((70..130).contains(&words), "{words} of 200");
        assert_ne!(draw(&file, "", Pick::Seed(1)), draw(&file, "", Pick::Seed(2)));
    }

    #[test]
    fn null_among_the_choices_leaves_the_key_out() {
        let file = json!({"closer": {"any": [null, {"torque_nm": 5}]}, "latch": null});
        let without = (0..200).filter(|seed| draw(&file, "", Pick::Seed(*seed)).get("closer").is_none()).count();
        assert!((70..130).contains(&without), "{without} of 200");
        assert_eq!(draw(&file, "", Pick::Lowest), json!({"latch": null}));
    }

    #[test]
    fn broken_ranges_stay_as_they_are() {
        for broken in
            [json!({"from": 2, "to": 1}), json!({"any": []}), json!({"from": 1}), json!({"from": "a", "to": 2})]
        {
            assert_eq!(draw(&broken, "", Pick::Seed(1)), broken);
        }
    }
}
