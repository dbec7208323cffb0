use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use crate::Fields;
use crate::schema::fields_of;

/// What a node type is to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Organises; flattened away.
    Sequence,
    /// Organises; its first children are the try, the rest the catch.
    Fallback,
    /// Organises; stands for the tree of another file.
    Skill,
    /// Triggered by a track, without children.
    Step,
    /// Triggered by a track, owns a track for each child it runs.
    Composite,
}

impl Role {
    pub fn organises(self) -> bool {
        matches!(self, Role::Sequence | Role::Fallback | Role::Skill)
    }

    /// May have children of its own in its file.
    pub fn has_children(self) -> bool {
        !matches!(self, Role::Step | Role::Skill)
    }
}

/// One setting of a node type, drawn from its schema.
#[derive(Clone, Debug, Serialize)]
pub struct FieldInfo {
    pub name: String,
    /// From `x-unit`.
    pub unit: Option<String>,
    /// From `format`: `expression`, `variable`, `node` (a reference), `file`, `token` have meaning to the system.
    pub format: Option<String>,
    pub doc: String,
    pub default: Json,
    pub schema: Json,
}

impl FieldInfo {
    pub fn is_reference(&self) -> bool {
        self.format.as_deref() == Some("node")
    }
}

/// How a node of another system's file maps to a type of ours.
#[derive(Clone, Copy, Debug)]
pub struct Foreign {
    /// The `type` in the foreign file.
    pub kind: &'static str,
    /// A field that must have this text too, where one foreign type covers several of ours.
    pub only_if: Option<(&'static str, &'static str)>,
    /// The same for a text inside an object: the object's field, the key in it, the text.
    pub only_inside: Option<(&'static str, &'static str, &'static str)>,
    /// (theirs, ours) where the value carries over as it is. Fields not named here are kept and reported.
    pub fields: &'static [(&'static str, &'static str)],
    /// Where values have another form there: takes what it understands out of the fields and puts ours in.
    pub convert: Option<fn(&mut Fields)>,
}

impl Foreign {
    pub const fn plain(kind: &'static str, fields: &'static [(&'static str, &'static str)]) -> Foreign {
        Foreign { kind, only_if: None, only_inside: None, fields, convert: None }
    }

    #[must_use]
    pub const fn only_if(self, field: &'static str, text: &'static str) -> Foreign {
        Foreign { only_if: Some((field, text)), ..self }
    }

    #[must_use]
    pub const fn with_inside(self, field: &'static str, key: &'static str, text: &'static str) -> Foreign {
        Foreign { only_inside: Some((field, key, text)), ..self }
    }

    #[must_use]
    pub const fn converted(self, convert: fn(&mut Fields)) -> Foreign {
        Foreign { convert: Some(convert), ..self }
    }
}

/// A setting without which a step cannot do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Needs {
    pub field: &'static str,
    pub missing: &'static str,
    pub remedy: &'static str,
}

/// A pose among the settings that stands in space and can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Handle {
    /// The setting that is a pose, or a list of entries with one each.
    pub field: &'static str,
    /// Of an entry of a list, what of it is the pose.
    pub part: Option<&'static str>,
    pub looks: Looks,
    pub drag: Drag,
    /// What it is called; none: as the step is, or by its number in a list.
    pub title: Option<&'static str>,
    /// `left` or `right`; none: as the entry or the step says in `side`.
    pub side: Option<&'static str>,
    /// It counts with this value of `by` alone; none: as its setting does.
    pub by: Option<&'static str>,
    pub stands: Stands,
    pub written: Written,
}

/// What the pose of a handle is seen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stands {
    /// The frame that the entry or the step names in `frame`; the world where it names none.
    Frame,
    /// The place of another setting, looking to a third one.
    At { place: &'static str, facing: &'static str },
    /// The hand of the step's side, with the axes of the frame.
    Hand,
}

/// How the settings write what a handle moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Written {
    /// As an object with `x_m`, `y_m`, `z_m`, `roll_deg`, `pitch_deg`, `yaw_deg`.
    Pose,
    /// The same, each in a setting of its own, or in none.
    Apart {
        z_m: Option<&'static str>,
        /// Yes or no: without it what is written of x and y does not count.
        xy_if: Option<&'static str>,
        /// The frame of the body that is there now: what is not written stays where that is.
        now: &'static str,
    },
    /// As a vector with `x`, `y` and `z` of this unit, so many millimetres long for each.
    Vector { unit: &'static str, mm: u32 },
}

/// What a handle is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Looks {
    Hand,
    Foot,
    Point,
    Axis,
    Shape,
    /// The trunk, as a pelvis or a chest.
    Body,
    /// An arrow from where it stands.
    Force,
}

