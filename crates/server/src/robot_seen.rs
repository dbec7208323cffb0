//! The robot as it was last heard of: what previews start from and what is drawn.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{Body, FrameAt};
use geometry::Pose;
use protocol::api::{BodyView, CameraView, FrameView, ObjectView, RobotView, TemplateView};
use protocol::body::BodyPart;
use protocol::report::RobotReport;
use protocol::talk::{Form, ObjectAt, SceneAt};
use robot::control::Controller;
use robot::interface::RobotState;
use robot::{BodyFrame, Camera, Part, Robot};
use scene::SceneUpdate;
use scene::template::Library as Templates;

use crate::around::{Around, Changed};
use crate::body_seen::BodySeen;

pub struct RobotSeen {
    pub robot: Arc<Robot>,
    body: Body,
    time_ns: i64,
    flags: u16,
    /// By the key it has on the link.
    objects: BTreeMap<u32, ObjectAt>,
    pub around: Around,
    felt: BodySeen,
}

impl RobotSeen {
    /// Standing in its home posture, until something is heard of it.
    pub fn new(robot: Arc<Robot>) -> RobotSeen {
        let home = robot.configuration("home");
        let positions = home.unwrap_or_else(|| vec![0.0; robot.model.coordinates().len()]);
        let controller = Controller::new(Arc::clone(&robot), &positions, &Pose::identity());
        let capabilities = Arc::new(controller.capabilities().clone());
        let state = RobotState::standing(&controller.desired().positions, &Pose::identity());
        let body = Body::new(Arc::clone(&robot), capabilities, Arc::new(state));
        RobotSeen {
            robot,
            body,
            time_ns: 0,
            flags: 0,
            objects: BTreeMap::new(),
            around: Around::default(),
            felt: BodySeen::default(),
        }
    }

    pub fn templates(&mut self, templates: Arc<Templates>) {
        self.body.use_templates(templates);
    }

    /// False: it is a report of another robot.
    pub fn report(&mut self, report: &RobotReport, time_ns: i64) -> bool {
        if report.joints_rad.len() != self.robot.model.coordinates().len() {
            return false;
        }
        self.time_ns = time_ns;
        self.flags = report.flags;
        let mut state = (**self.body.state()).clone();
        state.positions.clone_from(&report.joints_rad);
        state.world_from_base = report.world_from_base;
        state.time_ns = time_ns;
        self.body.update(Arc::new(state));
        true
    }

    /// True: there is a new moment of what it feels.
    pub fn feels(&mut self, part: BodyPart) -> bool {
        self.felt.take(part, self.robot.model.coordinates().len())
    }

    /// Of a recorded moment, behind its report.
    pub fn felt_then(&mut self, state: &RobotState) {
        self.felt = BodySeen::of_state(state);
    }

    pub fn felt(&self) -> Option<BodyView> {
        self.felt.view(&self.robot, self.body.poses())
    }

    pub fn thing(&mut self, key: u32, thing: SceneAt) -> Changed {
        match thing {
            SceneAt::Object(object) => {
                self.object(key, object);
                Changed::Scene
            }
            SceneAt::Detection(detection) => self.around.detection(detection),
            SceneAt::Solid(solid) => self.around.solid(solid),
            SceneAt::Outline(outline) => self.around.outline(outline),
        }
    }

    fn object(&mut self, key: u32, object: ObjectAt) {
        if object.pose.is_none() {
            self.body.take_away(&object.name);
            self.objects.remove(&key);
            return;
        }
        if let Some(world_from_frame) = object.pose.and_then(|pose| Pose::from_numbers(pose.map(f64::from))) {
            self.body.place(&FrameAt { name: object.name.clone(), world_from_frame });
        }
        self.objects.insert(key, object);
    }

    /// The robot was started anew: what it saw before is not there any more.
    pub fn forget_objects(&mut self) {
        let around = self.around.anew();
        *self = RobotSeen { around, ..RobotSeen::new(Arc::clone(&self.robot)) };
    }

    /// For a preview or an operation that asks where the robot is.
    pub fn body(&self) -> &Body {
        &self.body
    }

    pub fn objects(&self) -> Vec<ObjectView> {
        let of = |object: &ObjectAt| ObjectView {
            name: object.name.to_string(),
            pose: object.pose.map(|pose| pose.map(f64::from)),
            class: object.class.as_ref().map(|class| class.to_string()),
            stale: object.stale,
            frozen: object.frozen,
        };
        self.objects.values().map(of).collect()
    }

