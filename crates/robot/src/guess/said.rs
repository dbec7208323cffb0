//! What a person says of a robot where the guess is not sure, or wrong. All that follows from it is guessed anew.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::body::Body;
use crate::words::did_you_mean;
use crate::{Description, Problem, Severity};

/// The frames that behaviors speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum FrameName {
    Pelvis,
    Chest,
    Head,
    LeftHand,
    RightHand,
    LeftSole,
    RightSole,
}

impl FrameName {
    pub const ALL: [FrameName; 7] = [
        FrameName::Pelvis,
        FrameName::Chest,
        FrameName::Head,
        FrameName::LeftHand,
        FrameName::RightHand,
        FrameName::LeftSole,
        FrameName::RightSole,
    ];

    /// As files write it.
    pub fn word(self) -> &'static str {
        match self {
            FrameName::Pelvis => "pelvis",
            FrameName::Chest => "chest",
            FrameName::Head => "head",
            FrameName::LeftHand => "left_hand",
            FrameName::RightHand => "right_hand",
            FrameName::LeftSole => "left_sole",
            FrameName::RightSole => "right_sole",
        }
    }

    pub fn from_word(word: &str) -> Option<FrameName> {
        FrameName::ALL.into_iter().find(|name| name.word() == word)
    }
}

/// As a `robot.json` keeps it under `corrections`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Corrections {
    /// The link that is it, or that it is fixed to. Of a pair one is enough: the other one is its mirror image.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<BTreeMap<FrameName, String>>"))]
    pub links: BTreeMap<FrameName, String>,
    /// How far the left palm is turned about its fingers from where the guess has it, counterclockwise seen from their
    /// tips; the right one as its mirror image.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<f64>"))]
    pub palm_turn_deg: f64,
    /// The fingers are open where the guess has them closed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub grips_reversed: bool,
    /// The links that are cameras, in place of those whose names say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub cameras: Option<Vec<String>>,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

impl Corrections {
    pub fn is_empty(&self) -> bool {
        *self == Corrections::default()
    }

    /// Those that the text of a `robot.json` has; what cannot be read is told when the robot is loaded.
    pub fn of_file(text: &str) -> Corrections {
        let file: Option<serde_json::Value> = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok();
        let said = file.and_then(|mut file| file.get_mut("corrections").map(serde_json::Value::take));
        said.and_then(|said| serde_json::from_value(said).ok()).unwrap_or_default()
    }
}

/// The same with links by number.
#[derive(Default)]
pub(super) struct Said {
    pub links: BTreeMap<FrameName, usize>,
    pub palm_turn_rad: f64,
    pub cameras: Option<Vec<usize>>,
}

pub(super) const BY_A_PERSON: &str = "a person said so";

impl Said {
    /// Links that are not there are told, and count as not said.
    pub fn of(corrections: &Corrections, description: &Description) -> (Said, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut find = |what: &str, name: &String| {
            let found = description.link(name);
            if found.is_none() {
                let near = did_you_mean(name, description.links.iter().map(|link| link.name.as_str()));
                problems.push(problem(what, format!("there is no link `{name}`{near}")));
            }
            found
        };
        let links = corrections
            .links
            .iter()
            .filter_map(|(frame, name)| Some((*frame, find(&format!("links.{}", frame.word()), name)?)))
            .collect();
        let cameras =
            corrections.cameras.as_ref().map(|names| names.iter().filter_map(|name| find("cameras", name)).collect());
        (Said { links, palm_turn_rad: corrections.palm_turn_deg.to_radians(), cameras }, problems)
    }

    /// Left and right, if one of them was said. An error: what else is to be said.
    pub fn pair(&self, body: &Body, names: [FrameName; 2]) -> Result<Option<[usize; 2]>, Problem> {
        let partner = |link: usize, known: FrameName, other: FrameName| {
            body.partner(link).ok_or_else(|| {
                let message = format!(
                    "`{}` has no mirror image: say which link is the {}, too",
                    body.name(link),
                    other.word().replace('_', " ")
                );
                problem(&format!("links.{}", known.word()), message)
            })
        };
        let [left, right] = names.map(|name| self.links.get(&name).copied());
        Ok(match (left, right) {
            (None, None) => None,
            (Some(left), Some(right)) => Some([left, right]),
            (Some(left), None) => Some([left, partner(left, names[0], names[1])?]),
            (None, Some(right)) => Some([partner(right, names[1], names[0])?, right]),
        })
    }
}

fn problem(what: &str, message: String) -> Problem {
    Problem { severity: Severity::Error, file: String::new(), line: 0, element: format!("corrections.{what}"), message }
}
