//! Values of the moment on the other side, before anybody knows them: what a type makes of one number or word in a place it
//! makes of every other. It is asked with several, and what it does with them is said by an expression.

use std::collections::BTreeMap;

use model::{Bound, Field, Fields, Fits, Node, NodeInfo};
use serde_json::Value as Json;

use super::super::reworked::put;
use super::{Mirrored, said};
use crate::Cannot;
use crate::types::Rework;

/// Words that have another side, and one that has none.
const WORDS: [&str; 7] = ["left", "right", "left_hand", "right_hand", "left_sole", "right_sole", "no side"];

/// Numbers that differ by less are the same: poses are rounded.
const SAME: f64 = 1e-5;

struct Probe<'p> {
    mirrored: &'p Mirrored<'p>,
    node: &'p Node,
    info: &'p NodeInfo,
    places: &'p [Bound],
    /// One that fits in each place.
    samples: Vec<Json>,
    /// The settings with these samples, on the other side.
    seen: Leaves,
}

/// Everything in the settings that has no parts, by where it is.
type Leaves = BTreeMap<String, Json>;

/// The settings with an expression in each place that gives there what the one here would have become.
pub(super) fn turned(mirrored: &Mirrored<'_>, node: &Node, places: &[Bound]) -> Result<Fields, Cannot> {
    let Some(entry) = mirrored.registry.get(&node.kind).filter(|entry| entry.author.is_some()) else {
        return Ok(node.fields.clone());
    };
    let info = &entry.info;
    let first = |(index, place)| tried(place, info, index).swap_remove(0);
    let samples = places.iter().enumerate().map(first).collect();
    let mut probe = Probe { mirrored, node, info, places, samples, seen: Leaves::new() };
    let of_parts = places.iter().find(|place| tried(place, info, 0).len() < 2);
    probe.seen = probe.see(&probe.samples).map_err(|_| unsaid(of_parts.unwrap_or(&places[0])))?;
    let found: Result<Vec<_>, Cannot> = (0..places.len()).map(|index| probe.follow(index)).collect();
    probe.written(found?)
}

impl Probe<'_> {
    fn with(&self, values: &[Json]) -> Node {
        Node { fields: self.node.fields.with_values(self.places, values.iter().cloned()), ..self.node.clone() }
    }

    fn see(&self, values: &[Json]) -> Result<Leaves, Cannot> {
        let node = self.with(values);
        let seen = self.mirrored.registry.rework(&node, &Rework::Mirror(self.mirrored.mirror))?;
        let mut leaves = Leaves::new();
        note(&seen.unwrap_or_default(), &mut String::new(), &mut leaves);
        Ok(leaves)
    }

    /// Where in the settings it comes to stand, and by which expression.
    fn follow(&self, index: usize) -> Result<(String, String), Cannot> {
        let place = &self.places[index];
        let unsaid = || unsaid(place);
        let here = format!("/{}{}", place.field, place.pointer);
        let values = tried(place, self.info, index);
        // Where a type is content with nothing, nothing is not enough to see what becomes of something.
        if values == [Json::Null] {
            return Err(unsaid());
        }
        let mut there: Option<String> = None;
        let mut results = vec![None; values.len()];
        let mut all = vec![self.seen.clone()];
        for value in &values[1..] {
            let mut samples = self.samples.clone();
            samples[index] = value.clone();
            all.push(self.see(&samples).map_err(|_| unsaid())?);
        }
        for leaves in &all[1..] {
            for changed in differences(&self.seen, leaves) {
                let whole = is_pose(place, self.info).then(|| changed.rsplit_once('/')).flatten();
                let changed = whole.map_or(changed.clone(), |(pose, _)| pose.to_owned());
                // It counts for more than its own place: what it is decides what becomes of another.
                if there.get_or_insert_with(|| changed.clone()) != &changed {
                    return Err(unsaid());
                }
            }
        }
        let Some(there) = there else { return Ok((here, place.text.to_string())) };
        if is_pose(place, self.info) {
            let all: Vec<Json> = all.iter().map(|leaves| pose_in(leaves, &there)).collect();
            return Ok((there, pose_expression(&values, &all, &place.text).ok_or_else(unsaid)?));
        }
        for (result, leaves) in results.iter_mut().zip(&all) {
            *result = leaves.get(&there).cloned();
        }
        let pairs: Option<Vec<(Json, Json)>> =
            values.iter().cloned().zip(results).map(|(value, result)| Some((value, result?))).collect();
        let text = expression(&pairs.ok_or_else(unsaid)?, &place.text).ok_or_else(unsaid)?;
        Ok((there, text))
    }

    fn written(&self, found: Vec<(String, String)>) -> Result<Fields, Cannot> {
        let node = self.with(&self.samples);
        let mut fields = self.mirrored.written_out(&node)?.unwrap_or_else(|| node.fields.clone());
        for ((pointer, text), place) in found.into_iter().zip(self.places) {
            let value = serde_json::json!({"=": text});
            let (key, inside) = pointer[1..].split_at(pointer[1..].find('/').unwrap_or(pointer.len() - 1));
            if inside.is_empty() {
                put(&mut fields, key, Field::from_json(value));
                continue;
            }
            let mut json = fields.get(key).map_or_else(|| Json::Object(serde_json::Map::new()), Field::to_json);
            match json.pointer_mut(inside) {
                Some(old) => *old = value,
                None => return Err(unsaid(place)),
            }
            put(&mut fields, key, Field::from_json(json));
        }
        Ok(fields)
    }
}

