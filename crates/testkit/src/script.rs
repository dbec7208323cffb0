use std::sync::Arc;

use engine::{Command, Control, EditBatch, Editor, Engine, Instance, Options, Sent, TickInput, Verdict};
use model::{Autonomy, Edit, Field, NodeId, Subtree, Value};
use serde_json::Value as Json;

use crate::outline::words;

/// Inputs by time. Verbs: `automatic on|off`, `press [into] [Name]`, `continue [Name]`, `stop`, `next Name`, `move N`, `pause`, `resume`,
/// `only Name`, `level off|low|high|full`, `lock|unlock|break|unbreak Name`, `force Name success|failure|halted
/// [outcome]`, `answer Name value`, `set name value`, `signal name value`, `send command [k=v …]`, `still part`,
/// `concurrency on|off`, `reset`, `delete Name`, `insert Parent index type Name [k=v …]`, `move_node Name Parent index`,
/// `setting Name key value|-`, `rename Name New`, `retype Name type`. A name may be a path of skill uses: `Use/Name`.
/// `edits` on a line begins a batch that the edit lines of the same time belong to, `edits by Name` one of somebody who
/// is not in control; `admit [Name]` lets what that would start go. `header File json` gives a file's
/// header. `why` shows every track's reason after the tick, `tokens` who holds what.
pub struct Script {
    pub options: Options,
    pub end_ns: i64,
    lines: Vec<(i64, Vec<String>)>,
}

impl Script {
    pub fn parse(text: &str) -> Script {
        let mut script = Script { options: Options::default(), end_ns: crate::TICK_NS * 300, lines: Vec::new() };
        let mut manual = false;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let words = words(line);
            match words[0].as_str() {
                "manual" => manual = true,
                "attended" => script.options.attended = true,
                "end" => script.end_ns = at_ns(&words[1]),
                "world" => script.options.world.push((words[1].as_str().into(), words.get(2).map(|text| value(text)))),
                time => script.lines.push((at_ns(time), words[1..].to_vec())),
            }
        }
        if !manual {
            script.lines.insert(0, (0, vec!["automatic".into(), "on".into()]));
        }
        script
    }

    /// Takes the lines with these verbs out: they are not for the engine.
    pub(crate) fn take(&mut self, verb: impl Fn(&str) -> bool) -> Vec<(i64, Vec<String>)> {
        let (taken, lines) = std::mem::take(&mut self.lines).into_iter().partition(|(_, words)| verb(&words[0]));
        self.lines = lines;
        taken
    }

    pub fn has_input_after(&self, time_ns: i64) -> bool {
        self.lines.iter().any(|(at, _)| *at > time_ns)
    }

    /// The input of a tick, and for each command id the line it came from.
    pub fn input_at(&self, time_ns: i64, engine: &Engine) -> (TickInput, Vec<(u64, String)>) {
        let mut input = TickInput::default();
        let mut wanted = Vec::new();
        for (index, (_, words)) in self.lines.iter().enumerate().filter(|(_, (at, _))| *at == time_ns) {
            let id = index as u64 + 1;
            wanted.push((id, words.join(" ")));
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            add(&mut input, id, &words, engine);
        }
        (input, wanted)
    }
}

fn at_ns(text: &str) -> i64 {
    engine::seconds_to_ns(text.parse().unwrap_or_else(|_| panic!("`{text}` is not a time")))
}

fn value(text: &str) -> Value {
    let json = serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.to_owned()));
    Value::from_json(&json).expect("a value")
}

fn add(input: &mut TickInput, id: u64, words: &[&str], engine: &Engine) {
    let on = |word: &str| word == "on";
    let what = match words {
        ["stop"] => return input.stop = true,
        ["why"] | ["tokens"] => return,
        ["signal", name, text] => return input.signals.push(((*name).into(), value(text))),
        ["still", part] => return input.still.push((*part).into()),
        ["send", command, rest @ ..] => {
            let values = rest.iter().filter_map(|pair| pair.split_once('='));
            let values = values.map(|(key, text)| (Arc::from(key), value(text))).collect();
            return input.received.push(Sent { command: (*command).into(), values });
        }
        ["edits"] => return input.edits.push(EditBatch { id, edits: Vec::new(), by: None }),
        ["edits", "by", name] => {
            let by = Some(Editor { name: (*name).into(), in_control: false });
            return input.edits.push(EditBatch { id, edits: Vec::new(), by });
        }
        ["admit"] => Control::Admit { step: None },
        ["admit", name] => Control::Admit { step: Some(instance(engine, name)) },
        ["automatic", word] => Control::Automatic { on: on(word) },
        ["from", "start"] => Control::FromStart,
        ["press"] => Control::Press { track: None, into: false },
        ["press", "into"] => Control::Press { track: None, into: true },
        ["press", "into", name] => Control::Press { track: Some(instance(engine, name)), into: true },
        ["press", name] => Control::Press { track: Some(instance(engine, name)), into: false },
        ["continue"] => Control::Continue { step: None },
        ["continue", name] => Control::Continue { step: Some(instance(engine, name)) },
        ["next", name] => Control::SetNext { to: instance(engine, name) },
        ["move", by] => Control::MoveNext { by: by.parse().expect("a number") },
        ["pause"] => Control::Pause { on: true },
        ["resume"] => Control::Pause { on: false },
        ["halt"] => Control::Stop,
        ["reset"] => Control::ResetFailures,
        ["concurrency", word] => Control::Concurrency { on: on(word) },
        ["only", name] => Control::RunOnly { node: instance(engine, name) },
        ["level", level] => Control::AutonomyLevel { level: autonomy(level) },
        ["lock", name] => Control::Lock { node: instance(engine, name), on: true },
        ["unlock", name] => Control::Lock { node: instance(engine, name), on: false },
        ["break", name] => Control::Breakpoint { node: instance(engine, name), on: true },
        ["unbreak", name] => Control::Breakpoint { node: instance(engine, name), on: false },
        ["force", name, result, rest @ ..] => Control::Force {
            step: instance(engine, name),
            verdict: verdict(result),
            outcome: rest.first().map(|outcome| Arc::from(*outcome)),
        },
        ["answer", name, text] => Control::Answer { step: instance(engine, name), value: value(text) },
        ["set", name, text] => Control::SetVariable { uses: Vec::new(), name: (*name).into(), value: value(text) },
        edit => {
            let edit = parse_edit(edit, id, engine);
            match input.edits.last_mut() {
                Some(batch) => batch.edits.push(edit),
                None => input.edits.push(EditBatch { id, edits: vec![edit], by: None }),
            }
            return;
        }
    };
    input.commands.push(Command { id, what });
}

