use std::collections::{BTreeMap, BTreeSet};

use robot::Places;
use robot::reader::{Fields, Report, kind};
use serde_json::{Value, json};

use super::{Affordance, AffordedMotion, Approach, Fingers, Grasp, Hand, NamedPlace, Template, TemplateFileError};
use crate::points::Shape;

const VERSION: f64 = 1.0;
pub(super) const SPEED_M_S: f64 = 0.1;
pub(super) const SPEED_DEG_S: f64 = 30.0;
pub(super) const PRE_GRASP_M: f64 = 0.1;

impl Template {
    /// `file` is what problems name.
    pub fn from_json(file: &str, text: &str) -> Result<Template, TemplateFileError> {
        let text = text.trim_start_matches('\u{feff}');
        let value: Value = serde_json::from_str(text).map_err(|error| TemplateFileError::Unreadable {
            file: file.to_owned(),
            line: error.line() as u32,
            form: "JSON",
            message: error.to_string(),
        })?;
        let mut report = Report::new(file, Places::of(text));
        let template = read(&value, &mut report);
        let problems = report.finish();
        if problems.is_empty() {
            return Ok(template);
        }
        Err(TemplateFileError::Unusable { file: file.to_owned(), problems })
    }

    /// As a file of ours.
    pub fn to_json(&self) -> String {
        let mut value = json!({"version": 1});
        if let (Some(map), Ok(Value::Object(own))) = (value.as_object_mut(), serde_json::to_value(self)) {
            map.extend(own);
        }
        round(&mut value);
        serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
    }
}

/// To what a person can read: degrees out of quaternions come with sixteen digits.
fn round(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let rounded = number.as_f64().filter(|_| number.is_f64()).map(|number| (number * 1e9).round() / 1e9);
            *value = rounded.map_or_else(|| Value::Number(number.clone()), Value::from);
        }
        Value::Array(items) => items.iter_mut().for_each(round),
        Value::Object(map) => map.values_mut().for_each(round),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn read(value: &Value, report: &mut Report) -> Template {
    let Some(mut fields) = report.fields(value, "") else { return Template::default() };
    if fields.number("version", 0.0, VERSION..=VERSION) == 0.0 {
        fields.error("version", "write \"version\": 1, so that later programs still read this file");
    }
    let template = Template {
        class: fields.needed_text("class").unwrap_or_default().to_owned(),
        notes: fields.text("notes").unwrap_or_default().to_owned(),
        group: fields.text("group").map(str::to_owned),
        mesh: fields.text("mesh").map(str::to_owned),
        mesh_at: fields.pose("mesh_at"),
        shape: shape(&mut fields),
        shape_at: fields.pose("shape_at"),
        mass_kg: fields.get("mass_kg").is_some().then(|| fields.number("mass_kg", 0.0, 0.0..=10_000.0)),
        centre_of_mass: fields.pose("centre_of_mass"),
        grasps: fields.each("grasps", grasp),
        stands: fields.each("stands", place),
        usabilities: fields.each("usabilities", place),
        affordances: fields.each("affordances", affordance),
        left_out: Vec::new(),
    };
    names(&mut fields, "grasps", template.grasps.iter().map(|grasp| &grasp.name));
    names(&mut fields, "stands", template.stands.iter().map(|stand| &stand.name));
    names(&mut fields, "usabilities", template.usabilities.iter().map(|usability| &usability.name));
    names(&mut fields, "affordances", template.affordances.iter().map(|affordance| &affordance.name));
    fields.end();
    template
}

fn names<'a>(fields: &mut Fields, key: &str, names: impl Iterator<Item = &'a String>) {
    let mut known = BTreeSet::new();
    for (index, name) in names.enumerate().filter(|(_, name)| !name.is_empty()) {
        if !known.insert(name) {
            fields.error(&format!("{key}[{index}].name"), format!("`{name}` is there twice; give it another name"));
        }
    }
}

