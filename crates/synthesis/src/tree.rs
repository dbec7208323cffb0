//! The behavior as a tree of ours.

use model::file::join;
use model::{Field, Fields, NodeId, Subtree};
use serde_json::{Map, Value as Json, json};

use crate::{Ability, Capabilities, Plan, Proof, Request};

/// A sequence named by its goals, each step by what it activates. The request and the proof stand in its notes. `folder`
/// leads from the file the tree will stand in to that of the capabilities.
pub fn tree(capabilities: &Capabilities, request: &Request, plan: &Plan, folder: &str) -> Subtree {
    let steps = plan.activations.iter().filter_map(|each| {
        let ability = capabilities.ability(&each.name)?;
        Some(step(&each.name, ability, request.retry, folder))
    });
    let mut root = node("sequence", &format!("Achieve: {}", request.goals.join(", ")), "", Map::new());
    root.children = steps.collect();
    let proof = crate::prove(capabilities, request, &root);
    root.notes = notes(request, proof.as_ref().ok()).into();
    number(&mut root, &mut Vec::new());
    root
}

/// Read again to synthesise again.
fn notes(request: &Request, proof: Option<&Proof>) -> String {
    let written = serde_json::to_string(request).unwrap_or_default();
    match proof {
        Some(proof) => format!("{written}\n{proof}"),
        None => written,
    }
}

/// What does it; where outcomes decide, followed by a look at its outcome.
fn step(name: &str, ability: &Ability, retry: u32, folder: &str) -> Subtree {
    let mut fields = ability.step.clone().unwrap_or_default();
    let kind = fields.shift_remove("type").and_then(|kind| kind.as_str().map(str::to_owned));
    let notes = fields.shift_remove("notes").and_then(|notes| notes.as_str().map(str::to_owned));
    fields.shift_remove("name");
    if let Some(Json::String(file)) = fields.get("file") {
        let seen = Json::String(join(folder, file));
        fields.insert("file".into(), seen);
    }
    for (key, own) in [("inputs", &ability.takes), ("outputs", &ability.gives)] {
        if !own.is_empty() {
            fields.insert(key.into(), Json::Object(own.clone()));
        }
    }
    let notes = notes.filter(|notes| !notes.is_empty()).unwrap_or_else(|| ability.notes.clone());
    // What has no step yet is stood in for: the tree still runs, and shows what is missing.
    let kind = kind.unwrap_or_else(|| "stand_in".to_owned());
    let Some(judged) = judged(name, ability) else {
        common(&mut fields, ability, retry);
        return node(&kind, name, &notes, fields);
    };
    let mut whole = Map::new();
    common(&mut whole, ability, retry);
    let mut sequence = node("sequence", name, &notes, whole);
    sequence.children = vec![node(&kind, &format!("{name}: do"), "", fields), judged];
    sequence
}

fn common(fields: &mut Map<String, Json>, ability: &Ability, retry: u32) {
    if retry > 0 {
        fields.insert("retry".into(), json!(retry));
    }
    if ability.autonomy != model::Autonomy::Off {
        fields.insert("autonomy".into(), json!(ability.autonomy));
    }
}

/// A condition on the outcome of the step.
fn judged(name: &str, ability: &Ability) -> Option<Subtree> {
    if ability.completes.is_empty() && ability.fails.is_empty() {
        return None;
    }
    let outcome = format!("outcome('{name}: do')");
    let list = |names: &[String]| Json::from(names.to_vec()).to_string().replace('"', "'");
    let condition = if ability.completes.is_empty() {
        format!("!({outcome} in {})", list(&ability.fails))
    } else {
        format!("{outcome} in {}", list(&ability.completes))
    };
    let fields = Map::from_iter([("condition".to_owned(), Json::String(condition))]);
    Some(node("condition", &format!("{name}: completed"), "", fields))
}

fn node(kind: &str, name: &str, notes: &str, fields: Map<String, Json>) -> Subtree {
    let mut own = Fields::default();
    fields.into_iter().for_each(|(key, value)| own.push(key.into(), Field::from_json(value)));
    Subtree {
        id: NodeId(0),
        kind: kind.into(),
        name: name.into(),
        notes: notes.into(),
        fields: own,
        id_written: false,
        children: Vec::new(),
    }
}

fn number(node: &mut Subtree, position: &mut Vec<usize>) {
    node.id = NodeId::from_position(&node.name, position);
    for (place, child) in node.children.iter_mut().enumerate() {
        position.push(place);
        number(child, position);
        position.pop();
    }
}
