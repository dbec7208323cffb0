//! Which variables may be set from outside.

use model::DefinitionId;

use crate::engine::Engine;
use crate::senses::Sense;

impl Engine {
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
        let header = &self.library.get(definition).header;
        let declared = header.inputs.iter().map(|(own, _)| own).chain(header.outputs.iter().map(|(own, _)| own));
        let declared = declared.chain(header.variables.iter().map(|(own, _)| own));
        let mut known: Vec<&str> = declared.chain(board.names_of(definition)).map(|own| &**own).collect();
        known.sort_unstable();
        known.dedup();
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
