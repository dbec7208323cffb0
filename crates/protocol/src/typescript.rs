//! The types of [`crate::api`] as TypeScript, for the page.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};

use ts_rs::{Config, TS, TypeVisitor};

use crate::api::{Push, Reply, Request, VERSION};

/// Of the engine, which knows nothing of TypeScript; a test holds it to the engine's own names.
const CONTROL: &str = r#"export type Instance = { uses?: string[]; node: string };
export type Autonomy = "off" | "low" | "high" | "full";
export type Control =
  | { do: "automatic"; on: boolean }
  | { do: "press"; track?: Instance; into?: boolean }
  | { do: "continue"; step?: Instance }
  | { do: "set_next"; to: Instance }
  | { do: "move_next"; by: number }
  | { do: "pause"; on: boolean }
  | { do: "stop" }
  | { do: "reset_failures" }
  | { do: "concurrency"; on: boolean }
  | { do: "run_only"; node: Instance }
  | { do: "autonomy_level"; level: Autonomy }
  | { do: "lock"; node: Instance; on: boolean }
  | { do: "breakpoint"; node: Instance; on: boolean }
  | { do: "admit"; step?: Instance }
  | { do: "force"; step: Instance; verdict: "success" | "failure" | "halted"; outcome?: string }
  | { do: "answer"; step: Instance; value: unknown }
  | { do: "set_variable"; uses?: string[]; name: string; value: unknown }
  | { do: "freeze_object"; object: string; on: boolean }
  | { do: "delete_object"; object: string }
  | { do: "place_object"; object: string; class?: string; frame: string; pose: number[] };
"#;

/// Every type that goes over the socket, by name.
pub fn declarations() -> String {
    let mut found = Found { config: Config::new(), seen: BTreeSet::new(), texts: BTreeMap::new() };
    found.visit::<Request>();
    found.visit::<Reply>();
    found.visit::<Push>();
    let texts: String = found.texts.values().map(|text| format!("export {text}\n")).collect();
    let version = format!("/** Said in every hello. */\nexport const VERSION = {VERSION};\n");
    format!(
        "// Generated from crates/protocol: UPDATE_EXPECT=1 cargo test -p protocol\n\n{version}\n{CONTROL}\n{texts}"
    )
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
