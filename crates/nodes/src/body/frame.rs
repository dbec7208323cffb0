use engine::Body;
use geometry::Pose;
use robot::interface::Frame;
use robot::{BodyFrame, PartName, Robot};

/// A frame as a command names it, with what a pose in the frame has to be moved by to be given in that one.
#[derive(Clone, Debug)]
pub struct Given {
    pub frame: Frame,
    pub frame_from_named: Pose,
    /// It goes along with the body, or stays where it is: known without asking again.
    pub is_body: bool,
}

/// What a setting's frame is for a command that moves `part`. A frame that hangs on the part itself would run away from
/// its own goal: it counts as it stands when the step begins.
pub fn given(body: &Body, name: &str, part: PartName) -> Result<Given, String> {
    let world_from_named = body.world_from(name)?;
    let plain = |frame: Frame| Given { frame, frame_from_named: Pose::identity(), is_body: true };
    let robot = body.robot();
    let Some(found) = BodyFrame::find(robot, name) else {
        return Ok(Given { is_body: false, ..plain(Frame::Named(name.into())) });
    };
    let Some(link) = found.link(robot) else {
        return Ok(plain(if found == BodyFrame::Walking { Frame::Walking } else { Frame::World }));
    };
    let moved = robot.part(part).is_some_and(|part| hangs_on(robot, link, part.base));
    if moved {
        let base = robot.part(part).map_or(robot.frames.pelvis, |part| part.base);
        let world_from_base = body.poses().world_from_link(base);
        let frame_from_named = world_from_base.inverse() * world_from_named;
        return Ok(Given { frame: link_frame(body, base), frame_from_named, is_body: true });
    }
    Ok(plain(link_frame(body, link)))
}

/// Below it in the tree of links; not the link itself.
fn hangs_on(robot: &Robot, link: usize, base: usize) -> bool {
    let parent = |link: usize| link.checked_sub(1).map(|joint| robot.description.joints[joint].parent);
    std::iter::successors(parent(link), |link| parent(*link)).any(|above| above == base)
}

fn link_frame(body: &Body, link: usize) -> Frame {
    Frame::Link(body.robot().description.links[link].name.as_str().into())
}

/// The pose of a thing in another frame, so that it stays where it is now.
pub fn converted(body: &Body, from: &str, to: &str, from_from_thing: &Pose) -> Result<Pose, String> {
    Ok(body.world_from(to)?.inverse() * body.world_from(from)? * *from_from_thing)
}

/// A pose in a step's state, the same bits when it is read again.
pub mod maybe_exact {
    use geometry::Pose;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Exact(#[serde(with = "geometry::exact")] Pose);

    pub fn serialize<S: Serializer>(pose: &Option<Pose>, serializer: S) -> Result<S::Ok, S::Error> {
        pose.map(Exact).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Pose>, D::Error> {
        Ok(Option::<Exact>::deserialize(deserializer)?.map(|exact| exact.0))
    }
}
