//! What the settings of a node are on the other side, with all that they name: shared by the operation of an editor that
//! writes it and by uses of skills that run so.

mod asked;
mod bound;
mod said;

use std::sync::Arc;

use expression::Expression;
use model::{Definition, Fields, Node};
use rustc_hash::FxHashMap;

pub use said::not;

use super::rework::Mirror;
use super::texts::{OwnNames, Use, own_names, renamed, requoted, visit_texts};
use crate::Cannot;
use crate::types::{Registry, Rework};

/// Names may stand for others; one that stands for itself is an error that the checker tells.
const MOST_NAMES_DEEP: u32 = 16;

/// A file seen in a mirror.
pub struct Mirrored<'a> {
    registry: &'a Registry,
    mirror: Mirror<'a>,
    /// Names that the file has itself: of the robot's variables they are none.
    own: Arc<OwnNames>,
}

/// What a node is called on the other side. None: as on this.
pub type Called<'n> = &'n dyn Fn(&str) -> Option<String>;

impl<'a> Mirrored<'a> {
    pub fn new(registry: &'a Registry, mirror: Mirror<'a>, tree: &Definition) -> Mirrored<'a> {
        Mirrored::with(registry, mirror, Arc::new(own_names(registry.catalogue(), tree)))
    }

    pub(crate) fn with(registry: &'a Registry, mirror: Mirror<'a>, own: Arc<OwnNames>) -> Mirrored<'a> {
        Mirrored { registry, mirror, own }
    }

    /// Settings, guards, claims. A value of the moment becomes the expression that gives what its value would be there.
    pub fn fields(&self, node: &Node, called: Called<'_>) -> Result<Fields, Cannot> {
        let mut fields = self.turned(node)?;
        self.with_texts(&node.kind, &mut fields, &|text| self.text(text, called));
        Ok(fields)
    }

    /// The same of a node that runs: what its expressions ask is answered on the other side.
    pub(crate) fn running_fields(&self, node: &Node) -> Result<Fields, Cannot> {
        let mut fields = self.turned(node)?;
        self.with_texts(&node.kind, &mut fields, &|text| self.running_text(text));
        Ok(fields)
    }

    fn turned(&self, node: &Node) -> Result<Fields, Cannot> {
        let places = self.registry.bound(node);
        match places.is_empty() {
            true => Ok(self.written_out(node)?.unwrap_or_else(|| node.fields.clone())),
            false => bound::turned(self, node, &places),
        }
    }

    fn with_texts(&self, kind: &str, fields: &mut Fields, turned: &dyn Fn(&str) -> String) {
        visit_texts(self.registry.catalogue(), kind, fields, &mut |kind, text| match kind {
            Use::Variable => {}
            Use::Token => *text = self.mirror.claim(text),
            Use::Expression => *text = turned(text),
        });
    }

    /// The node with its settings on the other side and its own name.
    pub fn node(&self, node: &Node) -> Result<Node, Cannot> {
        Ok(Node { fields: self.fields(node, &|_| None)?, ..node.clone() })
    }

    /// An expression that reads on the other side what this one reads here.
    pub fn text(&self, text: &str, called: Called<'_>) -> String {
        self.text_within(text, called, MOST_NAMES_DEEP)
    }

    fn text_within(&self, text: &str, called: Called<'_>, depth: u32) -> String {
        let parsed = Expression::new(text);
        let nodes = parsed.nodes().unwrap_or_default().into_iter();
        let nodes = nodes.filter_map(|name| called(&name).map(|other| (name, other)));
        let frames = parsed.frames().unwrap_or_default().into_iter();
        let frames = frames.map(|name| (name.clone(), self.mirror.frame(&name)));
        let asked = requoted(&asked::turned(text, &self.mirror), &nodes.chain(frames).collect());
        let read = parsed.variables().unwrap_or_default();
        let other = |name: String| self.written_there(&name, called, depth).or_else(|| self.sense(name));
        let names: FxHashMap<String, String> = read.into_iter().filter_map(other).collect();
        turned_once(renamed(&asked, &names), &names)
    }

    /// The same where whoever answers what it asks does so on the other side.
    pub(crate) fn running_text(&self, text: &str) -> String {
        let read = Expression::new(text).variables().unwrap_or_default();
        let names: FxHashMap<String, String> = read.into_iter().filter_map(|name| self.sense(name)).collect();
        turned_once(renamed(text, &names), &names)
    }

    /// A name that stands for something else on the other side is written out; the file keeps it as it is.
    fn written_there(&self, name: &str, called: Called<'_>, depth: u32) -> Option<(String, String)> {
        let (own, text) = self.own.let_of(name).filter(|_| depth > 0)?;
        let there = self.text_within(text, called, depth - 1);
        (there != **text).then(|| (own.to_string(), format!("({there})")))
    }

    /// None: it has no sides, or is a variable of the file.
    fn sense(&self, name: String) -> Option<(String, String)> {
        if self.own.contains(&name) {
            return None;
        }
        let (other, sign) = self.mirror.sense(&name)?;
        let other = if sign < 0.0 { format!("(-{other})") } else { other };
        (other != name).then_some((name, other))
    }

    fn written_out(&self, node: &Node) -> Result<Option<Fields>, Cannot> {
        self.registry.reworked(node, &Rework::Mirror(self.mirror))
    }
}

/// What was turned before is turned back.
fn turned_once(mut text: String, names: &FxHashMap<String, String>) -> String {
    for turned in names.values().filter(|name| name.starts_with('(')) {
        let twice = format!("(-{turned})");
        if text.contains(&twice) {
            text = text.replace(&twice, &turned[2..turned.len() - 1]);
        }
    }
    text
}
