use serde_json::{Map, Value as Json, json};

/// The files an outline stands for, the main one first.
pub fn to_json(outline: &str) -> Vec<(String, Json)> {
    let mut files: Vec<(String, Vec<&str>)> = vec![("main.json".to_owned(), Vec::new())];
    for line in outline.lines().filter(|line| !line.trim().is_empty()) {
        match line.trim().strip_prefix("--- ") {
            Some(name) => files.push((name.to_owned(), Vec::new())),
            None => files.last_mut().expect("there is a main file").1.push(line),
        }
    }
    files.into_iter().map(|(name, lines)| (name, file(&lines))).collect()
}

fn file(lines: &[&str]) -> Json {
    let (headers, nodes): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| line.trim().starts_with('@'));
    let indent = nodes.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let nodes: Vec<(usize, &str)> =
        nodes.iter().map(|line| ((line.len() - line.trim_start().len() - indent) / 2, line.trim())).collect();
    let mut children = children(&nodes, 0);
    let mut root = match children.len() {
        1 if is_container(&children[0]) => children.remove(0),
        _ => json!({"type": "sequence", "children": children}),
    };
    let object = root.as_object_mut().expect("a node is an object");
    object.insert("version".into(), json!(model::file::VERSIONS.last()));
    for header in headers {
        let (key, value) = header.trim()[1..].split_once(' ').expect("a header has a key and a value");
        object.insert(key.into(), serde_json::from_str(value).expect("a header's value is JSON"));
    }
    root
}

fn is_container(node: &Json) -> bool {
    node["type"] != "skill" && node.get("children").is_some()
}

fn children(lines: &[(usize, &str)], depth: usize) -> Vec<Json> {
    let mut nodes = Vec::new();
    let mut index = 0;
    while index < lines.len() {
        assert_eq!(lines[index].0, depth, "indentation of `{}`", lines[index].1);
        let below = lines[index + 1..].iter().take_while(|line| line.0 > depth).count();
        let mut node = node(lines[index].1);
        if below > 0 {
            node.insert("children".into(), Json::Array(children(&lines[index + 1..=index + below], depth + 1)));
        }
        nodes.push(Json::Object(node));
        index += 1 + below;
    }
    nodes
}

fn node(line: &str) -> Map<String, Json> {
    let mut node = Map::new();
    for (index, word) in words(line).into_iter().enumerate() {
        match word.split_once('=').filter(|_| index > 0) {
            None if index == 0 => _ = node.insert("type".into(), Json::String(word)),
            None => _ = node.insert("name".into(), Json::String(word)),
            Some((key, value)) => {
                let value = value.trim_matches('"');
                let value = serde_json::from_str(value).unwrap_or_else(|_| Json::String(value.to_owned()));
                node.insert(key.to_owned(), value);
            }
        }
    }
    node
}

/// Blanks part words, except inside quotes and brackets.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quoted, mut depth) = (false, 0);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        if letter == ' ' && !quoted && depth == 0 {
            words.push(String::new());
        } else {
            words.last_mut().expect("never empty").push(letter);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
