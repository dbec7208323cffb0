//! What an author does to the settings of a step beside writing them: mirror, take over where the robot is, name
//! another frame.

use geometry::Pose;
use robot::{BodyFrame, Part, PartName, Robot, Side};

use crate::Cannot;
use crate::world::{Body, senses};

/// A reflection: of the robot's own left and right, or of an object and the robot with it.
#[derive(Clone, Copy, Debug)]
pub struct Mirror<'a> {
    pub robot: &'a Robot,
    pub plane: Plane<'a>,
    /// Where everything is now; needed only for poses given in a frame that the reflection does not map to itself.
    pub body: Option<&'a Body>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane<'a> {
    /// The robot's x–z plane; objects stay where they are.
    Sagittal,
    /// The x–z plane of an object's frame.
    Object(&'a str),
    /// The world is mirrored with everything in it, as a door whose hinge is on the other side: each object's frame
    /// across its own x–z plane, wherever it is.
    World,
}

impl Mirror<'_> {
    pub fn side(&self, side: Side) -> Side {
        side.other()
    }

    pub fn part(&self, part: PartName) -> PartName {
        match part {
            PartName::Arm(side) => PartName::Arm(side.other()),
            PartName::Hand(side) => PartName::Hand(side.other()),
            PartName::Leg(side) => PartName::Leg(side.other()),
            PartName::Spine | PartName::Neck => part,
        }
    }

    /// The joint on the other side, and the position it takes there.
    pub fn joint(&self, joint: &str, position: f64) -> Option<(String, f64)> {
        let mirrored = self.robot.mirror[self.robot.model.coordinate(joint)?];
        Some((self.robot.model.coordinates()[mirrored.coordinate].name.clone(), mirrored.sign * position))
    }

    /// What a variable that the robot brings is called on the other side, and the sign of its value there.
    pub fn sense(&self, name: &str) -> Option<(String, f64)> {
        senses::mirrored(self.robot, name)
    }

    /// A claim of a part or of a joint. Any other token has no sides.
    pub fn claim(&self, token: &str) -> String {
        match PartName::from_word(token) {
            Some(part) => self.part(part).word().to_owned(),
            None => self.joint(token, 0.0).map_or_else(|| token.to_owned(), |(joint, _)| joint),
        }
    }

    /// Positions of a part's joints in their order, as the part on the other side takes them.
    pub fn positions(&self, part: PartName, positions: &[f64]) -> Result<Vec<f64>, Cannot> {
        let missing = |part: PartName| Cannot::NoPart { robot: self.robot.name.clone(), part };
        let here: &Part = self.robot.part(part).ok_or_else(|| missing(part))?;
        let there_name = self.part(part);
        let there = self.robot.part(there_name).ok_or_else(|| missing(there_name))?;
        let mut mirrored = vec![0.0; there.coordinates.len()];
        for (coordinate, position) in here.coordinates.iter().zip(positions) {
            let to = self.robot.mirror[*coordinate];
            let place = there.coordinates.iter().position(|other| *other == to.coordinate);
            let place = place.ok_or(Cannot::NotMirrored { part, other: there_name })?;
            mirrored[place] = to.sign * position;
        }
        Ok(mirrored)
    }

    /// Sided frames change sides.
    pub fn frame(&self, frame: &str) -> String {
        match frame {
            "left_hand" => "right_hand".to_owned(),
            "right_hand" => "left_hand".to_owned(),
            "left_sole" => "right_sole".to_owned(),
            "right_sole" => "left_sole".to_owned(),
            frame => frame.to_owned(),
        }
    }

    /// A pose given in a frame, as it is given in [`Mirror::frame`] of it.
    pub fn pose(&self, frame: &str, frame_from_thing: &Pose) -> Result<Pose, Cannot> {
        let found = BodyFrame::find(self.robot, frame);
        if let Some(BodyFrame::Link(_)) = found {
            return Err(Cannot::LinkWithoutSide { link: frame.to_owned() });
        }
        let moves_along = found.is_some_and(|frame| frame != BodyFrame::World);
        if moves_along || self.plane == Plane::World || self.plane == Plane::Object(frame) {
            return Ok(frame_from_thing.mirrored());
        }
        let plane = match self.plane {
            Plane::Sagittal => "walking",
            Plane::Object(object) => object,
            Plane::World => "world",
        };
        let body =
            self.body.ok_or_else(|| Cannot::MirroredUnseen { frame: frame.to_owned(), plane: plane.to_owned() })?;
        let world_from_frame = body.world_from(frame)?;
        let world_from_plane = body.world_from(plane)?;
        Ok(world_from_frame.inverse() * (world_from_frame * *frame_from_thing).mirrored_across(&world_from_plane))
    }
}
