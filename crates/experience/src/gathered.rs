use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::batch::{Batch, FORMAT, Limit, Row, Shift, State};
use crate::expected::Strategy;

/// What is made of the newest batches at a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Estimator {
    /// The largest.
    #[default]
    Max,
    /// The mean.
    Mean,
    /// The newest.
    Latest,
}

/// How states are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Numbers within so much of each other count as one state.
    pub bin: f64,
    pub estimator: Estimator,
}

impl Grid {
    /// Halves go to the even bin, as in the reference model.
    pub(crate) fn bin_of(&self, state: f64) -> i64 {
        (state / self.bin).round_ties_even() as i64
    }
}

/// So many of the newest batches count at each state.
const NEWEST: usize = 5;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bin {
    At(i64),
    Named(Arc<str>),
}

/// Where the samples of a strategy are: what it took there, for each of its limits.
#[derive(Clone, Debug, Default)]
struct Cell {
    newest: VecDeque<Vec<f64>>,
    estimate: Vec<f64>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    cells: BTreeMap<Bin, Cell>,
    overhead_s: Mean,
    /// A unit of state takes so long; with the whole speed where it has a parameter.
    s_a_unit: Mean,
    manipulate_s: Mean,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn get(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

/// Whose experience it is that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Of<'a> {
    pub task: &'a str,
    pub robot: &'a str,
    pub strategies: &'a [Strategy],
    /// Also what was known before this run began.
    pub past: bool,
    /// The trial that is on: its states fit together although nobody knows yet where they count from.
    pub trial: u64,
}

/// Why a batch is left out. It stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Left {
    OtherFormat,
    OtherRobot,
    OtherLimits,
    NoNumbers,
}

impl std::fmt::Display for Left {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Left::OtherFormat => "it is of another version",
            Left::OtherRobot => "it is of another robot",
            Left::OtherLimits => "its limits were others",
            Left::NoNumbers => "it has values that are no numbers",
        })
    }
}

/// What the attempts at one task have shown, put in order for those who ask.
#[derive(Clone, Debug)]
pub struct Experience {
    grid: Grid,
    known: BTreeMap<Arc<str>, Known>,
    /// How many attempts of a strategy are left out, and why.
    left: BTreeMap<(Arc<str>, Left), usize>,
    samples: usize,
}

impl Experience {
    pub fn new(grid: Grid) -> Experience {
        Experience { grid, known: BTreeMap::new(), left: BTreeMap::new(), samples: 0 }
    }

    /// From all that is stored of a task: `own` says which batches this run has made.
    pub fn gather<'b>(grid: Grid, of: &Of<'_>, batches: impl Iterator<Item = (&'b Batch, bool)>) -> Experience {
        let mut experience = Experience::new(grid);
        for (batch, own) in batches {
            let counts = (own || of.past) && (batch.placed || batch.trial == of.trial && own);
            if !counts || &*batch.task != of.task {
                continue;
            }
            // Of strategies that are gone nobody asks.
            let Some(strategy) = of.strategies.iter().find(|strategy| strategy.name == batch.strategy) else {
                continue;
            };
            match left_out(batch, of.robot, &strategy.limits) {
                Some(why) => *experience.left.entry((Arc::clone(&batch.strategy), why)).or_default() += 1,
                None => experience.add(batch),
            }
        }
        experience
    }

    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// How many attempts of which strategy are not used, and why.
    pub fn left_out(&self) -> impl Iterator<Item = (&Arc<str>, Left, usize)> {
        self.left.iter().map(|((strategy, why), count)| (strategy, *why, *count))
    }

    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Nothing is known of any strategy.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Takes a batch in, whoever made it.
    pub fn add(&mut self, batch: &Batch) {
        let known = self.known.entry(Arc::clone(&batch.strategy)).or_default();
        known.overhead_s.add(batch.phases_s.overhead_s());
        let pace = batch.parameter.unwrap_or(1.0);
        known.manipulate_s.add(batch.phases_s.manipulate * pace);
        if batch.moved > 0.0 {
            known.s_a_unit.add(batch.phases_s.manipulate * pace / batch.moved);
        }
        self.samples += batch.rows.len();
        for (bin, most) in most_by_bin(&self.grid, batch) {
            let cell = known.cells.entry(bin).or_default();
            if cell.newest.len() == NEWEST {
                cell.newest.pop_front();
            }
            cell.newest.push_back(most);
            cell.estimate = estimate(self.grid.estimator, &cell.newest);
        }
    }

    pub(crate) fn known(&self, strategy: &str) -> Option<&Known> {
        self.known.get(strategy)
    }

