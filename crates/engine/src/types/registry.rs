//! The list of node types, and what is asked of a node by its type.

use std::borrow::Cow;
use std::sync::Arc;

use robot::{Preview, Robot};
use scene::SceneUpdate;
use serde_json::Value as Json;

use super::bind::Binder;
use super::declared::{Finding, Flow, Runs, Within};
use super::node_type::{Entry, Made, Rework};
use crate::Cannot;
use crate::door::Measured;
use crate::world::Body;

/// Every node type there is.
pub struct Registry {
    catalogue: model::Catalogue,
    entries: Vec<Entry>,
}

impl Registry {
    pub fn new(entries: Vec<Entry>) -> Registry {
        let catalogue = model::Catalogue::new(entries.iter().map(|entry| entry.info.clone()).collect());
        Registry { catalogue, entries }
    }

    pub fn catalogue(&self) -> &model::Catalogue {
        &self.catalogue
    }

    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.catalogue.index_of(name).map(|index| &self.entries[index])
    }

    /// What a node would do from where the body is now. None: it moves no body.
    pub fn preview(&self, node: &model::Node, body: &Body) -> Result<Option<Preview>, Cannot> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => {
                written_out(node, info).and_then(|fields| (author.preview)(fields, info, body))
            }
            _ => Ok(None),
        }
    }

    /// What a node would ask of the scene from where everything is now, with nominal poses.
    pub fn nominal(&self, node: &model::Node, body: &Body) -> Result<Vec<SceneUpdate>, Cannot> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => {
                written_out(node, info).and_then(|fields| (author.nominal)(fields, info, body))
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The value that a node judges, as it is now. None: it judges no value.
    pub fn measure(&self, node: &model::Node, body: &Body) -> Result<Option<Measured>, Cannot> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => {
                written_out(node, info).and_then(|fields| (author.measure)(fields, info, body))
            }
            _ => Ok(None),
        }
    }

    /// What of a node's settings this robot cannot do: the field, and the sentence.
    pub fn check(&self, node: &model::Node, robot: &Robot) -> Vec<(&'static str, String)> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.check)(&node.fields, info, robot),
            _ => Vec::new(),
        }
    }

    /// What is wrong with the settings of a step, whatever the robot.
    pub fn findings(&self, node: &model::Node) -> Vec<Finding> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.findings)(&node.fields, info),
            _ => Vec::new(),
        }
    }

    /// What is certain of the end of a step, guards and limits aside.
    pub fn flow(&self, node: &model::Node) -> Flow {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.flow)(&node.fields, info),
            _ => Flow::UNKNOWN,
        }
    }

    /// The same of a composite.
    pub fn flow_within(&self, node: &model::Node, within: &Within<'_>) -> Flow {
        match self.get(&node.kind) {
            Some(Entry { info, composed: Some(composed), .. }) => (composed.flow)(&node.fields, info, within),
            _ => Flow::UNKNOWN,
        }
    }

    /// What is wrong with the settings and children of a composite.
    pub fn findings_within(&self, node: &model::Node, within: &Within<'_>) -> Vec<Finding> {
        match self.get(&node.kind) {
            Some(Entry { info, composed: Some(composed), .. }) => (composed.findings)(&node.fields, info, within),
            _ => Vec::new(),
        }
    }

    /// Every named outcome that a node may end with by itself. None: nobody can tell.
    pub fn outcomes(&self, node: &model::Node) -> Option<Vec<String>> {
        match self.get(&node.kind)? {
            Entry { info, author: Some(author), .. } => (author.outcomes)(&node.fields, info),
            Entry { runs: Some(Runs::Called(_) | Runs::Some), .. } => None,
            // What its children end with.
            _ => Some(Vec::new()),
        }
    }

    /// Joints, parts of the body and tokens that a step needs for itself while it runs, but for what it names anew each time.
    pub fn claims(&self, node: &model::Node) -> Vec<Arc<str>> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.claims)(&node.fields, info),
            _ => Vec::new(),
        }
    }

    /// The token that a node reserves for its track.
    pub fn reserves(&self, node: &model::Node) -> Option<Arc<str>> {
        match self.get(&node.kind)? {
            Entry { info, author: Some(author), .. } => (author.reserves)(&node.fields, info),
            _ => None,
        }
    }

    /// The token that a node gives back.
    pub fn relinquishes(&self, node: &model::Node) -> Option<Arc<str>> {
        match self.get(&node.kind)? {
            Entry { info, author: Some(author), .. } => (author.relinquishes)(&node.fields, info),
            _ => None,
        }
    }

    /// The detectors that a node names.
    pub fn detectors(&self, node: &model::Node) -> Vec<Arc<str>> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.detectors)(&node.fields, info),
            _ => Vec::new(),
        }
    }

    /// The settings of a node as its type reads them, all of them; none where it has no settings of a step.
    pub fn settings(&self, node: &model::Node) -> Result<Option<Json>, Cannot> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => (author.settings)(&node.fields, info).map(Some),
            _ => Ok(None),
        }
    }

    /// The settings of a node after a rework, all of them; none where its type has nothing to rework.
    pub fn rework(&self, node: &model::Node, rework: &Rework<'_>) -> Result<Option<Json>, Cannot> {
        match self.get(&node.kind) {
            Some(Entry { info, author: Some(author), .. }) => {
                written_out(node, info).and_then(|fields| (author.rework)(fields, info, rework)).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The settings of a node that is given values of the moment by constants: what is wrong with those, each with its field.
    pub fn wrong_constants(
        &self,
        node: &model::Node,
        constant: &dyn Fn(&str) -> Option<model::Value>,
    ) -> Vec<(Arc<str>, String)> {
        let Some(entry) = self.get(&node.kind) else { return Vec::new() };
        let mut wrong = Vec::new();
        for place in node.fields.bound(&entry.info) {
            let Some(value) = constant(&place.text) else { continue };
            let place = std::slice::from_ref(&place);
            let fields = node.fields.with_values(place, std::iter::once(value.to_json()));
            let found = fields.wrong_values(place, &entry.info);
            wrong.extend(found.into_iter().map(|sentence| (place[0].field.clone(), sentence)));
        }
        wrong
    }

    /// The expressions among the settings of a node that are values of the moment, each with its field.
    pub fn bound(&self, node: &model::Node) -> Vec<model::Bound> {
        self.get(&node.kind).map_or_else(Vec::new, |entry| node.fields.bound(&entry.info))
    }

    /// The settings of a node, with something that fits in place of each value of the moment.
    pub fn with_samples<'n>(&self, node: &'n model::Node) -> Cow<'n, model::Fields> {
        match self.get(&node.kind) {
            Some(entry) => {
                let bound = node.fields.bound(&entry.info);
                if bound.is_empty() {
                    Cow::Borrowed(&node.fields)
                } else {
                    Cow::Owned(node.fields.with_samples(&bound, &entry.info))
                }
            }
            None => Cow::Borrowed(&node.fields),
        }
    }

    /// Makes a node's settings bind, for a checker; gives what is wrong with reading them.
    pub fn bind(&self, node: &model::Node, binder: &mut Binder<'_>) -> Result<Vec<Arc<str>>, Cannot> {
        if let Some(Entry { info, ask: Some(ask), .. }) = self.get(&node.kind) {
            return ask(&self.with_samples(node), info, binder).map(|_| Vec::new());
        }
        let Some(Entry { info, make: Some(make), .. }) = self.get(&node.kind) else {
            return Ok(Vec::new());
        };
        Ok(match make(&self.with_samples(node), info, binder)? {
            Made::Step { claims, .. } => claims,
            Made::Composite { .. } => Vec::new(),
        })
    }
}

/// What an author asks of settings has an answer where all of them are known.
fn written_out<'n>(node: &'n model::Node, info: &model::NodeInfo) -> Result<&'n model::Fields, Cannot> {
    match node.fields.bound(info).into_iter().next() {
        Some(bound) => Err(Cannot::OfTheMoment { place: bound.place(), text: bound.text }),
        None => Ok(&node.fields),
    }
}
