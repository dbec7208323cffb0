//! Which variables may be set from outside.

use std::sync::Arc;

use model::DefinitionId;

use crate::engine::Engine;
use crate::senses::Sense;

impl Engine {
    /// Every variable of the behavior that may be set from outside.
    pub fn settable_names(&self) -> Vec<Arc<str>> {
        let main = model::Library::MAIN;
        let mut names: Vec<Arc<str>> = self.names_in(main).filter(|name| self.settable(main, name).is_ok()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Declared in a file, or used by what is in it.
    fn names_in(&self, definition: DefinitionId) -> impl Iterator<Item = Arc<str>> {
        let header = &self.library.get(definition).header;
        let declared = header.inputs.iter().map(|(own, _)| own).chain(header.outputs.iter().map(|(own, _)| own));
        let declared = declared.chain(header.variables.iter().map(|(own, _)| own));
        declared.chain(self.world.board.names_of(definition)).cloned()
    }

    /// Why a name of a file cannot be set: what robot and cell tell is read, and a name that nobody knows is a slip.
    pub(crate) fn settable(&self, definition: DefinitionId, name: &str) -> Result<(), String> {
        let board = &self.world.board;
        if self.declares(definition, name) {
            return Ok(());
        }
        if self.world.body.as_ref().is_some_and(|body| Sense::named(body.robot(), name).is_some()) {
            return Err(format!("`{name}` is a sense of the robot: it can be read, not set"));
        }
        if board.is_world_name(name) {
            return Err(format!("`{name}` is a signal of the cell: it can be read, not set"));
        }
        if board.names_of(definition).any(|own| **own == *name) {
            return Ok(());
        }
        let mut known: Vec<Arc<str>> = self.names_in(definition).collect();
        known.sort_unstable();
        known.dedup();
        let known: Vec<&str> = known.iter().map(|own| &**own).collect();
        Err(format!("there is no variable `{name}`{}", hint(name, &known)))
    }
}

fn hint(name: &str, known: &[&str]) -> String {
    const MOST: usize = 12;
    if let Some(near) = model::file::nearest(name, known.iter().copied()) {
        return format!("; did you mean `{near}`?");
    }
    if known.is_empty() {
        return ": none is declared".to_owned();
    }
    let names: Vec<String> = known.iter().take(MOST).map(|own| format!("`{own}`")).collect();
    let more = if known.len() > MOST { " and others" } else { "" };
    format!("; there are {}{more}", names.join(", "))
}