fn shape(fields: &mut Fields) -> Option<Shape> {
    let value = fields.get("shape")?;
    match serde_json::from_value::<Shape>(value.clone()) {
        Ok(shape) => {
            if let Err(wrong) = shape.check() {
                fields.error("shape", wrong);
            }
            Some(shape)
        }
        Err(error) => {
            let remedy = r#"write {"shape": "sphere", "radius_m": 0.1}, or a box, capsule or cylinder"#;
            fields.error("shape", format!("{error}: {remedy}"));
            None
        }
    }
}

fn needed(fields: &mut Fields) -> String {
    fields.needed_text("name").unwrap_or_default().to_owned()
}

fn place(fields: &mut Fields) -> NamedPlace {
    NamedPlace { name: needed(fields), object_from_place: fields.pose("pose") }
}

fn grasp(fields: &mut Fields) -> Grasp {
    Grasp {
        name: needed(fields),
        hand: fields.word("hand", &[("either", Hand::Either), ("left", Hand::Left), ("right", Hand::Right)]),
        object_from_hand: fields.pose("pose"),
        approach: approach(fields),
        before: fingers(fields, "before"),
        fingers: fingers(fields, "fingers"),
    }
}

fn approach(fields: &mut Fields) -> Approach {
    let forward = Approach { x: 1.0, y: 0.0, z: 0.0, distance_m: PRE_GRASP_M, least_m: 0.0 };
    let Some(mut inner) = fields.inner("approach") else { return forward };
    let [x, y, z] = ["x", "y", "z"].map(|axis| inner.number(axis, 0.0, -1e3..=1e3));
    let approach = Approach {
        x,
        y,
        z,
        distance_m: inner.number("distance_m", PRE_GRASP_M, 0.0..=2.0),
        least_m: inner.number("least_m", 0.0, 0.0..=2.0),
    };
    if [x, y, z] == [0.0; 3] {
        inner.error("", "x, y and z are all zero, which is no direction: the hand's own forward is \"x\": 1");
    }
    if approach.least_m > approach.distance_m {
        let (least_m, distance_m) = (approach.least_m, approach.distance_m);
        inner.error("least_m", format!("{least_m} is more than `distance_m`, {distance_m}: make it less"));
    }
    inner.end();
    approach
}

fn fingers(fields: &mut Fields, key: &'static str) -> Fingers {
    let Some(mut inner) = fields.inner(key) else { return Fingers::default() };
    let grip = inner.text("grip").map(str::to_owned);
    let angles_deg = inner.inner("angles_deg").map_or_else(BTreeMap::new, angles);
    if grip.is_some() && !angles_deg.is_empty() {
        inner.error("", "both `grip` and `angles_deg` are there: keep one");
    }
    inner.end();
    Fingers { grip, angles_deg }
}

fn angles(mut fields: Fields) -> BTreeMap<String, f64> {
    let mut angles_deg = BTreeMap::new();
    for (joint, value) in fields.entries() {
        match value.as_f64().filter(|angle_deg| angle_deg.abs() <= 360.0) {
            Some(angle_deg) => drop(angles_deg.insert(joint.clone(), angle_deg)),
            None => fields.error(joint, format!("an angle from -360 to 360 belongs here, not {}", kind(value))),
        }
    }
    angles_deg
}

fn affordance(fields: &mut Fields) -> Affordance {
    let name = needed(fields);
    let circular = fields.word("kind", &[("cartesian", false), ("circular", true)]);
    if fields.get("kind").is_none() {
        fields.error("", "`kind` is missing: write \"cartesian\" or \"circular\"");
    }
    let motion = if circular {
        AffordedMotion::Circular {
            displacement_deg: fields.number("displacement_deg", 90.0, -36_000.0..=36_000.0),
            pitch_m: fields.number("pitch_m", 0.0, -10.0..=10.0),
            speed_deg_s: fields.number("speed_deg_s", SPEED_DEG_S, 0.1..=720.0),
        }
    } else {
        AffordedMotion::Cartesian {
            displacement_m: fields.number("displacement_m", 0.1, -100.0..=100.0),
            speed_m_s: fields.number("speed_m_s", SPEED_M_S, 0.001..=10.0),
        }
    };
    Affordance {
        name,
        motion,
        object_from_axis: fields.pose("axis"),
        keep_orientation: fields.flag("keep_orientation", false),
    }
}
