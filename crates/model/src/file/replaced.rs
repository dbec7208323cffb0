//! Skills that others have replaced: behaviors that name them still load.

use serde_json::{Map, Value as Json};

use super::fold;
use crate::{Field, Fields};

/// A skill file that is no more.
pub struct Replaced {
    /// With its folder.
    old: &'static str,
    /// In the same folder.
    new: &'static str,
    /// What a use gives the new one, as expressions.
    inputs: &'static [(&'static str, &'static str)],
    /// The use runs on the other side.
    mirrored: bool,
}

const LEFT: (&str, &str) = ("side", "'left'");
const HAND_LEFT: (&str, &str) = ("hand", "'left'");
const LEVER: (&str, &str) = ("handle", "'lever'");
const KNOB: (&str, &str) = ("handle", "'knob'");
const BAR: (&str, &str) = ("handle", "'bar'");
const FIXED: (&str, &str) = ("handle", "'fixed'");
const HINGE_LEFT: (&str, &str) = ("hinge", "'left'");
const HINGE_RIGHT: (&str, &str) = ("hinge", "'right'");
const SHUT: (&str, &str) = ("shut", "true");

type Inputs = &'static [(&'static str, &'static str)];

const fn by(old: &'static str, new: &'static str, inputs: Inputs) -> Replaced {
    Replaced { old, new, inputs, mirrored: false }
}

/// Of two files the one for the left.
const fn mirrored(old: &'static str, new: &'static str, inputs: Inputs) -> Replaced {
    Replaced { old, new, inputs, mirrored: true }
}

const REPLACED: &[Replaced] = &[
    by("skills/arms-ready-left.json", "arm-ready.json", &[LEFT]),
    by("skills/arms-ready-right.json", "arm-ready.json", &[]),
    by("skills/grabber-left.json", "grabber.json", &[LEFT]),
    by("skills/grabber-right.json", "grabber.json", &[]),
    by("skills/grasp-left.json", "grasp.json", &[LEFT]),
    by("skills/grasp-right.json", "grasp.json", &[]),
    by("skills/reach-left.json", "reach.json", &[LEFT]),
    by("skills/reach-right.json", "reach.json", &[]),
    by("skills/wave-left.json", "wave.json", &[LEFT]),
    by("skills/wave-right.json", "wave.json", &[]),
    mirrored("tables/aside-left.json", "aside.json", &[]),
    by("tables/aside-right.json", "aside.json", &[]),
    mirrored("tables/come-free-left.json", "come-free.json", &[]),
    by("tables/come-free-right.json", "come-free.json", &[]),
    mirrored("tables/drop-left.json", "drop.json", &[HAND_LEFT]),
    by("tables/drop-right.json", "drop.json", &[]),
    mirrored("tables/give-way-left.json", "give-way.json", &[]),
    by("tables/give-way-right.json", "give-way.json", &[]),
    mirrored("tables/grasp-left.json", "grasp.json", &[HAND_LEFT]),
    by("tables/grasp-right.json", "grasp.json", &[]),
    mirrored("tables/grip-left.json", "grip.json", &[HAND_LEFT]),
    by("tables/grip-right.json", "grip.json", &[]),
    mirrored("tables/pick-left.json", "pick.json", &[HAND_LEFT]),
    by("tables/pick-right.json", "pick.json", &[]),
    mirrored("tables/retreat-left.json", "retreat.json", &[]),
    by("tables/retreat-right.json", "retreat.json", &[]),
    by("doors/push-bar.json", "push.json", &[BAR]),
    by("doors/push-bar-mirrored.json", "push.json", &[BAR, HINGE_RIGHT]),
    by("doors/push-bar-mini.json", "push.json", &[BAR]),
    by("doors/push-bar-mini-mirrored.json", "push.json", &[BAR, HINGE_RIGHT]),
    by("doors/push-lever.json", "push.json", &[LEVER]),
    by("doors/push-lever-mirrored.json", "push.json", &[LEVER, HINGE_RIGHT]),
    by("doors/push-knob.json", "push.json", &[KNOB]),
    by("doors/push-knob-mirrored.json", "push.json", &[KNOB, HINGE_RIGHT]),
    by("doors/pull-fixed-left.json", "pull.json", &[FIXED, HINGE_LEFT]),
    by("doors/pull-fixed-right.json", "pull.json", &[FIXED]),
    by("doors/pull-fixed-mini-left.json", "pull.json", &[FIXED, HINGE_LEFT]),
    by("doors/pull-fixed-mini-right.json", "pull.json", &[FIXED]),
    by("doors/pull-lever-left.json", "pull.json", &[LEVER, HINGE_LEFT]),
    by("doors/pull-lever-right.json", "pull.json", &[LEVER]),
    by("doors/pull-knob-left.json", "pull.json", &[KNOB, HINGE_LEFT]),
    by("doors/pull-knob-right.json", "pull.json", &[KNOB]),
    by("doors/standing-lever-mirrored.json", "standing.json", &[LEVER, HINGE_RIGHT]),
    by("doors/standing-lever-shut-mirrored.json", "standing.json", &[LEVER, SHUT, HINGE_RIGHT]),
    by("doors/standing-knob-mirrored.json", "standing.json", &[KNOB, HINGE_RIGHT]),
];

