//! What every robot implements, simulated or real: commands in, state out, capabilities asked.

use std::sync::Arc;

use engine::FrameAt;
use geometry::Pose;
use recording::Report;
use robot::Robot;
use robot::interface::{Capabilities, Command, Refusal, RobotState};
use scene::{DetectorSettings, Sight};

/// A robot as a behavior meets it. All methods are called from the thread that ticks and none may wait: a driver of a
/// real robot has threads of its own and hands over what they have. Nobody may count on
///
/// - *simulated time*: times are whatever the caller says, of a simulation or of a clock on the wall, and need not be
///   equally far apart. A robot that goes on by itself says so by [`Driver::clock`], and stamps what it tells with the
///   caller's time;
/// - *a state in each tick*: the same `Arc` as before says that nothing has arrived, and its `time_ns` how old it is. A
///   driver is made when the first state has arrived, so that there always is one;
/// - *a command that is done at once*: [`Driver::command`] hands it over. That it runs, was refused or has ended is told
///   by the state, by its id, ticks later, or never.
pub trait Driver {
    fn robot(&self) -> &Arc<Robot>;

    fn capabilities(&self) -> &Capabilities;

    fn clock(&self) -> Clock;

    /// It is that time now. A simulation lets time pass until then, a real robot takes over what has arrived.
    fn advance(&mut self, time_ns: i64);

    /// The latest there is.
    fn state(&self) -> &Arc<RobotState>;

    /// Taken, or refused with a reason before anything moves. A refusal is told by the state as well.
    fn command(&mut self, command: &Command) -> Result<(), Refusal>;

    /// Everything comes to rest as fast as the robot can, and every command ends. Always works.
    fn stop(&mut self);

    /// Commands stand still where the robot can, and go on later.
    fn hold(&mut self, on: bool);

    /// Where a frame that commands name is now. One that was never placed makes a command that names it refused.
    fn place_frame(&mut self, name: &str, world_from_frame: &Pose);

    /// Its cameras take pictures from now on; until then they may be off. On an error it goes on without them.
    fn open_eyes(&mut self) -> Result<(), String> {
        Ok(())
    }

    /// What its cameras and the detectors behind them told since this was last called, oldest first.
    fn take_sights(&mut self) -> Vec<Arc<Sight>> {
        Vec::new()
    }

    /// The detectors that it has, by name.
    fn detectors(&self) -> Vec<&str> {
        Vec::new()
    }

    /// From the next picture on.
    fn configure_detectors(&mut self, _settings: &DetectorSettings) {}

    /// What happened since this was last called, oldest first.
    fn take_events(&mut self) -> Vec<Event> {
        Vec::new()
    }

    /// Why nothing can succeed, as long as that is so: it fell, its line is cut, somebody holds its stop. Whatever
    /// begins it stops the behavior.
    fn failure(&self) -> Option<&str> {
        None
    }

    /// The bodies around it as they truly are, where somebody knows: for people to look at, never for a behavior.
    fn solids(&self) -> Vec<Solid> {
        Vec::new()
    }

    /// Called once, when a run is over: adds to its report what only it knows.
    fn sum_up(&self, _report: &mut Report) {}
}

/// Whose time a robot is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// It has whatever time it is given, faster or slower than the clock on the wall: a simulation, a script, a
    /// recording.
    Given,
    /// It goes on by itself: ticks keep to the clock on the wall, and those that are missed are left out.
    Own,
}

/// What a robot tells beside its state.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Something is wrong with it that does not end what runs.
    Warning(String),
    /// Something happened around it that it did not do.
    Note { time_ns: i64, text: String },
    /// It knows by itself where an object is now.
    Placed(FrameAt),
}

/// A piece of the world as it truly is.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Of the thing it is a part of.
    pub name: Arc<str>,
    pub form: SolidForm,
    /// Red, green, blue, alpha, 0 to 1.
    pub colour: [f32; 4],
    pub world_from_solid: Pose,
}

/// About its middle; long ones along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SolidForm {
    /// Half sizes along x and y, without end where zero.
    Plane {
        half_m: [f64; 2],
    },
    Sphere {
        radius_m: f64,
    },
    /// Half of its length is without the caps.
    Capsule {
        radius_m: f64,
        half_m: f64,
    },
    Cylinder {
        radius_m: f64,
        half_m: f64,
    },
    Box {
        half_m: [f64; 3],
    },
}
