//! Walks that are gone through while control steps pass: nothing of them is begun before.

use super::Controller;
use super::lower::{LowerBody, Task};
use super::walk::{Planned, Rehearsal};
use super::work::Work;
use crate::interface::{CommandId, Footstep, Phase};

/// A walk that was taken up and not gone through yet.
#[derive(Debug)]
pub(super) struct Rehearsing {
    id: CommandId,
    steps: Vec<Footstep>,
    /// None: the legs have to come to rest first.
    rehearsal: Option<Rehearsal>,
    /// From where the foot in the air lands.
    from_landing: bool,
}

impl Rehearsing {
    /// None: there is no answer yet.
    fn go_on(&mut self, lower: &LowerBody) -> Option<Planned> {
        if self.from_landing && lower.swinging().is_none() {
            // It has landed before the walk into which it was to land was ready.
            (self.rehearsal, self.from_landing) = (None, false);
        }
        if !self.from_landing && !lower.is_at_rest() {
            return None;
        }
        self.rehearsal.get_or_insert_with(|| Rehearsal::of(lower.clone(), &self.steps)).go_on()
    }
}

impl Controller {
    /// Begun in this control step where it can be gone through in what the step has left, else in a later one: until then
    /// the robot stands, or comes to stand.
    pub(super) fn begin_walk(&mut self, id: CommandId, steps: &[Footstep]) -> Result<Work, String> {
        let lower = self.lower.as_mut().ok_or("the robot has no legs")?;
        lower.check_steps(steps)?;
        let mut rehearsal = Rehearsal::of(lower.after_swing(), steps);
        let planned = if self.is_patient { Some(rehearsal.finish()) } else { rehearsal.go_on() };
        match planned {
            Some(stages) => lower.begin(id, &Task::Steps(steps.to_vec()), stages?)?,
            None => {
                let from_landing = lower.swinging().is_some();
                let rehearsal = (from_landing || lower.is_at_rest()).then_some(rehearsal);
                lower.give_way();
                self.rehearsing = Some(Rehearsing { id, steps: steps.to_vec(), rehearsal, from_landing });
            }
        }
        Ok(Work::Lower)
    }

    pub(super) fn is_rehearsing(&self, id: CommandId) -> bool {
        self.rehearsing.as_ref().is_some_and(|rehearsing| rehearsing.id == id)
    }

    /// Where the feet are after all steps that were taken up.
    pub(super) fn step_onto(&self, soles: &mut [geometry::Pose; 2]) {
        let steps = self.rehearsing.iter().flat_map(|rehearsing| &rehearsing.steps);
        steps.for_each(|step| soles[step.side.index()] = step.world_from_sole);
    }

    /// As far as this control step has time for.
    pub(super) fn rehearse(&mut self) {
        let Some(lower) = &mut self.lower else { return };
        if let Some((id, steps)) = lower.take_late() {
            self.rehearsing = Some(Rehearsing { id, steps, rehearsal: None, from_landing: false });
        }
        // Another command may have ended it.
        let is_wanted = |id: CommandId| self.running.iter().any(|running| running.id == id && !running.holds);
        if let Some(mut rehearsing) = self.rehearsing.take().filter(|rehearsing| is_wanted(rehearsing.id)) {
            match rehearsing.go_on(lower) {
                None => self.rehearsing = Some(rehearsing),
                Some(planned) => {
                    let (id, task) = (rehearsing.id, Task::Steps(rehearsing.steps));
                    if let Err(reason) = planned.and_then(|stages| lower.begin(id, &task, stages)) {
                        self.running.retain(|running| running.holds || running.id != id);
                        self.book.end(id, Phase::Refused { reason }, self.time_ns);
                    }
                }
            }
        }
        self.rehearse_waiting();
    }

    /// Those that come after others are only tried: they are gone through again from where the feet are then.
    fn rehearse_waiting(&mut self) {
        let (book, now_ns) = (&mut self.book, self.time_ns);
        self.waiting.retain_mut(|waiting| {
            let Some(planned) = waiting.rehearsal.as_mut().and_then(Rehearsal::go_on) else { return true };
            waiting.rehearsal = None;
            let Err(reason) = planned else { return true };
            book.end(waiting.id, Phase::Refused { reason }, now_ns);
            false
        });
    }
}
