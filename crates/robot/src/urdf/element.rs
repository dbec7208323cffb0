use geometry::{Pose, RollPitchYaw, Vector3};
use roxmltree::{Document, Node};

use crate::problem::{Problem, Severity};

/// Collects problems while a document is read.
pub(super) struct Report<'a> {
    document: &'a Document<'a>,
    problems: Vec<Problem>,
}

impl<'a> Report<'a> {
    pub fn new(document: &'a Document<'a>) -> Report<'a> {
        Report { document, problems: Vec::new() }
    }

    pub fn line(&self, element: Node) -> u32 {
        self.document.text_pos_at(element.range().start).row
    }

    pub fn add(&mut self, severity: Severity, at: Node, element: &str, message: impl Into<String>) {
        self.add_at(severity, self.line(at), element, message);
    }

    pub fn add_at(&mut self, severity: Severity, line: u32, element: &str, message: impl Into<String>) {
        self.problems.push(Problem {
            severity,
            file: String::new(),
            line,
            element: element.to_owned(),
            message: message.into(),
        });
    }

    pub fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| problem.line);
        self.problems
    }

    /// The attribute as `N` numbers; absent or bad: none, and what is bad is told.
    pub fn numbers<const N: usize>(&mut self, element: Node, attribute: &str, owner: &str) -> Option<[f64; N]> {
        let text = element.attribute(attribute)?;
        let mut numbers = [0.0; N];
        let mut words = text.split_whitespace();
        for number in &mut numbers {
            match words.next().and_then(|word| word.parse::<f64>().ok()).filter(|number| number.is_finite()) {
                Some(good) => *number = good,
                None => return self.bad_numbers(element, attribute, owner, N),
            }
        }
        if words.next().is_some() {
            return self.bad_numbers(element, attribute, owner, N);
        }
        Some(numbers)
    }

    fn bad_numbers<T>(&mut self, element: Node, attribute: &str, owner: &str, count: usize) -> Option<T> {
        let text = element.attribute(attribute).unwrap_or_default();
        let wanted = if count == 1 { "a number".to_owned() } else { format!("{count} numbers") };
        let tag = element.tag_name().name();
        self.add(
            Severity::Error,
            element,
            owner,
            format!("{attribute}=\"{text}\" of <{tag}> is not {wanted}; ignored"),
        );
        None
    }

    pub fn number(&mut self, element: Node, attribute: &str, owner: &str) -> Option<f64> {
        self.numbers::<1>(element, attribute, owner).map(|[number]| number)
    }

    /// The `<origin>` of an element; the identity if there is none.
    pub fn origin(&mut self, element: Node, owner: &str) -> Pose {
        let Some(origin) = child(element, "origin") else { return Pose::identity() };
        let xyz = self.numbers::<3>(origin, "xyz", owner).unwrap_or_default();
        let [roll_rad, pitch_rad, yaw_rad] = self.numbers::<3>(origin, "rpy", owner).unwrap_or_default();
        Pose::from_rpy(Vector3::from(xyz), RollPitchYaw::new(roll_rad, pitch_rad, yaw_rad))
    }
}

pub(super) fn child<'a, 'i>(element: Node<'a, 'i>, tag: &str) -> Option<Node<'a, 'i>> {
    element.children().find(|inner| inner.has_tag_name(tag))
}
