//! What nodes read, set and ask for.

use engine::{Use, renamed, visit_texts};
use expression::Expression;
use model::{Definition, Fields, NodeId};
use rustc_hash::FxHashMap;

use crate::document::Document;

/// What nodes read, set and ask for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mentions {
    pub reads: Vec<String>,
    pub writes: Vec<String>,
    /// (who asks, the name it asks for)
    pub nodes: Vec<(NodeId, String)>,
}

impl Document {
    pub(crate) fn mentions(&self, tree: &Definition, nodes: impl Iterator<Item = NodeId>) -> Mentions {
        let mut found = Mentions::default();
        for id in nodes {
            let node = tree.node(id);
            let mut fields = node.fields.clone();
            self.visit(&node.kind, &mut fields, &mut |kind, text| match kind {
                Use::Variable => found.writes.push(text.clone()),
                Use::Token => {}
                Use::Expression => {
                    let expression = Expression::new(text);
                    // One that cannot be read names nothing; the checker reports it.
                    found.reads.extend(expression.variables().unwrap_or_default());
                    found.nodes.extend(expression.nodes().unwrap_or_default().into_iter().map(|name| (id, name)));
                }
            });
        }
        for list in [&mut found.reads, &mut found.writes] {
            list.sort();
            list.dedup();
        }
        found
    }

    /// Gives variables other names.
    pub(crate) fn rename_variables(&self, kind: &str, fields: &mut Fields, names: &FxHashMap<String, String>) {
        self.visit(kind, fields, &mut |kind, text| match kind {
            Use::Variable => {
                if let Some(name) = names.get(text.as_str()) {
                    *text = name.clone();
                }
            }
            Use::Token => {}
            Use::Expression => *text = renamed(text, names),
        });
    }

    pub(crate) fn visit(&self, kind: &str, fields: &mut Fields, see: &mut dyn FnMut(Use, &mut String)) {
        visit_texts(self.catalogue(), kind, fields, see);
    }
}