fn unsaid(place: &Bound) -> Cannot {
    Cannot::NoExpressionOfOtherSide { place: place.place(), text: place.text.clone() }
}

/// What is put in a place to see what becomes of it.
fn tried(place: &Bound, info: &NodeInfo, index: usize) -> Vec<Json> {
    let shift = index as f64;
    match place.fits(info) {
        Fits::Number => vec![Json::from(0.31 + 0.17 * shift), Json::from(0.83 + 0.29 * shift)],
        Fits::WholeNumber => vec![Json::from(2 + index), Json::from(5 + 2 * index)],
        Fits::Choice(choices) => choices,
        // Each robot has other joints, and which of them change places a word in an expression cannot say.
        Fits::Text(format) if format.as_deref() == Some("joint") => vec![Json::Null],
        Fits::Text(_) => WORDS.iter().rev().map(|word| Json::from(*word)).collect(),
        Fits::Parts if is_pose(place, info) => vec![pose(0.31 + 0.17 * shift), pose(0.43 + 0.13 * shift)],
        Fits::Parts => vec![Json::Null],
    }
}

const POSE: [&str; 6] = ["x_m", "y_m", "z_m", "roll_deg", "pitch_deg", "yaw_deg"];

fn is_pose(place: &Bound, info: &NodeInfo) -> bool {
    let schema = info.schema_at(place).unwrap_or_default();
    POSE.iter().all(|key| schema["properties"].get(key).is_some())
}

/// With other numbers in all its entries.
fn pose(shift: f64) -> Json {
    POSE.iter().enumerate().map(|(index, key)| ((*key).to_owned(), Json::from(shift + index as f64))).collect()
}

/// What is left out is 0.
fn pose_in(leaves: &Leaves, place: &str) -> Json {
    let entry = |key: &&str| leaves.get(&format!("{place}/{key}")).cloned().unwrap_or(Json::from(0.0));
    POSE.iter().map(|key| ((*key).to_owned(), entry(key))).collect()
}

/// None: what becomes of it is neither itself nor its mirror image.
fn pose_expression(from: &[Json], to: &[Json], text: &str) -> Option<String> {
    let all = |turned: fn(&str) -> f64| {
        let is_it = |from: &Json, to: &Json, key: &str| {
            let (from, to) = (from[key].as_f64()?, to[key].as_f64()?);
            Some((from * turned(key) - to).abs() < SAME)
        };
        from.iter().zip(to).all(|(from, to)| POSE.iter().all(|key| is_it(from, to, key) == Some(true)))
    };
    if all(|_| 1.0) {
        return Some(text.to_owned());
    }
    all(|key| if matches!(key, "y_m" | "roll_deg" | "yaw_deg") { -1.0 } else { 1.0 }).then(|| said::mirrored(text))
}

/// None: there is no simple one.
fn expression(pairs: &[(Json, Json)], text: &str) -> Option<String> {
    let same = |(from, to): &(Json, Json)| is_same(from, to);
    if pairs.iter().all(same) {
        return Some(text.to_owned());
    }
    let opposite = |(from, to): &(Json, Json)| Some((from.as_f64()? + to.as_f64()?).abs() < SAME);
    if pairs.iter().all(|pair| opposite(pair) == Some(true)) {
        return Some(said::negated(text));
    }
    let written = |value: &Json| Some(format!("'{}'", value.as_str()?));
    let changed = pairs.iter().filter(|pair| !same(pair)).rev();
    let cases: Option<Vec<(String, String)>> = changed.map(|(from, to)| Some((written(from)?, written(to)?))).collect();
    let mut cases = cases?;
    cases.sort();
    Some(said::exchanged(text, &cases, pairs.len()))
}

fn is_same(a: &Json, b: &Json) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() < SAME,
        _ => a == b,
    }
}

fn differences<'l>(a: &'l Leaves, b: &'l Leaves) -> impl Iterator<Item = String> + 'l {
    let gone = a.iter().filter(move |(place, leaf)| b.get(*place).is_none_or(|other| !is_same(leaf, other)));
    let come = b.iter().filter(move |(place, _)| !a.contains_key(*place));
    gone.chain(come).map(|(place, _)| place.clone())
}

fn note(json: &Json, place: &mut String, leaves: &mut Leaves) {
    let length = place.len();
    let mut go_on = |name: &str, inside: &Json| {
        place.push('/');
        place.push_str(&name.replace('~', "~0").replace('/', "~1"));
        note(inside, place, leaves);
        place.truncate(length);
    };
    match json {
        Json::Array(items) => items.iter().enumerate().for_each(|(index, item)| go_on(&index.to_string(), item)),
        Json::Object(entries) => entries.iter().for_each(|(name, entry)| go_on(name, entry)),
        _ => drop(leaves.insert(place.clone(), json.clone())),
    }
}
