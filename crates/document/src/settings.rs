use model::{Edit, Field, FieldInfo, Library, NodeId, NodeRef, Role, common_fields, reference_text, resolve, validate};
use serde_json::Value as Json;

use crate::DocumentError;
use crate::document::Document;
use crate::draft::is_word;

impl Document {
    /// Sets a setting. A text that names a node becomes a reference, which a rename of that node does not break.
    pub fn set(&mut self, node: NodeId, field: &str, value: Json) -> Result<Vec<Edit>, DocumentError> {
        let (_, _, at) = self.at(node)?;
        self.check_setting(&at.kind, field, &value)?;
        let value = self.field_of(node, field, value);
        let mut draft = self.draft();
        draft.set(node, field, Some(value))?;
        Ok(draft.finish("set"))
    }

    /// Sets several settings of a node as one operation, none gives the default back, together with the skill files that
    /// the node uses then and this behavior has not.
    pub fn set_many(
        &mut self,
        node: NodeId,
        settings: &[(String, Option<Json>)],
        skills: Option<&Library>,
    ) -> Result<Vec<Edit>, DocumentError> {
        let kind = self.at(node)?.2.kind.clone();
        for (field, value) in settings {
            if let Some(value) = value {
                self.check_setting(&kind, field, value)?;
            }
        }
        let mut draft = self.draft();
        draft.bring(skills)?;
        for (field, value) in settings {
            let before = draft.document.at(node)?.2.fields.get(field).cloned();
            let after = value.clone().map(|value| draft.document.field_of(node, field, value));
            if before != after {
                draft.set(node, field, after)?;
            }
        }
        Ok(draft.finish("set"))
    }

    /// Lets a setting refer to a node of the same file.
    pub fn refer(&mut self, node: NodeId, field: &str, target: NodeId) -> Result<Vec<Edit>, DocumentError> {
        let (owner, tree, at) = self.at(node)?;
        if self.owner(target)? != owner {
            let problem = "must refer to a node of the same file".to_owned();
            return Err(DocumentError::Value { field: field.to_owned(), problem });
        }
        if !self.is_reference(&at.kind, field) {
            let problem = "does not refer to a node".to_owned();
            return Err(DocumentError::Value { field: field.to_owned(), problem });
        }
        let reference = NodeRef { id: Some(target), text: reference_text(tree, node, target).into() };
        let mut draft = self.draft();
        draft.set(node, field, Some(Field::Ref(Box::new(reference))))?;
        Ok(draft.finish("set"))
    }

    /// Takes a setting out, which gives its default.
    pub fn reset(&mut self, node: NodeId, field: &str) -> Result<Vec<Edit>, DocumentError> {
        let is_set = self.at(node)?.2.fields.get(field).is_some();
        let mut draft = self.draft();
        if is_set {
            draft.set(node, field, None)?;
        }
        Ok(draft.finish("reset"))
    }

    pub fn rename(&mut self, node: NodeId, name: &str) -> Result<Vec<Edit>, DocumentError> {
        let mut draft = self.draft();
        draft.apply(Edit::Rename { node, name: name.into() })?;
        Ok(draft.finish("rename"))
    }

    pub fn set_notes(&mut self, node: NodeId, notes: &str) -> Result<Vec<Edit>, DocumentError> {
        let mut draft = self.draft();
        draft.apply(Edit::Notes { node, notes: notes.into() })?;
        Ok(draft.finish("notes"))
    }

    /// Changes a node's type. Settings the new type does not know are kept, for another change of mind.
    pub fn retype(&mut self, node: NodeId, kind: &str) -> Result<Vec<Edit>, DocumentError> {
        let role = self.known_role(kind)?;
        let (_, tree, at) = self.at(node)?;
        if role == Role::Skill && tree.root == node {
            return Err(DocumentError::SkillAsRoot);
        }
        if !role.has_children() && !at.children.is_empty() {
            return Err(DocumentError::HasChildren { label: at.label().to_string(), kind: kind.to_owned() });
        }
        let mut draft = self.draft();
        draft.apply(Edit::Retype { node, kind: kind.into() })?;
        // What was a mere text may be a reference of the new type.
        draft.resolve_references(&[node])?;
        Ok(draft.finish("change type"))
    }

    pub(crate) fn known_role(&self, kind: &str) -> Result<Role, DocumentError> {
        self.catalogue().role(kind).ok_or_else(|| DocumentError::UnknownType(kind.to_owned()))
    }

    /// A setting of a type, or of every node, with the schema that its own refers into.
    pub(crate) fn info(&self, kind: &str, field: &str) -> Option<(&FieldInfo, &Json)> {
        engine::setting(self.catalogue(), kind, field)
    }

    pub(crate) fn is_reference(&self, kind: &str, field: &str) -> bool {
        self.info(kind, field).is_some_and(|(info, _)| info.is_reference())
    }

    pub(crate) fn check_setting(&self, kind: &str, field: &str, value: &Json) -> Result<(), DocumentError> {
        let Some((info, root)) = self.info(kind, field) else {
            let own = self.catalogue().get(kind).into_iter().flat_map(|info| &info.fields);
            let known: Vec<String> = own.chain(common_fields()).map(|info| format!("`{}`", info.name)).collect();
            let (kind, field, known) = (kind.to_owned(), field.to_owned(), known.join(", "));
            return Err(DocumentError::UnknownField { kind, field, known });
        };
        match validate(root, &info.schema, value).into_iter().next() {
            Some(problem) => Err(DocumentError::Value { field: field.to_owned(), problem }),
            None => Ok(()),
        }
    }

    fn field_of(&self, node: NodeId, field: &str, value: Json) -> Field {
        let value = Field::from_json(value);
        let Ok((_, tree, at)) = self.at(node) else { return value };
        match &value {
            Field::Text(text) if self.is_reference(&at.kind, field) && !is_word(field, text) => {
                let id = resolve(tree, node, text).first();
                Field::Ref(Box::new(NodeRef { id, text: text.as_ref().into() }))
            }
            _ => value,
        }
    }
}
