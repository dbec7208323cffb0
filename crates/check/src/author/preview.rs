use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Body, Cannot, Instance, Measured, Mirror, Mirrored, Plane, Registry};
use geometry::Pose;
use model::{Definition, DefinitionId, Field, Library, Node, NodeId, Role, Value};
use robot::{PartName, Preview, Side};
use serde::Serialize;

/// One step that moves the body, puts an object somewhere or judges a value.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    #[serde(skip)]
    pub step: Instance,
    pub node: Arc<str>,
    pub path: String,
    #[serde(rename = "type")]
    pub kind: Arc<str>,
    /// Why it cannot be done.
    pub problem: Option<String>,
    pub preview: Option<Preview>,
    /// Where objects of the scene are after it, if it is about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objects: Option<BTreeMap<Arc<str>, Pose>>,
    /// The value that it judges, from where everything would be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    #[serde(skip)]
    wanted: bool,
}

/// A hand path that is worse than this at its worst moment is not reached.
pub const WORST_QUALITY: f64 = 1.0;

/// What each step would do, from where the one before would leave the robot. `wanted`: only those at or below this node
/// of the behavior itself; what comes before still counts.
pub fn preview(library: &Library, registry: &Registry, body: Body, wanted: Option<NodeId>) -> Vec<Row> {
    let mut walk =
        Walk { library, registry, body, rows: Vec::new(), uses: Vec::new(), mirrored: false, values: BTreeMap::new() };
    walk.values = first_values(library.main());
    walk.tree(Library::MAIN, "", wanted, wanted.is_none());
    walk.rows.into_iter().filter(|row| row.wanted).collect()
}

struct Walk<'a> {
    library: &'a Library,
    registry: &'a Registry,
    body: Body,
    rows: Vec<Row>,
    /// Skill uses that lead to where the walk is.
    uses: Vec<NodeId>,
    /// They turn left and right.
    mirrored: bool,
    /// Of the variables of the file: those they begin with.
    values: BTreeMap<String, Value>,
}

/// What one node and what is below it would do, from where the robot is now. It may be of any file.
pub fn preview_one(library: &Library, registry: &Registry, body: Body, node: NodeId) -> Vec<Row> {
    let Some(owner) = library.owner_of(node) else { return Vec::new() };
    let body = with_fingers(library.get(owner), registry, body, node);
    let mut walk =
        Walk { library, registry, body, rows: Vec::new(), uses: Vec::new(), mirrored: false, values: BTreeMap::new() };
    walk.values = first_values(library.get(owner));
    walk.below((owner, node), "", None, true);
    walk.rows
}

/// With the fingers of each hand as the last step for that hand alone, before the node in its file, leaves them.
fn with_fingers(tree: &Definition, registry: &Registry, mut body: Body, node: NodeId) -> Body {
    let mut last: [Option<NodeId>; 2] = [None, None];
    for before in tree.walk_enabled(tree.root).take_while(|before| *before != node) {
        let claims = registry.claims(tree.node(before));
        for (side, last) in Side::BOTH.into_iter().zip(&mut last) {
            if let [only] = &claims[..]
                && &**only == PartName::Hand(side).word()
            {
                *last = Some(before);
            }
        }
    }
    let robot = body.robot().clone();
    for (side, step) in Side::BOTH.into_iter().zip(last) {
        let Some(hand) = robot.part(PartName::Hand(side)) else { continue };
        let Some(Ok(Some(preview))) = step.map(|step| registry.preview(tree.node(step), &body)) else { continue };
        let mut state = (**body.state()).clone();
        for at in &hand.coordinates {
            if let (Some(to), Some(from)) = (state.positions.get_mut(*at), preview.goal.get(*at)) {
                *to = *from;
            }
        }
        body.update(Arc::new(state));
        body.advance(0);
    }
    body
}

/// Skills in skills: a circle of them is an error, but nobody waits for its end.
const MAX_DEPTH: usize = 64;

