//! What a person wants of the tree, done by the document.

use document::{Document, DocumentError, SidedSkills, node};
use engine::{Body, Mirror, Plane};
use model::{Edit, Field};
use protocol::api::Operation;
use serde_json::Value as Json;

/// `body`: the robot as it is shown now, for operations that ask where it is.
pub fn apply(document: &mut Document, operation: Operation, body: Option<&Body>) -> Result<Vec<Edit>, DocumentError> {
    match operation {
        Operation::Add { parent, index, kind, name, settings } => {
            let mut subtree = node(&kind, &name);
            for (key, value) in settings.into_iter().filter(|(_, value)| !value.is_null()) {
                subtree.fields.push(key.into(), Field::from_json(value));
            }
            document.insert(parent, index, &subtree)
        }
        Operation::Delete { nodes } => document.delete(&nodes),
        Operation::Move { nodes, parent, index } => document.move_to(&nodes, parent, index),
        Operation::Set { node, settings } => {
            let settings: Vec<(String, Option<Json>)> =
                settings.into_iter().map(|(key, value)| (key, (!value.is_null()).then_some(value))).collect();
            document.set_many(node, &settings)
        }
        Operation::Refer { node, field, target } => document.refer(node, &field, target),
        Operation::Rename { node, name } => document.rename(node, &name),
        Operation::Notes { node, notes } => document.set_notes(node, &notes),
        Operation::Retype { node, kind } => document.retype(node, &kind),
        Operation::Duplicate { nodes } => document.duplicate(&nodes),
        Operation::Wrap { nodes, kind } => document.wrap(&nodes, &kind),
        Operation::Unwrap { node } => document.unwrap(node),
        Operation::Mirror { nodes, copy } => {
            let body = known(body)?;
            let mirror = Mirror { robot: body.robot(), plane: Plane::Sagittal, body: Some(body) };
            if copy {
                document.mirror_copy(&nodes, &mirror, SidedSkills::Copy)
            } else {
                document.mirror(&nodes, &mirror, SidedSkills::Copy)
            }
        }
        Operation::Extract { node, file } => document.extract(node, &file),
        Operation::Inline { node } => document.inline(node),
        Operation::SetToRobot { nodes } => document.set_to_robot(&nodes, known(body)?),
        Operation::ChangeFrame { nodes, frame } => document.change_frame(&nodes, &frame, known(body)?),
        Operation::Variables { file, variables } => {
            document.set_variables(&file, variables.into_iter().map(|(name, value)| (name.into(), value)).collect())
        }
    }
}

fn known(body: Option<&Body>) -> Result<&Body, DocumentError> {
    let problem = "must be known for this, and nothing was heard of it yet: connect the robot first".to_owned();
    body.ok_or(DocumentError::Value { field: "robot".to_owned(), problem })
}
