//! The behavior as a tree of ours.

use model::file::join;
use model::{Definition, Field, Fields, Header, Node, NodeId, Subtree};
use serde_json::{Map, Value as Json, json};

use crate::gr1::Strategy;
use crate::{Ability, Capabilities, Plan, Proof, Request};

/// A sequence named by its goals, each step by what it activates. The request and the proof stand in its notes. `seen` is
/// the capabilities file, from the folder of the one that the tree will stand in.
pub fn tree(capabilities: &Capabilities, request: &Request, plan: &Plan, seen: &str) -> Subtree {
    let steps = plan.activations.iter().filter_map(|each| {
        let ability = capabilities.ability(&each.name)?;
        Some(step(&each.name, ability, request.retry, seen))
    });
    let mut root = node("sequence", &format!("Achieve: {}", request.goals.join(", ")), "", Map::new());
    root.children = steps.collect();
    let proof = crate::prove(capabilities, request, &root);
    root.notes = notes(request, proof.as_ref().ok()).into();
    number(&mut root, &mut Vec::new());
    root
}

/// The same of a strategy: behind a step for which it matters what is sensed, a case for each that leads elsewhere.
pub fn strategy_tree(capabilities: &Capabilities, request: &Request, strategy: &Strategy, seen: &str) -> Subtree {
    let writer = Writer { capabilities, request, strategy, seen };
    let mut root = node("sequence", &format!("Achieve: {}", request.goals.join(", ")), "", Map::new());
    writer.behind(0, &mut root.children);
    let proof = crate::prove_strategy(capabilities, request, strategy);
    root.notes = notes(request, proof.as_ref().ok()).into();
    number(&mut root, &mut Vec::new());
    root
}

struct Writer<'a> {
    capabilities: &'a Capabilities,
    request: &'a Request,
    strategy: &'a Strategy,
    seen: &'a str,
}

impl Writer<'_> {
    fn behind(&self, place: usize, steps: &mut Vec<Subtree>) {
        let does = self.strategy.places[place].does.as_deref();
        if let Some((name, ability)) = does.and_then(|name| Some((name, self.capabilities.ability(name)?))) {
            steps.push(step(name, ability, self.request.retry, self.seen));
        }
        let next = self.strategy.next(place);
        if self.strategy.waits(place) {
            let (sensed, condition) = self.any_of(place, &next);
            let fields = Map::from_iter([("condition".to_owned(), Json::String(condition))]);
            steps.push(node("wait_until", &format!("Wait: {sensed}"), "", fields));
        }
        match next[..] {
            [] => {}
            [only] => self.behind(only, steps),
            _ => {
                let fields = Map::from_iter([("if_none".to_owned(), json!("failure"))]);
                let mut choose = node("choose", "What is sensed", "", fields);
                choose.children = next.iter().map(|to| self.case(place, *to)).collect();
                steps.push(choose);
            }
        }
    }

    fn case(&self, from: usize, to: usize) -> Subtree {
        let (sensed, condition) = self.any_of(from, &[to]);
        let mut case = node("sequence", &sensed, "", Map::from_iter([("when".to_owned(), Json::String(condition))]));
        self.behind(to, &mut case.children);
        case
    }

    /// What is sensed where a place leads to one of these: for people, and as a condition.
    fn any_of(&self, from: usize, to: &[usize]) -> (String, String) {
        let rows: Vec<&[bool]> = to.iter().flat_map(|to| self.strategy.sensed(from, *to)).collect();
        let all = |say: &dyn Fn(&str, bool) -> String, and: &str, or: &str| {
            let row = |row: &&[bool]| {
                let each = self.strategy.sensors.iter().zip(*row).map(|(sensor, value)| say(sensor, *value));
                each.collect::<Vec<_>>().join(and)
            };
            rows.iter().map(row).collect::<Vec<_>>().join(or)
        };
        let named = |sensor: &str, value: bool| if value { sensor.to_owned() } else { format!("not {sensor}") };
        let condition = |sensor: &str, value: bool| {
            let holds_if = self.capabilities.sensor(sensor).map_or(sensor, |sensor| sensor.holds_if.as_str());
            if value { format!("({holds_if})") } else { format!("!({holds_if})") }
        };
        (all(&named, " and ", " or "), all(&condition, " && ", " || "))
    }
}

