use robot::{PartName, Robot, Side};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What goes wrong with a simulated robot, and when.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultPlan {
    /// Of what is random: the same seed, the same run.
    #[serde(default)]
    pub seed: u64,
    pub faults: Vec<PlannedFault>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedFault {
    #[serde(default)]
    pub at_s: f64,
    /// None: it stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_s: Option<f64>,
    pub kind: FaultKind,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FaultKind {
    /// Stays where it is.
    JointStuck {
        joint: String,
    },
    /// Commands to a part are lost; `says_running`: it says that it does them.
    PartSilent {
        part: String,
        #[serde(default)]
        says_running: bool,
    },
    /// Joints are beside where they should be, and behind.
    TrackingError {
        joints: Vec<String>,
        #[serde(default)]
        offset_rad: f64,
        #[serde(default)]
        lag_s: f64,
    },
    /// Joints are read with random errors up to this.
    Noise {
        joints: Vec<String>,
        amplitude_rad: f64,
    },
    CommandDelay {
        delay_s: f64,
    },
    /// What the world does to a hand, in the frame of the hand.
    HandForce {
        side: Side,
        #[serde(default)]
        force_n: [f64; 3],
        #[serde(default)]
        torque_nm: [f64; 3],
    },
    /// No state arrives: the last one gets old.
    StateLost,
}

#[derive(Debug, Error)]
pub enum FaultPlanError {
    #[error("the fault plan is not as it should be: {0}")]
    Json(#[from] serde_json::Error),
    #[error("fault {number} of the plan: {problem}")]
    Fault { number: usize, problem: String },
}

impl FaultPlan {
    pub fn from_json(text: &str) -> Result<FaultPlan, FaultPlanError> {
        Ok(serde_json::from_str(text)?)
    }

    /// What a robot cannot have: joints it lacks, numbers that are none.
    pub fn check(&self, robot: &Robot) -> Result<(), FaultPlanError> {
        for (index, fault) in self.faults.iter().enumerate() {
            if let Some(problem) = fault.problem(robot) {
                return Err(FaultPlanError::Fault { number: index + 1, problem });
            }
        }
        Ok(())
    }
}

impl PlannedFault {
    pub fn is_on(&self, time_s: f64) -> bool {
        time_s >= self.at_s && self.until_s.is_none_or(|until_s| time_s < until_s)
    }

    fn problem(&self, robot: &Robot) -> Option<String> {
        let numbers: Vec<f64> = match &self.kind {
            FaultKind::TrackingError { offset_rad, lag_s, .. } => vec![*offset_rad, *lag_s],
            FaultKind::Noise { amplitude_rad, .. } => vec![*amplitude_rad],
            FaultKind::CommandDelay { delay_s } => vec![*delay_s],
            FaultKind::HandForce { force_n, torque_nm, .. } => [*force_n, *torque_nm].concat(),
            FaultKind::JointStuck { .. } | FaultKind::PartSilent { .. } | FaultKind::StateLost => Vec::new(),
        };
        if numbers.iter().chain([&self.at_s]).chain(&self.until_s).any(|number| !number.is_finite()) {
            return Some("a number is not finite".to_owned());
        }
        let negative = match &self.kind {
            FaultKind::TrackingError { lag_s, .. } => *lag_s < 0.0,
            FaultKind::CommandDelay { delay_s } => *delay_s < 0.0,
            _ => false,
        };
        if negative {
            return Some("a time is below zero".to_owned());
        }
        if let FaultKind::PartSilent { part, .. } = &self.kind {
            let known = PartName::from_word(part).and_then(|name| robot.part(name));
            return known.is_none().then(|| format!("the robot has no part `{part}`"));
        }
        let unknown = self.kind.joints().iter().find(|joint| robot.model.coordinate(joint).is_none())?;
        Some(format!("the robot has no joint `{unknown}`"))
    }
}

impl FaultKind {
    pub fn joints(&self) -> &[String] {
        match self {
            FaultKind::JointStuck { joint } => std::slice::from_ref(joint),
            FaultKind::TrackingError { joints, .. } | FaultKind::Noise { joints, .. } => joints,
            _ => &[],
        }
    }
}
