use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use geometry::Pose;
use model::{Foreign, Handle, Looks, Written};
use robot::interface::{Frame, Order, Queueing};
use robot::{BodyFrame, Preview, Robot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::feet::{both_legs, is_stepping, legs_claimed};
use crate::body::frame::Goal;
use crate::body::goal::{Judged, PoseTolerance, pose_reached};
use crate::body::leg_checks;
use crate::body::motion::{self, Intent, Motion};
use crate::body::preview;
use crate::body::setting::{FrameName, PoseSetting};
use crate::thesis;

pub struct Pelvis;

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// The frame of the pose, as it is when the step begins.
    pub frame: FrameName,
    /// How high the pelvis goes above the origin of the frame; left out, it stays as high as it is.
    #[schemars(range(min = -10.0, max = 10.0), extend("x-unit" = "m"))]
    pub height_m: Option<f64>,
    /// About z: positive turns to the left.
    #[schemars(range(min = -180.0, max = 180.0), extend("x-unit" = "deg"))]
    pub yaw_deg: f64,
    /// About y: positive leans forward.
    #[schemars(range(min = -90.0, max = 90.0), extend("x-unit" = "deg"))]
    pub pitch_deg: f64,
    /// About x: positive leans to the right.
    #[schemars(range(min = -180.0, max = 180.0), extend("x-unit" = "deg"))]
    pub roll_deg: f64,
    /// Also goes to `x_m` and `y_m`, over the feet that stay; otherwise only up, down and round.
    pub moves_sideways: bool,
    /// Forward, if it moves sideways.
    #[schemars(range(min = -10.0, max = 10.0), extend("x-unit" = "m"))]
    pub x_m: f64,
    /// To the left, if it moves sideways.
    #[schemars(range(min = -10.0, max = 10.0), extend("x-unit" = "m"))]
    pub y_m: f64,
    /// How long the motion takes.
    #[schemars(range(min = 0.1, max = 600.0), extend("x-unit" = "s"))]
    pub duration_s: f64,
    /// How far off the pelvis may end.
    #[schemars(range(min = 0.0), extend("x-unit" = "m"))]
    pub position_tolerance_m: f64,
    /// How far turned from its goal the pelvis may end.
    #[schemars(range(min = 0.0, max = 180.0), extend("x-unit" = "deg"))]
    pub orientation_tolerance_deg: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            frame: FrameName::named("walking"),
            height_m: None,
            yaw_deg: 0.0,
            pitch_deg: 0.0,
            roll_deg: 0.0,
            moves_sideways: false,
            x_m: 0.0,
            y_m: 0.0,
            duration_s: 4.0,
            position_tolerance_m: 0.05,
            orientation_tolerance_deg: 10.0,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
    goal: Option<Goal>,
}

impl StepType for Pelvis {
    const NAME: &'static str = "pelvis";
    const GROUP: &'static str = "body";
    const DOC: &'static str =
        "Moves the pelvis above the feet, which stay where they are: squats, stands up, leans, turns.";
    const ICON: Option<&'static str> = Some("person-standing");
    const WORDS: &'static [&'static str] = &["squat", "crouch", "sit", "stand up", "lean", "hips"];
    const FOREIGN: &'static [Foreign] = thesis::PELVIS;
    const HANDLES: &'static [Handle] = &[Handle {
        written: Written::Apart { z_m: Some("height_m"), xy_if: Some("moves_sideways"), now: "pelvis" },
        ..Handle::pose("height_m", Looks::Body)
    }];
    type Settings = Settings;
    type State = State;

    fn claims(_settings: &Settings) -> Vec<Arc<str>> {
        legs_claimed()
    }

    fn expected_s(settings: &Settings) -> Option<f64> {
        Some(settings.duration_s)
    }

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        // Above other frames the feet may be at any height.
        let height_m = settings.height_m.filter(|_| settings.frame.0 == "walking");
        let wrong = height_m.and_then(|height_m| leg_checks::pelvis_height(robot, height_m));
        wrong.into_iter().map(|wrong| ("height_m", wrong)).collect()
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|(plan, _)| preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        let mut pose = settings.pose(0.0);
        pose.mirror(&settings.frame, mirror)?;
        settings.take(&pose);
        settings.frame.mirror(mirror);
        Ok(())
    }

    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        let mut pose = PoseSetting::default();
        pose.set_to_robot(&settings.frame, "pelvis", body)?;
        settings.height_m = Some(pose.z_m);
        settings.take(&pose);
        Ok(())
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        // What is not given is where the pelvis is now.
        let mut now = PoseSetting::default();
        now.set_to_robot(&settings.frame, "pelvis", body)?;
        let mut pose = settings.pose(now.z_m);
        if !settings.moves_sideways {
            (pose.x_m, pose.y_m) = (now.x_m, now.y_m);
        }
        pose.change_frame(&settings.frame, to, body)?;
        settings.take(&pose);
        settings.frame = FrameName::named(to);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        if state.goal.is_none() && is_stepping(context) {
            return Tick::Running;
        }
        let judge = |body: &Body, goal: &Goal| {
            let now = body.poses().world_from(BodyFrame::Pelvis);
            let (position_m, angle_deg) = (settings.position_tolerance_m, settings.orientation_tolerance_deg);
            Ok(pose_reached(
                Judged::Pelvis,
                &now,
                &goal.world_from_thing(body)?,
                PoseTolerance { position_m, angle_deg },
            )?)
        };
        motion::tick_towards(&mut state.motion, &mut state.goal, context, |body| plan(settings, body), judge)
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

impl Settings {
    fn pose(&self, without_height_m: f64) -> PoseSetting {
        let Settings { x_m, y_m, yaw_deg, pitch_deg, roll_deg, .. } = *self;
        PoseSetting { x_m, y_m, z_m: self.height_m.unwrap_or(without_height_m), roll_deg, pitch_deg, yaw_deg }
    }

    /// All of it that is given.
    fn take(&mut self, pose: &PoseSetting) {
        self.height_m = self.height_m.map(|_| pose.z_m);
        (self.yaw_deg, self.pitch_deg, self.roll_deg) = (pose.yaw_deg, pose.pitch_deg, pose.roll_deg);
        if self.moves_sideways {
            (self.x_m, self.y_m) = (pose.x_m, pose.y_m);
        }
    }
}

fn plan(settings: &Settings, body: &Body) -> Result<(Intent, Goal), Cannot> {
    let joints = both_legs(body)?;
    let world_from_frame = body.world_from(&settings.frame.0)?;
    let world_from_now = body.poses().world_from(BodyFrame::Pelvis);
    let now_m = world_from_now.translation_m();
    let asked =
        world_from_frame * settings.pose((world_from_frame.inverse() * world_from_now).translation_m().z).pose();
    let mut at_m = asked.translation_m();
    if settings.height_m.is_none() {
        at_m.z = now_m.z;
    }
    if !settings.moves_sideways {
        (at_m.x, at_m.y) = (now_m.x, now_m.y);
    }
    let world_from_goal = Pose::new(at_m, asked.rotation());
    let order = Order::Pelvis {
        frame: Frame::World,
        frame_from_pelvis: world_from_goal,
        moves_sideways: settings.moves_sideways,
        duration_s: settings.duration_s,
    };
    let plan =
        Intent { order, queueing: Queueing::Override, nominal_s: settings.duration_s, joints, may_touch_body: false };
    Ok((plan, Goal { frame: Frame::World, frame_from_thing: world_from_goal }))
}
