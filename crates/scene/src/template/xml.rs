//! The template libraries of the DARPA Robotics Challenge: one file for objects, one for grasps, one for where to
//! stand, tied together by `template_type`.

use std::collections::BTreeMap;

use geometry::{Pose, RollPitchYaw, Vector3};
use robot::Problem;
use roxmltree::{Document, Node};

use super::json::{PRE_GRASP_M, SPEED_DEG_S, SPEED_M_S};
use super::reader::problem;
use super::{Affordance, AffordedMotion, Approach, Fingers, Grasp, Hand, Place, Template, TemplateFileError};
use crate::points::Shape;

/// All templates of some files that belong together, each with its name and text, in the order of their types.
pub fn import_xml(files: &[(&str, &str)]) -> Result<Vec<Template>, TemplateFileError> {
    let mut by_type: BTreeMap<i64, Template> = BTreeMap::new();
    let mut problems = Vec::new();
    for (file, text) in files {
        let text = without_line_numbers(text.trim_start_matches('\u{feff}'));
        let document = Document::parse(&text).map_err(|error| TemplateFileError::Unreadable {
            file: (*file).to_owned(),
            line: error.pos().row,
            form: "XML",
            message: error.to_string(),
        })?;
        let mut reader = Reader { file, document: &document, problems: &mut problems };
        reader.file(&mut by_type);
    }
    if problems.is_empty() {
        return Ok(by_type.into_values().collect());
    }
    let file = problems[0].file.clone();
    Err(TemplateFileError::Unusable { file, problems })
}

/// As printed in a report, every line begins with its number.
fn without_line_numbers(text: &str) -> String {
    let rest = |line: &str| line.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit()).to_owned();
    let numbered = |line: &str| line.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if !numbered(first) {
        return text.to_owned();
    }
    let lines: Vec<String> = text.lines().map(rest).collect();
    // The declaration must be the very first.
    lines.join("\n").trim_start().to_owned()
}

struct Reader<'a, 'b> {
    file: &'a str,
    document: &'a Document<'a>,
    problems: &'b mut Vec<Problem>,
}

type Element<'a> = Node<'a, 'a>;

