//! Which links frames are named after, and which joints are a part of the body.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{BodyFrames, Part, PartName};
use crate::reader::Report;
use crate::reader::join;
use crate::words::did_you_mean;
use crate::{Description, Model, Side};

pub(super) const FRAMES: [&str; 7] = ["pelvis", "chest", "head", "left_hand", "right_hand", "left_sole", "right_sole"];

/// Frames that lie where no link is get a link of their own, fixed to one; their places in the description, by name.
pub(super) fn place(
    file: &Map<String, Value>,
    description: &mut Description,
    reader: &mut Report,
) -> BTreeMap<&'static str, usize> {
    let mut placed = BTreeMap::new();
    let Some(section) = file.get("frames").and_then(Value::as_object) else { return placed };
    for frame in FRAMES {
        let Some(written) = section.get(frame).and_then(Value::as_object) else { continue };
        let path = join("frames", frame);
        reader.only(written, &path, &["link", "xyz_m", "rpy_deg"]);
        let Some(name) = written.get("link") else {
            reader.error(&path, "`link` is missing: name the link it is fixed to");
            continue;
        };
        let link_path = join(&path, "link");
        let Some(name) = reader.text(name, &link_path) else { continue };
        let Some(parent) = description.link(name) else {
            let near = did_you_mean(name, description.links.iter().map(|link| link.name.as_str()));
            reader.error(&link_path, format!("the robot has no link `{name}`{near}"));
            continue;
        };
        let parent_from_frame = reader.pose(written, &path);
        placed.insert(frame, description.fix(&format!("{frame}_frame"), parent, parent_from_frame));
    }
    placed
}

/// None: not all of them are there.
pub(super) fn frames(
    file: &Map<String, Value>,
    placed: &BTreeMap<&'static str, usize>,
    model: &Model,
    reader: &mut Report,
) -> Option<BodyFrames> {
    let section = reader.section(file, "frames").cloned().unwrap_or_default();
    reader.only(&section, "frames", &FRAMES);
    let found = FRAMES.map(|frame| match section.get(frame) {
        Some(Value::Object(_)) => placed.get(frame).copied(),
        Some(name) => link(name, &join("frames", frame), model, reader),
        None => {
            reader.error("frames", format!("`{frame}` is missing: name the link that it is"));
            None
        }
    });
    let [pelvis, chest, head, left_hand, right_hand, left_sole, right_sole] = found;
    Some(BodyFrames {
        pelvis: pelvis?,
        chest: chest?,
        head: head?,
        hands: [left_hand?, right_hand?],
        soles: [left_sole?, right_sole?],
    })
}

pub(super) fn link(name: &Value, path: &str, model: &Model, reader: &mut Report) -> Option<usize> {
    let name = reader.text(name, path)?;
    let found = model.link(name);
    if found.is_none() {
        let near = did_you_mean(name, model.links.iter().map(|link| link.name.as_str()));
        reader.error(path, format!("the robot has no link `{name}`{near}"));
    }
    found
}

pub(super) fn joint(name: &str, path: &str, model: &Model, reader: &mut Report) -> Option<usize> {
    let found = model.coordinate(name);
    if found.is_none() {
        let link = model.links.iter().any(|link| link.name == name);
        let near = did_you_mean(name, model.coordinates().iter().map(|coordinate| coordinate.name.as_str()));
        let why = if link { ": that is a link" } else { "" };
        reader.error(path, format!("the robot has no joint `{name}` that moves by itself{why}{near}"));
    }
    found
}

/// What the file leaves out is what lies between the frames.
pub(super) fn parts(file: &Map<String, Value>, model: &Model, frames: &BodyFrames, reader: &mut Report) -> Vec<Part> {
    let section = reader.section(file, "parts").cloned().unwrap_or_default();
    reader.only(&section, "parts", &PartName::ALL.map(PartName::word));
    let mut parts: Vec<Part> = Vec::new();
    for name in PartName::ALL {
        let path = join("parts", name.word());
        let written = section.get(name.word()).and_then(|part| reader.object(part, &path)).cloned().unwrap_or_default();
        reader.only(&written, &path, &["joints", "base", "tip"]);
        let mut end = |key: &str| link(written.get(key)?, &join(&path, key), model, reader);
        let (base, tip) = (end("base"), end("tip"));
        let usual = usual_ends(name, model, frames, &parts);
        let (base, tip) = (base.unwrap_or(usual.0), tip.unwrap_or(usual.1));
        let between = if matches!(name, PartName::Hand(_)) {
            fingers(model, base, tip)
        } else {
            chain(model, base, tip).unwrap_or_else(|| {
                let [base, tip] = [base, tip].map(|link| &model.links[link].name);
                reader.error(&path, format!("its tip `{tip}` does not hang on its base `{base}`; left out"));
                Vec::new()
            })
        };
        let coordinates = match written.get("joints") {
            None => between,
            Some(joints) => listed(joints, &join(&path, "joints"), &between, (model, reader)),
        };
        if coordinates.is_empty() {
            let [base, tip] = [base, tip].map(|link| &model.links[link].name);
            reader.warn(&path, format!("no joint moves between `{base}` and `{tip}`: the robot has no {name}"));
        } else {
            parts.push(Part { name, coordinates, base, tip });
        }
    }
    overlaps(&parts, model, reader);
    parts
}

