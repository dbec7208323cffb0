//! An arm by how it is bent: for any robot, whatever its joints are called and however they turn.

use robot::{PartName, Robot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::joints::JointGoals;

/// Beside the body with the hand down everything is 0.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Posture {
    /// The upper arm up at the front; below 0 at the back.
    #[schemars(range(min = -180.0, max = 180.0), extend("x-unit" = "deg"))]
    pub shoulder_pitch_deg: f64,
    /// The upper arm outwards.
    #[schemars(range(min = -180.0, max = 180.0), extend("x-unit" = "deg"))]
    pub shoulder_roll_deg: f64,
    /// The upper arm about itself, outwards.
    #[schemars(range(min = -180.0, max = 180.0), extend("x-unit" = "deg"))]
    pub shoulder_yaw_deg: f64,
    /// How far it is bent.
    #[schemars(range(min = 0.0, max = 180.0), extend("x-unit" = "deg"))]
    pub elbow_deg: f64,
}

impl Posture {
    /// Of every joint of an arm, as far as it goes; those that have no role here are in their middle position.
    pub fn goals(&self, robot: &Robot, arm: PartName) -> Option<JointGoals> {
        let by_role = [
            ("shoulder_pitch", self.shoulder_pitch_deg),
            ("shoulder_roll", self.shoulder_roll_deg),
            ("shoulder_yaw", self.shoulder_yaw_deg),
            ("elbow", self.elbow_deg),
        ];
        let joints = by_role.map(|(role, angle_deg)| (robot.role(arm, role), angle_deg));
        let goal = |at: &usize| {
            let of_it =
                joints.iter().find_map(|(joint, angle_deg)| Some((joint.filter(|j| j.coordinate == *at)?, angle_deg)));
            let wanted = of_it.map_or(0.0, |(joint, angle_deg)| joint.position(angle_deg.to_radians()));
            let limits = &robot.model.coordinates()[*at].limits;
            (*at, wanted.max(limits.lower).min(limits.upper))
        };
        Some(robot.part(arm)?.coordinates.iter().map(goal).collect())
    }
}
