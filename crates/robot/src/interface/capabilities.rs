use serde::{Deserialize, Serialize};

/// What some robots can do and others cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    JointPath,
    HandPath,
    /// A hand path that is solved anew while its frame moves.
    FollowFrame,
    Footsteps,
    Fingers,
    Gripper,
    Pelvis,
    Foot,
    Wrench,
    Stiffness,
    Hold,
    HandForce,
    FootContact,
    ControlMode,
}

impl Capability {
    /// What it lets the robot do, for a sentence that begins with "the robot cannot".
    pub fn deed(self) -> &'static str {
        match self {
            Capability::JointPath => "move joints along a path",
            Capability::HandPath => "move a hand along a path",
            Capability::FollowFrame => "follow a frame that moves",
            Capability::Footsteps => "walk",
            Capability::Fingers => "move its fingers",
            Capability::Gripper => "open and close a gripper",
            Capability::Pelvis => "move its pelvis",
            Capability::Foot => "move a foot by itself",
            Capability::Wrench => "press with a hand",
            Capability::Stiffness => "change its stiffness",
            Capability::Hold => "hold a motion half way",
            Capability::HandForce => "feel the forces on its hands",
            Capability::FootContact => "feel the ground under its feet",
            Capability::ControlMode => "change its control mode",
        }
    }
}

/// Asked, never assumed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    /// Sorted, each once.
    can: Vec<Capability>,
}

impl Capabilities {
    pub fn new(mut can: Vec<Capability>) -> Capabilities {
        can.sort_unstable();
        can.dedup();
        Capabilities { can }
    }

    pub fn can(&self, capability: Capability) -> bool {
        self.can.binary_search(&capability).is_ok()
    }

    pub fn all(&self) -> &[Capability] {
        &self.can
    }
}
