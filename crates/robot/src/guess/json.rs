//! JSON as a person would set it: what fits a line is on one.

use serde_json::Value;

pub(super) fn text_of(file: &Value) -> String {
    let mut text = String::new();
    set(file, 0, 0, &mut text);
    text.push('\n');
    text
}

fn set(value: &Value, indent: usize, before: usize, text: &mut String) {
    const WIDTH: usize = 118;
    let line = line(value);
    let object = value.as_object().filter(|object| !object.is_empty());
    let Some(object) = object.filter(|_| indent < 2 || indent + before + line.len() > WIDTH) else {
        text.push_str(&line);
        return;
    };
    text.push_str("{\n");
    for (index, (key, inner)) in object.iter().enumerate() {
        let key = format!("{}{}: ", " ".repeat(indent + 2), Value::from(key.as_str()));
        text.push_str(&key);
        set(inner, indent + 2, key.len(), text);
        text.push_str(if index + 1 < object.len() { ",\n" } else { "\n" });
    }
    text.push_str(&" ".repeat(indent));
    text.push('}');
}

fn line(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Array(list) => format!("[{}]", joined(list.iter().map(line).collect())),
        Value::Object(object) => {
            let entry = |(key, inner): (&String, &Value)| format!("{}: {}", Value::from(key.as_str()), line(inner));
            format!("{{{}}}", joined(object.iter().map(entry).collect()))
        }
        other => other.to_string(),
    }
}