impl<'a> Reader<'a, '_> {
    fn error(&mut self, at: Element, message: impl Into<String>) {
        let line = self.document.text_pos_at(at.range().start).row;
        self.problems.push(problem(self.file, line, at.tag_name().name(), message));
    }

    fn file(&mut self, by_type: &mut BTreeMap<i64, Template>) {
        let root = self.document.root_element();
        let known = ["templatelibrary", "grasplibrary", "standposeslibrary"];
        if !known.contains(&root.tag_name().name()) {
            self.error(root, format!("this is no library of templates: the root must be one of {}", known.join(", ")));
            return;
        }
        for element in root.children().filter(Node::is_element) {
            let Some((number, name)) = self.head(element) else { continue };
            let template = by_type.entry(number).or_default();
            if template.class.is_empty() {
                template.class = name;
            } else if template.class != name {
                let class = &template.class;
                let message = format!("type {number} is called `{name}` here and `{class}` elsewhere: make them equal");
                self.error(element, message);
            }
            match root.tag_name().name() {
                "templatelibrary" => self.object(element, template),
                "grasplibrary" => {
                    let grasps: Vec<Grasp> = each(element, "grasp").map(|grasp| self.grasp(grasp)).collect();
                    template.grasps.extend(grasps);
                }
                _ => {
                    let stands: Vec<Place> = each(element, "standpose").map(|stand| self.place(stand)).collect();
                    template.stands.extend(stands);
                }
            }
        }
    }

    fn head(&mut self, element: Element<'a>) -> Option<(i64, String)> {
        let number = self.text(element, "template_type")?;
        let name = self.text(element, "template_name")?;
        let parsed = number.trim().parse().ok();
        if parsed.is_none() {
            self.error(element, format!("`template_type` is `{number}`: give a whole number"));
        }
        Some((parsed?, name.to_owned()))
    }

    fn text(&mut self, element: Element<'a>, name: &str) -> Option<&'a str> {
        let text = element.attribute(name).filter(|text| !text.trim().is_empty());
        if text.is_none() {
            self.error(element, format!("`{name}` is missing: write it"));
        }
        text
    }

    /// None where it is not there; what is no number is told.
    fn number(&mut self, element: Element<'a>, name: &str) -> Option<f64> {
        let text = element.attribute(name)?;
        let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        if number.is_none() {
            self.error(element, format!("`{name}` is `{text}`: give a number"));
        }
        number
    }

    fn needed(&mut self, element: Element<'a>, name: &str) -> f64 {
        if self.text(element, name).is_none() {
            return 0.0;
        }
        self.number(element, name).unwrap_or(0.0)
    }

    fn three(&mut self, element: Element<'a>, name: &str) -> Option<Vector3<f64>> {
        let text = element.attribute(name)?;
        let numbers: Option<Vec<f64>> = text.split_whitespace().map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some([x, y, z]) if [x, y, z].iter().all(|number| number.is_finite()) => Some(Vector3::new(*x, *y, *z)),
            _ => {
                self.error(element, format!("`{name}` is `{text}`: give three numbers"));
                None
            }
        }
    }

    /// Position as `xyz`, or as `x`, `y` and `z`; orientation as `qx`, `qy`, `qz`, `qw`.
    fn pose(&mut self, element: Element<'a>) -> Pose {
        let at_m = if element.has_attribute("xyz") {
            self.three(element, "xyz").unwrap_or_default()
        } else {
            Vector3::from(["x", "y", "z"].map(|axis| self.needed(element, axis)))
        };
        let wxyz = ["qw", "qx", "qy", "qz"].map(|name| self.needed(element, name));
        Pose::from_quaternion_wxyz(at_m, wxyz).unwrap_or_else(|| {
            self.error(element, "qx, qy, qz and qw are all zero, which is no orientation: none is qw=\"1\"");
            Pose::identity()
        })
    }

    fn child(&mut self, element: Element<'a>, name: &'static str) -> Option<Element<'a>> {
        let child = each(element, name).next();
        if child.is_none() {
            self.error(element, format!("<{name}> is missing: write it"));
        }
        child
    }

    fn place(&mut self, element: Element<'a>) -> Place {
        let name = self.name(element);
        let pose = self.child(element, "pose").map_or_else(Pose::identity, |pose| self.pose(pose));
        Place { name, object_from_place: pose }
    }

    fn name(&mut self, element: Element<'a>) -> String {
        let name = element.attribute("name").or_else(|| self.text(element, "id"));
        name.unwrap_or_default().to_owned()
    }

    fn object(&mut self, element: Element<'a>, template: &mut Template) {
        template.group = element.attribute("group").map(str::to_owned);
        if let Some(visual) = each(element, "visual").next() {
            self.visual(visual, template);
        }
        if let Some(inertial) = each(element, "inertial").next() {
            template.mass_kg = each(inertial, "mass").next().map(|mass| self.needed(mass, "value"));
            template.centre_of_mass = self.origin(inertial);
        }
        template.usabilities = each(element, "usability").map(|place| self.place(place)).collect();
        template.affordances = each(element, "affordance").filter_map(|one| self.affordance(one)).collect();
    }

    fn visual(&mut self, visual: Element<'a>, template: &mut Template) {
        template.mesh_at = self.origin(visual);
        let Some(geometry) = each(visual, "geometry").next() else { return };
        let mesh = each(geometry, "mesh").next();
        template.mesh = mesh.and_then(|mesh| self.text(mesh, "filename")).map(str::to_owned);
        let Some(around) = each(geometry, "boundingbox").next() else { return };
        if let (Some(least), Some(most)) = (self.three(around, "min"), self.three(around, "max")) {
            if (most - least).min() <= 0.0 {
                self.error(around, "`max` must be above `min` along x, y and z");
                return;
            }
            template.shape = Some(Shape::Box { size_m: (most - least).into() });
            template.shape_at = Pose::new((least + most) / 2.0, geometry::UnitQuaternion::identity());
        }
    }

    fn origin(&mut self, element: Element<'a>) -> Pose {
        let Some(origin) = each(element, "origin").next() else { return Pose::identity() };
        let at_m = self.three(origin, "xyz").unwrap_or_default();
        let rpy = self.three(origin, "rpy").unwrap_or_default();
        Pose::from_rpy(at_m, RollPitchYaw::new(rpy.x, rpy.y, rpy.z))
    }

    fn affordance(&mut self, element: Element<'a>) -> Option<Affordance> {
        let name = self.name(element);
        let kind = self.text(element, "type")?;
        let displacement = self.needed(element, "displacement");
        let speed = self.number(element, "speed").filter(|speed| *speed > 0.0);
        let motion = match kind {
            "cartesian" => {
                AffordedMotion::Cartesian { displacement_m: displacement, speed_m_s: speed.unwrap_or(SPEED_M_S) }
            }
            "circular" => AffordedMotion::Circular {
                displacement_deg: displacement,
                pitch_m: self.number(element, "pitch").unwrap_or(0.0),
                speed_deg_s: speed.unwrap_or(SPEED_DEG_S),
            },
            other => {
                self.error(element, format!("`type` is `{other}`: only cartesian and circular are known"));
                return None;
            }
        };
        let pose = self.child(element, "pose").map_or_else(Pose::identity, |pose| self.pose(pose));
        let object_from_axis = self.axis(element, &motion, &pose)?;
        let keep_orientation = element.attribute("keeporientation").is_some_and(|text| text == "true");
        Some(Affordance { name, motion, object_from_axis, keep_orientation })
    }

    /// Where `axis` names one, it is of the object's frame: taken with the pose's orientation, turns to both sides would
    /// come out as one. Of a straight motion the pose's position is no place but again the direction.
    fn axis(&mut self, element: Element<'a>, motion: &AffordedMotion, pose: &Pose) -> Option<Pose> {
        let at_m = match motion {
            AffordedMotion::Cartesian { .. } => Vector3::zeros(),
            AffordedMotion::Circular { .. } => pose.translation_m(),
        };
        let quarter = std::f64::consts::FRAC_PI_2;
        let (pitch_rad, yaw_rad) = match element.attribute("axis") {
            None => return Some(Pose::new(at_m, pose.rotation())),
            Some("x") => (0.0, 0.0),
            Some("y") => (0.0, quarter),
            Some("z") => (-quarter, 0.0),
            Some("-x") => (0.0, 2.0 * quarter),
            Some("-y") => (0.0, -quarter),
            Some("-z") => (quarter, 0.0),
            Some(other) => {
                self.error(element, format!("`axis` is `{other}`: give x, y or z"));
                return None;
            }
        };
        Some(Pose::from_rpy(at_m, RollPitchYaw::new(0.0, pitch_rad, yaw_rad)))
    }

    fn grasp(&mut self, element: Element<'a>) -> Grasp {
        let name = self.name(element);
        let object_from_hand = self.child(element, "final_pose").map_or_else(Pose::identity, |pose| self.pose(pose));
        let approach = self
            .child(element, "approaching_vector")
            .map_or(Approach { x: 1.0, y: 0.0, z: 0.0, distance_m: PRE_GRASP_M, least_m: 0.0 }, |vector| {
                self.approach(vector)
            });
        let before = self.fingers(element, "pre_grasp_posture");
        let fingers = self.fingers(element, "grasp_posture");
        let joints: Vec<&String> = before.angles_deg.keys().chain(fingers.angles_deg.keys()).collect();
        let all_begin = |starts: [&str; 2]| {
            !joints.is_empty() && joints.iter().all(|joint| starts.iter().any(|start| joint.starts_with(start)))
        };
        let hand = match (all_begin(["left", "l_"]), all_begin(["right", "r_"])) {
            (true, _) => Hand::Left,
            (_, true) => Hand::Right,
            _ => Hand::Either,
        };
        Grasp { name, hand, object_from_hand, approach, before, fingers }
    }

    fn approach(&mut self, vector: Element<'a>) -> Approach {
        let [x, y, z] = ["x", "y", "z"].map(|axis| self.needed(vector, axis));
        if [x, y, z] == [0.0; 3] {
            self.error(vector, "x, y and z are all zero, which is no direction");
        }
        let distance_m = self.number(vector, "desired").unwrap_or(PRE_GRASP_M);
        Approach { x, y, z, distance_m, least_m: self.number(vector, "minimal").unwrap_or(0.0) }
    }

    /// Radians there.
    fn fingers(&mut self, grasp: Element<'a>, name: &'static str) -> Fingers {
        let mut fingers = Fingers::default();
        for joint in
            each(grasp, name).flat_map(|posture| posture.descendants()).filter(|node| node.has_tag_name("joint"))
        {
            if let Some(name) = self.text(joint, "name") {
                let angle_deg = self.needed(joint, "value").to_degrees();
                fingers.angles_deg.insert(name.to_owned(), angle_deg);
            }
        }
        fingers
    }
}

fn each<'a>(element: Element<'a>, name: &'static str) -> impl Iterator<Item = Element<'a>> {
    element.children().filter(move |child| child.has_tag_name(name))
}
