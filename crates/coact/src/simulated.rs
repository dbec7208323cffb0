//! A robot in simulation, and what only a simulation can tell of it.

use std::sync::Arc;

use protocol::talk::{Form, SolidAt};
use recording::{BalanceReport, Report, TruthReport};
use robot::RobotInterface;
use scene::{DetectorSettings, Sight, SightSource};
use sim::{KinematicRobot, PhysicsRobot, SimulatedDetector, Solid, SolidForm};
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

    /// Those that it has behind its cameras.
    fn detectors(&self) -> Vec<&str> {
        Vec::new()
    }

    /// What has kept its detectors from looking since this was last called.
    fn take_detector_problems(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The bodies of its world as they truly are.
    fn solids(&self) -> Vec<SolidAt> {
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

    fn detectors(&self) -> Vec<&str> {
        vec![SimulatedDetector::NAME]
    }

    fn take_detector_problems(&mut self) -> Vec<String> {
        SightSource::take_detector_problems(self)
    }

    fn solids(&self) -> Vec<SolidAt> {
        let solids = PhysicsRobot::solids(self).into_iter().enumerate();
        solids.map(|(number, solid)| solid_at(number as u32, &solid)).collect()
    }

    fn sum_up(&mut self, report: &mut Report) {
        let balance = self.balance();
        if balance.min_margin_m.is_finite() {
            report.balance = Some(BalanceReport {
                min_margin_m: balance.min_margin_m,
                at_s: balance.min_margin_at_s,
                longest_outside_s: balance.longest_outside_s,
                outside_at_s: balance.longest_outside_at_s,
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

fn solid_at(number: u32, solid: &Solid) -> SolidAt {
    let form = match solid.form {
        SolidForm::Plane { half_m } => Form::Plane { size_m: half_m.map(|half| 2.0 * half as f32) },
        SolidForm::Sphere { radius_m } => Form::Sphere { radius_m: radius_m as f32 },
        SolidForm::Capsule { radius_m, half_m } => {
            Form::Capsule { radius_m: radius_m as f32, length_m: 2.0 * half_m as f32 }
        }
        SolidForm::Cylinder { radius_m, half_m } => {
            Form::Cylinder { radius_m: radius_m as f32, length_m: 2.0 * half_m as f32 }
        }
        SolidForm::Box { half_m } => Form::Box { size_m: half_m.map(|half| 2.0 * half as f32) },
    };
    let colour = solid.colour.map(|part| (part * 255.0).round().clamp(0.0, 255.0) as u8);
    SolidAt { number, name: Arc::clone(&solid.name), form, colour, pose: onboard::about(&solid.world_from_solid) }
}
