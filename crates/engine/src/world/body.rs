//! The robot as steps see it in one tick, and as a preview sees it without one.

use std::collections::BTreeMap;
use std::sync::Arc;

use expression::{frame_of, pose_of};
use geometry::Pose;
use model::Value;
use robot::interface::{Capabilities, CommandId, Phase, RobotState};
use robot::{BodyFrame, BodyPoses, JointWay, Robot, UnderWay};
use scene::template::Library;
use scene::{Scene, SceneError, SceneUpdate, Sight};
use serde::{Deserialize, Serialize};

use crate::Cannot;
use crate::types::Ground;

/// Where an object is: its frame can be named by every setting that takes a frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameAt {
    pub name: Arc<str>,
    #[serde(with = "geometry::exact")]
    pub world_from_frame: Pose,
}

/// A robot in one state among frames. Cheap to bring up to date, so that every tick sees one consistent body.
#[derive(Clone, Debug)]
pub struct Body {
    capabilities: Arc<Capabilities>,
    state: Arc<RobotState>,
    poses: BodyPoses,
    /// Frames given by hand.
    given: BTreeMap<Arc<str>, Pose>,
    scene: Scene,
    /// What is given, and over it what the scene has.
    objects: BTreeMap<Arc<str>, Pose>,
    ground: Ground,
    templates: Arc<Library>,
    /// Variables that hold poses, of the file whose steps are ticked: each may be named as a frame.
    variables: Arc<PoseFrames>,
    /// Of commands that were given and have not ended.
    ways: Vec<GivenWay>,
}

#[derive(Clone, Debug)]
struct GivenWay {
    command: CommandId,
    way: JointWay,
    /// By the clock of the robot: one that does not tell of a command for long has not taken it.
    given_ns: i64,
}

/// By name: the frame that a pose says it is given in, and the pose.
pub(super) type PoseFrames = BTreeMap<Arc<str>, (Option<Arc<str>>, Pose)>;

/// Those of variables that hold one.
pub(super) fn pose_frames_of<'v>(values: impl Iterator<Item = (&'v str, &'v Value)>) -> PoseFrames {
    let frame = |(name, value): (&str, &Value)| Some((name.into(), (frame_of(value).cloned(), pose_of(value)?)));
    values.filter_map(frame).collect()
}

/// A variable may be given in the frame of another one.
const MOST_FRAMES_DEEP: u32 = 8;

const UNHEARD_NS: i64 = 1_000_000_000;

impl Body {
    pub fn new(robot: Arc<Robot>, capabilities: Arc<Capabilities>, state: Arc<RobotState>) -> Body {
        let mut poses = BodyPoses::new(robot);
        poses.update(&state);
        Body {
            capabilities,
            state,
            poses,
            given: BTreeMap::new(),
            scene: Scene::default(),
            objects: BTreeMap::new(),
            ground: Ground::default(),
            templates: Library::shared(),
            variables: Arc::default(),
            ways: Vec::new(),
        }
    }

    pub fn update(&mut self, state: Arc<RobotState>) {
        self.poses.update(&state);
        self.state = state;
        let state = &self.state;
        self.ways.retain(|given| match state.command(given.command) {
            Some(phase) => matches!(phase, Phase::Queued | Phase::Running { .. }),
            None => state.time_ns - given.given_ns < UNHEARD_NS,
        });
    }

    /// Says where a command that is given now will take joints.
    pub fn set_out(&mut self, command: CommandId, way: JointWay) {
        self.ways.push(GivenWay { command, way, given_ns: self.state.time_ns });
    }

