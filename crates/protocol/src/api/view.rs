//! The document, files and the robot, as they are shown.

use std::collections::BTreeMap;

use model::NodeId;
use robot::Side;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;

use super::PoseView;
use super::workshop::Workshop;
use crate::Role;
use crate::talk::Form;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Welcome {
    pub version: u32,
    pub name: String,
    pub role: Role,
    /// The robot this operator process is for, where it is known yet.
    pub robot: Option<String>,
    /// Whether robot and world are simulated; none: no robot has said so yet. [`Push::RobotIs`] tells when one does.
    pub simulated: Option<bool>,
    /// The secret of this session: whoever says hello with it takes the session up again, with its run control.
    pub session: String,
    /// Names this operator process: what another one told does not count any more.
    pub process: String,
    /// The robot's world can begin anew.
    pub resets: bool,
    /// What can be opened with one click, each with its world; empty but in a demo.
    pub scenes: Vec<SceneView>,
    /// What was guessed of the robot can be looked at and corrected.
    pub workshop: Workshop,
}

/// A behavior with the world it is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SceneView {
    pub title: String,
    pub summary: String,
    /// None: an empty behavior of this title.
    pub file: Option<String>,
    pub world: String,
    /// Why it cannot be opened here, and what helps; none: it can.
    pub missing: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FileEntry {
    pub file: String,
    /// A skill declares inputs or outputs, or lies in a folder of skills.
    pub skill: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct DocumentView {
    /// Counts up with every change; `robot_has` in [`Push::Delivery`] is about it.
    pub version: u32,
    /// The behavior first, then its skills.
    pub files: Vec<FileView>,
    pub nodes: Vec<NodeView>,
    pub undo: Option<String>,
    pub redo: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FileView {
    pub file: String,
    #[ts(type = "string")]
    pub root: NodeId,
    pub unsaved: bool,
    #[ts(type = "Record<string, unknown>")]
    pub variables: serde_json::Map<String, Json>,
    /// Names that stand for expressions.
    #[serde(default)]
    #[ts(type = "Record<string, string>")]
    pub lets: serde_json::Map<String, Json>,
    #[ts(type = "unknown")]
    pub inputs: Json,
    #[ts(type = "unknown")]
    pub outputs: Json,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NodeView {
    #[ts(type = "string")]
    pub id: NodeId,
    #[ts(type = "string | null")]
    pub parent: Option<NodeId>,
    /// Index into the document's files.
    pub file: u32,
    pub kind: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(as = "Option<String>", optional)]
    pub notes: String,
    /// None: they are as they were, but for what [`Push::Changed`] says in `children`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(type = "string[]")]
    pub children: Option<Vec<NodeId>>,
    /// Those written; the rest has its default.
    #[ts(type = "Record<string, unknown>")]
    pub settings: serde_json::Map<String, Json>,
    /// Settings that name another node, with that node's id. Where it is in the tree, its name now counts, not the text in
    /// `settings`, which is the one that was written.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    #[ts(type = "Record<string, string>", optional)]
    pub references: serde_json::Map<String, Json>,
    /// Of a use of a skill: the file it uses, as an index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub skill: Option<u32>,
    /// Of a fallback: how many of its children are its try. Of a tree that was just changed it comes a moment later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tries: Option<usize>,
}

/// What became of the children of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ChildrenView {
    #[ts(type = "string")]
    pub parent: NodeId,
    /// Taken out first.
    #[ts(type = "string[]")]
    pub out: Vec<NodeId>,
    /// Then put in, one after the other, each at its place.
    #[serde(rename = "in")]
    #[ts(type = "[number, string][]")]
    pub put: Vec<(u32, NodeId)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ProblemView {
    pub error: bool,
    pub file: String,
    #[ts(type = "string | null")]
    pub node: Option<NodeId>,
    pub field: Option<String>,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryEntry {
    pub who: String,
    /// Milliseconds since 1970.
    pub when_ms: f64,
    pub what: String,
    #[ts(type = "string[]")]
    pub nodes: Vec<NodeId>,
}

/// What to draw: links with their shapes, joints with their axes, all in the order of a robot state's joints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RobotView {
    pub name: String,
    /// Its URDF, whose primitives and meshes the page draws.
    pub urdf: String,
    /// Names in the order of the joints of a robot state.
    pub joints: Vec<String>,
    /// Parts of the body with their joints, from the trunk outward.
    pub parts: BTreeMap<String, Vec<String>>,
    pub presets: Vec<String>,
    pub grips: Vec<String>,
    pub cameras: Vec<CameraView>,
    /// Classes that there are templates for, with what can be drawn of them.
    pub templates: Vec<TemplateView>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CameraView {
    pub name: String,
    pub horizontal_view_deg: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TemplateView {
    pub class: String,
    pub notes: String,
    pub form: Option<Form>,
    /// Of the middle of the form in the object: x, y, z, qx, qy, qz, qw.
    #[ts(as = "Vec<f64>")]
    pub form_at: PoseView,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PreviewView {
    pub step: InstanceView,
    pub path: String,
    pub problem: Option<String>,
    pub duration_s: f64,
    /// 0 to 1 good, above 1 not reached.
    pub quality: f64,
    /// x, y, z, qx, qy, qz, qw.
    #[ts(as = "Vec<f64>")]
    pub base: PoseView,
    /// In the order of a robot state's joints.
    pub joints: Vec<f64>,
    /// Each a list of poses as `base`.
    #[ts(as = "Vec<Vec<Vec<f64>>>")]
    pub hand_paths: Vec<Vec<PoseView>>,
    pub footsteps: Vec<FootstepView>,
    pub collisions: Vec<(String, String)>,
    /// The body on its way, evenly in time; the last is how it ends.
    pub way: Vec<SampleView>,
    /// It would drive the body into itself, and there is a setting that allows it.
    pub touches: Option<TouchView>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SampleView {
    pub time_s: f64,
    /// x, y, z, qx, qy, qz, qw.
    #[ts(as = "Vec<f64>")]
    pub base: PoseView,
    /// In the order of a robot state's joints.
    pub joints: Vec<f64>,
    pub reached: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TouchView {
    pub links: [String; 2],
    /// The setting that allows it.
    pub allowed_by: String,
}

/// A step as it is expected to run, in seconds since the beginning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ExpectedView {
    pub step: InstanceView,
    pub start_s: f64,
    pub end_s: f64,
}

/// Where a foot would be put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FootstepView {
    #[ts(type = "'left' | 'right'")]
    pub side: Side,
    /// Of the sole: x, y, z, qx, qy, qz, qw in the world.
    #[ts(as = "Vec<f64>")]
    pub pose: PoseView,
}

/// A node of the running tree: the skill uses that lead to it, then its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InstanceView {
    #[ts(type = "string[]")]
    pub uses: Vec<NodeId>,
    #[ts(type = "string")]
    pub node: NodeId,
}

/// What a robot is able to do, by a file of the folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CapabilitiesView {
    pub file: String,
    pub name: String,
    pub notes: String,
    /// In the order of the file.
    pub abilities: Vec<AbilityView>,
    /// What is so when what is put in as next begins, by what ran.
    pub present: Vec<String>,
    /// Where what runs next would be put in now.
    pub place: super::Place,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AbilityView {
    pub name: String,
    pub is: AbilityKind,
    pub notes: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AbilityKind {
    /// Of which one is on.
    Mode,
    Action,
    Fact,
}

/// A way to goals, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SynthesizedView {
    /// What was asked, with what is so now filled in.
    pub request: GoalView,
    /// One behind the other; empty: there is no way.
    pub steps: Vec<GoalStepView>,
    /// For [`super::Operation::Insert`].
    #[ts(type = "unknown")]
    pub tree: serde_json::Value,
    pub proof: Option<String>,
    /// Why there is no way.
    pub why: Option<String>,
    /// Where what runs next would be put in now.
    pub place: super::Place,
    /// Of the request, on the link.
    pub link_bytes: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct GoalView {
    pub from: Vec<String>,
    pub goals: Vec<String>,
    pub strict: bool,
    pub retry: u32,
    pub modes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct GoalStepView {
    pub name: String,
    /// For which goal it is done.
    pub goal: String,
    pub is_mode: bool,
}
