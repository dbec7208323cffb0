//! What can be done with a class of objects: where to stand, how to grasp, what points of it can be used as tools and
//! what motions it affords. Read from files of ours and from the XML libraries of others.

mod builtin;
mod held;
mod import;
mod json;
mod library;
mod motion;

mod xml;

use std::collections::BTreeMap;

use geometry::{Pose, Vector3};
use robot::{Problem, Severity, Side, did_you_mean};
use serde::Serialize;
use thiserror::Error;

pub use held::{Held, HeldError, InHand};
pub use import::{Imported, import_xml};
pub use library::Library;
pub use motion::{Tool, Way};

use crate::points::Shape;

/// Of one class of objects. Poses are in the object's frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Template {
    pub class: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// What kind of thing it is: `tools`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// A file, as the template's file names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    #[serde(skip_serializing_if = "is_identity")]
    pub mesh_at: Pose,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Shape>,
    /// Where the middle of the shape is.
    #[serde(skip_serializing_if = "is_identity")]
    pub shape_at: Pose,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mass_kg: Option<f64>,
    #[serde(skip_serializing_if = "is_identity")]
    pub centre_of_mass: Pose,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grasps: Vec<Grasp>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stands: Vec<NamedPlace>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub usabilities: Vec<NamedPlace>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub affordances: Vec<Affordance>,
    /// What its file has and is not here.
    #[serde(skip)]
    pub left_out: Vec<LeftOut>,
}

/// Something of a template that is wrong in its file: nothing takes its place.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    pub what: &'static str,
    /// Empty: all of one part of the file.
    pub name: String,
    /// It is the one that is taken where none is named.
    pub is_first: bool,
    pub why: String,
}

fn is_identity(pose: &Pose) -> bool {
    *pose == Pose::identity()
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grasp {
    pub name: String,
    pub hand: Hand,
    /// Of the hand, before the fingers close.
    #[serde(rename = "pose")]
    pub object_from_hand: Pose,
    pub approach: Approach,
    /// Of the fingers, on the way there.
    #[serde(skip_serializing_if = "Fingers::is_empty")]
    pub before: Fingers,
    /// Of the fingers, once the hand is there.
    #[serde(skip_serializing_if = "Fingers::is_empty")]
    pub fingers: Fingers,
}

/// Which hand a grasp is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hand {
    /// As written for the right; for the left in the mirror of the object's x-z plane.
    #[default]
    Either,
    Left,
    Right,
}

/// How the hand comes to the grasp: in a straight line, in its own frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Approach {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    /// The pre-grasp is so far before the grasp.
    pub distance_m: f64,
    /// Nearer than this it must not be.
    pub least_m: f64,
}

impl Approach {
    /// Of length 1.
    pub fn direction(&self) -> Vector3<f64> {
        Vector3::new(self.x, self.y, self.z).try_normalize(1e-9).unwrap_or_else(Vector3::x)
    }
}

/// A posture of the fingers. Neither: they stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Fingers {
    /// One of the robot's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grip: Option<String>,
    /// By the names of the robot's joints.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub angles_deg: BTreeMap<String, f64>,
}

impl Fingers {
    pub fn is_empty(&self) -> bool {
        self.grip.is_none() && self.angles_deg.is_empty()
    }
}