    /// The ways that the body is on, as far as the robot says it has come.
    pub fn under_way(&self) -> Vec<UnderWay<'_>> {
        let passed = |given: &GivenWay| match self.state.command(given.command) {
            Some(Phase::Running { progress }) => progress * given.way.duration_s(),
            _ => 0.0,
        };
        self.ways.iter().map(|given| UnderWay { way: &given.way, passed_s: passed(given) }).collect()
    }

    pub fn place(&mut self, frame: &FrameAt) {
        self.given.insert(frame.name.clone(), frame.world_from_frame);
        if self.scene.object(&frame.name).is_none() {
            self.objects.insert(frame.name.clone(), frame.world_from_frame);
        }
    }

    /// What was placed is not there any more.
    pub fn take_away(&mut self, name: &str) {
        self.given.remove(name);
        if self.scene.object(name).is_none() {
            self.objects.remove(name);
        }
    }

    /// Takes in what a camera and its detectors told.
    pub fn see(&mut self, sight: &Sight) {
        self.scene.see(sight, &self.poses.world_from(BodyFrame::Chest).rotation());
    }

    /// Changes the scene; its frames follow with [`Body::advance`].
    pub fn apply(&mut self, update: &SceneUpdate) -> Result<(), SceneError> {
        if let SceneUpdate::Place { name, class, world_from_object } = update
            && let Some(side) = self.scene.held().side_of(name)
        {
            // Only the body knows where the hand is.
            let hand_from_object = self.poses.world_from(BodyFrame::Hand(side)).inverse() * *world_from_object;
            return self.scene.place_in_hand(name, class.as_ref(), (&hand_from_object, world_from_object));
        }
        self.scene.apply(update)
    }

    /// Brings the objects of the scene to where they are at this time; gives those that are new or have moved.
    pub fn advance(&mut self, time_ns: i64) -> Vec<FrameAt> {
        let Body { poses, given, scene, objects, .. } = self;
        let frame = |name: &str| match BodyFrame::find(poses.robot(), name) {
            Some(frame) => Some(poses.world_from(frame)),
            None => given.get(name).copied(),
        };
        scene.advance(time_ns, &frame);
        let mut moved = Vec::new();
        for (name, object) in scene.objects() {
            let Some(world_from_frame) = object.world_from_object else { continue };
            if objects.get(name) != Some(&world_from_frame) {
                objects.insert(name.clone(), world_from_frame);
                moved.push(FrameAt { name: name.clone(), world_from_frame });
            }
        }
        let is_known = |name: &Arc<str>| given.contains_key(name) || scene.object(name).is_some();
        objects.retain(|name, _| is_known(name));
        for (name, world_from_frame) in given.iter().filter(|(name, _)| scene.object(name).is_none()) {
            objects.insert(name.clone(), *world_from_frame);
        }
        moved
    }

    /// A variable that holds a pose is a frame of this name, and nothing else is.
    pub fn is_variable(&self, frame: &str) -> bool {
        self.variables.contains_key(frame)
            && !self.objects.contains_key(frame)
            && BodyFrame::find(self.robot(), frame).is_none()
    }

    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub(super) fn take_scene_changes(&mut self) -> Vec<scene::SceneChange> {
        self.scene.take_changes()
    }

    /// Says what it stands on, and what is in the way.
    pub fn stand_on(&mut self, ground: Ground) {
        self.ground = ground;
    }

    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Says what can be done with objects; without it, with those of our own templates.
    pub fn use_templates(&mut self, templates: Arc<Library>) {
        self.templates = templates;
    }

    pub fn templates(&self) -> &Library {
        &self.templates
    }

    pub fn robot(&self) -> &Arc<Robot> {
        self.poses.robot()
    }

    pub fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    pub fn state(&self) -> &Arc<RobotState> {
        &self.state
    }

    pub fn poses(&self) -> &BodyPoses {
        &self.poses
    }

    /// The frames of objects, by name.
    pub fn objects(&self) -> &BTreeMap<Arc<str>, Pose> {
        &self.objects
    }

    /// Says which variables are frames now.
    pub(super) fn show_variables(&mut self, variables: &Arc<PoseFrames>) {
        self.variables = Arc::clone(variables);
    }

    /// Where a frame is now: one of the body's, an object's, or a variable that holds a pose.
    pub fn world_from(&self, frame: &str) -> Result<Pose, Cannot> {
        Frames { body: self, variables: &self.variables }.world_from(frame)
    }
}

/// The frames there are with the variables of one file.
#[derive(Clone, Copy)]
pub(super) struct Frames<'b> {
    pub body: &'b Body,
    pub variables: &'b PoseFrames,
}

impl Frames<'_> {
    pub fn world_from(self, frame: &str) -> Result<Pose, Cannot> {
        self.found(frame, MOST_FRAMES_DEEP)
    }

    fn found(self, frame: &str, depth: u32) -> Result<Pose, Cannot> {
        let Frames { body, variables } = self;
        if let Some(frame) = BodyFrame::find(body.robot(), frame) {
            return Ok(body.poses.world_from(frame));
        }
        if let Some(world_from_object) = body.objects.get(frame) {
            return Ok(*world_from_object);
        }
        match variables.get(frame).filter(|_| depth > 0) {
            Some((Some(given_in), pose)) => Ok(self.found(given_in, depth - 1)? * *pose),
            Some((None, pose)) => Ok(*pose),
            None => {
                let named = BodyFrame::NAMED.iter().filter_map(|frame| frame.word());
                let others = body.objects.keys().chain(variables.keys());
                let known = named.chain(others.map(|name| &**name)).map(str::to_owned).collect();
                Err(Cannot::UnknownFrame { frame: frame.to_owned(), known })
            }
        }
    }
}