fn parse_edit(words: &[&str], id: u64, engine: &Engine) -> Edit {
    let node = |name: &str| instance(engine, name).node;
    match words {
        ["delete", name] => Edit::Delete { node: node(name) },
        ["insert", parent, index, rest @ ..] => {
            Edit::Insert { parent: node(parent), index: index.parse().expect("an index"), subtree: subtree(id, rest) }
        }
        ["move_node", name, parent, index] => {
            Edit::Move { node: node(name), parent: node(parent), index: index.parse().expect("an index") }
        }
        ["setting", name, key, text] => {
            let json = serde_json::from_str(text).unwrap_or_else(|_| Json::String((*text).to_owned()));
            let value = (*text != "-").then(|| Field::from_json(json));
            Edit::Set { node: node(name), field: (*key).into(), value, at: None }
        }
        ["rename", name, new] => Edit::Rename { node: node(name), name: (*new).into() },
        ["header", file, json] => {
            let definition = engine.library().find(file).expect("a file of the outline");
            let json: Json = serde_json::from_str(json).expect("a header is JSON");
            let header = Box::new(serde_json::from_value(json).expect("a header"));
            Edit::Header { definition, header }
        }
        ["retype", name, kind] => Edit::Retype { node: node(name), kind: (*kind).into() },
        other => panic!("the script has no verb `{}`", other.join(" ")),
    }
}

/// A single new node; its id follows from the script's line, so that tests repeat.
fn subtree(id: u64, words: &[&str]) -> Subtree {
    let line = words.join(" ");
    let (_, json) = crate::outline::to_json(&line).remove(0);
    let node = match json.get("children").and_then(|children| children.get(0)) {
        Some(only) if json["type"] == "sequence" && words[0] != "sequence" => only.clone(),
        _ => json,
    };
    let mut fields = model::Fields::default();
    for (key, value) in node.as_object().expect("a node is an object") {
        if !["type", "name", "version", "children"].contains(&key.as_str()) {
            fields.push(key.as_str().into(), Field::from_json(value.clone()));
        }
    }
    Subtree {
        id: NodeId(0xabc0_0000 + id),
        kind: node["type"].as_str().expect("a type").into(),
        name: node.get("name").and_then(Json::as_str).unwrap_or("").into(),
        notes: "".into(),
        fields,
        id_written: false,
        children: Vec::new(),
    }
}

fn autonomy(word: &str) -> Autonomy {
    match word {
        "off" => Autonomy::Off,
        "low" => Autonomy::Low,
        "high" => Autonomy::High,
        "full" => Autonomy::Full,
        other => panic!("`{other}` is no autonomy level"),
    }
}

fn verdict(word: &str) -> Verdict {
    match word {
        "success" => Verdict::Success,
        "failure" => Verdict::Failure,
        "halted" => Verdict::Halted,
        other => panic!("`{other}` is no result"),
    }
}

/// `Name`, or `Use/Name` through skill uses.
pub(crate) fn instance(engine: &Engine, name: &str) -> Instance {
    let mut definition = model::Library::MAIN;
    let mut uses = Vec::new();
    let mut parts = name.split('/').peekable();
    loop {
        let part = parts.next().expect("a name has a part");
        let tree = engine.library().get(definition);
        let found = tree.walk(tree.root).find(|id| &**tree.node(*id).label() == part);
        let node = found.unwrap_or(if part == "root" { tree.root } else { NodeId(0xdead) });
        if parts.peek().is_none() {
            return Instance { uses, node };
        }
        uses.push(node);
        definition = engine.library().skill_of(definition, node).unwrap_or(definition);
    }
}