fn usual_ends(name: PartName, model: &Model, frames: &BodyFrames, before: &[Part]) -> (usize, usize) {
    match name {
        PartName::Arm(side) => (trunk(model, frames.chest), frames.hands[side.index()]),
        PartName::Hand(side) => {
            let palm = frames.hands[side.index()];
            (wrist(model, palm, before.iter().find(|part| part.name == PartName::Arm(side))), palm)
        }
        PartName::Leg(side) => (trunk(model, frames.pelvis), frames.soles[side.index()]),
        PartName::Spine => (trunk(model, frames.pelvis), frames.chest),
        PartName::Neck => (trunk(model, frames.chest), frames.head),
    }
}

/// A frame that nothing hangs on is fixed to the link that others hang on.
fn trunk(model: &Model, frame: usize) -> usize {
    let carries = |link: &usize| model.links.iter().any(|other| other.parent == Some(*link));
    upward(model, frame).find(|link| carries(link) || model.links[*link].drive.is_some()).unwrap_or(frame)
}

/// The last link that the arm moves: fingers hang on it, beside the palm or on it.
fn wrist(model: &Model, palm: usize, arm: Option<&Part>) -> usize {
    let moved_by_arm = |link: &usize| {
        let drive = &model.links[*link].drive;
        drive.is_some_and(|drive| arm.is_none_or(|arm| arm.coordinates.contains(&drive.coordinate)))
    };
    upward(model, palm).find(moved_by_arm).unwrap_or(palm)
}

/// Coordinates between two links, from the base outward; None if the tip does not hang on the base.
pub(super) fn chain(model: &Model, base: usize, tip: usize) -> Option<Vec<usize>> {
    let path: Vec<usize> = upward(model, tip).take_while(|link| *link != base).collect();
    if path.last().map_or(tip, |last| model.links[*last].parent.unwrap_or(usize::MAX)) != base {
        return None;
    }
    let mut coordinates = Vec::new();
    for drive in path.iter().rev().filter_map(|link| model.links[*link].drive) {
        if !coordinates.contains(&drive.coordinate) {
            coordinates.push(drive.coordinate);
        }
    }
    Some(coordinates)
}

/// What moves below the base but not the palm itself.
fn fingers(model: &Model, base: usize, palm: usize) -> Vec<usize> {
    let palm_moves = chain(model, base, palm).unwrap_or_default();
    let mut below = vec![false; model.links.len()];
    let mut coordinates = Vec::new();
    for (index, link) in model.links.iter().enumerate() {
        let Some(parent) = link.parent.filter(|parent| *parent == base || below[*parent]) else { continue };
        debug_assert!(parent < index, "parents come first");
        below[index] = true;
        let own = link.drive.filter(|drive| !palm_moves.contains(&drive.coordinate));
        coordinates.extend(own.map(|drive| drive.coordinate).filter(|own| !coordinates.contains(own)));
    }
    coordinates
}

fn listed(joints: &Value, path: &str, between: &[usize], (model, reader): (&Model, &mut Report)) -> Vec<usize> {
    let Some(names) = joints.as_array() else {
        reader.error(path, "a list of joint names belongs here; the joints between base and tip are taken");
        return between.to_vec();
    };
    let mut coordinates = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let path = format!("{path}[{index}]");
        let Some(name) = reader.text(name, &path) else { continue };
        let Some(coordinate) = joint(name, &path, model, reader) else { continue };
        if !between.contains(&coordinate) {
            reader.error(&path, format!("joint `{name}` is not between the base and the tip of this part; left out"));
        } else if coordinates.contains(&coordinate) {
            reader.error(&path, format!("joint `{name}` is listed twice; remove one"));
        } else {
            coordinates.push(coordinate);
        }
    }
    // Motion of a chain is computed from the trunk outward, whatever order the file has.
    coordinates.sort_by_key(|coordinate| between.iter().position(|other| other == coordinate));
    coordinates
}

fn overlaps(parts: &[Part], model: &Model, reader: &mut Report) {
    for (index, part) in parts.iter().enumerate() {
        for other in &parts[..index] {
            for coordinate in part.coordinates.iter().filter(|own| other.coordinates.contains(own)) {
                let joint = &model.coordinates()[*coordinate].name;
                let message = format!("joint `{joint}` is of the {} as well; take it out of one", other.name);
                reader.error(&join("parts", part.name.word()), message);
            }
        }
    }
}

/// Which side a coordinate is of; None for the trunk.
pub(super) fn side_of(coordinate: usize, parts: &[Part]) -> Option<Side> {
    parts.iter().find(|part| part.coordinates.contains(&coordinate)).and_then(|part| part.name.side())
}

/// A link, its parent and so on to the root.
pub(super) fn upward(model: &Model, link: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(link), |link| model.links[*link].parent)
}
