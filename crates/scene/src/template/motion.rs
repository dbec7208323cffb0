use geometry::{Pose, RollPitchYaw, Vector3};
use robot::Side;

use super::{Affordance, AffordedMotion, Approach, Grasp, Hand, NamedPlace, Template, TemplateError};

impl Grasp {
    pub(super) fn mirrored(&self) -> Grasp {
        let hand = match self.hand {
            // The left hand takes the mirror image as it is.
            Hand::Either => return self.clone(),
            Hand::Left => Hand::Right,
            Hand::Right => Hand::Left,
        };
        let approach = Approach { y: -self.approach.y, ..self.approach };
        Grasp { hand, object_from_hand: self.object_from_hand.mirrored(), approach, ..self.clone() }
    }

    fn hand_for(&self, class: &str, side: Side) -> Result<(Pose, Vector3<f64>), TemplateError> {
        let (pose, approach) = (self.object_from_hand, self.approach.direction());
        match (self.hand, side) {
            (Hand::Either, Side::Left) => Ok((pose.mirrored(), Vector3::new(approach.x, -approach.y, approach.z))),
            (Hand::Either, Side::Right) | (Hand::Left, Side::Left) | (Hand::Right, Side::Right) => Ok((pose, approach)),
            (Hand::Left, Side::Right) | (Hand::Right, Side::Left) => {
                let hand = side.other();
                Err(TemplateError::OtherHand { class: class.to_owned(), grasp: self.name.clone(), hand })
            }
        }
    }
}

impl Template {
    /// Where the hand is before the fingers close.
    pub fn object_from_hand(&self, grasp: &Grasp, side: Side) -> Result<Pose, TemplateError> {
        Ok(grasp.hand_for(&self.class, side)?.0)
    }

    /// Where the hand begins its way to the grasp, which is straight.
    pub fn object_from_pre_grasp(&self, grasp: &Grasp, side: Side) -> Result<Pose, TemplateError> {
        let (object_from_hand, direction) = grasp.hand_for(&self.class, side)?;
        let distance_m = grasp.approach.distance_m.max(grasp.approach.least_m);
        Ok(object_from_hand * Pose::new(-distance_m * direction, geometry::UnitQuaternion::identity()))
    }
}

impl NamedPlace {
    /// Where the robot stands for it: on the ground, level, facing as the pelvis is to face.
    pub fn world_from_walking(&self, world_from_object: &Pose, ground_m: f64) -> Pose {
        let world_from_pelvis = *world_from_object * self.object_from_place;
        let at_m = world_from_pelvis.translation_m();
        let rpy = RollPitchYaw::new(0.0, 0.0, world_from_pelvis.rpy().yaw_rad);
        Pose::from_rpy(Vector3::new(at_m.x, at_m.y, ground_m), rpy)
    }
}

/// What follows an affordance: the hand itself, or a point of what it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tool {
    pub hand_from_tool: Pose,
}

impl Tool {
    pub fn hand() -> Tool {
        Tool { hand_from_tool: Pose::identity() }
    }

    /// A usability of an object in the hand.
    pub fn of_held(hand_from_object: &Pose, object_from_usability: &Pose) -> Tool {
        Tool { hand_from_tool: *hand_from_object * *object_from_usability }
    }
}

/// What a hand does for an affordance.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// Of the hand, where it is first.
    pub frame_from_hand: Vec<Pose>,
    pub duration_s: f64,
}

/// No further apart than this are two poses, so that straight lines between them keep to the circle.
const STEP_RAD: f64 = 0.05;
const STEP_M: f64 = 0.02;
const MOST_STEPS: f64 = 2000.0;

impl Affordance {
    /// A right-handed screw is a left-handed one in the mirror.
    pub(super) fn mirrored(&self) -> Affordance {
        let motion = match self.motion {
            AffordedMotion::Cartesian { .. } => self.motion,
            AffordedMotion::Circular { displacement_deg, pitch_m, speed_deg_s } => {
                AffordedMotion::Circular { displacement_deg: -displacement_deg, pitch_m: -pitch_m, speed_deg_s }
            }
        };
        Affordance { motion, object_from_axis: self.object_from_axis.mirrored(), ..self.clone() }
    }

    /// As far as nothing else is asked: metres, or degrees of a circular one.
    pub fn displacement(&self) -> f64 {
        match self.motion {
            AffordedMotion::Cartesian { displacement_m, .. } => displacement_m,
            AffordedMotion::Circular { displacement_deg, .. } => displacement_deg,
        }
    }

    /// How fast nothing else is asked: metres, or degrees of a circular one, a second.
    pub fn speed(&self) -> f64 {
        match self.motion {
            AffordedMotion::Cartesian { speed_m_s, .. } => speed_m_s,
            AffordedMotion::Circular { speed_deg_s, .. } => speed_deg_s,
        }
    }

    pub fn unit(&self) -> &'static str {
        match self.motion {
            AffordedMotion::Cartesian { .. } => "m",
            AffordedMotion::Circular { .. } => "deg",
        }
    }

    /// The angle and the way along the axis for a displacement.
    fn screw(&self, displacement: f64) -> (f64, f64) {
        match self.motion {
            AffordedMotion::Cartesian { .. } => (0.0, displacement),
            AffordedMotion::Circular { pitch_m, .. } => (displacement.to_radians(), pitch_m * displacement / 360.0),
        }
    }

    /// Where the hand goes, from where it is: whatever way it holds the object, or whatever it holds, the tool moves as
    /// the object affords. Poses are in the frame the object is given in.
    pub fn way(&self, frame_from_object: &Pose, frame_from_hand: &Pose, tool: &Tool, displacement: f64) -> Way {
        let frame_from_axis = *frame_from_object * self.object_from_axis;
        let frame_from_tool = *frame_from_hand * tool.hand_from_tool;
        let tool_from_hand = tool.hand_from_tool.inverse();
        let (turn_rad, advance_m) = self.screw(displacement);
        let steps = (turn_rad.abs() / STEP_RAD).max(advance_m.abs() / STEP_M).ceil().clamp(1.0, MOST_STEPS);
        let pose = |share: f64| {
            let moved = frame_from_tool.moved_about_screw(&frame_from_axis, share * turn_rad, share * advance_m);
            let rotation = if self.keep_orientation { frame_from_tool.rotation() } else { moved.rotation() };
            Pose::new(moved.translation_m(), rotation) * tool_from_hand
        };
        let frame_from_hand = (0..=steps as usize).map(|step| pose(step as f64 / steps)).collect();
        Way { frame_from_hand, duration_s: displacement.abs() / self.speed() }
    }
}
