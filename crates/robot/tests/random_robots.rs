//! Robots that nobody built: those of our own with links dropped, renamed, scaled, without weight, without meshes. Whatever
//! comes of it, nothing panics, and who hears of no problems has a robot that walks.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robot::{Proposal, Robot, Side, TRIED_WALK_M};

const OWN: [&str; 2] =
    [include_str!("../../../robots/coact-one/robot.urdf"), include_str!("../../../robots/coact-mini/robot.urdf")];

#[derive(Clone, Debug)]
enum Change {
    /// With the joints that name it.
    Drop(usize),
    /// The joints that hang on it name it anew.
    Rename(usize),
    Weightless(usize),
    /// Its shapes become meshes that are not there.
    Meshes(usize),
    /// Left is called right, and right left.
    SwapSides,
    Scale(f64),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let one = prop_oneof![
        2 => (0..80_usize).prop_map(Change::Drop),
        2 => (0..80_usize).prop_map(Change::Rename),
        2 => (0..80_usize).prop_map(Change::Weightless),
        2 => (0..80_usize).prop_map(Change::Meshes),
        1 => Just(Change::SwapSides),
        2 => (0.3..2.0_f64).prop_map(Change::Scale),
    ];
    prop::collection::vec(one, 0..4)
}

fn changed(urdf: &str, change: &Change) -> String {
    match change {
        Change::Drop(at) => drop_link(urdf, *at),
        Change::Rename(at) => {
            let name = link(urdf, *at).0;
            urdf.replace(&format!("\"{name}\""), &format!("\"part_{at}\""))
        }
        Change::Weightless(at) => within(urdf, link(urdf, *at).1, |text| numbers(text, "mass value=\"", |_| 0.0)),
        Change::Meshes(at) => within(urdf, link(urdf, *at).1, |text| {
            ["box", "capsule", "cylinder", "sphere"].iter().fold(text.to_owned(), |text, shape| {
                text.replace(&format!("<{shape} "), "<mesh filename=\"nowhere.stl\" ")
            })
        }),
        Change::SwapSides => {
            let swapped = urdf.replace("left_", "\u{1}").replace("right_", "left_").replace('\u{1}', "right_");
            swapped.replace("\"l_", "\u{1}").replace("\"r_", "\"l_").replace('\u{1}', "\"r_")
        }
        Change::Scale(factor) => {
            let keys = ["xyz=\"", "size=\"", "radius=\"", "length=\""];
            // The axes of joints are directions, whatever their length.
            keys.iter().fold(urdf.to_owned(), |text, key| numbers(&text, key, |number| number * factor))
        }
    }
}

fn link(urdf: &str, at: usize) -> (String, Range<usize>) {
    let starts: Vec<usize> = urdf.match_indices("<link name=\"").map(|(start, _)| start).collect();
    let start = starts[at % starts.len()];
    let name = urdf[start + 12..].split('"').next().unwrap_or_default().to_owned();
    let open = start + urdf[start..].find('>').unwrap_or(0);
    let end = if urdf[..open].ends_with('/') { open + 1 } else { open + urdf[open..].find("</link>").unwrap_or(0) + 7 };
    (name, start..end)
}

fn drop_link(urdf: &str, at: usize) -> String {
    let (name, range) = link(urdf, at);
    let mut text = format!("{}{}", &urdf[..range.start], &urdf[range.end..]);
    while let Some(joint) = text.match_indices("<joint name=\"").map(|(start, _)| start).find_map(|start| {
        let end = start + text[start..].find("</joint>")? + 8;
        text[start..end].contains(&format!("link=\"{name}\"")).then_some(start..end)
    }) {
        text.replace_range(joint, "");
    }
    text
}

fn within(urdf: &str, range: Range<usize>, change: impl Fn(&str) -> String) -> String {
    format!("{}{}{}", &urdf[..range.start], change(&urdf[range.clone()]), &urdf[range.end..])
}

/// Every number of the attributes that begin so.
fn numbers(text: &str, key: &str, change: impl Fn(f64) -> f64) -> String {
    let mut parts = text.split(key);
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (inner, rest) = part.split_once('"').unwrap_or((part, ""));
        let inner: Vec<String> = inner
            .split_whitespace()
            .map(|word| word.parse().map_or(word.to_owned(), |n: f64| change(n).to_string()))
            .collect();
        all += &format!("{key}{}\"{rest}", inner.join(" "));
    }
    all
}

/// Who hears of no problems has this.
fn is_sound(robot: &Arc<Robot>) -> Result<(), String> {
    robot.rehearse_walk(TRIED_WALK_M)?;
    let mut poses = robot.model.new_poses();
    robot.model.forward(&robot.configuration("home").ok_or("no home")?, &mut poses);
    let pelvis = poses.base_from(robot.frames.pelvis).inverse();
    let at_m = |link: usize| (pelvis * poses.base_from(link)).translation_m();
    for [left, right] in [robot.frames.soles, robot.frames.hands] {
        if at_m(left).y <= at_m(right).y {
            return Err(format!("left is right: {} {}", at_m(left), at_m(right)));
        }
    }
    let lowest_m = robot.frames.soles.map(|sole| at_m(sole).z).into_iter().fold(f64::INFINITY, f64::min);
    if Side::BOTH.iter().any(|side| at_m(robot.frames.hands[side.index()]).z < lowest_m)
        || at_m(robot.frames.head).z < 0.0
    {
        return Err("a hand or the head is below".to_owned());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn no_robot_makes_it_panic_and_none_without_problems_fails_to_walk(own in 0..2_usize, changes in changes()) {
        let urdf = changes.iter().fold(OWN[own].to_owned(), |urdf, change| changed(&urdf, change));
        let Ok(proposal) = Proposal::new(&urdf, Path::new("robot.urdf"), "robot.urdf") else { return Ok(()) };
        let Ok((robot, problems)) = proposal.robot else { return Ok(()) };
        if problems.is_empty() {
            let sound = is_sound(&Arc::new(robot));
            prop_assert!(sound.is_ok(), "{changes:?}: {sound:?}");
        }
    }
}

/// A change that is none changes nothing: the others are what they say.
#[test]
fn changes_are_what_they_say() {
    let urdf = OWN[1];
    assert!(changed(urdf, &Change::Scale(1.0)).contains("l_foot_sole"));
    assert!(!changed(urdf, &Change::Drop(3)).contains(&format!("\"{}\"", link(urdf, 3).0)));
    let half = Proposal::new(&changed(urdf, &Change::Scale(0.5)), Path::new("robot.urdf"), "robot.urdf").unwrap();
    let whole = Proposal::new(urdf, Path::new("robot.urdf"), "robot.urdf").unwrap();
    let leg_m = |proposal: Proposal| proposal.robot.unwrap().0.sizes().leg_length_m.unwrap();
    assert!((leg_m(half) / leg_m(whole) - 0.5).abs() < 0.01);
}
