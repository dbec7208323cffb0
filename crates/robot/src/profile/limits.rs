use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::reader::Report;
use crate::reader::join;

/// What a robot can do with its feet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WalkingLimits {
    /// Of the sole, centred on the sole frame.
    pub foot_length_m: f64,
    pub foot_width_m: f64,
    /// Between the soles when it stands.
    pub stance_width_m: f64,
    /// Between the soles, sideways, in a step.
    pub min_width_m: f64,
    pub max_width_m: f64,
    /// Of one foot past the other.
    pub max_forward_m: f64,
    pub max_backward_m: f64,
    pub max_step_up_m: f64,
    pub max_step_down_m: f64,
    /// Of a foot against the other.
    pub max_turn_out_deg: f64,
    pub max_turn_in_deg: f64,
    pub min_swing_s: f64,
    pub min_transfer_s: f64,
    pub swing_height_m: f64,
}

impl Default for WalkingLimits {
    fn default() -> WalkingLimits {
        WalkingLimits {
            foot_length_m: 0.2,
            foot_width_m: 0.1,
            stance_width_m: 0.24,
            min_width_m: 0.16,
            max_width_m: 0.42,
            max_forward_m: 0.45,
            max_backward_m: 0.3,
            max_step_up_m: 0.25,
            max_step_down_m: 0.2,
            max_turn_out_deg: 50.0,
            max_turn_in_deg: 10.0,
            min_swing_s: 0.6,
            min_transfer_s: 0.2,
            swing_height_m: 0.08,
        }
    }
}

/// What behaviors may ask of a hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HandLimits {
    pub max_force_n: f64,
    pub max_torque_nm: f64,
    pub max_linear_m_s: f64,
    pub max_angular_rad_s: f64,
}

impl Default for HandLimits {
    fn default() -> HandLimits {
        HandLimits { max_force_n: 100.0, max_torque_nm: 20.0, max_linear_m_s: 1.5, max_angular_rad_s: 4.0 }
    }
}

/// The defaults, with what the file says of them. Every number of these is a size, a time or a speed.
pub(super) fn read<T: Default + Serialize + DeserializeOwned>(
    file: &Map<String, Value>,
    section: &str,
    reader: &mut Report,
) -> T {
    let Some(written) = reader.section(file, section) else { return T::default() };
    let Ok(Value::Object(mut limits)) = serde_json::to_value(T::default()) else { return T::default() };
    let known: Vec<String> = limits.keys().cloned().collect();
    reader.only(written, section, &known.iter().map(String::as_str).collect::<Vec<_>>());
    for (key, value) in written {
        let path = join(section, key);
        let Some(default) = limits.get_mut(key) else { continue };
        match reader.number(value, &path) {
            Some(number) if number >= 0.0 => *default = number.into(),
            Some(number) => reader.error(&path, format!("{number} is below zero; {default} is taken")),
            None => {}
        }
    }
    serde_json::from_value(Value::Object(limits)).unwrap_or_default()
}