/// What has replaced the file of a path, which is not there.
pub(super) fn find(path: &str) -> Option<&'static Replaced> {
    REPLACED.iter().find(|replaced| {
        path.strip_suffix(replaced.old).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    })
}

impl Replaced {
    /// The new file beside the old one.
    pub(super) fn beside(&self, path: &str) -> String {
        let folder = path.rfind('/').map_or("", |end| &path[..=end]);
        fold(&format!("{folder}{}", self.new))
    }

    /// What a use of the old one becomes.
    pub(super) fn rewrite(&self, fields: &mut Fields) {
        if let Some(field) = fields.get_mut("file") {
            let file = field.as_str().unwrap_or_default();
            let folder = file.rfind(['/', '\\']).map_or("", |end| &file[..=end]);
            *field = Field::Text(format!("{folder}{}", self.new).into());
        }
        let given = match fields.get("inputs").map(Field::to_json) {
            Some(Json::Object(entries)) => entries,
            _ => Map::new(),
        };
        let mut inputs: Map<String, Json> =
            self.inputs.iter().map(|(name, text)| ((*name).to_owned(), Json::from(*text))).collect();
        inputs.extend(given);
        if !inputs.is_empty() {
            put(fields, "inputs", Field::from_json(Json::Object(inputs)));
        }
        if self.mirrored {
            put(fields, "mirrored", Field::Bool(true));
        }
    }

    /// In words, for who wrote the use.
    pub(super) fn told(&self) -> String {
        let mut told: Vec<String> = self.inputs.iter().map(|(name, text)| format!("`{name}` {text}")).collect();
        told.extend(self.mirrored.then(|| "`mirrored`".to_owned()));
        if told.is_empty() { String::new() } else { format!(", which is used with {}", told.join(" and ")) }
    }

    /// For who runs the file itself.
    pub(super) fn arguments(&self) -> String {
        let inputs = self.inputs.iter().map(|(name, text)| format!(" --set {name}={}", text.trim_matches('\'')));
        let inputs: String = inputs.collect();
        if self.mirrored { format!("{inputs} --mirror") } else { inputs }
    }
}

fn put(fields: &mut Fields, key: &str, value: Field) {
    match fields.get_mut(key) {
        Some(field) => *field = value,
        None => fields.push(key.into(), value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_rewritten() {
        let mut fields = Fields::default();
        fields.push("file".into(), Field::Text("../tables/pick-left.json".into()));
        fields.push("inputs".into(), Field::from_json(serde_json::json!({"gripper": "true"})));
        find("my/tables/pick-left.json").expect("it is in the list").rewrite(&mut fields);
        assert_eq!(fields.get("file").and_then(Field::as_str), Some("../tables/pick.json"));
        let inputs = fields.get("inputs").map(Field::to_json);
        assert_eq!(inputs, Some(serde_json::json!({"hand": "'left'", "gripper": "true"})));
        assert_eq!(fields.get("mirrored"), Some(&Field::Bool(true)));
    }

    #[test]
    fn each_is_replaced_once() {
        let mut names: Vec<&str> = REPLACED.iter().map(|replaced| replaced.old).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), REPLACED.len());
    }

    #[test]
    fn only_that_file_in_that_folder_is_replaced() {
        assert!(find("doors/push-bar.json").is_some());
        let replaced = find("my/skills/doors/push-bar-mirrored.json").expect("it is in the list");
        assert_eq!(replaced.beside("my/skills/doors/push-bar-mirrored.json"), "my/skills/doors/push.json");
        assert_eq!(replaced.arguments(), " --set handle=bar --set hinge=right");
        assert!(find("my/outdoors/push-bar.json").is_none());
        assert!(find("push-bar.json").is_none());
    }
}