/// How a handle can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Drag {
    /// Moved and turned as one likes.
    Free,
    /// Moved, not turned.
    Place,
    /// Moved on the ground and turned about the vertical.
    Ground,
    /// Turned, not moved.
    Turn,
}

impl Handle {
    pub const fn pose(field: &'static str, looks: Looks) -> Handle {
        let (stands, written) = (Stands::Frame, Written::Pose);
        Handle { field, part: None, looks, drag: Drag::Free, title: None, side: None, by: None, stands, written }
    }
}

/// A step that people make by pointing: at the ground of the 3D view, or with a box that they drag on its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// In menus, as `Add a walk`.
    pub title: &'static str,
    /// Where there is little room, as `Walk`.
    pub short: &'static str,
    /// What is shown where it would be.
    pub looks: Looks,
    /// Settings that it has beside those that pointing gives.
    pub with: &'static [(&'static str, Fixed)],
    pub gives: Gives,
}

/// A setting as it is, whoever makes the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Fixed {
    Text(&'static str),
    Whole(i64),
}

/// The settings that pointing gives. Poses are in what the step names in `frame`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gives {
    /// A place on the ground, and another one farther on that is faced there; in the frame of the type, if it is known.
    Ground { place: &'static str, facing: &'static str },
    /// One more entry of a list, on this side, which a selected step of the type goes on with.
    Entry { list: &'static str, pose: &'static str, side: &'static str },
    /// The box from so far above the ground to above a person, and the pose of its middle.
    Area { shape: &'static str, pose: &'static str, from_mm: u32 },
}

/// How a node type is shown, and what it needs: declared beside it.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Declared {
    /// By its name among those of Lucide, as `footprints`; none: that of its group.
    pub icon: Option<&'static str>,
    /// Other words by which people look for it.
    pub words: &'static [&'static str],
    pub needs: &'static [Needs],
    pub handles: &'static [Handle],
    pub offers: &'static [Offer],
    /// A setting that names the node it goes on with or runs.
    pub leads_to: Option<&'static str>,
    /// Its children are none of its own: it may have no others.
    pub calls: bool,
    /// How it ends in a preview may be authored.
    pub senses: bool,
}

/// Everything about a node type except what it does.
#[derive(Clone, Debug, Serialize)]
pub struct NodeInfo {
    pub name: &'static str,
    pub role: Role,
    /// Where the palette shows it.
    pub group: &'static str,
    /// First sentence: what it does. The rest: what a user must know.
    pub doc: &'static str,
    pub fields: Vec<FieldInfo>,
    /// The JSON Schema of its settings.
    pub schema: Json,
    #[serde(flatten)]
    pub declared: Declared,
    #[serde(skip)]
    pub foreign: &'static [Foreign],
}

impl NodeInfo {
    /// Describes a node type by its settings; `doc` begins with a sentence that says what it does.
    pub fn of<Settings: JsonSchema + Serialize + Default>(
        name: &'static str,
        role: Role,
        group: &'static str,
        doc: &'static str,
        foreign: &'static [Foreign],
    ) -> NodeInfo {
        let (schema, fields) = fields_of::<Settings>();
        NodeInfo { name, role, group, doc, fields, schema, declared: Declared::default(), foreign }
    }

    #[must_use]
    pub fn declaring(self, declared: Declared) -> NodeInfo {
        NodeInfo { declared, ..self }
    }

    /// May have children of its own in its file.
    pub fn has_children(&self) -> bool {
        self.role.has_children() && !self.declared.calls
    }

    pub fn field(&self, name: &str) -> Option<&FieldInfo> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// All node types, in palette order.
#[derive(Debug, Default)]
pub struct Catalogue {
    infos: Vec<NodeInfo>,
    by_name: HashMap<&'static str, usize>,
}

impl Catalogue {
    /// Panics on two types of one name: a mistake of the program, found by its first test.
    pub fn new(infos: Vec<NodeInfo>) -> Catalogue {
        let mut by_name = HashMap::new();
        for (index, info) in infos.iter().enumerate() {
            let earlier = by_name.insert(info.name, index);
            assert!(earlier.is_none(), "two node types are named `{}`", info.name);
        }
        Catalogue { infos, by_name }
    }

    pub fn get(&self, name: &str) -> Option<&NodeInfo> {
        self.by_name.get(name).map(|index| &self.infos[*index])
    }

    /// Where the type stands in [`Self::iter`].
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    pub fn role(&self, name: &str) -> Option<Role> {
        self.get(name).map(|info| info.role)
    }

    pub fn iter(&self) -> impl Iterator<Item = &NodeInfo> {
        self.infos.iter()
    }
}
