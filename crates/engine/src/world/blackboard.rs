use std::sync::Arc;

use expression::Slot;
use model::{DefinitionId, Value};
use rustc_hash::FxHashMap;

use crate::door::InstanceId;
use crate::ids::ScopeId;

/// The bit of a slot that says "a world variable".
const WORLD: u32 = 1 << 31;

/// Names and their places, shared by every use of a skill file.
#[derive(Clone, Debug, Default)]
struct Symbols {
    names: Vec<Arc<str>>,
    by_name: FxHashMap<Arc<str>, u32>,
}

impl Symbols {
    pub fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    pub fn find_or_add(&mut self, name: &str) -> u32 {
        if let Some(index) = self.find(name) {
            return index;
        }
        let index = self.names.len() as u32;
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.by_name.insert(name, index);
        index
    }

    pub fn name(&self, index: u32) -> &Arc<str> {
        &self.names[index as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &Arc<str>)> {
        self.names.iter().enumerate().map(|(index, name)| (index as u32, name))
    }
}

/// The variables of one use of a skill, or of the behavior itself.
#[derive(Clone, Debug)]
struct Scope {
    pub definition: DefinitionId,
    values: Vec<Option<Value>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub scope: ScopeId,
    pub slot: Slot,
    /// None: it has none any more.
    pub value: Option<Value>,
    pub by: InstanceId,
}

/// Every variable. Steps read it; what they write is queued and applied at the end of the tick.
#[derive(Debug, Default)]
pub(crate) struct Blackboard {
    world_names: Symbols,
    world: Vec<Option<Value>>,
    symbols: Vec<Symbols>,
    scopes: Vec<Scope>,
    pub queue: Vec<Update>,
}

impl Blackboard {
    pub fn add_world(&mut self, name: &str) -> Slot {
        let index = self.world_names.find_or_add(name);
        self.world.resize((index as usize + 1).max(self.world.len()), None);
        Slot(index | WORLD)
    }

    pub fn add_scope(&mut self, definition: DefinitionId) -> ScopeId {
        if self.symbols.len() <= definition.index() {
            self.symbols.resize_with(definition.index() + 1, Symbols::default);
        }
        self.scopes.push(Scope { definition, values: Vec::new() });
        ScopeId::new(self.scopes.len() - 1)
    }

    /// Own names first; a name the file does not declare but the world has is the world's.
    pub fn slot(&mut self, definition: DefinitionId, name: &str, declared: bool) -> Slot {
        if !declared && let Some(index) = self.world_names.find(name) {
            return Slot(index | WORLD);
        }
        Slot(self.symbols[definition.index()].find_or_add(name))
    }

    pub fn is_world_name(&self, name: &str) -> bool {
        self.world_names.find(name).is_some()
    }

    /// What a file's expressions and settings have named, without what the world has.
    pub fn names_of(&self, definition: DefinitionId) -> impl Iterator<Item = &Arc<str>> {
        self.symbols.get(definition.index()).into_iter().flat_map(|symbols| symbols.iter().map(|(_, name)| name))
    }

    /// Some expression or setting has named it before, or the world has it.
    pub fn knows(&self, definition: DefinitionId, name: &str) -> bool {
        self.world_names.find(name).is_some() || self.symbols[definition.index()].find(name).is_some()
    }

    pub fn find(&self, scope: ScopeId, name: &str) -> Option<Slot> {
        let definition = self.scopes[scope.index()].definition;
        let own = self.symbols[definition.index()].find(name).map(Slot);
        own.or_else(|| self.world_names.find(name).map(|index| Slot(index | WORLD)))
    }

    pub fn get(&self, scope: ScopeId, slot: Slot) -> Option<&Value> {
        if slot.0 & WORLD != 0 {
            return self.world.get((slot.0 & !WORLD) as usize)?.as_ref();
        }
        self.scopes[scope.index()].values.get(slot.0 as usize)?.as_ref()
    }

    /// The value it has once this tick's updates are applied. A skill that ends with the use of another one would
    /// otherwise hand on what that one has not yet given it.
    pub fn latest(&self, scope: ScopeId, slot: Slot) -> Option<&Value> {
        let is_it = |update: &&Update| update.slot == slot && (Self::is_world(slot) || update.scope == scope);
        match self.queue.iter().rev().find(is_it) {
            Some(update) => update.value.as_ref(),
            None => self.get(scope, slot),
        }
    }

    /// Gives true if the value is another than before.
    pub fn set(&mut self, scope: ScopeId, slot: Slot, value: Option<Value>) -> bool {
        let (values, index) = if slot.0 & WORLD != 0 {
            (&mut self.world, (slot.0 & !WORLD) as usize)
        } else {
            (&mut self.scopes[scope.index()].values, slot.0 as usize)
        };
        if values.len() <= index {
            values.resize(index + 1, None);
        }
        if values[index] == value {
            return false;
        }
        values[index] = value;
        true
    }

    pub fn is_world(slot: Slot) -> bool {
        slot.0 & WORLD != 0
    }

    pub fn name(&self, scope: ScopeId, slot: Slot) -> &Arc<str> {
        if slot.0 & WORLD != 0 {
            return self.world_names.name(slot.0 & !WORLD);
        }
        self.symbols[self.scopes[scope.index()].definition.index()].name(slot.0)
    }

    /// The variables of a scope that have a value.
    pub fn scope_values(&self, scope: ScopeId) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        let scope = &self.scopes[scope.index()];
        let symbols = &self.symbols[scope.definition.index()];
        symbols.iter().filter_map(|(index, name)| Some((name, scope.values.get(index as usize)?.as_ref()?)))
    }

    pub fn world_values(&self) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        self.world_names.iter().filter_map(|(index, name)| Some((name, self.world[index as usize].as_ref()?)))
    }
}