impl Walk<'_> {
    fn tree(&mut self, id: DefinitionId, above: &str, wanted: Option<NodeId>, whole: bool) {
        self.below((id, self.library.get(id).root), above, wanted, whole);
    }

    fn below(&mut self, (id, top): (DefinitionId, NodeId), above: &str, wanted: Option<NodeId>, whole: bool) {
        let library = self.library;
        let tree = library.get(id);
        for node in tree.walk_enabled(top) {
            let is_wanted = whole || wanted.is_some_and(|wanted| tree.is_within(node, wanted));
            let path = path(tree, node, above);
            match (self.registry.catalogue().role(&tree.node(node).kind), library.skill_of(id, node)) {
                (Some(Role::Skill), Some(used)) if self.uses.len() < MAX_DEPTH => {
                    let turns = self.known(tree, tree.node(node)).fields.get("mirrored") == Some(&Field::Bool(true));
                    let inner = self.given(tree, tree.node(node), library.get(used));
                    let outer = std::mem::replace(&mut self.values, inner);
                    self.uses.push(node);
                    self.mirrored ^= turns;
                    self.tree(used, &path, None, is_wanted);
                    self.mirrored ^= turns;
                    self.uses.pop();
                    self.values = outer;
                }
                (Some(Role::Step), _) => self.step(tree, node, path, is_wanted),
                _ => {}
            }
        }
    }

    fn step(&mut self, tree: &Definition, id: NodeId, path: String, wanted: bool) {
        let node = tree.node(id);
        let (name, kind) = (node.label().clone(), node.kind.clone());
        let step = Instance { uses: self.uses.clone(), node: id };
        let mut row =
            Row { step, node: name, path, kind, problem: None, preview: None, objects: None, measured: None, wanted };
        let known = self.known(tree, node);
        let node = match self.on_its_side(tree, &known) {
            Ok(node) => node,
            Err(problem) => {
                row.problem = Some(problem.to_string());
                return self.rows.push(row);
            }
        };
        let node = &*node;
        match self.registry.preview(node, &self.body) {
            Ok(Some(preview)) => {
                self.move_to(&preview);
                row.problem.clone_from(&preview.refused);
                row.preview = Some(preview);
            }
            Ok(None) => match self.registry.measure(node, &self.body) {
                Ok(Some(measured)) => row.measured = Some(measured),
                Ok(None) => match self.put_objects(node) {
                    Ok(None) => return,
                    Ok(objects) => row.objects = objects,
                    Err(problem) => row.problem = Some(problem),
                },
                // What it asks about is not there in a preview; that does not make it impossible.
                Err(problem) => (row.problem, row.objects) = (Some(problem.to_string()), Some(BTreeMap::new())),
            },
            Err(problem) => row.problem = Some(problem.to_string()),
        }
        self.rows.push(row);
    }

    /// What an expression of a file gives before anything has run. None: only a run knows.
    fn value(&self, tree: &Definition, text: &str) -> Option<Value> {
        let robot = self.body.robot();
        let mirror = Mirror { robot, plane: Plane::World, body: None };
        let there = self.mirrored.then(|| Mirrored::new(self.registry, mirror, tree).text(text, &|_| None));
        engine::evaluate(there.as_deref().unwrap_or(text), &tree.header, &self.values, Some(&self.body)).ok()
    }

    /// With what its values of the moment would be, where all of them are known.
    fn known<'n>(&self, tree: &Definition, node: &'n Node) -> Cow<'n, Node> {
        let places = self.registry.bound(node);
        let value = |place: &model::Bound| self.value(tree, &place.text).map(|value| value.to_json());
        let values: Option<Vec<_>> = places.iter().map(value).collect();
        match values.filter(|values| !values.is_empty()) {
            Some(values) => {
                Cow::Owned(Node { fields: node.fields.with_values(&places, values.into_iter()), ..node.clone() })
            }
            None => Cow::Borrowed(node),
        }
    }

    /// What the variables of a skill begin with in a use of it.
    fn given(&self, tree: &Definition, node: &Node, skill: &Definition) -> BTreeMap<String, Value> {
        let mut values = first_values(skill);
        let Some(Field::Json(inputs)) = node.fields.get("inputs") else { return values };
        for (name, given) in inputs.as_object().into_iter().flatten() {
            let value = given.as_str().map_or_else(|| Value::from_json(given), |text| self.value(tree, text));
            match value {
                Some(value) => drop(values.insert(name.clone(), value)),
                None => drop(values.remove(name)),
            }
        }
        values
    }

    fn on_its_side<'n>(&self, tree: &Definition, node: &'n Node) -> Result<Cow<'n, Node>, Cannot> {
        if !self.mirrored {
            return Ok(Cow::Borrowed(node));
        }
        let mirror = Mirror { robot: self.body.robot(), plane: Plane::World, body: None };
        Mirrored::new(self.registry, mirror, tree).node(node).map(Cow::Owned)
    }

    fn move_to(&mut self, preview: &Preview) {
        let mut state = (**self.body.state()).clone();
        state.positions.clone_from(&preview.goal);
        state.world_from_base = preview.world_from_base;
        self.body.update(Arc::new(state));
        self.body.advance(0);
    }

    /// None: it asks nothing of the scene.
    fn put_objects(&mut self, node: &Node) -> Result<Option<BTreeMap<Arc<str>, Pose>>, String> {
        let updates = self.registry.nominal(node, &self.body)?;
        for update in &updates {
            self.body.apply(update).map_err(|error| error.to_string())?;
        }
        self.body.advance(0);
        let objects = self.body.scene().objects().iter();
        let placed = objects.filter_map(|(name, object)| Some((name.clone(), object.world_from_object?)));
        Ok((!updates.is_empty()).then(|| placed.collect()))
    }
}

fn first_values(tree: &Definition) -> BTreeMap<String, Value> {
    let header = &tree.header;
    let variables = header.variables.iter().filter_map(|(name, value)| Some((name, Value::from_json(value)?)));
    let inputs = header.inputs.iter();
    let inputs = inputs.filter_map(|(name, input)| Some((name, Value::from_json(input.default.as_ref()?)?)));
    variables.chain(inputs).map(|(name, value)| (name.to_string(), value)).collect()
}

fn path(tree: &Definition, node: NodeId, above: &str) -> String {
    format!("{above}{}", tree.path(node))
}

impl Row {
    pub fn is_possible(&self) -> bool {
        match &self.preview {
            Some(preview) => preview.refused.is_none() && preview.quality <= WORST_QUALITY,
            None => self.measured.is_some() || self.objects.is_some(),
        }
    }

    pub fn moves_body(&self) -> bool {
        self.measured.is_none() && self.objects.is_none()
    }
}
