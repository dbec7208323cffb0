use std::sync::Arc;

use model::{Edit, Header, Input};
use serde_json::Value as Json;

use crate::DocumentError;
use crate::document::Document;

impl Document {
    /// Sets what a skill file takes from its callers, in this order.
    pub fn set_inputs(&mut self, file: &str, inputs: Vec<(Arc<str>, Input)>) -> Result<Vec<Edit>, DocumentError> {
        self.change_header(file, "inputs", |header| header.inputs = inputs)
    }

    /// Sets a file's own variables with the value each has at every start.
    pub fn set_variables(&mut self, file: &str, variables: Vec<(Arc<str>, Json)>) -> Result<Vec<Edit>, DocumentError> {
        self.change_header(file, "variables", |header| header.variables = variables)
    }

    /// Sets the names that stand for expressions in a file, in this order.
    pub fn set_lets(&mut self, file: &str, lets: Vec<(Arc<str>, Arc<str>)>) -> Result<Vec<Edit>, DocumentError> {
        self.change_header(file, "let", |header| header.lets = lets)
    }

    fn change_header(
        &mut self,
        file: &str,
        label: &'static str,
        change: impl FnOnce(&mut Header),
    ) -> Result<Vec<Edit>, DocumentError> {
        let definition = self.library.find(file).ok_or_else(|| DocumentError::NoFile(file.to_owned()))?;
        let mut header = self.library.get(definition).header.clone();
        change(&mut header);
        for names in [names(&header.inputs), names(&header.outputs), names(&header.variables), names(&header.lets)] {
            check_names(label, &names)?;
        }
        let mut draft = self.draft();
        draft.apply(Edit::Header { definition, header: Box::new(header) })?;
        Ok(draft.finish(label))
    }
}

fn names<T>(declared: &[(Arc<str>, T)]) -> Vec<&str> {
    declared.iter().map(|(name, _)| &**name).collect()
}

/// A file keeps declarations by name: of two of one name it would lose one.
fn check_names(label: &str, names: &[&str]) -> Result<(), DocumentError> {
    for (place, name) in names.iter().enumerate() {
        let problem = if name.is_empty() {
            "must not have an empty name".to_owned()
        } else if names[..place].contains(name) {
            format!("must not have `{name}` twice")
        } else {
            continue;
        };
        return Err(DocumentError::Value { field: label.to_owned(), problem });
    }
    Ok(())
}
