//! Which variables may be set from outside.

use std::sync::Arc;

use model::DefinitionId;

use crate::Refused;
use crate::engine::Engine;
use crate::world::Sense;

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
    pub(super) fn settable(&self, definition: DefinitionId, name: &str) -> Result<(), Refused> {
        let board = &self.world.board;
        if self.declares(definition, name) {
            return Ok(());
        }
        if self.world.body.as_ref().is_some_and(|body| Sense::named(body.robot(), name).is_some()) {
            return Err(Refused::Sense { name: name.to_owned() });
        }
        if board.is_world_name(name) {
            return Err(Refused::Signal { name: name.to_owned() });
        }
        if board.names_of(definition).any(|own| **own == *name) {
            return Ok(());
        }
        let mut known: Vec<String> = self.names_in(definition).map(|own| own.to_string()).collect();
        known.sort_unstable();
        known.dedup();
        Err(Refused::NoVariable { name: name.to_owned(), known })
    }
}
