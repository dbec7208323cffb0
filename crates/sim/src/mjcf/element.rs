use std::fmt::{self, Display};

use geometry::Pose;

use super::wxyz::quaternion;

/// One XML element of an MJCF file. Numbers are written so that they are read back exactly.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element {
    pub(super) tag: &'static str,
    pub(super) attributes: Vec<(&'static str, String)>,
    pub children: Vec<Element>,
}

impl Element {
    pub fn new(tag: &'static str) -> Element {
        Element { tag, attributes: Vec::new(), children: Vec::new() }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Display) -> Element {
        self.attributes.push((name, value.to_string()));
        self
    }

    #[must_use]
    pub fn numbers(self, name: &'static str, numbers: &[f64]) -> Element {
        self.with(name, numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" "))
    }

    #[must_use]
    pub fn at(self, pose: &Pose) -> Element {
        let at_m = pose.translation_m();
        self.numbers("pos", &[at_m.x, at_m.y, at_m.z]).numbers("quat", &quaternion(pose))
    }

    #[must_use]
    pub fn child(mut self, child: Element) -> Element {
        self.children.push(child);
        self
    }

    #[must_use]
    pub fn children(mut self, children: impl IntoIterator<Item = Element>) -> Element {
        self.children.extend(children);
        self
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        write!(f, "{:depth$}<{}", "", self.tag)?;
        for (name, value) in &self.attributes {
            write!(f, " {name}=\"{}\"", escaped(value))?;
        }
        if self.children.is_empty() {
            return writeln!(f, "/>");
        }
        writeln!(f, ">")?;
        self.children.iter().try_for_each(|child| child.write(f, depth + 2))?;
        writeln!(f, "{:depth$}</{}>", "", self.tag)
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
