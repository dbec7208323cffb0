//! Skills that others have replaced: files that name them still load.

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
}

const LEVER: (&str, &str) = ("handle", "'lever'");
const KNOB: (&str, &str) = ("handle", "'knob'");
const BAR: (&str, &str) = ("handle", "'bar'");
const FIXED: (&str, &str) = ("handle", "'fixed'");
const HINGE_LEFT: (&str, &str) = ("hinge", "'left'");
const HINGE_RIGHT: (&str, &str) = ("hinge", "'right'");
const SHUT: (&str, &str) = ("shut", "true");

const fn door(old: &'static str, new: &'static str, inputs: &'static [(&'static str, &'static str)]) -> Replaced {
    Replaced { old, new, inputs }
}

const REPLACED: &[Replaced] = &[
    door("doors/push-bar.json", "push.json", &[BAR]),
    door("doors/push-bar-mirrored.json", "push.json", &[BAR, HINGE_RIGHT]),
    door("doors/push-bar-mini.json", "push.json", &[BAR]),
    door("doors/push-bar-mini-mirrored.json", "push.json", &[BAR, HINGE_RIGHT]),
    door("doors/push-lever.json", "push.json", &[LEVER]),
    door("doors/push-lever-mirrored.json", "push.json", &[LEVER, HINGE_RIGHT]),
    door("doors/push-knob.json", "push.json", &[KNOB]),
    door("doors/push-knob-mirrored.json", "push.json", &[KNOB, HINGE_RIGHT]),
    door("doors/pull-fixed-left.json", "pull.json", &[FIXED, HINGE_LEFT]),
    door("doors/pull-fixed-right.json", "pull.json", &[FIXED]),
    door("doors/pull-fixed-mini-left.json", "pull.json", &[FIXED, HINGE_LEFT]),
    door("doors/pull-fixed-mini-right.json", "pull.json", &[FIXED]),
    door("doors/pull-lever-left.json", "pull.json", &[LEVER, HINGE_LEFT]),
    door("doors/pull-lever-right.json", "pull.json", &[LEVER]),
    door("doors/pull-knob-left.json", "pull.json", &[KNOB, HINGE_LEFT]),
    door("doors/pull-knob-right.json", "pull.json", &[KNOB]),
    door("doors/standing-lever-mirrored.json", "standing.json", &[LEVER, HINGE_RIGHT]),
    door("doors/standing-lever-shut-mirrored.json", "standing.json", &[LEVER, SHUT, HINGE_RIGHT]),
    door("doors/standing-knob-mirrored.json", "standing.json", &[KNOB, HINGE_RIGHT]),
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
        let inputs = Field::from_json(Json::Object(inputs));
        match fields.get_mut("inputs") {
            Some(field) => *field = inputs,
            None => fields.push("inputs".into(), inputs),
        }
    }

    /// In words, for who wrote the use.
    pub(super) fn inputs(&self) -> String {
        let inputs: Vec<String> = self.inputs.iter().map(|(name, text)| format!("`{name}` {text}")).collect();
        inputs.join(" and ")
    }

    /// For who runs the file itself.
    pub(super) fn arguments(&self) -> String {
        let inputs = self.inputs.iter().map(|(name, text)| format!(" --set {name}={}", text.trim_matches('\'')));
        inputs.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
