//! What a planner may and should do, as files hold it: one set for each kind of terrain.

use serde::{Deserialize, Serialize};

use crate::terrain::Sampling;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    pub notes: String,
    /// Shorter steps than the robot can take; null for all it can.
    pub max_step_length_m: Option<f64>,
    pub body: BodyBox,
    pub sole: Sampling,
    pub search: Search,
    pub cost: Cost,
    pub risk: Risk,
    pub timing: Timing,
    /// How near to a waypoint is near enough.
    pub waypoint: Tolerance,
    /// More steps than this are no plan.
    pub max_steps: usize,
}

/// The robot above its feet, for collisions: a box that turns with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BodyBox {
    /// Across the shoulders, with the arms.
    pub width_m: f64,
    pub depth_m: f64,
    /// What is lower than this above the feet, the body does not meet.
    pub from_m: f64,
    pub to_m: f64,
    /// Kept free around it.
    pub clearance_m: f64,
    pub foot_clearance_m: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Search {
    pub cell_m: f64,
    pub yaw_cell_deg: f64,
    /// The first plan is sought with this much trust in the estimate, the last with 1.
    pub first_weight: f64,
    pub weight_step: f64,
    pub max_expansions: usize,
    /// With a plan, this many times the expansions that led to it are spent on looking for a better one.
    pub patience: f64,
    /// No riser is nearer before a toe than this: where a heel goes up, the front of the foot goes forward.
    pub toe_room_m: f64,
    /// A foot of the goal without a foothold goes to the nearest one no farther away than this.
    pub goal_slack_m: f64,
}

/// Weights of what stacks up to the cost of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cost {
    pub step: f64,
    /// Of the hips, for each metre and each radian.
    pub distance: f64,
    pub yaw: f64,
    /// For each metre up or down.
    pub height: f64,
    /// For the last tenth before a limit.
    pub boundary: f64,
    /// For a swing unlike the one before, for each metre.
    pub dynamics: f64,
    /// For the share of the sole that is not held.
    pub contact: f64,
    /// For each radian of tilt.
    pub tilt: f64,
}

/// Weights of what adds up to the risk of a step; above `max` the step is not taken, whatever it would save.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Risk {
    pub max: f64,
    pub boundary: f64,
    pub contact: f64,
    /// At the largest tilt.
    pub tilt: f64,
    /// At the largest step up or down.
    pub height: f64,
}

/// A swing takes `swing_s.0` up to a step of `length_m.0` and grows to `swing_s.1` at `length_m.1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timing {
    pub swing_s: (f64, f64),
    pub length_m: (f64, f64),
    pub transfer_s: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tolerance {
    pub distance_m: f64,
    pub yaw_deg: f64,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            notes: String::new(),
            max_step_length_m: None,
            body: BodyBox::default(),
            sole: Sampling::default(),
            search: Search::default(),
            cost: Cost::default(),
            risk: Risk::default(),
            timing: Timing::default(),
            waypoint: Tolerance::default(),
            max_steps: 100,
        }
    }
}

impl Default for BodyBox {
    fn default() -> BodyBox {
        BodyBox { width_m: 0.6, depth_m: 0.35, from_m: 0.25, to_m: 1.8, clearance_m: 0.05, foot_clearance_m: 0.01 }
    }
}

impl Default for Search {
    fn default() -> Search {
        Search {
            cell_m: 0.05,
            yaw_cell_deg: 10.0,
            first_weight: 3.0,
            weight_step: 0.5,
            max_expansions: 200_000,
            patience: 2.0,
            toe_room_m: 0.0,
            goal_slack_m: 0.15,
        }
    }
}

impl Default for Cost {
    fn default() -> Cost {
        Cost {
            step: 0.2,
            distance: 1.0,
            yaw: 0.2,
            height: 0.5,
            boundary: 0.05,
            dynamics: 0.05,
            contact: 1.0,
            tilt: 0.3,
        }
    }
}

impl Default for Risk {
    fn default() -> Risk {
        Risk { max: 1.0, boundary: 0.3, contact: 1.5, tilt: 0.6, height: 0.5 }
    }
}

impl Default for Timing {
    fn default() -> Timing {
        Timing { swing_s: (0.8, 1.2), length_m: (0.3, 0.7), transfer_s: 0.4 }
    }
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance { distance_m: 0.15, yaw_deg: 20.0 }
    }
}

const BUILT_IN: &[(&str, &str)] = &[
    ("flat", include_str!("../../../terrains/parameters/flat.json")),
    ("rough", include_str!("../../../terrains/parameters/rough.json")),
    ("stairs", include_str!("../../../terrains/parameters/stairs.json")),
    ("narrow", include_str!("../../../terrains/parameters/narrow.json")),
];

impl Parameters {
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// One of the sets that come with the program.
    pub fn built_in(name: &str) -> Option<Parameters> {
        let (_, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Parameters::from_text(text).ok()
    }

    /// What a file leaves out keeps its default.
    pub fn from_text(text: &str) -> Result<Parameters, String> {
        let parameters: Parameters =
            serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| error.to_string())?;
        parameters.problem().map_or(Ok(parameters), Err)
    }

    /// A search on cells of no size would not end.
    pub(crate) fn problem(&self) -> Option<String> {
        let positive = [
            ("search.cell_m", self.search.cell_m, 0.005, 0.5),
            ("search.yaw_cell_deg", self.search.yaw_cell_deg, 1.0, 90.0),
            ("search.first_weight", self.search.first_weight, 1.0, 1000.0),
            ("search.weight_step", self.search.weight_step, 0.01, 1000.0),
            ("search.patience", self.search.patience, 0.0, 1e9),
            ("search.toe_room_m", self.search.toe_room_m, 0.0, 0.5),
            ("search.goal_slack_m", self.search.goal_slack_m, 0.0, 0.5),
            ("body.width_m", self.body.width_m, 0.01, 10.0),
            ("body.depth_m", self.body.depth_m, 0.01, 10.0),
            ("max_step_length_m", self.max_step_length_m.unwrap_or(0.3), 0.02, 10.0),
        ];
        for (name, value, low, high) in positive {
            if !(low..=high).contains(&value) {
                return Some(format!("{name} is {value}, it must be from {low} to {high}"));
            }
        }
        let Cost { step, distance, yaw, height, boundary, dynamics, contact, tilt } = self.cost;
        let Risk { max, boundary: edge, contact: held, tilt: tilted, height: high } = self.risk;
        let weights = [step, distance, yaw, height, boundary, dynamics, contact, tilt, max, edge, held, tilted, high];
        if weights.iter().any(|weight| !(0.0..=1e6).contains(weight)) {
            return Some("weights of cost and risk must be from 0 to 1000000".to_owned());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_set_loads_and_says_what_it_is_for() {
        for name in Parameters::names() {
            let set = Parameters::built_in(name).unwrap_or_else(|| panic!("{name}"));
            assert!(!set.notes.is_empty(), "{name}");
        }
    }

    #[test]
    fn bad_values_are_named() {
        assert!(Parameters::from_text(r#"{"search": {"cell_m": 0}}"#).unwrap_err().contains("search.cell_m"));
        assert!(Parameters::from_text(r#"{"cost": {"step": -1}}"#).unwrap_err().contains("cost"));
        assert!(Parameters::from_text(r#"{"costs": {}}"#).is_err());
    }
}
