//! What a person does to the settings of steps where a robot is known: take over where it is, name another frame.

use engine::{Body, Rework};
use model::{Edit, Fields, Node, NodeId};

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
    fn reworked(&self, node: &Node, rework: &Rework<'_>) -> Result<Option<Fields>, DocumentError> {
        self.registry.reworked(node, rework).map_err(|why| self.refused(node.id, why.to_string()))
    }

    pub(crate) fn refused(&self, node: NodeId, why: String) -> DocumentError {
        let path = self.at(node).map_or_else(|_| node.to_string(), |(_, tree, _)| tree.path(node));
        DocumentError::Rework { path, why }
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
