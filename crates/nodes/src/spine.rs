use std::sync::Arc;

use engine::{Body, Cannot, Context, Halt, Mirror, StepType, Tick};
use model::{Drag, Foreign, Handle, Looks, Written};
use robot::{PartName, Preview, Robot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::body::checks;
use crate::body::goal::joints_reached;
use crate::body::goal::no_part;
use crate::body::joints::{JointGoals, joint_plan};
use crate::body::motion::{self, Intent, Motion};
use crate::body::preview;
use crate::body::setting::{FrameName, PoseSetting, degrees};
use crate::body::turns::{Turns, positions_for, positions_toward, turns_of};
use crate::thesis;
use crate::why_not::WhyNot;

pub struct Spine;

/// What the three angles are of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Of the joints of the spine: the one that turns it, the one that bends it forward, the one that bends it aside.
    #[default]
    Angles,
    /// Of the chest in `frame`.
    Orientation,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Settings {
    /// Whether the angles are of the joints or of the chest.
    pub by: By,
    /// By orientation: the frame of the angles, as it is when the step begins.
    #[schemars(extend("x-by" = ["orientation"]))]
    pub frame: FrameName,
    /// Positive turns to the left.
    #[schemars(range(min = -180.0, max = 180.0), extend("x-unit" = "deg"))]
    pub yaw_deg: f64,
    /// Positive bends forward.
    #[schemars(range(min = -180.0, max = 180.0), extend("x-unit" = "deg"))]
    pub pitch_deg: f64,
    /// Positive bends to the right.
    #[schemars(range(min = -180.0, max = 180.0), extend("x-unit" = "deg"))]
    pub roll_deg: f64,
    /// How long the motion takes.
    #[schemars(range(min = 0.1, max = 600.0), extend("x-unit" = "s"))]
    pub duration_s: f64,
    /// How far off the joints may end, all errors added up; by orientation, also how far off the spine may have to
    /// leave the chest.
    #[schemars(range(min = 0.0, max = 360.0), extend("x-unit" = "deg"))]
    pub tolerance_deg: f64,
    /// Whether the motion may press links of the body into each other, as folded arms do. Otherwise a step whose way or
    /// goal does so fails before it moves.
    pub may_touch_body: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            by: By::Angles,
            frame: FrameName::named("pelvis"),
            yaw_deg: 0.0,
            pitch_deg: 0.0,
            roll_deg: 0.0,
            duration_s: 4.0,
            tolerance_deg: 10.0,
            may_touch_body: false,
        }
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    motion: Motion,
    goals: Option<JointGoals>,
}

