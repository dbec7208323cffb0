//! What a person wants of the tree, done by the document.

use document::{Document, DocumentError, SidedSkills, Then, node};
use engine::{Body, Mirror, Plane, Rework};
use geometry::Pose;
use model::file::{Files, join, load};
use model::{Edit, Field, Library, NodeId, Role};
use protocol::api::Operation;
use serde_json::Value as Json;

use crate::clip;

/// What an operation may need to know of the world around the tree.
pub struct Around<'a> {
    /// The robot as it is shown now, for operations that ask where it is.
    pub body: Option<&'a Body>,
    /// Where the files of skills are that the behavior does not use yet.
    pub files: &'a dyn Files,
}

pub fn apply(document: &mut Document, operation: Operation, around: &Around<'_>) -> Result<Vec<Edit>, DocumentError> {
    let body = around.body;
    match operation {
        Operation::Add { parent, index, kind, name, settings, at_robot } => {
            let mut subtree = node(&kind, &name);
            for (key, value) in settings.into_iter().filter(|(_, value)| !value.is_null()) {
                subtree.fields.push(key.into(), Field::from_json(value));
            }
            if let Some(body) = body.filter(|_| at_robot) {
                subtree.fields = document.begun(&kind, std::mem::take(&mut subtree.fields), body);
            }
            let file = subtree.fields.get("file").and_then(Field::as_str).map(str::to_owned);
            let skills = skills(document, around.files, (parent, &kind), file.as_deref());
            document.insert_bringing(parent, index, &subtree, skills.as_ref())
        }
        Operation::Insert { tree, place, then, .. } => {
            let main = document.library().main();
            let at = place.map_or((main.root, main.node(main.root).children.len()), |at| (at.parent, at.index));
            let library = clip::of_tree(document, tree, around.files)?;
            let then = match then {
                protocol::api::Then::Waited => Then::Waited,
                protocol::api::Then::End => Then::End,
                protocol::api::Then::Step(node) => Then::Step(node),
            };
            document.splice(at, &library, then)
        }
        Operation::Delete { nodes } => document.delete(&nodes),
        Operation::Move { nodes, parent, index } => document.move_to(&nodes, parent, index),
        Operation::Set { node, settings } => {
            let settings: Vec<(String, Option<Json>)> =
                settings.into_iter().map(|(key, value)| (key, (!value.is_null()).then_some(value))).collect();
            let kind = document.library().owner_of(node).and_then(|owner| document.library().get(owner).get(node));
            let kind = kind.map(|node| node.kind.to_string()).unwrap_or_default();
            let file = settings.iter().find(|(key, _)| key == "file").and_then(|(_, value)| value.as_ref()?.as_str());
            let skills = skills(document, around.files, (node, &kind), file);
            document.set_many(node, &settings, skills.as_ref())
        }
        Operation::Refer { node, field, target } => document.refer(node, &field, target),
        Operation::Rename { node, name } => document.rename(node, &name),
        Operation::Notes { node, notes } => document.set_notes(node, &notes),
        Operation::Retype { node, kind } => document.retype(node, &kind),
        Operation::Duplicate { nodes } => document.duplicate(&nodes),
        Operation::Wrap { nodes, kind } => document.wrap(&nodes, &kind),
        Operation::Unwrap { node } => document.unwrap(node),
        Operation::Mirror { nodes, copy, objects } => {
            let body = known(body)?;
            let plane = if objects { Plane::World } else { Plane::Sagittal };
            let mirror = Mirror { robot: body.robot(), plane, body: Some(body) };
            if copy {
                document.mirror_copy(&nodes, &mirror, SidedSkills::MirroredOrCopy)
            } else {
                document.mirror(&nodes, &mirror, SidedSkills::MirroredOrCopy)
            }
        }
        Operation::Paste { parent, index, text } => {
            let library = clip::read(document, parent, &text, around.files)?;
            document.paste(parent, index, &library)
        }
        Operation::TakeSteps { node, steps } => {
            let soles = steps.iter().map(|step| Ok((step.side, pose_of(&step.pose)?)));
            let soles = soles.collect::<Result<Vec<_>, DocumentError>>()?;
            let rework = Rework::TakeSteps { steps: &soles, body: known(body)? };
            document.rework_all(&[node], &rework, "take the steps")
        }
        Operation::Extract { node, file } => document.extract(node, &file),
        Operation::Inline { node } => document.inline(node),
        Operation::SetToRobot { nodes } => document.set_to_robot(&nodes, known(body)?),
        Operation::ChangeFrame { nodes, frame } => document.change_frame(&nodes, &frame, known(body)?),
        Operation::Lets { file, lets } => {
            let lets = lets.iter().map(|(name, text)| (name.as_str().into(), text.as_str().unwrap_or_default().into()));
            document.set_lets(&file, lets.collect())
        }
        Operation::Variables { file, variables } => {
            document.set_variables(&file, variables.into_iter().map(|(name, value)| (name.into(), value)).collect())
        }
    }
}

/// The skill file that is to be used by a node beside or below this one, with all that it uses itself, where the
/// behavior has it not yet. One that cannot be read is a problem of the tree, told as such.
fn skills(document: &Document, files: &dyn Files, (at, kind): (NodeId, &str), file: Option<&str>) -> Option<Library> {
    let (library, file) = (document.library(), file.filter(|_| document.catalogue().role(kind) == Some(Role::Skill))?);
    let path = join(&library.get(library.owner_of(at)?).file, file);
    if library.find(&path).is_some() {
        return None;
    }
    load(&path, files, document.catalogue()).ok().map(|loaded| loaded.library)
}

fn pose_of(numbers: &[f64; 7]) -> Result<Pose, DocumentError> {
    let problem = "must be x, y, z and a quaternion x, y, z, w".to_owned();
    Pose::from_numbers(*numbers).ok_or(DocumentError::Value { field: "steps".to_owned(), problem })
}

fn known(body: Option<&Body>) -> Result<&Body, DocumentError> {
    let problem = "must be known for this, and nothing was heard of it yet: connect the robot first".to_owned();
    body.ok_or(DocumentError::Value { field: "robot".to_owned(), problem })
}
