//! The types of [`crate::api`] as TypeScript, for the page.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};

use ts_rs::{Config, TS, TypeVisitor};

use crate::api::{Push, Reply, Request, VERSION};

/// Every type that goes over the socket, by name.
pub fn declarations() -> String {
    let mut found = Found { config: Config::new(), seen: BTreeSet::new(), texts: BTreeMap::new() };
    found.visit::<Request>();
    found.visit::<Reply>();
    found.visit::<Push>();
    let texts: String = found.texts.values().map(|text| format!("export {text}\n")).collect();
    let version = format!("/** Said in every hello. */\nexport const VERSION = {VERSION};\n");
    format!("// Generated from crates/protocol: UPDATE_EXPECT=1 cargo test -p protocol\n\n{version}\n{texts}")
}

struct Found {
    config: Config,
    seen: BTreeSet<TypeId>,
    texts: BTreeMap<String, String>,
}

impl TypeVisitor for Found {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Only what is derived has a file of its own; numbers and lists are part of others.
        if T::output_path().is_some() {
            self.texts.insert(T::ident(&self.config), T::decl(&self.config));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}
