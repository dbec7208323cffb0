//! In the place of the physics where the program is built without it.

use std::convert::Infallible;
use std::sync::Arc;

use geometry::Pose;
use robot::Robot;
use robot::interface::{Capabilities, Command, Refusal, RobotState};
use site::{Clock, Driver, Solid};

use super::{Balance, PhysicsError, TruthSeen, WorldNote};
use crate::fault::FaultPlan;
use crate::world::PlacedWorld;

/// There is none.
#[derive(Debug)]
pub struct PhysicsRobot(Infallible);

impl PhysicsRobot {
    pub fn new(_world: PlacedWorld, _robot: Arc<Robot>, _plan: &FaultPlan) -> Result<PhysicsRobot, PhysicsError> {
        Err(PhysicsError::Missing)
    }

    pub fn fallen(&self) -> Option<&str> {
        match self.0 {}
    }

    pub fn open_eyes(&mut self) -> Result<(), PhysicsError> {
        match self.0 {}
    }

    pub fn solids(&self) -> Vec<Solid> {
        match self.0 {}
    }

    pub fn hand_contacts(&self, _side: robot::Side) -> usize {
        match self.0 {}
    }

    pub fn balance(&self) -> Balance {
        match self.0 {}
    }

    pub fn truths(&self) -> Vec<TruthSeen> {
        match self.0 {}
    }

    pub fn take_notes(&mut self) -> Vec<WorldNote> {
        match self.0 {}
    }
}

impl Driver for PhysicsRobot {
    fn robot(&self) -> &Arc<Robot> {
        match self.0 {}
    }

    fn capabilities(&self) -> &Capabilities {
        match self.0 {}
    }

    fn clock(&self) -> Clock {
        match self.0 {}
    }

    fn state(&self) -> &Arc<RobotState> {
        match self.0 {}
    }

    fn command(&mut self, _command: &Command) -> Result<(), Refusal> {
        match self.0 {}
    }

    fn stop(&mut self) {
        match self.0 {}
    }

    fn place_frame(&mut self, _name: &str, _world_from_frame: &Pose) {
        match self.0 {}
    }

    fn hold(&mut self, _on: bool) {
        match self.0 {}
    }

    fn advance(&mut self, _time_ns: i64) {
        match self.0 {}
    }
}

pub fn ready() -> Result<(), PhysicsError> {
    Err(PhysicsError::Missing)
}
