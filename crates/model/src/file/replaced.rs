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
const UP: (&str, &str) = ("up", "true");
const FIRM: (&str, &str) = ("firm", "true");
const ONE_CONTAINER: (&str, &str) = ("by_colour", "false");

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
    by("skills/nodder.json", "nod.json", &[("times", "3"), ("pitch_deg", "30"), ("duration_s", "3")]),
    by("skills/reach-left.json", "reach.json", &[LEFT]),
    by("skills/reach-right.json", "reach.json", &[]),
    by("skills/wave-left.json", "wave.json", &[LEFT]),
    by("skills/wave-right.json", "wave.json", &[]),
    mirrored("tables/aside-left.json", "aside.json", &[]),
    by("tables/aside-right.json", "aside.json", &[]),
    mirrored("tables/come-free-left.json", "give-way.json", &[UP]),
    by("tables/come-free-right.json", "give-way.json", &[UP]),
    by("tables/come-free.json", "give-way.json", &[UP]),
    mirrored("tables/give-way-left.json", "give-way.json", &[]),
    by("tables/give-way-right.json", "give-way.json", &[]),
    mirrored("tables/pick-left.json", "pick.json", &[HAND_LEFT]),
    by("tables/pick-right.json", "pick.json", &[]),
    by("tables/pick-and-place.json", "sort.json", &[ONE_CONTAINER]),
    by("tables/sort-by-colour.json", "sort.json", &[]),
    by("devices/valve-firm.json", "valve.json", &[FIRM]),
    by("devices/valve-quick.json", "valve.json", &[]),
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
    by("doors/pull-lever.json", "pull-turned.json", &[LEVER]),
    by("doors/pull-knob.json", "pull-turned.json", &[KNOB]),
    by("doors/standing-lever.json", "standing.json", &[LEVER]),
    by("doors/standing-lever-shut.json", "standing.json", &[LEVER, SHUT]),
    by("doors/standing-knob.json", "standing.json", &[KNOB]),
    by("doors/standing-lever-mirrored.json", "standing.json", &[LEVER, HINGE_RIGHT]),
    by("doors/standing-lever-shut-mirrored.json", "standing.json", &[LEVER, SHUT, HINGE_RIGHT]),
    by("doors/standing-knob-mirrored.json", "standing.json", &[KNOB, HINGE_RIGHT]),
];

/// Parts of skills that are written out in what used them, and what that is, in the same folder.
const PARTS: &[(&str, &str)] = &[
    ("tables/retreat-left.json", "one-hand.json"),
    ("tables/retreat-right.json", "one-hand.json"),
    ("tables/retreat.json", "one-hand.json"),
    ("tables/both-hands.json", "sort.json"),
    ("tables/lean-over.json", "sort.json"),
    ("tables/look-at-containers.json", "one-hand.json"),
    ("tables/drop.json", "one-hand.json"),
    ("tables/drop-left.json", "one-hand.json"),
    ("tables/drop-right.json", "one-hand.json"),
    ("tables/grasp.json", "pick.json"),
    ("tables/grasp-left.json", "pick.json"),
    ("tables/grasp-right.json", "pick.json"),
    ("tables/grip.json", "pick.json"),
    ("tables/grip-left.json", "pick.json"),
    ("tables/grip-right.json", "pick.json"),
    ("devices/valve-stand.json", "valve.json"),
    ("devices/valve-fingers-in.json", "valve.json"),
    ("devices/valve-fingers-out.json", "valve.json"),
    ("devices/valve-leave.json", "valve.json"),
    ("devices/find-valve.json", "valve.json"),
    ("tending/aside.json", "take-part.json"),
    ("tour/onward.json", "tour.json"),
    ("tending/insert.json", "tend-tester.json"),
    ("tending/extract.json", "tend-tester.json"),
    ("tending/nest-of.json", "tend-tester.json"),
    ("tending/open-hand.json", "take-part.json"),
    ("tending/know-the-cell.json", "tend.json"),
];

fn is_at(path: &str, old: &str) -> bool {
    path.strip_suffix(old).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// What has replaced the file of a path, which is not there.
pub(super) fn find(path: &str) -> Option<&'static Replaced> {
    REPLACED.iter().find(|replaced| is_at(path, replaced.old))
}

/// The shipped skill of which the file of a path, which is not there, is a part now.
pub(super) fn part_of(path: &str) -> Option<String> {
    PARTS.iter().find(|(old, _)| is_at(path, old)).map(|(_, new)| beside(path, new))
}

fn beside(path: &str, new: &str) -> String {
    let folder = path.rfind('/').map_or("", |end| &path[..=end]);
    fold(&format!("{folder}{new}"))
}

impl Replaced {
    /// The new file beside the old one.
    pub(super) fn beside(&self, path: &str) -> String {
        beside(path, self.new)
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
        let parts = PARTS.iter().map(|(old, _)| *old);
        let mut names: Vec<&str> = REPLACED.iter().map(|replaced| replaced.old).chain(parts).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), REPLACED.len() + PARTS.len());
    }

    /// One step is enough: what replaces a skill is there itself, and declares what it is given.
    #[test]
    fn each_is_replaced_by_a_shipped_skill_that_takes_its_inputs() {
        let skills = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills");
        let place = |old: &str, new: &str| {
            let old = old.strip_prefix("skills/").unwrap_or(old);
            let old = if old.starts_with("tending/") { format!("devices/{old}") } else { old.to_owned() };
            assert!(!skills.join(&old).exists(), "{old} is there");
            skills.join(beside(&old, new))
        };
        for replaced in REPLACED {
            let text = std::fs::read_to_string(place(replaced.old, replaced.new)).expect(replaced.new);
            let skill: Json = serde_json::from_str(&text).expect("JSON");
            for (name, _) in replaced.inputs {
                assert!(skill["inputs"].get(name).is_some(), "{} has no input {name}", replaced.new);
            }
        }
        for (old, new) in PARTS {
            assert!(place(old, new).exists(), "{new} is not there");
        }
    }

    #[test]
    fn what_became_a_part_is_named() {
        assert_eq!(part_of("my/skills/tables/lean-over.json").as_deref(), Some("my/skills/tables/sort.json"));
        assert_eq!(part_of("lean-over.json"), None);
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
