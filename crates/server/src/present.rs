//! What is so by the run, and where what runs next is put in.

use engine::Instance;
use model::{Definition, Library, NodeId, Role};
use protocol::api::InstanceView;

use crate::goals::Able;
use crate::operator::Operator;

/// Before which step a behavior goes that is to run next.
pub(crate) struct NextPlace {
    /// The parent, and the place among its children.
    pub at: (NodeId, usize),
    /// What is in progress, and is not parted: it is put in behind this.
    behind: Option<NodeId>,
}

impl Operator {
    /// Before the step at next. Where next is inside of what does one ability, of a skill or of what is locked: behind that.
    pub(crate) fn next_place(&self, able: Option<&Able>) -> NextPlace {
        let library = self.shared.document().library();
        let main = library.main();
        let at_end = NextPlace { at: (main.root, main.node(main.root).children.len()), behind: None };
        let Some(next) = self.run.next().and_then(|next| self.numbers.get(next)) else { return at_end };
        let top = next.uses.first().copied().unwrap_or(next.node);
        if !main.contains(top) {
            return at_end;
        }
        let locks: Vec<NodeId> = self.run.locks().filter_map(|lock| self.numbers.get(lock)).map(|at| at.node).collect();
        let is_whole = |node: NodeId| {
            let is_use = node == top && !next.uses.is_empty();
            is_use || locks.contains(&node) || able.is_some_and(|able| self.ability_at(able, main, node).is_some())
        };
        let around = main.ancestors(top).filter(|node| *node != main.root);
        let inside = std::iter::once(top).filter(|_| !next.uses.is_empty()).chain(around);
        let behind = inside.filter(|node| is_whole(*node) && !self.begins_with(*node, &next)).last();
        let beside = |node: NodeId, later: usize| {
            let parent = main.node(node).parent?;
            Some(NextPlace { at: (parent, main.index_of(node)? + later), behind })
        };
        match behind {
            Some(node) => beside(node, 1),
            None => beside(top, 0),
        }
        .unwrap_or(at_end)
    }

    /// The first step of a node of the behavior is this one: nothing of it has run in this pass.
    fn begins_with(&self, node: NodeId, step: &InstanceView) -> bool {
        let library = self.shared.document().library();
        let catalogue = self.setup.registry.catalogue();
        let (mut owner, mut at) = (Library::MAIN, node);
        let mut uses = Vec::new();
        loop {
            let tree = library.get(owner);
            let role = catalogue.role(&tree.node(at).kind);
            if role == Some(Role::Skill) {
                let Some(used) = library.skill_of(owner, at).filter(|_| uses.len() < 64) else { return false };
                uses.push(at);
                (owner, at) = (used, library.get(used).root);
                continue;
            }
            let children = &tree.node(at).children;
            let first = children.iter().copied().find(|child| !tree.node(*child).is_disabled());
            match first.filter(|_| role.is_some_and(Role::organises)) {
                Some(first) => at = first,
                None => return at == step.node && uses == step.uses,
            }
        }
    }

    /// What is so when what is put in as next begins: what has succeeded in this run has its effect, and what is waited for
    /// counts as succeeded, because nothing behind it runs otherwise.
    pub(crate) fn what_is_so(&self, able: &Able) -> Vec<String> {
        let mut done: Vec<String> = Vec::new();
        for number in self.run.succeeded().into_iter().chain(self.run.running()) {
            if let Some(step) = self.numbers.get(number) {
                done.extend(self.abilities_done_with(able, step));
            }
        }
        let main = self.shared.document().library().main();
        let behind = self.next_place(Some(able)).behind;
        done.extend(behind.and_then(|node| self.ability_at(able, main, node)));
        able.capabilities.after(done.iter().map(String::as_str))
    }

    /// What a step does, and what is done with it because it is the last in it.
    fn abilities_done_with(&self, able: &Able, step: InstanceView) -> Vec<String> {
        let library = self.shared.document().library();
        let catalogue = self.setup.registry.catalogue();
        let InstanceView { mut uses, mut node } = step;
        let mut done = Vec::new();
        loop {
            let Some(owner) = library.owner_of(node) else { return done };
            let tree = library.get(owner);
            done.extend(self.ability_at(able, tree, node));
            let around = match tree.node(node).parent {
                Some(parent) => {
                    let children = tree.node(parent).children.iter();
                    let last = children.rev().find(|child| !tree.node(**child).is_disabled());
                    // What is a step itself says how it ended.
                    let organises = catalogue.role(&tree.node(parent).kind).is_some_and(Role::organises);
                    (last == Some(&node) && organises).then_some(parent)
                }
                None => uses.pop(),
            };
            let Some(around) = around else { return done };
            let instance = Instance { uses: uses.clone(), node: around };
            if self.run.has_result(protocol::talk::instance_number(&instance)) {
                return done;
            }
            node = around;
        }
    }

    fn ability_at(&self, able: &Able, tree: &Definition, node: NodeId) -> Option<String> {
        let library = self.shared.document().library();
        let used = library.owner_of(node).and_then(|owner| library.skill_of(owner, node));
        let file = used.map(|used| &*library.get(used).file);
        able.named(&tree.node(node).name, file).map(str::to_owned)
    }
}