    /// What a strategy is expected to take where it was before, by bin; for those who draw it.
    pub fn estimates(&self, strategy: &str) -> impl Iterator<Item = (State, &[f64])> {
        let cells = self.known(strategy).into_iter().flat_map(|known| &known.cells);
        cells.map(|(bin, cell)| {
            let state = match bin {
                Bin::At(bin) => State::Number(*bin as f64 * self.grid.bin),
                Bin::Named(name) => State::Named(Arc::clone(name)),
            };
            (state, &*cell.estimate)
        })
    }
}

impl Known {
    pub fn overhead_s(&self) -> Option<f64> {
        self.overhead_s.get()
    }

    pub fn s_a_unit(&self) -> Option<f64> {
        self.s_a_unit.get()
    }

    pub fn manipulate_s(&self) -> Option<f64> {
        self.manipulate_s.get()
    }

    /// The first limit that is expected to be exceeded in a bin, with how much is expected.
    pub fn exceeded(&self, bin: &Bin, limits: &[Limit]) -> Option<(usize, f64)> {
        beyond(self.cells.get(bin)?, limits)
    }

    /// The same of a range of bins; also where.
    pub fn exceeded_within(&self, from: i64, to: i64, limits: &[Limit]) -> Option<(i64, usize, f64)> {
        self.cells.range(Bin::At(from)..=Bin::At(to)).find_map(|(bin, cell)| {
            let (limit, value) = beyond(cell, limits)?;
            let Bin::At(at) = bin else { return None };
            Some((*at, limit, value))
        })
    }
}

fn beyond(cell: &Cell, limits: &[Limit]) -> Option<(usize, f64)> {
    let pairs = cell.estimate.iter().zip(limits).enumerate();
    pairs.into_iter().find_map(|(index, (value, limit))| (*value > limit.max).then_some((index, *value)))
}

fn left_out(batch: &Batch, robot: &str, limits: &[Limit]) -> Option<Left> {
    if batch.format != FORMAT {
        Some(Left::OtherFormat)
    } else if &*batch.robot != robot {
        Some(Left::OtherRobot)
    } else if batch.limits != limits {
        Some(Left::OtherLimits)
    } else if !batch.is_finite() {
        Some(Left::NoNumbers)
    } else {
        None
    }
}

/// The largest magnitudes of a batch in each bin that it passed.
fn most_by_bin(grid: &Grid, batch: &Batch) -> BTreeMap<Bin, Vec<f64>> {
    let mut most: BTreeMap<Bin, Vec<f64>> = BTreeMap::new();
    let bin_of = |state: &State| match state {
        State::Number(number) => Bin::At(grid.bin_of(*number)),
        State::Named(name) => Bin::Named(Arc::clone(name)),
    };
    // Samples lie in the order in which they were taken: many one behind the other are of one bin.
    for together in batch.rows.chunk_by(|Row(_, one, _), Row(_, other, _)| bin_of(one) == bin_of(other)) {
        let Row(_, state, values) = &together[0];
        let cell = most.entry(bin_of(state)).or_insert_with(|| vec![0.0; values.len()]);
        for Row(_, _, values) in together {
            for (most, value) in cell.iter_mut().zip(values) {
                *most = most.max(value.abs());
            }
        }
    }
    most
}

fn estimate(estimator: Estimator, newest: &VecDeque<Vec<f64>>) -> Vec<f64> {
    let Some(last) = newest.back() else { return Vec::new() };
    let of = |index: usize| newest.iter().filter_map(move |batch| batch.get(index).copied());
    let each = |index: usize, last: f64| match estimator {
        Estimator::Max => of(index).fold(0.0, f64::max),
        Estimator::Mean => of(index).sum::<f64>() / of(index).count() as f64,
        Estimator::Latest => last,
    };
    last.iter().enumerate().map(|(index, last)| each(index, *last)).collect()
}

/// Moves what a trial has shown to where its end says that it was. Only numbers can be moved.
pub fn shift<'b>(batches: impl Iterator<Item = &'b mut Batch>, by: &Shift) {
    for batch in batches.filter(|batch| batch.trial == by.trial && batch.task == by.task) {
        batch.placed = true;
        for Row(_, state, _) in &mut batch.rows {
            if let State::Number(number) = state {
                *number += by.by;
            }
        }
    }
}

/// The number of a trial that is none of these.
pub fn next_trial<'b>(batches: impl Iterator<Item = &'b Batch>) -> u64 {
    let trials: BTreeSet<u64> = batches.map(|batch| batch.trial).collect();
    trials.last().map_or(1, |last| last.saturating_add(1))
}