impl StepType for Spine {
    const NAME: &'static str = "spine";
    const GROUP: &'static str = "body";
    const DOC: &'static str =
        "Turns and bends the trunk: by the angles of its joints, or so that the chest has an orientation in a frame.";
    const ICON: Option<&'static str> = Some("move-vertical");
    const WORDS: &'static [&'static str] = &["bend", "lean", "torso", "waist", "turn", "bow"];
    const FOREIGN: &'static [Foreign] = thesis::SPINE;
    const HANDLES: &'static [Handle] = &[Handle {
        drag: Drag::Turn,
        by: Some("orientation"),
        written: Written::Apart { z_m: None, xy_if: None, now: "chest" },
        ..Handle::pose("yaw_deg", Looks::Body)
    }];
    type Settings = Settings;
    type State = State;

    fn claims(_settings: &Settings) -> Vec<Arc<str>> {
        vec![PartName::Spine.word().into()]
    }

    fn expected_s(settings: &Settings) -> Option<f64> {
        Some(settings.duration_s)
    }

    fn check(settings: &Settings, robot: &Robot) -> Vec<(&'static str, String)> {
        match settings.by {
            By::Angles => checks::turns(robot, PartName::Spine, &settings.turns()),
            // How the frame will be turned is not known yet.
            By::Orientation => Vec::new(),
        }
    }

    fn preview(settings: &Settings, body: &Body) -> Option<Result<Preview, Cannot>> {
        Some(plan(settings, body).and_then(|(plan, _)| preview::of_plan(body, &plan)))
    }

    fn mirror(settings: &mut Settings, mirror: &Mirror<'_>) -> Result<(), Cannot> {
        if settings.by == By::Angles {
            (settings.yaw_deg, settings.roll_deg) = (0.0 - settings.yaw_deg, 0.0 - settings.roll_deg);
            return Ok(());
        }
        let mut chest = settings.chest();
        chest.mirror(&settings.frame, mirror)?;
        settings.turn_to(&chest);
        settings.frame.mirror(mirror);
        Ok(())
    }

    fn set_to_robot(settings: &mut Settings, body: &Body) -> Result<(), Cannot> {
        if settings.by == By::Angles {
            let Turns { yaw_rad, pitch_rad, roll_rad } = turns_of(body, PartName::Spine)?;
            [settings.yaw_deg, settings.pitch_deg, settings.roll_deg] = [yaw_rad, pitch_rad, roll_rad].map(degrees);
            return Ok(());
        }
        let mut chest = PoseSetting::default();
        chest.set_to_robot(&settings.frame, "chest", body)?;
        settings.turn_to(&chest);
        Ok(())
    }

    fn change_frame(settings: &mut Settings, to: &str, body: &Body) -> Result<(), Cannot> {
        if settings.by == By::Angles {
            return Err(WhyNot::AnglesInNoFrame.into());
        }
        let mut chest = settings.chest();
        chest.change_frame(&settings.frame, to, body)?;
        settings.turn_to(&chest);
        settings.frame = FrameName::named(to);
        Ok(())
    }

    fn tick(settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Tick {
        let judge = |body: &Body, goals: &JointGoals| joints_reached(body, goals, settings.tolerance_deg.to_radians());
        motion::tick_towards(&mut state.motion, &mut state.goals, context, |body| plan(settings, body), judge)
    }

    fn halt(_settings: &Settings, state: &mut State, context: &mut Context<'_>) -> Halt {
        motion::halt(&mut state.motion, context)
    }
}

impl Settings {
    fn turns(&self) -> Turns {
        Turns::from_degrees([self.yaw_deg, self.pitch_deg, self.roll_deg])
    }

    /// Where the chest is does not count, only how it is turned.
    fn chest(&self) -> PoseSetting {
        let Settings { yaw_deg, pitch_deg, roll_deg, .. } = *self;
        PoseSetting { yaw_deg, pitch_deg, roll_deg, ..PoseSetting::default() }
    }

    fn turn_to(&mut self, chest: &PoseSetting) {
        (self.yaw_deg, self.pitch_deg, self.roll_deg) = (chest.yaw_deg, chest.pitch_deg, chest.roll_deg);
    }
}

fn plan(settings: &Settings, body: &Body) -> Result<(Intent, JointGoals), Cannot> {
    let goals = match settings.by {
        By::Angles => positions_for(body, PartName::Spine, &settings.turns())?,
        By::Orientation => by_orientation(settings, body)?,
    };
    Ok((joint_plan(body, &goals, settings.duration_s, settings.may_touch_body), goals))
}

fn by_orientation(settings: &Settings, body: &Body) -> Result<JointGoals, Cannot> {
    let robot = body.robot();
    let spine = robot.part(PartName::Spine).ok_or_else(|| no_part(robot, PartName::Spine))?;
    let world_from_chest = body.world_from(&settings.frame.0)? * settings.chest().pose();
    let base_from_chest = body.poses().world_from_link(spine.base).inverse() * world_from_chest;
    let (goals, missed_rad) = positions_toward(body, PartName::Spine, &base_from_chest.rotation())?;
    let (off_deg, allowed_deg) = (missed_rad.to_degrees(), settings.tolerance_deg);
    if off_deg > allowed_deg {
        return Err(WhyNot::ChestOutOfReach { off_deg, allowed_deg }.into());
    }
    Ok(goals)
}
