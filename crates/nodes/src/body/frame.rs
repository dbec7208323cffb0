use engine::{Body, Cannot};
use geometry::Pose;
use robot::interface::Frame;
use robot::{BodyFrame, PartName, Robot};
use serde::{Deserialize, Serialize};

/// A frame as a command names it, with what a pose in the frame has to be moved by to be given in that one.
#[derive(Clone, Debug)]
pub struct Given {
    pub frame: Frame,
    pub frame_from_named: Pose,
}

/// What a setting's frame is for a command that moves `parts`, the one nearest to the trunk last. Links go along with
/// the body. A frame that these parts move would run away from its own goal: it counts as it stands when the step
/// begins, from the link the parts hang on. What else may move does so only if the command is to `follow` it;
/// otherwise the pose stays where it is in the world now.
pub fn given(body: &Body, name: &str, parts: &[PartName], follow: bool) -> Result<Given, Cannot> {
    let world_from_named = body.world_from(name)?;
    let robot = body.robot();
    let found = BodyFrame::find(robot, name);
    if let Some(link) = found.and_then(|frame| frame.link(robot)) {
        let base = parts.last().and_then(|part| robot.part(*part)).map(|part| part.base);
        return Ok(match base.filter(|_| moves(robot, parts, link)) {
            None => Given { frame: link_frame(robot, link), frame_from_named: Pose::identity() },
            Some(base) => {
                let frame_from_named = body.poses().world_from_link(base).inverse() * world_from_named;
                Given { frame: link_frame(robot, base), frame_from_named }
            }
        });
    }
    let frame = match found {
        Some(BodyFrame::Walking) if follow => Frame::Walking,
        None if follow => Frame::Named(name.into()),
        _ => return Ok(Given { frame: Frame::World, frame_from_named: world_from_named }),
    };
    Ok(Given { frame, frame_from_named: Pose::identity() })
}

/// One of the joints between the link and the root is of the parts.
fn moves(robot: &Robot, parts: &[PartName], link: usize) -> bool {
    let description = &robot.description;
    let parts = || parts.iter().filter_map(|part| robot.part(*part));
    let joint_above = |link: usize| link.checked_sub(1).map(|joint| &description.joints[joint]);
    std::iter::successors(joint_above(link), |joint| joint_above(joint.parent)).any(|joint| {
        let coordinate = robot.model.coordinate(&joint.name);
        coordinate.is_some_and(|coordinate| parts().any(|part| part.coordinates.contains(&coordinate)))
    })
}

fn link_frame(robot: &Robot, link: usize) -> Frame {
    Frame::Link(robot.description.links[link].name.as_str().into())
}

/// Where a thing is to be, in a step's state: read again it has the same bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    pub frame: Frame,
    #[serde(with = "geometry::exact")]
    pub frame_from_thing: Pose,
}

impl Goal {
    /// Where it is now: its frame may move.
    pub fn world_from_thing(&self, body: &Body) -> Result<Pose, Cannot> {
        let world_from_frame = match &self.frame {
            Frame::World => Pose::identity(),
            Frame::Walking => body.poses().world_from(BodyFrame::Walking),
            Frame::Link(name) | Frame::Named(name) => body.world_from(name)?,
        };
        Ok(world_from_frame * self.frame_from_thing)
    }
}

/// The pose of a thing in another frame, so that it stays where it is now.
pub fn converted(body: &Body, from: &str, to: &str, from_from_thing: &Pose) -> Result<Pose, Cannot> {
    Ok(body.world_from(to)?.inverse() * body.world_from(from)? * *from_from_thing)
}
