//! Steps put in with what comes behind them, as one operation.

use model::{Edit, Field, Library, NodeId, NodeRef, Subtree, reference_text};

use crate::DocumentError;
use crate::document::{Document, node};
use crate::draft::ids_of;

/// What runs when what was put in has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Then {
    /// What stands behind it.
    #[default]
    Waited,
    /// Nothing more of its track.
    End,
    /// This node of the same file.
    Step(NodeId),
}

impl Document {
    /// Puts the children of a behavior that was read among those of a node, as [`Self::paste`] does. Where something else
    /// than what stands behind them is to follow, a goto is the last step of what is put in.
    pub fn splice(
        &mut self,
        (parent, index): (NodeId, usize),
        from: &Library,
        then: Then,
    ) -> Result<Vec<Edit>, DocumentError> {
        let (mut steps, skills) = self.steps_of(parent, from)?;
        if let Then::Step(target) = then
            && self.owner(target)? != self.owner(parent)?
        {
            let problem = "must be a node of the same file".to_owned();
            return Err(DocumentError::Value { field: "then".to_owned(), problem });
        }
        let jump = (then != Then::Waited).then(|| self.wrap_with_jump(&mut steps, then));
        let ids: Vec<NodeId> = steps.iter().flat_map(ids_of).collect();
        let mut draft = self.draft();
        draft.bring(Some(&skills))?;
        for (place, subtree) in steps.into_iter().enumerate() {
            draft.apply(Edit::Insert { parent, index: index + place, subtree })?;
        }
        draft.resolve_references(&ids)?;
        if let (Some(jump), Then::Step(target)) = (jump, then) {
            let text = reference_text(draft.document.at(jump)?.1, jump, target).into();
            draft.set(jump, "target", Some(Field::Ref(Box::new(NodeRef { id: Some(target), text }))))?;
        }
        Ok(draft.finish("insert"))
    }

    /// The id of the jump.
    fn wrap_with_jump(&mut self, steps: &mut Vec<Subtree>, then: Then) -> NodeId {
        let name = steps.first().map(|first| first.name.to_string()).unwrap_or_default();
        let mut jump = Subtree { id: self.fresh_id(), ..node("goto", "") };
        if then == Then::End {
            jump.fields.push("end".into(), Field::from_json(true.into()));
        }
        let id = jump.id;
        let mut whole = Subtree { id: self.fresh_id(), ..node("sequence", &name) };
        whole.children = std::mem::take(steps);
        whole.children.push(jump);
        steps.push(whole);
        id
    }
}
