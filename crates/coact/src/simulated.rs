//! A robot in simulation, and what only a simulation can tell of it.

use std::sync::Arc;

use recording::{BalanceReport, Report, TruthReport};
use robot::RobotInterface;
use scene::{DetectorSettings, Sight, SightSource};
use sim::{KinematicRobot, PhysicsRobot};
use trial::STANDS;

pub trait Simulated: RobotInterface {
    /// Why the run has failed, whatever the behavior says.
    fn failure(&self) -> Option<String> {
        None
    }

    /// Its cameras take pictures from now on.
    fn open_eyes(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    /// What its cameras and detectors told since this was last called.
    fn take_sights(&mut self) -> Vec<Arc<Sight>> {
        Vec::new()
    }

    fn configure_detectors(&mut self, _settings: &DetectorSettings) {}

    /// What has kept its detectors from looking since this was last called.
    fn take_detector_problems(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Adds to the report what happened around the behavior.
    fn sum_up(&mut self, _report: &mut Report) {}
}

impl Simulated for KinematicRobot {}

impl Simulated for PhysicsRobot {
    fn failure(&self) -> Option<String> {
        self.fallen().map(str::to_owned)
    }

    fn open_eyes(&mut self) -> anyhow::Result<()> {
        Ok(PhysicsRobot::open_eyes(self)?)
    }

    fn take_sights(&mut self) -> Vec<Arc<Sight>> {
        SightSource::take_sights(self)
    }

    fn configure_detectors(&mut self, settings: &DetectorSettings) {
        SightSource::configure_detectors(self, settings);
    }

    fn take_detector_problems(&mut self) -> Vec<String> {
        SightSource::take_detector_problems(self)
    }

    fn sum_up(&mut self, report: &mut Report) {
        let balance = self.balance();
        if balance.min_margin_m.is_finite() {
            report.balance = Some(BalanceReport {
                min_margin_m: balance.min_margin_m,
                at_s: balance.min_margin_at_s,
                max_friction: balance.max_friction,
            });
        }
        let why = self.fallen().unwrap_or_default().to_owned();
        let stands = TruthReport { truth: STANDS.to_owned(), met: why.is_empty(), at_s: None, things: None, why };
        let expected = self.truths().into_iter().map(|seen| TruthReport {
            truth: seen.text,
            met: seen.met,
            at_s: seen.at_s,
            things: seen.things.map(|(done, of)| [done, of]),
            why: seen.why,
        });
        report.truths = std::iter::once(stands).chain(expected).collect();
        for note in self.take_notes() {
            report.note(note.time_ns, "world", note.text);
        }
    }
}
