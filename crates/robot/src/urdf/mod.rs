//! From the text of a URDF to a description. What cannot be used is left out and told, with its name and line.

mod adapt;
mod capsule;
mod element;
mod joint;
mod link;
mod tree;

use std::collections::BTreeMap;
use std::path::Path;

use roxmltree::Document;
use thiserror::Error;

use crate::description::Description;
use crate::problem::{Problem, Severity};
use element::Report;

pub(crate) use adapt::Adapted;

/// Beyond that, looking for mirrored limbs would take minutes.
const MOST_LINKS: usize = 10_000;

/// Nothing of the file is a robot.
#[derive(Debug, Error)]
pub enum UrdfError {
    #[error("not XML: {0}")]
    Xml(#[from] roxmltree::Error),
    #[error("its macros are not expanded: run `xacro` on the file first")]
    Xacro,
    #[error("more than {MOST_LINKS} links; a robot has a few hundred")]
    TooLarge,
    #[error("the outermost element is <{0}>, not <robot>")]
    NotARobot(String),
    #[error("the robot has no usable link{}", problems.iter().map(|problem| format!("\n  {problem}")).collect::<String>())]
    NoLinks { problems: Vec<Problem> },
}

impl Description {
    /// `base` is the folder of the file, for relative paths of meshes. The problems are in the order of their lines.
    pub fn from_urdf(text: &str, base: &Path) -> Result<(Description, Vec<Problem>), UrdfError> {
        let document = Document::parse(text).map_err(|error| match error {
            roxmltree::Error::UnknownNamespace(prefix, _) if prefix == "xacro" => UrdfError::Xacro,
            other => UrdfError::Xml(other),
        })?;
        let robot = document.root_element();
        if robot.tag_name().name() != "robot" {
            return Err(UrdfError::NotARobot(robot.tag_name().name().to_owned()));
        }
        let mut report = Report::new(&document);
        if let Some(macros) =
            robot.descendants().find(|e| e.tag_name().namespace().is_some_and(|n| n.contains("xacro")))
        {
            report.add(Severity::Error, macros, "", "macros are not expanded: run `xacro` on the file first");
        }
        if robot.children().filter(|e| e.has_tag_name("link")).count() > MOST_LINKS {
            return Err(UrdfError::TooLarge);
        }
        let colours = link::named_colours(robot, &mut report);
        let mut links = Vec::new();
        let mut link_of_name = BTreeMap::new();
        for element in robot.children().filter(|e| e.has_tag_name("link")) {
            let link = link::read(element, base, &colours, &mut report);
            if link_of_name.contains_key(&link.name) {
                report.add(
                    Severity::Error,
                    element,
                    &link_label(&link.name),
                    "there is a link of this name above; left out",
                );
                continue;
            }
            link_of_name.insert(link.name.clone(), links.len());
            links.push(link);
        }
        let joints = joint::read_all(robot, &link_of_name, &mut report);
        let ordered = tree::ordered(links, joints, &mut report);
        let problems = report.finish();
        let Some((links, joints)) = ordered else { return Err(UrdfError::NoLinks { problems }) };
        Ok((Description { name: robot.attribute("name").unwrap_or_default().to_owned(), links, joints }, problems))
    }
}

fn link_label(name: &str) -> String {
    format!("link {name}")
}

fn joint_label(name: &str) -> String {
    format!("joint {name}")
}
