use std::sync::Arc;

use engine::Sent;
use model::Value;

use crate::cell::{Cell, KEEPS};
use crate::signals::Signals;

/// The signals of a run: commands set some, the equipment or an environment the others, and pulses fall back.
#[derive(Clone, Debug)]
pub struct Wires {
    cell: Arc<Cell>,
    signals: Signals,
    /// What each variable was last reported as.
    reported: Vec<Option<Value>>,
    /// Signals that commands or the ends of pulses changed since they were last taken.
    changed_outputs: Vec<usize>,
    pulses: Vec<Pulse>,
    /// Something changed since the variables were last worked out.
    stale: bool,
}

#[derive(Clone, Copy, Debug)]
struct Pulse {
    signal: usize,
    until_ns: i64,
}

impl Wires {
    pub fn new(cell: Arc<Cell>) -> Wires {
        let signals = cell.initial();
        let reported = cell.world().into_iter().map(|(_, value)| value).collect();
        Wires { cell, signals, reported, changed_outputs: Vec::new(), pulses: Vec::new(), stale: false }
    }

    pub fn cell(&self) -> &Arc<Cell> {
        &self.cell
    }

    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// A signal that comes from outside.
    pub fn set(&mut self, signal: &str, value: Value) -> Result<(), String> {
        if self.signals.set(signal, value)? {
            self.stale = true;
        }
        Ok(())
    }

    /// Ends the pulses whose time is over.
    pub fn advance(&mut self, time_ns: i64) {
        let mut index = 0;
        while let Some(pulse) = self.pulses.get(index).copied() {
            if pulse.until_ns > time_ns {
                index += 1;
                continue;
            }
            self.pulses.remove(index);
            let initial = self.cell.signals[pulse.signal].initial.clone();
            self.put_output(pulse.signal, initial);
        }
    }

    /// Sets the signals of a command. One that cannot be carried out sets none; the error says why.
    pub fn send(&mut self, time_ns: i64, sent: &Sent) -> Result<(), String> {
        let cell = self.cell.clone();
        let command = cell.known_command(&sent.command)?;
        for (place, value) in cell.output_places(command, &sent.values)? {
            // The latest command decides when the signal falls, or that it stays.
            self.pulses.retain(|pulse| pulse.signal != place);
            if let Some(pulse_s) = command.pulse_s {
                let until_ns = time_ns.saturating_add(engine::seconds_to_ns(pulse_s));
                self.pulses.push(Pulse { signal: place, until_ns });
            }
            self.put_output(place, value);
        }
        Ok(())
    }

    fn put_output(&mut self, place: usize, value: Value) {
        if self.signals.put(place, value) {
            self.stale = true;
            if !self.changed_outputs.contains(&place) {
                self.changed_outputs.push(place);
            }
        }
    }

    /// Output signals that changed since this was last called.
    pub fn take_outputs(&mut self) -> Vec<(Arc<str>, Value)> {
        let changed = std::mem::take(&mut self.changed_outputs);
        let current = |place: usize| {
            let (signal, value) = self.signals.at(place);
            (signal.name.clone(), value.clone())
        };
        changed.into_iter().map(current).collect()
    }

    /// Variables that changed since this was last called. Those that cannot be worked out keep their value; why goes
    /// to `warn`.
    pub fn take_variables(&mut self, warn: &mut dyn FnMut(String)) -> Vec<(Arc<str>, Value)> {
        if !std::mem::replace(&mut self.stale, false) {
            return Vec::new();
        }
        let mut changed = Vec::new();
        for (variable, reported) in self.cell.variables.iter().zip(&mut self.reported) {
            match variable.read(&self.signals) {
                Ok(value) if reported.as_ref() == Some(&value) => {}
                Ok(value) => {
                    *reported = Some(value.clone());
                    changed.push((variable.name.clone(), value));
                }
                Err(why) if why == KEEPS => {}
                Err(why) => warn(format!("variable `{}` keeps its value: {why}", variable.name)),
            }
        }
        changed
    }
}
