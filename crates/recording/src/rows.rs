use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Engine, Instance, InstanceId};
use model::NodeId;

use crate::StepRun;

/// One line of the timeline: a step with all its executions, or the use of a skill with the steps inside.
#[derive(Clone, Debug)]
pub struct Row {
    pub label: Arc<str>,
    pub depth: usize,
    /// Places in [`crate::Report::steps`]; empty for the use of a skill.
    pub runs: Vec<usize>,
}

type Key = (Vec<NodeId>, NodeId);

#[derive(Default)]
struct Building {
    places: BTreeMap<Key, usize>,
    rows: Vec<(Row, Option<usize>)>,
}

/// Puts every execution into its row; rows are in start order, what is inside a composite or skill use below it.
/// `order` names the instance of each step.
pub(crate) fn build(engine: &Engine, order: &[InstanceId], steps: &mut [StepRun]) -> Vec<Row> {
    let mut building = Building::default();
    let mut row_of: BTreeMap<InstanceId, usize> = BTreeMap::new();
    for (place, id) in order.iter().enumerate() {
        let row = match row_of.get(id) {
            Some(row) => *row,
            None => {
                let row = building.add(engine, engine.instance_of_id(*id), steps[place].node.clone());
                row_of.insert(*id, row);
                row
            }
        };
        building.rows[row].0.runs.push(place);
    }
    building.finish(steps)
}

impl Building {
    fn add(&mut self, engine: &Engine, instance: Instance, label: Arc<str>) -> usize {
        let parent = self.parent(engine, &instance);
        self.push((instance.uses, instance.node), label, parent)
    }

    fn push(&mut self, key: Key, label: Arc<str>, parent: Option<usize>) -> usize {
        if let Some(place) = self.places.get(&key) {
            return *place;
        }
        let depth = parent.map_or(0, |parent| self.rows[parent].0.depth + 1);
        self.rows.push((Row { label, depth, runs: Vec::new() }, parent));
        self.places.insert(key, self.rows.len() - 1);
        self.rows.len() - 1
    }

    /// The nearest node above that has a row. A skill use is flattened away and gets its row here.
    fn parent(&mut self, engine: &Engine, instance: &Instance) -> Option<usize> {
        let library = engine.library();
        if let Some(owner) = library.owner_of(instance.node) {
            for above in library.get(owner).ancestors(instance.node) {
                if let Some(place) = self.places.get(&(instance.uses.clone(), above)) {
                    return Some(*place);
                }
            }
        }
        let (via, outer) = instance.uses.split_last()?;
        let key = (outer.to_vec(), *via);
        if let Some(place) = self.places.get(&key) {
            return Some(*place);
        }
        let label = library.owner_of(*via).map(|owner| library.get(owner).node(*via).label().clone());
        let parent = self.parent(engine, &Instance { uses: outer.to_vec(), node: *via });
        Some(self.push(key, label.unwrap_or_else(|| "a deleted skill".into()), parent))
    }

    fn finish(self, steps: &mut [StepRun]) -> Vec<Row> {
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); self.rows.len()];
        let mut stack = Vec::new();
        for (place, (_, parent)) in self.rows.iter().enumerate() {
            match parent {
                Some(parent) => below[*parent].push(place),
                None => stack.push(place),
            }
        }
        stack.reverse();
        let mut taken: Vec<Option<Row>> = self.rows.into_iter().map(|(row, _)| Some(row)).collect();
        let mut rows = Vec::with_capacity(taken.len());
        while let Some(place) = stack.pop() {
            stack.extend(below[place].iter().rev());
            let Some(row) = taken[place].take() else { continue };
            for run in &row.runs {
                steps[*run].row = rows.len();
            }
            rows.push(row);
        }
        rows
    }
}
