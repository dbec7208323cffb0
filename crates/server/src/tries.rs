//! How many children of a fallback are its try: only the engine knows which of them start together, and it looks at the
//! whole tree. So that nobody waits for it, it is found out elsewhere, on a copy of the tree, and told a moment later.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Engine, Options, Registry};
use model::{Library, NodeId};

use crate::operator::{Effect, Now, Operator};
use crate::view::Difference;
use crate::work::{What, Work};

/// While people edit, it is found out this often at most: each time takes a copy of the tree.
const EVERY_NS: u64 = 300_000_000;

/// Whether it is being found out, and when that began last.
#[derive(Debug, Default)]
pub struct Finding {
    on_its_way: bool,
    begun_ns: Option<u64>,
}

pub fn find(library: &Library, registry: &Arc<Registry>) -> BTreeMap<NodeId, usize> {
    Engine::new(library.clone(), Arc::clone(registry), &Options::default()).try_lengths()
}

impl Operator {
    pub(crate) fn find_tries(&mut self, now: Now) {
        let is_soon = self.finding.begun_ns.is_some_and(|begun_ns| now.ns.saturating_sub(begun_ns) < EVERY_NS);
        if !self.view.tries_open || self.finding.on_its_way || is_soon {
            return;
        }
        self.view.tries_open = false;
        self.finding = Finding { on_its_way: true, begun_ns: Some(now.ns) };
        let library = self.shared.document().library().clone();
        let work = Work { asked: None, registry: Arc::clone(&self.setup.registry), library, what: What::Tries };
        self.effects.push(Effect::Work(Box::new(work)));
    }

    /// None: it could not be found out this time.
    pub(crate) fn tries_found(&mut self, tries: Option<&BTreeMap<NodeId, usize>>) {
        self.finding.on_its_way = false;
        let Some(tries) = tries else {
            self.view.tries_open = true;
            return;
        };
        let news = self.view.take_tries(tries);
        if !news.is_empty() {
            let nodes = self.view.only(self.shared.document(), &news);
            self.tell_changed("", "", &Difference { nodes, ..Difference::default() }, None);
        }
    }
}
