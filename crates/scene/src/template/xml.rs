//! One file of a template library of the DARPA Robotics Challenge: of objects, of grasps or of where to stand.

use geometry::{Pose, RollPitchYaw, Vector3};
use robot::Problem;
use roxmltree::{Document, Node};

use super::json::{PRE_GRASP_M, SPEED_DEG_S, SPEED_M_S};
use super::problem;
use super::{Affordance, AffordedMotion, Approach, Fingers, Grasp, Hand, LeftOut, NamedPlace, Template};
use crate::points::Shape;

/// One file that could be read.
pub(super) struct Parsed<'a> {
    file: &'a str,
    document: &'a Document<'a>,
}

/// Which of the three kinds a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Objects,
    Grasps,
    Stands,
}

/// One child of a file's root: of an object, all grasps of one hand or all places to stand at.
pub(super) struct Entry<'a> {
    pub number: i64,
    pub name: String,
    pub line: u32,
    pub element: Element<'a>,
}

/// What became of an entry of some kind, with what was left out of it.
pub(super) struct Items<T> {
    pub good: Vec<T>,
    pub left_out: Vec<LeftOut>,
}

pub(super) type Element<'a> = Node<'a, 'a>;

impl<'a> Parsed<'a> {
    pub fn new(file: &'a str, document: &'a Document<'a>) -> Parsed<'a> {
        Parsed { file, document }
    }

    pub fn file(&self) -> &'a str {
        self.file
    }

    pub fn reader(&self) -> Reader<'a> {
        Reader { file: self.file, document: self.document, problems: Vec::new() }
    }

    pub fn kind(&self) -> Result<Kind, Problem> {
        let root = self.document.root_element();
        match root.tag_name().name() {
            "templatelibrary" => Ok(Kind::Objects),
            "grasplibrary" => Ok(Kind::Grasps),
            "standposeslibrary" => Ok(Kind::Stands),
            other => {
                let known = "templatelibrary, grasplibrary, standposeslibrary";
                let message = format!("this is no library of templates: the root must be one of {known}");
                Err(problem(self.file, 1, other, message))
            }
        }
    }

    /// Those that say what they are of, and what is wrong with the others.
    pub fn entries(&self) -> (Vec<Entry<'a>>, Vec<Problem>) {
        let mut reader = self.reader();
        let elements = self.document.root_element().children().filter(Node::is_element);
        let entries = elements.filter_map(|element| {
            let (number, name) = reader.head(element)?;
            Some(Entry { number, name, line: reader.line(element), element })
        });
        let entries = entries.collect();
        (entries, reader.problems)
    }
}

/// Reads elements of one file; what is wrong with them gathers in it.
pub(super) struct Reader<'a> {
    file: &'a str,
    document: &'a Document<'a>,
    pub problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn line(&self, at: Element) -> u32 {
        self.document.text_pos_at(at.range().start).row
    }

    fn error(&mut self, at: Element, message: impl Into<String>) {
        let line = self.line(at);
        self.problems.push(problem(self.file, line, at.tag_name().name(), message));
    }

    pub fn grasps(&mut self, element: Element<'a>) -> Items<Grasp> {
        self.items(element, ("grasp", "grasp"), |reader, one| Some(reader.grasp(one)))
    }

    pub fn stands(&mut self, element: Element<'a>) -> Items<NamedPlace> {
        self.items(element, ("standpose", "stand pose"), |reader, one| Some(reader.place(one)))
    }

    /// One of them that is wrong is left out and told; the others serve.
    fn items<T>(
        &mut self,
        element: Element<'a>,
        (tag, what): (&'static str, &'static str),
        mut read: impl FnMut(&mut Reader<'a>, Element<'a>) -> Option<T>,
    ) -> Items<T> {
        let mut items = Items { good: Vec::new(), left_out: Vec::new() };
        for (index, one) in each(element, tag).enumerate() {
            let before = self.problems.len();
            let item = read(self, one);
            match (item, self.problems.get(before)) {
                (Some(item), None) => items.good.push(item),
                (_, wrong) => {
                    let name = one.attribute("name").or(one.attribute("id")).unwrap_or_default().to_owned();
                    let why = wrong.map(ToString::to_string).unwrap_or_default();
                    items.left_out.push(LeftOut { what, name, is_first: index == 0, why });
                }
            }
        }
        items
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
        // As they are missed first: those who mend a file read one order of problems.
        let [qw, qx, qy, qz] = ["qw", "qx", "qy", "qz"].map(|name| self.needed(element, name));
        Pose::from_numbers([at_m.x, at_m.y, at_m.z, qx, qy, qz, qw]).unwrap_or_else(|| {
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

    fn place(&mut self, element: Element<'a>) -> NamedPlace {
        let name = self.name(element);
        let pose = self.child(element, "pose").map_or_else(Pose::identity, |pose| self.pose(pose));
        NamedPlace { name, object_from_place: pose }
    }

    fn name(&mut self, element: Element<'a>) -> String {
        let name = element.attribute("name").or_else(|| self.text(element, "id"));
        name.unwrap_or_default().to_owned()
    }

    /// None: what it is as a whole is wrong.
    pub fn object(&mut self, entry: &Entry<'a>) -> Option<Template> {
        let element = entry.element;
        let mut template = Template { class: entry.name.clone(), ..Template::default() };
        template.group = element.attribute("group").map(str::to_owned);
        if let Some(visual) = each(element, "visual").next() {
            self.visual(visual, &mut template);
        }
        if let Some(inertial) = each(element, "inertial").next() {
            template.mass_kg = each(inertial, "mass").next().map(|mass| self.needed(mass, "value"));
            template.centre_of_mass = self.origin(inertial);
        }
        if !self.problems.is_empty() {
            return None;
        }
        let usabilities = self.items(element, ("usability", "usability"), |reader, one| Some(reader.place(one)));
        let affordances = self.items(element, ("affordance", "affordance"), Reader::affordance);
        (template.usabilities, template.affordances) = (usabilities.good, affordances.good);
        template.left_out = usabilities.left_out.into_iter().chain(affordances.left_out).collect();
        Some(template)
    }

    fn visual(&mut self, visual: Element<'a>, template: &mut Template) {
        template.mesh_at = self.origin(visual);
        let Some(geometry) = each(visual, "geometry").next() else { return };
        let mesh = each(geometry, "mesh").next();
        template.mesh = mesh.and_then(|mesh| self.text(mesh, "filename")).map(str::to_owned);
        let Some(around) = each(geometry, "boundingbox").next() else { return };
        if let (Some(least), Some(most)) = (self.three(around, "min"), self.three(around, "max")) {
            // As these libraries write that nobody measured it.
            if most == least {
                return;
            }
            if (most - least).min() <= 0.0 {
                self.error(
                    around,
                    "`max` must be above `min` along x, y and z; all the same means that the size is not known",
                );
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
