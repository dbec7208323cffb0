use model::Edit;

use crate::document::Document;

/// One operation, for whoever keeps an undo for each of several people.
#[derive(Clone, Debug)]
pub struct Operation {
    pub label: &'static str,
    pub forward: Vec<Edit>,
    /// To be applied in this order.
    pub inverse: Vec<Edit>,
}

impl Document {
    /// Takes the newest operation out of the undo of this document, so that it is kept elsewhere.
    pub fn take_operation(&mut self) -> Option<Operation> {
        let step = self.undo.pop()?;
        Some(Operation { label: step.label, forward: step.forward, inverse: step.inverse })
    }
}
