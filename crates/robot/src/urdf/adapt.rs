//! A URDF as it is used: hung up by another link than its author did, with some joints held still. It stays a URDF, so that
//! whoever draws or simulates the robot sees the same one, and each line stays where it is.

use std::collections::BTreeMap;

use geometry::{Pose, RollPitchYaw, Vector3};
use roxmltree::{Document, Node};

use super::element::child;

/// What a small file says of its URDF: `root` and `held`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Adapted {
    /// The link that all others hang on; none: as the URDF has it.
    pub root: Option<String>,
    /// Joints that are taken as fixed, at zero.
    pub held: Vec<String>,
}

impl Adapted {
    pub fn is_none(&self) -> bool {
        *self == Adapted::default()
    }

    /// The text of the URDF as it is used. An error names what is not in it. A text that was adapted so stays as it is.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        let held = changed(text, |robot| held(robot, &self.held))?;
        match &self.root {
            None => Ok(held),
            Some(root) => changed(&held, |robot| hung(&held, robot, root)),
        }
    }
}

type Changes = Vec<(std::ops::Range<usize>, String)>;

fn changed<F>(text: &str, changes: F) -> Result<String, String>
where
    F: FnOnce(Node) -> Result<Changes, String>,
{
    let document = Document::parse(text).map_err(|error| format!("not XML: {error}"))?;
    let mut changes = changes(document.root_element())?;
    changes.sort_by_key(|(range, _)| range.start);
    let mut all = text.to_owned();
    for (range, new) in changes.into_iter().rev() {
        // Problems name lines of the file that a person has.
        let lines = text[range.clone()].matches('\n').count().saturating_sub(new.matches('\n').count());
        all.replace_range(range, &(new + &"\n".repeat(lines)));
    }
    Ok(all)
}

fn joints<'a, 'i>(robot: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    robot.children().filter(|element| element.has_tag_name("joint"))
}

fn held(robot: Node, names: &[String]) -> Result<Changes, String> {
    let mut changes = Vec::new();
    for name in names {
        let joint = joints(robot).find(|joint| joint.attribute("name") == Some(name));
        let kind = joint.and_then(|joint| joint.attribute_node("type"));
        let kind = kind.ok_or_else(|| format!("the robot has no joint `{name}`"))?;
        changes.push((kind.range_value(), "fixed".to_owned()));
    }
    Ok(changes)
}

/// Every joint between the two roots carries the other way round.
fn hung(text: &str, robot: Node, root: &str) -> Result<Changes, String> {
    let end =
        |joint: Node, tag: &str| child(joint, tag).and_then(|end| end.attribute("link")).unwrap_or_default().to_owned();
    if !robot.children().any(|link| link.has_tag_name("link") && link.attribute("name") == Some(root)) {
        return Err(format!("the robot has no link `{root}`"));
    }
    let above: BTreeMap<String, Node> = joints(robot).map(|joint| (end(joint, "child"), joint)).collect();
    let mut changes: Changes = Vec::new();
    let mut at = root.to_owned();
    while let Some(joint) = above.get(&at) {
        if changes.len() > 2 * above.len() {
            return Err("its links hang on each other in a circle".to_owned());
        }
        let parent = end(*joint, "parent");
        let turned_before = above.get(&parent).and_then(|moving| Some((*moving, between(robot, *moving, *joint)?)));
        if let Some((moving, between)) = turned_before {
            let parent = end(moving, "parent");
            changes.push((moving.range(), turned_back(text, moving, *joint, (&parent, &at))));
            changes.extend([between, *joint].map(|element| (element.range(), String::new())));
            at = parent;
        } else {
            changes.push((joint.range(), turned(text, *joint, (&parent, &at))));
            at = parent;
        }
    }
    Ok(changes)
}

/// The link that [`turned`] put between a joint and what is fixed to it.
fn between<'a, 'i>(robot: Node<'a, 'i>, moving: Node<'a, 'i>, fixed: Node) -> Option<Node<'a, 'i>> {
    let name = format!("{}_hung", moving.attribute("name")?);
    let is_as_made = child(moving, "origin").is_none()
        && child(moving, "child")?.attribute("link") == Some(&name)
        && fixed.attribute("name").is_some_and(|fixed| fixed == format!("{name}_on"))
        && fixed.attribute("type") == Some("fixed");
    let mut links = robot.children().filter(|element| element.has_tag_name("link"));
    let link = links.find(|link| link.attribute("name") == Some(&name))?;
    (is_as_made && !link.children().any(|part| part.is_element())).then_some(link)
}

/// A joint as it was before it was turned.
fn turned_back(text: &str, moving: Node, fixed: Node, (parent, at): (&str, &str)) -> String {
    let (name, kind) = (moving.attribute("name").unwrap_or_default(), moving.attribute("type").unwrap_or_default());
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{at}\"/><child link=\"{parent}\"/>{}{}{}</joint>",
        origin_back(fixed),
        axis_back(moving),
        kept(text, moving)
    )
}

fn three(element: Option<Node>, key: &str) -> Option<[f64; 3]> {
    let words: Vec<f64> = element?.attribute(key)?.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    words.try_into().ok()
}

fn origin_back(joint: Node) -> String {
    let origin = child(joint, "origin");
    let [roll, pitch, yaw] = three(origin, "rpy").unwrap_or_default();
    let parent_from_joint =
        Pose::from_rpy(Vector3::from(three(origin, "xyz").unwrap_or_default()), RollPitchYaw::new(roll, pitch, yaw));
    let joint_from_parent = parent_from_joint.inverse();
    let (xyz, rpy) = (joint_from_parent.translation_m(), joint_from_parent.rpy());
    format!(
        "<origin xyz=\"{} {} {}\" rpy=\"{} {} {}\"/>",
        xyz.x, xyz.y, xyz.z, rpy.roll_rad, rpy.pitch_rad, rpy.yaw_rad
    )
}

fn axis_back(joint: Node) -> String {
    let [x, y, z] = three(child(joint, "axis"), "xyz").unwrap_or([1.0, 0.0, 0.0]);
    format!("<axis xyz=\"{} {} {}\"/>", -x, -y, -z)
}

/// What is the same whichever end the joint hangs on.
fn kept(text: &str, joint: Node) -> String {
    let kept = joint.children().filter(|element| {
        element.is_element() && !["parent", "child", "origin", "axis"].contains(&element.tag_name().name())
    });
    kept.map(|element| &text[element.range()]).collect()
}

fn turned(text: &str, joint: Node, (parent, at): (&str, &str)) -> String {
    let (name, kind) = (joint.attribute("name").unwrap_or_default(), joint.attribute("type").unwrap_or_default());
    let back = origin_back(joint);
    if !["revolute", "continuous", "prismatic"].contains(&kind) {
        return format!(
            "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{at}\"/><child link=\"{parent}\"/>{back}</joint>"
        );
    }
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{at}\"/><child link=\"{name}_hung\"/>{}{}</joint>\
         <link name=\"{name}_hung\"/><joint name=\"{name}_hung_on\" type=\"fixed\"><parent link=\"{name}_hung\"/>\
         <child link=\"{parent}\"/>{back}</joint>",
        axis_back(joint),
        kept(text, joint)
    )
}