/// Every step there is, so that all can be checked as parts of one behavior in the folder of the capabilities.
pub fn every_step(capabilities: &Capabilities) -> Subtree {
    let mut root = node("sequence", "", "", Map::new());
    root.children = capabilities.abilities().map(|(name, ability)| step(name, ability, 0, "")).collect();
    root.children.extend(capabilities.sensors.iter().map(|(name, sensor)| {
        let fields = Map::from_iter([("condition".to_owned(), Json::String(sensor.holds_if.clone()))]);
        node("condition", name, "", fields)
    }));
    number(&mut root, &mut Vec::new());
    root
}

/// One step that finds its steps when it starts: its children are all that can be done.
pub fn on_board(capabilities: &Capabilities, request: &Request, seen: &str) -> Subtree {
    let listed = |ability: &Ability, is_mode: bool| {
        let mut own = Map::new();
        let lists = [
            ("to", &ability.to),
            ("needs", &ability.needs),
            ("achieves", &ability.achieves),
            ("loses", &ability.loses),
        ];
        for (key, list) in lists {
            if !list.is_empty() || (is_mode && key == "to") {
                own.insert(key.into(), json!(list));
            }
        }
        own
    };
    let mut abilities = Map::new();
    for (name, ability) in capabilities.abilities() {
        let own = listed(ability, capabilities.is_mode(name));
        if !own.is_empty() {
            abilities.insert(name.clone(), Json::Object(own));
        }
    }
    let mut fields = Map::from_iter([
        ("goals".to_owned(), json!(request.goals)),
        ("from".to_owned(), json!(request.from)),
        ("abilities".to_owned(), Json::Object(abilities)),
    ]);
    if request.strict {
        fields.insert("strict".into(), json!(true));
    }
    if !capabilities.facts.is_empty() {
        let names: Vec<&String> = capabilities.facts.iter().map(|(name, _)| name).collect();
        fields.insert("facts".into(), json!(names));
    }
    let mut root = node("achieve", &format!("Achieve: {}", request.goals.join(", ")), "", fields);
    root.children = capabilities.abilities().map(|(name, ability)| step(name, ability, request.retry, seen)).collect();
    number(&mut root, &mut Vec::new());
    root
}

/// A file of its own.
pub fn definition(file: &str, tree: &Subtree) -> Definition {
    let mut definition = Definition::new(file.into(), Header::default(), own_node(tree, None));
    let mut open: Vec<(&Subtree, NodeId)> = tree.children.iter().map(|child| (child, tree.id)).collect();
    while let Some((at, parent)) = open.pop() {
        definition.insert_node(own_node(at, Some(parent)));
        open.extend(at.children.iter().map(|child| (child, at.id)));
    }
    definition
}

fn own_node(tree: &Subtree, parent: Option<NodeId>) -> Node {
    Node {
        id: tree.id,
        parent,
        kind: tree.kind.clone(),
        name: tree.name.clone(),
        notes: tree.notes.clone(),
        children: tree.children.iter().map(|child| child.id).collect(),
        fields: tree.fields.clone(),
        id_written: tree.id_written,
    }
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
fn step(name: &str, ability: &Ability, retry: u32, seen: &str) -> Subtree {
    let mut fields = ability.step.clone().unwrap_or_default();
    let kind = fields.shift_remove("type").and_then(|kind| kind.as_str().map(str::to_owned));
    let notes = fields.shift_remove("notes").and_then(|notes| notes.as_str().map(str::to_owned));
    fields.shift_remove("name");
    if let Some(Json::String(file)) = fields.get("file") {
        let file = Json::String(join(seen, file));
        fields.insert("file".into(), file);
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