    /// All objects there are.
    pub fn put_objects(&mut self, all: Vec<SceneAt>) {
        let gone: Vec<ObjectAt> = std::mem::take(&mut self.objects).into_values().collect();
        gone.iter().for_each(|object| self.body.take_away(&object.name));
        for (key, thing) in (0..).zip(all) {
            self.thing(key, thing);
        }
    }

    /// Objects as another scene is to have them.
    pub fn placements(&self) -> Vec<SceneUpdate> {
        let placement = |object: &ObjectAt| {
            let world_from_object = *self.body.objects().get(&object.name)?;
            Some(SceneUpdate::Place { name: object.name.clone(), class: object.class.clone(), world_from_object })
        };
        self.objects.values().filter_map(placement).collect()
    }

    /// The binary form of [`protocol::api::ROBOT_STATE`] and its like, which are told apart by the first byte.
    pub fn packed(&self, kind: u8) -> Vec<u8> {
        let state = self.body.state();
        let joints = &state.positions;
        let mut bytes = Vec::with_capacity(41 + 4 * joints.len());
        bytes.push(kind);
        bytes.extend((self.time_ns as f64 / 1e9).to_le_bytes());
        for number in state.world_from_base.numbers() {
            bytes.extend((number as f32).to_le_bytes());
        }
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(u16::try_from(joints.len()).unwrap_or(u16::MAX).to_le_bytes());
        for joint in joints {
            bytes.extend((*joint as f32).to_le_bytes());
        }
        bytes
    }

    pub fn view(&self) -> RobotView {
        RobotView {
            name: self.robot.name.clone(),
            urdf: self.robot.urdf.to_string(),
            joints: self.robot.model.coordinates().iter().map(|coordinate| coordinate.name.clone()).collect(),
            parts: self.robot.parts.iter().map(|part| (part.name.word().to_owned(), self.joints_of(part))).collect(),
            presets: self.robot.presets.keys().cloned().collect(),
            grips: self.robot.grips.keys().cloned().collect(),
            cameras: self.robot.cameras.iter().map(camera_view).collect(),
            templates: self.templates_view(),
        }
    }

    fn templates_view(&self) -> Vec<TemplateView> {
        let templates = self.body.templates();
        let all = templates.classes().filter_map(|class| templates.get(class).ok());
        all.map(|template| TemplateView {
            class: template.class.clone(),
            notes: template.notes.clone(),
            form: template.shape.map(form_of),
            form_at: template.shape_at.numbers(),
        })
        .collect()
    }

    fn joints_of(&self, part: &Part) -> Vec<String> {
        let coordinates = self.robot.model.coordinates();
        part.coordinates.iter().map(|coordinate| coordinates[*coordinate].name.clone()).collect()
    }

    /// Where cameras are.
    pub fn cameras(&self) -> Vec<FrameView> {
        let at = |camera: &Camera| {
            let world_from_camera = self.body.poses().world_from_link(camera.link) * camera.link_from_camera;
            FrameView { name: camera.name.clone(), pose: world_from_camera.numbers() }
        };
        self.robot.cameras.iter().map(at).collect()
    }

    /// Of the body, by the names that every robot has.
    pub fn frames(&self) -> Vec<FrameView> {
        let at = |frame: BodyFrame| {
            let pose = self.body.poses().world_from(frame).numbers();
            Some(FrameView { name: frame.word()?.to_owned(), pose })
        };
        BodyFrame::NAMED.into_iter().filter_map(at).collect()
    }
}

fn camera_view(camera: &Camera) -> CameraView {
    CameraView { name: camera.name.clone(), horizontal_view_deg: camera.horizontal_view_rad.to_degrees() }
}

fn form_of(shape: scene::Shape) -> Form {
    match shape {
        scene::Shape::Sphere { radius_m } => Form::Sphere { radius_m: radius_m as f32 },
        scene::Shape::Box { size_m } => Form::Box { size_m: size_m.map(|size| size as f32) },
        scene::Shape::Capsule { radius_m, length_m } => {
            Form::Capsule { radius_m: radius_m as f32, length_m: length_m as f32 }
        }
        scene::Shape::Cylinder { radius_m, length_m } => {
            Form::Cylinder { radius_m: radius_m as f32, length_m: length_m as f32 }
        }
    }
}
