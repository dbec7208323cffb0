//! What the robot feels, as variables that expressions can name. They are read only, change every tick, and are not
//! recorded: the robot's state is.

use model::Value;
use robot::interface::{Mode, RobotState};
use robot::{MovingKind, Robot, Side};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sense {
    HandForce(Side),
    HandTorque(Side),
    FootContact(Side),
    FootLoad(Side),
    Walking,
    StepsDone,
    Faults,
    /// A coordinate, and the factor to what people read.
    Position(usize, f64),
    Speed(usize, f64),
    Effort(usize),
}

impl Sense {
    pub fn named(robot: &Robot, name: &str) -> Option<Sense> {
        let sided = [
            ("hand_force_n", Sense::HandForce as fn(Side) -> Sense),
            ("hand_torque_nm", Sense::HandTorque),
            ("foot_contact", Sense::FootContact),
            ("foot_load_n", Sense::FootLoad),
        ];
        for side in Side::BOTH {
            let rest = name.strip_prefix(side.word()).and_then(|rest| rest.strip_prefix('_'));
            if let Some((_, sense)) = sided.iter().find(|(word, _)| rest == Some(word)) {
                return Some(sense(side));
            }
        }
        match name {
            "walking" => Some(Sense::Walking),
            "steps_done" => Some(Sense::StepsDone),
            "robot_faults" => Some(Sense::Faults),
            name => Sense::of_joint(robot, name),
        }
    }

    fn of_joint(robot: &Robot, name: &str) -> Option<Sense> {
        let coordinates = robot.model.coordinates().iter().enumerate();
        coordinates.filter(|(_, each)| name.starts_with(&each.name)).find_map(|(index, each)| {
            let degrees = 1_f64.to_degrees();
            match (each.kind, &name[each.name.len()..]) {
                (MovingKind::Prismatic, "_m") => Some(Sense::Position(index, 1.0)),
                (MovingKind::Prismatic, "_m_s") => Some(Sense::Speed(index, 1.0)),
                (MovingKind::Prismatic, "_effort_n") => Some(Sense::Effort(index)),
                (MovingKind::Revolute | MovingKind::Continuous, "_deg") => Some(Sense::Position(index, degrees)),
                (MovingKind::Revolute | MovingKind::Continuous, "_deg_s") => Some(Sense::Speed(index, degrees)),
                (MovingKind::Revolute | MovingKind::Continuous, "_effort_nm") => Some(Sense::Effort(index)),
                _ => None,
            }
        })
    }

    pub fn value(self, state: &RobotState) -> Value {
        match self {
            Sense::HandForce(side) => Value::Number(state.hand_wrenches[side.index()].force_n.norm()),
            Sense::HandTorque(side) => Value::Number(state.hand_wrenches[side.index()].torque_nm.norm()),
            Sense::FootContact(side) => Value::Bool(state.feet[side.index()].contact),
            Sense::FootLoad(side) => Value::Number(state.feet[side.index()].load_n),
            Sense::Walking => Value::Bool(state.mode == Mode::Walking),
            Sense::StepsDone => Value::Number(state.walking.steps_done as f64),
            Sense::Faults => Value::Number(state.faults.len() as f64),
            Sense::Position(index, factor) => number(&state.positions, index, factor),
            Sense::Speed(index, factor) => number(&state.velocities, index, factor),
            Sense::Effort(index) => number(&state.efforts, index, 1.0),
        }
    }
}

fn number(values: &[f64], index: usize, factor: f64) -> Value {
    Value::Number(values.get(index).copied().unwrap_or(f64::NAN) * factor)
}

/// The variable on the other side, and the sign it has there. None: the robot brings no such variable.
pub(crate) fn mirrored(robot: &Robot, name: &str) -> Option<(String, f64)> {
    match Sense::named(robot, name)? {
        Sense::HandForce(side) | Sense::HandTorque(side) | Sense::FootContact(side) | Sense::FootLoad(side) => {
            let rest = &name[side.word().len()..];
            Some((format!("{}{rest}", side.other().word()), 1.0))
        }
        Sense::Walking | Sense::StepsDone | Sense::Faults => Some((name.to_owned(), 1.0)),
        Sense::Position(index, _) | Sense::Speed(index, _) | Sense::Effort(index) => {
            let coordinates = robot.model.coordinates();
            let rest = &name[coordinates[index].name.len()..];
            let to = robot.mirror[index];
            Some((format!("{}{rest}", coordinates[to.coordinate].name), to.sign))
        }
    }
}

/// Every variable that a robot brings.
pub fn sense_names(robot: &Robot) -> Vec<String> {
    let mut names: Vec<String> = ["walking", "steps_done", "robot_faults"].map(str::to_owned).into();
    for side in Side::BOTH {
        let words = ["hand_force_n", "hand_torque_nm", "foot_contact", "foot_load_n"];
        names.extend(words.map(|word| format!("{}_{word}", side.word())));
    }
    for coordinate in robot.model.coordinates() {
        let units = match coordinate.kind {
            MovingKind::Prismatic => ["m", "m_s", "effort_n"],
            MovingKind::Revolute | MovingKind::Continuous => ["deg", "deg_s", "effort_nm"],
        };
        names.extend(units.map(|unit| format!("{}_{unit}", coordinate.name)));
    }
    names
}
