use std::sync::Arc;

use crate::engine::{Engine, Options};

impl Engine {
    /// The same tree beside this one, stopped, from where the robot and its objects are now, with objects that are set
    /// up at their nominal poses. It shares nothing with this one: whatever becomes of it, this one does not notice.
    pub fn preview(&self) -> Engine {
        let board = &self.world.board;
        let options = Options {
            world: board.world_values().map(|(name, value)| (name.clone(), Some(value.clone()))).collect(),
            set: board.scope_values(self.uses[0].scope).map(|(name, value)| (name.clone(), value.clone())).collect(),
            body: self.world.body.clone(),
            preview: true,
            ..Options::default()
        };
        Engine::new(self.library.clone(), Arc::clone(&self.registry), &options)
    }
}
