//! What a person does to the settings of steps where a robot is known: take over where it is, name another frame.

use engine::{Body, Cannot, Rework};
use model::{Edit, Field, Fields, Node, NodeId};
use serde_json::Value as Json;

use crate::DocumentError;
use crate::document::Document;
use crate::draft::Draft;

impl Document {
    /// Takes over where the robot is now: the pose of its hand, the angles of its joints.
    pub fn set_to_robot(&mut self, nodes: &[NodeId], body: &Body) -> Result<Vec<Edit>, DocumentError> {
        self.rework_all(nodes, &Rework::SetToRobot(body), "set to the robot")
    }

    /// Gives poses in another frame, so that they stay where they are now.
    pub fn change_frame(&mut self, nodes: &[NodeId], to: &str, body: &Body) -> Result<Vec<Edit>, DocumentError> {
        self.rework_all(nodes, &Rework::ChangeFrame { to, body }, "change frame")
    }

    /// The settings of a new step, where the robot is now; what has no pose keeps those it is given.
    pub fn begun(&self, kind: &str, fields: Fields, body: &Body) -> Fields {
        let id = NodeId::from_position("", &[]);
        let node = Node {
            id,
            parent: None,
            kind: kind.into(),
            name: "".into(),
            notes: "".into(),
            children: Vec::new(),
            fields,
            id_written: false,
        };
        match self.reworked(&node, &Rework::Begin(body)) {
            Ok(Some(begun)) => begun,
            _ => node.fields,
        }
    }

    /// Anything that a type does with its settings, of several nodes; `label` is what undo calls it.
    pub fn rework_all(
        &mut self,
        nodes: &[NodeId],
        rework: &Rework<'_>,
        label: &'static str,
    ) -> Result<Vec<Edit>, DocumentError> {
        if nodes.is_empty() {
            return Err(DocumentError::Nothing);
        }
        let mut draft = self.draft();
        for id in nodes {
            let node = draft.document.at(*id)?.2.clone();
            let fields = draft.document.reworked(&node, rework)?.ok_or_else(|| {
                let why = format!("a `{}` has neither pose nor angles", node.kind);
                draft.document.refused(*id, why)
            })?;
            draft.change_fields(&node, &fields)?;
        }
        Ok(draft.finish(label))
    }

    /// The settings of a node after a rework: only what it changes is other than before. None: its type has nothing to
    /// rework.
    pub(crate) fn reworked(&self, node: &Node, rework: &Rework<'_>) -> Result<Option<Fields>, DocumentError> {
        let refused = |why: Cannot| self.refused(node.id, why.to_string());
        let after = self.registry.rework(node, rework).map_err(refused)?;
        let before = self.registry.settings(node).map_err(refused)?;
        let (Some(Json::Object(after)), Some(Json::Object(before))) = (after, before) else { return Ok(None) };
        let mut fields = node.fields.clone();
        let keys = before.keys().chain(after.keys().filter(|key| !before.contains_key(*key)));
        for key in keys.filter(|key| before.get(*key) != after.get(*key)) {
            let default = self.info(&node.kind, key).map(|(info, _)| &info.default);
            match after.get(key).filter(|value| Some(*value) != default) {
                None => drop(fields.remove(key)),
                Some(value) => {
                    let written = node.fields.get(key).map(Field::to_json);
                    put(&mut fields, key, Field::from_json(as_written(value, written.as_ref())));
                }
            }
        }
        Ok(Some(fields))
    }

    pub(crate) fn refused(&self, node: NodeId, why: String) -> DocumentError {
        let path = self.at(node).map_or_else(|_| node.to_string(), |(_, tree, _)| tree.path(node));
        DocumentError::Rework { path, why }
    }
}

/// Numbers as the author wrote them where they are the same, else as people write them: `1`, not `1.0`.
fn as_written(value: &Json, written: Option<&Json>) -> Json {
    const LARGEST_WHOLE: f64 = 1e15;
    match value {
        Json::Number(number) => match number.as_f64() {
            same if written.is_some_and(|written| written.is_number() && written.as_f64() == same) => {
                written.cloned().unwrap_or_default()
            }
            Some(whole) if whole.fract() == 0.0 && whole.abs() < LARGEST_WHOLE => Json::from(whole as i64),
            _ => value.clone(),
        },
        Json::Array(items) => {
            let of = |at: usize| written.and_then(|written| written.get(at));
            items.iter().enumerate().map(|(at, item)| as_written(item, of(at))).collect()
        }
        Json::Object(entries) => {
            let of = |key: &str| written.and_then(|written| written.get(key));
            entries.iter().map(|(key, value)| (key.clone(), as_written(value, of(key)))).collect()
        }
        _ => value.clone(),
    }
}

pub(crate) fn put(fields: &mut Fields, key: &str, value: Field) {
    match fields.get_mut(key) {
        Some(field) => *field = value,
        None => fields.push(key.into(), value),
    }
}

impl Draft<'_> {
    /// Makes the settings of a node these, touching none that is the same.
    pub fn change_fields(&mut self, node: &Node, wanted: &Fields) -> Result<(), DocumentError> {
        for (key, field) in wanted.iter().filter(|(key, field)| node.fields.get(key) != Some(*field)) {
            self.set(node.id, key, Some(field.clone()))?;
        }
        for (key, _) in node.fields.iter().filter(|(key, _)| wanted.get(key).is_none()) {
            self.set(node.id, key, None)?;
        }
        Ok(())
    }
}
