//! What attempts at tasks have shown, before this run and in it.

use std::sync::Arc;

use experience::{Batch, Forget, Line, shift};

#[derive(Debug, Default)]
pub(crate) struct Remembered {
    batches: Vec<(Batch, Origin)>,
    /// A person has forced a step of this run.
    forced: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// It was stored when the run began.
    Past,
    Own,
    /// Of a run that a person forced: it counts until that is over.
    Unkept,
}

impl Remembered {
    /// All that is stored, in place of what was known. What this run has shown stays its own.
    pub fn take(&mut self, stored: &[Batch]) {
        let mut mine = std::mem::take(&mut self.batches);
        mine.retain(|(_, origin)| *origin != Origin::Past);
        let is_mine = |batch: &Batch| mine.iter().any(|(own, _)| is_same(own, batch));
        self.batches =
            stored.iter().filter(|batch| !is_mine(batch)).map(|batch| (batch.clone(), Origin::Past)).collect();
        mine.retain(|(own, origin)| *origin == Origin::Unkept || stored.iter().any(|batch| is_same(own, batch)));
        self.batches.append(&mut mine);
    }

    pub fn begin_run(&mut self) {
        self.forced = false;
        self.batches.retain(|(_, origin)| *origin != Origin::Unkept);
        self.batches.iter_mut().for_each(|(_, origin)| *origin = Origin::Past);
    }

    /// A person forces a step: what is to be stored so that nothing of this run is learned.
    pub fn forced(&mut self) -> Vec<Line> {
        self.forced = true;
        let mut trials: Vec<(Arc<str>, u64)> = Vec::new();
        for (batch, origin) in self.batches.iter_mut().filter(|(_, origin)| *origin == Origin::Own) {
            *origin = Origin::Unkept;
            let trial = (Arc::clone(&batch.task), batch.trial);
            if !trials.contains(&trial) {
                trials.push(trial);
            }
        }
        trials.into_iter().map(|(task, trial)| Line::Forget(Forget { task, trial })).collect()
    }

    /// True: it is to be stored.
    pub fn learn(&mut self, line: &Line) -> bool {
        match line {
            Line::Batch(batch) => {
                let origin = if self.forced { Origin::Unkept } else { Origin::Own };
                self.batches.push(((**batch).clone(), origin));
            }
            Line::Shift(by) => shift(self.batches.iter_mut().map(|(batch, _)| batch), by),
            Line::Forget(what) => self.batches.retain(|(batch, _)| !what.is_of(batch)),
        }
        !self.forced
    }

    /// Of a task; true: this run has shown it.
    pub fn of<'a>(&'a self, task: &'a str) -> impl Iterator<Item = (&'a Batch, bool)> {
        let of_task = self.batches.iter().filter(move |(batch, _)| &*batch.task == task);
        of_task.map(|(batch, origin)| (batch, *origin != Origin::Past))
    }
}

fn is_same(one: &Batch, other: &Batch) -> bool {
    (one.trial, one.attempt) == (other.trial, other.attempt) && one.task == other.task
}
