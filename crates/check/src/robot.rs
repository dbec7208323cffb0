//! What the robot that is to run it does not have: frames, presets, grips, joints, parts, angles.

use ::robot::{BodyFrame, PartName, Robot, Side};
use engine::{Cannot, Mirror, Mirrored, Plane};
use model::Node;
use serde_json::Value as Json;

use crate::behavior::{Behavior, File};
use crate::report::{Report, field, node};
use crate::tree::At;

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    let Some(robot) = &behavior.options.robot else { return };
    for at in file.tree.all() {
        let is_for_others = behavior.never_runs_here(file, at);
        if is_for_others || file.facts.unreadable.contains_key(&at) || report.is_broken(file, at) {
            continue;
        }
        let (here, there) = behavior.sides(file);
        if here {
            one(behavior, robot, (file, at), file.tree.node(at), report);
        }
        if there {
            on_other_side(behavior, robot, (file, at), report);
        }
    }
}

/// A step of a skill of which a use is mirrored: what it becomes there.
fn on_other_side(behavior: &Behavior<'_>, robot: &Robot, (file, at): (&File<'_>, At), report: &mut Report<'_>) {
    let mirror = Mirror { robot, plane: Plane::World, body: None };
    let mirrored = Mirrored::new(behavior.registry, mirror, file.tree.definition);
    match mirrored.node(file.tree.node(at)) {
        Ok(node) => one(behavior, robot, (file, at), &node, report),
        // What its values are there is seen when it runs.
        Err(Cannot::NoExpressionOfOtherSide { .. }) => {}
        Err(why) => {
            let message = format!("a use of this skill is `mirrored`, and this step has no other side: {why}");
            report.error(file, node(at), message, "change it, or do not mirror the use");
        }
    }
}

fn one(behavior: &Behavior<'_>, robot: &Robot, (file, at): (&File<'_>, At), settings: &Node, report: &mut Report<'_>) {
    parts(behavior, robot, (file, at), settings, report);
    named(behavior, robot, (file, at), settings, report);
    for (name, message) in behavior.registry.check(settings, robot) {
        report.error(file, field(at, name), message, format!("change `{name}`, or take another robot"));
    }
}

/// A step of the body that needs a part which is not there.
fn parts(
    behavior: &Behavior<'_>,
    robot: &Robot,
    (file, at): (&File<'_>, At),
    settings: &Node,
    report: &mut Report<'_>,
) {
    let moves_body = file.tree.entry(at).is_some_and(|entry| ["body", "template"].contains(&entry.info.group));
    // What it claims by values of the moment is not known before.
    let is_known = moves_body && behavior.registry.bound(settings).is_empty();
    let own = if is_known { behavior.registry.claims(settings) } else { Vec::new() };
    let authored = file.tree.common(at).claims.iter().filter(|_| moves_body).map(String::as_str);
    for part in own.iter().map(|claim| &**claim).chain(authored).filter_map(PartName::from_word) {
        if robot.part(part).is_none() {
            let message = format!("robot `{}` has no {part}", robot.name);
            let remedy = format!(
                "let a robot without it leave the step out, by `until` `!has('{}')`, or take another robot",
                part.word()
            );
            report.error(file, node(at), message, remedy);
        }
    }
}

/// Settings that name something of the robot, by their schemas.
fn named(
    behavior: &Behavior<'_>,
    robot: &Robot,
    (file, at): (&File<'_>, At),
    settings: &Node,
    report: &mut Report<'_>,
) {
    let Some(entry) = file.tree.entry(at) else { return };
    for (key, value) in settings.fields.iter() {
        let Some(info) = entry.info.field(key) else { continue };
        let mut names = Vec::new();
        texts(&entry.info.schema, &info.schema, &value.to_json(), &mut names);
        for (format, name) in names {
            let known: Vec<&str> = match format.as_str() {
                "preset" => robot.presets.keys().map(String::as_str).collect(),
                "grip" => robot.grips.keys().map(String::as_str).collect(),
                "joint" => robot.model.coordinates().iter().map(|each| each.name.as_str()).collect(),
                "frame" => {
                    frame(behavior, robot, (file, at), (key, &name), report);
                    continue;
                }
                _ => continue,
            };
            let stands_in = format == "grip" && Side::BOTH.into_iter().any(|side| robot.grip(&name, side).is_some());
            if name.is_empty() || stands_in || known.contains(&name.as_str()) {
                continue;
            }
            let message = format!("robot `{}` has no {format} `{name}`", robot.name);
            let remedy = match behavior.nearest(&name, || known.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", known.join(", ")),
            };
            report.error(file, field(at, key), message, remedy);
        }
    }
}

/// Objects get their frames when it runs: a name that no frame has now is wrong only if it is nearly one of the body's.
fn frame(
    behavior: &Behavior<'_>,
    robot: &Robot,
    (file, at): (&File<'_>, At),
    (key, name): (&str, &str),
    report: &mut Report<'_>,
) {
    let is_given = behavior.options.frames.iter().any(|frame| **frame == *name);
    if name.is_empty() || is_given || BodyFrame::find(robot, name).is_some() {
        return;
    }
    let known = || BodyFrame::NAMED.iter().filter_map(|frame| frame.word()).collect();
    if let Some(near) = behavior.nearest(name, known) {
        let message = format!("`{name}` is no frame of the robot; an object of that name has to be there when it runs");
        report.warning(file, field(at, key), message, format!("did you mean `{near}`?"));
    }
}

/// Texts with a format, anywhere in a value.
fn texts(root: &Json, schema: &Json, value: &Json, found: &mut Vec<(String, String)>) {
    let target = schema.get("$ref").and_then(Json::as_str).and_then(|path| root.pointer(path.strip_prefix('#')?));
    if let Some(target) = target {
        texts(root, target, value, found);
    }
    let branches = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    branches.for_each(|branch| texts(root, branch, value, found));
    match value {
        Json::String(text) => {
            if let Some(format) = schema.get("format").and_then(Json::as_str) {
                found.push((format.to_owned(), text.clone()));
            }
        }
        Json::Object(entries) => {
            for (key, value) in entries {
                let property = schema.get("properties").and_then(|properties| properties.get(key));
                if let Some(schema) = property.or_else(|| schema.get("additionalProperties")) {
                    texts(root, schema, value, found);
                }
            }
        }
        Json::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter().for_each(|item| texts(root, schema, item, found));
            }
        }
        _ => {}
    }
}