/// Where to stand (the pelvis), or a point of the object that can be used as a tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NamedPlace {
    pub name: String,
    #[serde(rename = "pose", skip_serializing_if = "is_identity")]
    pub object_from_place: Pose,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Affordance {
    pub name: String,
    #[serde(flatten)]
    pub motion: AffordedMotion,
    /// It is along x, or about x.
    #[serde(rename = "axis", skip_serializing_if = "is_identity")]
    pub object_from_axis: Pose,
    /// Of the tool while it moves.
    #[serde(skip_serializing_if = "is_false")]
    pub keep_orientation: bool,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AffordedMotion {
    Cartesian {
        /// As far as nothing else is asked.
        displacement_m: f64,
        speed_m_s: f64,
    },
    Circular {
        displacement_deg: f64,
        /// Along the axis, with every whole turn: a spiral.
        #[serde(skip_serializing_if = "is_zero")]
        pitch_m: f64,
        speed_deg_s: f64,
    },
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

#[derive(Clone, Debug, PartialEq, Error)]
pub enum TemplateError {
    #[error("template `{class}` has no {what} `{name}`{hint}")]
    Unknown { class: String, what: &'static str, name: String, hint: String },
    #[error("template `{class}` has no {what}: write one in its file")]
    None { class: String, what: &'static str },
    #[error("{what} `{name}` of template `{class}` was left out, because it is wrong: {why}")]
    LeftOut { class: String, what: &'static str, name: String, why: String },
    #[error("grasp `{grasp}` of template `{class}` is for the {} hand: take that hand, or another grasp", hand.word())]
    OtherHand { class: String, grasp: String, hand: Side },
}

/// A file that is not as it should be.
#[derive(Debug, Error)]
pub enum TemplateFileError {
    #[error("{file} line {line}: not {form}: {message}")]
    Unreadable { file: String, line: u32, form: &'static str, message: String },
    #[error("{file} is not usable:{}", problems.iter().map(|problem| format!("\n  {problem}")).collect::<String>())]
    Unusable { file: String, problems: Vec<Problem> },
}

impl TemplateFileError {
    pub fn into_problems(self) -> Vec<Problem> {
        match self {
            TemplateFileError::Unreadable { file, line, form, message } => {
                vec![problem(&file, line, "", format!("not {form}: {message}"))]
            }
            TemplateFileError::Unusable { problems, .. } => problems,
        }
    }
}

impl Template {
    /// The first one without a name.
    pub fn grasp(&self, name: &str) -> Result<&Grasp, TemplateError> {
        self.pick("grasp", name, &self.grasps, |grasp| &grasp.name)
    }

    /// The first one without a name.
    pub fn stand(&self, name: &str) -> Result<&NamedPlace, TemplateError> {
        self.pick("stand pose", name, &self.stands, |stand| &stand.name)
    }

    /// The object's own frame without a name.
    pub fn usability(&self, name: &str) -> Result<Pose, TemplateError> {
        if name.is_empty() {
            return Ok(Pose::identity());
        }
        self.pick("usability", name, &self.usabilities, |place| &place.name).map(|place| place.object_from_place)
    }

    /// The first one without a name.
    pub fn affordance(&self, name: &str) -> Result<&Affordance, TemplateError> {
        self.pick("affordance", name, &self.affordances, |affordance| &affordance.name)
    }

    fn pick<'a, T>(
        &self,
        what: &'static str,
        name: &str,
        all: &'a [T],
        name_of: impl Fn(&T) -> &String,
    ) -> Result<&'a T, TemplateError> {
        let class = self.class.clone();
        let found = if name.is_empty() { all.first() } else { all.iter().find(|one| name_of(one) == name) };
        let is_it = |one: &&LeftOut| match name {
            "" => one.is_first,
            name => found.is_none() && (one.name == name || one.name.is_empty()),
        };
        if let Some(LeftOut { why, .. }) = self.left_out.iter().filter(|one| one.what == what).find(is_it) {
            return Err(TemplateError::LeftOut { class, what, name: name.to_owned(), why: why.clone() });
        }
        match found {
            Some(found) => Ok(found),
            None if all.is_empty() => Err(TemplateError::None { class, what }),
            None => {
                let names: Vec<&str> = all.iter().map(|one| name_of(one).as_str()).collect();
                let hint = format!("; it has {}{}", names.join(", "), did_you_mean(name, names.iter().copied()));
                Err(TemplateError::Unknown { class, what, name: name.to_owned(), hint })
            }
        }
    }

    /// In the mirror of the object's x-z plane: for an object that is built the other way round.
    #[must_use]
    pub fn mirrored(&self) -> Template {
        let places = |places: &[NamedPlace]| {
            let turned = |place: &NamedPlace| NamedPlace {
                name: place.name.clone(),
                object_from_place: place.object_from_place.mirrored(),
            };
            places.iter().map(turned).collect()
        };
        Template {
            mesh_at: self.mesh_at.mirrored(),
            shape_at: self.shape_at.mirrored(),
            centre_of_mass: self.centre_of_mass.mirrored(),
            grasps: self.grasps.iter().map(Grasp::mirrored).collect(),
            stands: places(&self.stands),
            usabilities: places(&self.usabilities),
            affordances: self.affordances.iter().map(Affordance::mirrored).collect(),
            ..self.clone()
        }
    }

    /// For an object of the same form, so many times as large. Where to stand grows as well: a hand that has to reach
    /// further out does so from further away.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Template {
        let grown = |pose: &Pose| Pose::new(pose.translation_m() * factor, pose.rotation());
        let places = |places: &[NamedPlace]| {
            let grown = |place: &NamedPlace| NamedPlace {
                name: place.name.clone(),
                object_from_place: grown(&place.object_from_place),
            };
            places.iter().map(grown).collect()
        };
        Template {
            shape: self.shape.map(|shape| shape.scaled(factor)),
            mass_kg: self.mass_kg.map(|mass_kg| mass_kg * factor * factor * factor),
            mesh_at: grown(&self.mesh_at),
            shape_at: grown(&self.shape_at),
            centre_of_mass: grown(&self.centre_of_mass),
            grasps: (self.grasps.iter())
                .map(|grasp| Grasp { object_from_hand: grown(&grasp.object_from_hand), ..grasp.clone() })
                .collect(),
            stands: places(&self.stands),
            usabilities: places(&self.usabilities),
            affordances: (self.affordances.iter())
                .map(|one| Affordance { object_from_axis: grown(&one.object_from_axis), ..one.clone() })
                .collect(),
            ..self.clone()
        }
    }
}

fn problem(file: &str, line: u32, element: &str, message: impl Into<String>) -> Problem {
    let (file, element) = (file.to_owned(), element.to_owned());
    Problem { severity: Severity::Error, file, line, element, message: message.into() }
}
