//! What template steps share: which template an object has, and what it says.

use engine::{Body, Cannot, Context, Halt, StepType, Tick, Verdict};
use geometry::Pose;
use robot::interface::Reach;
use robot::{PartName, Side};
use scene::template::{Fingers, Grasp, Template};
use serde::{Deserialize, Serialize};

use crate::body::goal::angles_now_deg;
use crate::body::setting::{FrameName, PoseSetting};
use crate::why_not::{Lack, WhyNot};
use crate::{arm, hand};

/// An object and the template that is to serve for it.
pub struct Which<'a> {
    pub object: &'a str,
    /// Empty: that of the object's class.
    pub template: &'a str,
    pub mirrored: bool,
    pub scale: f64,
}

impl Which<'_> {
    pub fn template(&self, body: &Body) -> Result<Template, Cannot> {
        if self.object.is_empty() {
            return Err(Lack::Object.into());
        }
        let class = match (self.template, body.scene().object(self.object).and_then(|object| object.class())) {
            ("", Some(class)) => class,
            ("", None) => self.object,
            (template, _) => template,
        };
        let found = body.templates().get(class).map_err(|why| match self.template {
            "" => WhyNot::NoTemplate { object: self.object.to_owned(), why }.into(),
            _ => Cannot::told(why),
        })?;
        let template = if self.scale == 1.0 { Template::clone(found) } else { found.scaled(self.scale) };
        Ok(if self.mirrored { template.mirrored() } else { template })
    }
}

/// What is wrong whatever the robot sees.
pub fn check_object(object: &str) -> Vec<(&'static str, String)> {
    if object.is_empty() { vec![("object", "name the object of the scene".to_owned())] } else { Vec::new() }
}

/// An arm to a pose in the object's frame and the fingers to a posture, one after the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reaching {
    arm: arm::Settings,
    fingers: Option<hand::Settings>,
    fingers_first: bool,
}

/// What of a grasp is gone for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    PreGrasp,
    Grasp,
}

/// How the arm goes there.
pub struct Manner {
    pub side: Side,
    pub duration_s: f64,
    pub reach: Reach,
    pub follow: bool,
    pub position_tolerance_m: f64,
    pub orientation_tolerance_deg: f64,
    pub may_touch_body: bool,
}

impl Reaching {
    pub fn new(body: &Body, which: &Which<'_>, grasp: &str, aim: Aim, manner: &Manner) -> Result<Reaching, Cannot> {
        let template = which.template(body)?;
        let grasp: &Grasp = template.grasp(grasp).map_err(WhyNot::from)?;
        let side = manner.side;
        let (object_from_hand, fingers) = match aim {
            Aim::PreGrasp => (template.object_from_pre_grasp(grasp, side), &grasp.before),
            Aim::Grasp => (template.object_from_hand(grasp, side), &grasp.fingers),
        };
        let object_from_hand: Pose = object_from_hand.map_err(WhyNot::from)?;
        let arm = arm::Settings {
            side,
            frame: FrameName::named(which.object),
            pose: PoseSetting::measured(&object_from_hand),
            reach: manner.reach,
            follow: manner.follow,
            duration_s: manner.duration_s,
            position_tolerance_m: manner.position_tolerance_m,
            orientation_tolerance_deg: manner.orientation_tolerance_deg,
            may_touch_body: manner.may_touch_body,
            ..arm::Settings::default()
        };
        Ok(Reaching { arm, fingers: posture(body, side, fingers)?, fingers_first: aim == Aim::PreGrasp })
    }

    /// Of the arm: where the hand goes.
    pub fn arm(&self) -> &arm::Settings {
        &self.arm
    }
}

/// None: they stay as they are.
fn posture(body: &Body, side: Side, fingers: &Fingers) -> Result<Option<hand::Settings>, Cannot> {
    let settings = hand::Settings { side, ..hand::Settings::default() };
    if let Some(grip) = &fingers.grip {
        return Ok(Some(hand::Settings { by: hand::By::Grip, grip: grip.clone(), ..settings }));
    }
    if fingers.angles_deg.is_empty() {
        return Ok(None);
    }
    let (robot, part) = (body.robot(), PartName::Hand(side));
    let coordinates = robot.part(part).map_or(&[][..], |part| &part.coordinates);
    let joints: Vec<&str> = coordinates.iter().map(|at| robot.model.coordinates()[*at].name.as_str()).collect();
    if let Some(joint) = fingers.angles_deg.keys().find(|joint| !joints.contains(&joint.as_str())) {
        let known = joints.iter().map(|joint| (*joint).to_owned()).collect();
        return Err(WhyNot::NoJointInPart { robot: robot.name.clone(), joint: joint.clone(), part, known }.into());
    }
    let mut angles_deg = angles_now_deg(body, part)?;
    for (joint, angle_deg) in joints.iter().zip(&mut angles_deg) {
        *angle_deg = fingers.angles_deg.get(*joint).copied().unwrap_or(*angle_deg);
    }
    Ok(Some(hand::Settings { by: hand::By::Angles, angles_deg, ..settings }))
}

/// What a step that reaches remembers.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct ReachingState {
    reaching: Option<Reaching>,
    arm: arm::State,
    fingers: hand::State,
    first_done: bool,
}

/// What is to be reached is fixed in the first tick.
pub fn tick(
    state: &mut ReachingState,
    context: &mut Context<'_>,
    reaching: impl FnOnce(&Body) -> Result<Reaching, Cannot>,
) -> Tick {
    let ReachingState { reaching: kept, arm, fingers, first_done } = state;
    if kept.is_none() {
        match context.body().and_then(reaching) {
            Ok(found) => *kept = Some(found),
            Err(reason) => return Tick::failure(reason),
        }
    }
    let Some(reaching) = kept else { return Tick::Running };
    let fingers_now = reaching.fingers.as_ref().filter(|_| reaching.fingers_first != *first_done);
    let tick = match fingers_now {
        Some(settings) => hand::Hand::tick(settings, fingers, context),
        None => arm::Arm::tick(&reaching.arm, arm, context),
    };
    let more = reaching.fingers.is_some() && !*first_done;
    match tick {
        Tick::Ended(end) if more && end.verdict == Verdict::Success => {
            *first_done = true;
            Tick::Running
        }
        tick => tick,
    }
}

pub fn halt(state: &mut ReachingState, context: &mut Context<'_>) -> Halt {
    let ReachingState { reaching: Some(reaching), arm, fingers, .. } = state else { return Halt::Done };
    let arm = arm::Arm::halt(&reaching.arm, arm, context);
    let fingers = reaching.fingers.as_ref().map_or(Halt::Done, |settings| hand::Hand::halt(settings, fingers, context));
    if arm == Halt::Done { fingers } else { arm }
}
