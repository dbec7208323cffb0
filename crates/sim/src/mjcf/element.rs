use std::fmt::{self, Display};
use std::io;

use geometry::Pose;
use quick_xml::Writer;

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

    fn write(&self, out: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let attributes = self.attributes.iter().map(|(name, value)| (*name, value.as_str()));
        let element = out.create_element(self.tag).with_attributes(attributes);
        if self.children.is_empty() {
            return element.write_empty().map(|_| ());
        }
        let children = |out: &mut Writer<Vec<u8>>| self.children.iter().try_for_each(|child| child.write(out));
        element.write_inner_content(children).map(|_| ())
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Writer::new_with_indent(Vec::new(), b' ', 2);
        self.write(&mut out).map_err(|_| fmt::Error)?;
        f.write_str(std::str::from_utf8(out.get_ref()).map_err(|_| fmt::Error)?)
    }
}
