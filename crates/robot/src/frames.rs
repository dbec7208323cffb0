//! Frames of a robot by name, and where they are.

use std::sync::Arc;

use geometry::{Pose, UnitQuaternion, Vector3};

use crate::interface::RobotState;
use crate::trajectory::rotation::{about_vertical, yaw_rad};
use crate::{LinkPoses, Robot, Side, Transform};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BodyFrame {
    World,
    /// On the ground between the feet, at the height of the lower one, facing as the pelvis.
    Walking,
    Pelvis,
    Chest,
    Head,
    Hand(Side),
    Sole(Side),
    /// Of the model.
    Link(usize),
}

impl BodyFrame {
    /// All that every robot has.
    pub const NAMED: [BodyFrame; 9] = [
        BodyFrame::World,
        BodyFrame::Walking,
        BodyFrame::Pelvis,
        BodyFrame::Chest,
        BodyFrame::Head,
        BodyFrame::Hand(Side::Left),
        BodyFrame::Hand(Side::Right),
        BodyFrame::Sole(Side::Left),
        BodyFrame::Sole(Side::Right),
    ];

    /// As files write it; none for a link, which has its name in the model.
    pub fn word(self) -> Option<&'static str> {
        Some(match self {
            BodyFrame::World => "world",
            BodyFrame::Walking => "walking",
            BodyFrame::Pelvis => "pelvis",
            BodyFrame::Chest => "chest",
            BodyFrame::Head => "head",
            BodyFrame::Hand(Side::Left) => "left_hand",
            BodyFrame::Hand(Side::Right) => "right_hand",
            BodyFrame::Sole(Side::Left) => "left_sole",
            BodyFrame::Sole(Side::Right) => "right_sole",
            BodyFrame::Link(_) => return None,
        })
    }

    /// By the whole name: those that every robot has come before links of the same name.
    pub fn find(robot: &Robot, name: &str) -> Option<BodyFrame> {
        let named = BodyFrame::NAMED.into_iter().find(|frame| frame.word() == Some(name));
        named.or_else(|| robot.model.link(name).map(BodyFrame::Link))
    }

    /// None: it is no link.
    pub fn link(self, robot: &Robot) -> Option<usize> {
        let frames = &robot.frames;
        match self {
            BodyFrame::World | BodyFrame::Walking => None,
            BodyFrame::Pelvis => Some(frames.pelvis),
            BodyFrame::Chest => Some(frames.chest),
            BodyFrame::Head => Some(frames.head),
            BodyFrame::Hand(side) => Some(frames.hands[side.index()]),
            BodyFrame::Sole(side) => Some(frames.soles[side.index()]),
            BodyFrame::Link(link) => Some(link),
        }
    }
}

/// A pelvis that leans further against its root is of a root that does not stand upright.
const MOST_LEAN_RAD: f64 = 0.8;

/// Between its z axis and the vertical.
fn level_rad(rotation: &UnitQuaternion<f64>) -> f64 {
    (*rotation * Vector3::z()).angle(&Vector3::z())
}

/// Where the frames of a robot are: computed once for a state, asked as often as wanted. Allocates when it is made and
/// never again.
#[derive(Clone, Debug)]
pub struct BodyPoses {
    robot: Arc<Robot>,
    poses: LinkPoses,
    world_from_base: Transform,
}

impl BodyPoses {
    /// In the neutral configuration, with the root link in the world's origin.
    pub fn new(robot: Arc<Robot>) -> BodyPoses {
        let mut poses = robot.model.new_poses();
        robot.model.forward(&robot.model.neutral(), &mut poses);
        BodyPoses { robot, poses, world_from_base: Transform::identity() }
    }

    /// Where the root is when the robot stands so, upright, with its walking frame in the origin: some roots lie on their
    /// side. Leaves the poses there.
    pub fn stand(&mut self, positions: &[f64]) -> Pose {
        self.place(positions, &Pose::identity());
        let base_from_pelvis = self.world_from(BodyFrame::Pelvis).rotation();
        let upright = if level_rad(&base_from_pelvis) < MOST_LEAN_RAD {
            Pose::identity()
        } else {
            Pose::new(Vector3::zeros(), base_from_pelvis.inverse())
        };
        self.place(positions, &upright);
        let world_from_base = self.world_from(BodyFrame::Walking).inverse() * upright;
        self.place(positions, &world_from_base);
        world_from_base
    }

    pub fn robot(&self) -> &Arc<Robot> {
        &self.robot
    }

    pub fn update(&mut self, state: &RobotState) {
        self.place(&state.positions, &state.world_from_base);
    }

    /// `positions` has one number for each coordinate of the model.
    pub fn place(&mut self, positions: &[f64], world_from_base: &Pose) {
        self.robot.model.forward(positions, &mut self.poses);
        self.world_from_base = Transform::from(world_from_base);
    }

    pub fn world_from(&self, frame: BodyFrame) -> Pose {
        match (frame, frame.link(&self.robot)) {
            (_, Some(link)) => self.world_from_link(link),
            (BodyFrame::Walking, None) => self.world_from_walking(),
            (_, None) => Pose::identity(),
        }
    }

    pub fn world_from_link(&self, link: usize) -> Pose {
        Pose::from(&self.world_from_base.then(&self.poses.base_from_links()[link]))
    }

    pub fn base_from_link(&self, link: usize) -> Pose {
        self.poses.base_from(link)
    }

    pub fn link_poses(&self) -> &LinkPoses {
        &self.poses
    }

    fn world_from_walking(&self) -> Pose {
        let [left_m, right_m] = self
            .robot
            .frames
            .soles
            .map(|link| self.world_from_base.point(&self.poses.base_from_links()[link].translation_m));
        let yaw_rad = yaw_rad(&self.world_from_link(self.robot.frames.pelvis).rotation());
        let middle_m = (left_m + right_m) * 0.5;
        Pose::new(Vector3::new(middle_m.x, middle_m.y, left_m.z.min(right_m.z)), about_vertical(yaw_rad))
    }
}
