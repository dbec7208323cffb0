//! Named positions of joints: of the whole body, and of the fingers of a hand.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Mirrored, Part, PartName, Preset, parts};
use crate::reader::Report;
use crate::reader::join;
use crate::{Model, MovingKind, Side};

type Positions = BTreeMap<usize, f64>;

pub(super) fn presets(
    file: &Map<String, Value>,
    model: &Model,
    mirror: &[Mirrored],
    reader: &mut Report,
) -> BTreeMap<String, Preset> {
    let mut presets = read(file, ["presets_deg", "presets_m"], model, reader);
    for preset in presets.values_mut() {
        other_side(preset, mirror);
    }
    if !presets.contains_key("home") {
        reader.warn("presets_deg", "there is no `home`: the neutral position is taken. Give the one it stands in");
        presets.insert("home".to_owned(), Positions::new());
    }
    presets.into_iter().map(|(name, positions)| (name, positions.into_iter().collect())).collect()
}

pub(super) fn grips(
    file: &Map<String, Value>,
    model: &Model,
    (mirror, parts): (&[Mirrored], &[Part]),
    reader: &mut Report,
) -> BTreeMap<String, [Preset; 2]> {
    let mut grips = BTreeMap::new();
    for (name, mut positions) in read(file, ["grips_deg", "grips_m"], model, reader) {
        let path = join("grips_deg", &name);
        positions.retain(|coordinate, _| {
            let finger =
                parts.iter().any(|p| matches!(p.name, PartName::Hand(_)) && p.coordinates.contains(coordinate));
            if !finger {
                let joint = &model.coordinates()[*coordinate].name;
                reader.error(&join(&path, joint), "this joint is not of a hand; left out of the grip");
            }
            finger
        });
        other_side(&mut positions, mirror);
        let of = |side| {
            positions
                .iter()
                .filter(|(own, _)| parts::side_of(**own, parts) == Some(side))
                .map(|(own, at)| (*own, *at))
                .collect()
        };
        grips.insert(name, Side::BOTH.map(of));
    }
    grips
}

/// A joint that is left out takes the mirrored position of its partner.
fn other_side(positions: &mut Positions, mirror: &[Mirrored]) {
    for (own, at) in positions.clone() {
        let to = mirror[own];
        positions.entry(to.coordinate).or_insert(to.sign * at);
    }
}

/// Turning joints are under the first key, sliding ones under the second.
fn read(file: &Map<String, Value>, keys: [&str; 2], model: &Model, reader: &mut Report) -> BTreeMap<String, Positions> {
    let mut all: BTreeMap<String, Positions> = BTreeMap::new();
    for (key, slides) in keys.into_iter().zip([false, true]) {
        let section = reader.section(file, key).cloned().unwrap_or_default();
        for (name, posture) in &section {
            let path = join(key, name);
            let Some(posture) = reader.object(posture, &path) else { continue };
            let positions = all.entry(name.clone()).or_default();
            for (joint, at) in posture {
                let path = join(&path, joint);
                let Some(at) = reader.number(at, &path) else { continue };
                let Some(coordinate) = parts::joint(joint, &path, model, reader) else { continue };
                let slides_itself = model.coordinates()[coordinate].kind == MovingKind::Prismatic;
                if slides_itself != slides {
                    let right = if slides_itself { keys[1] } else { keys[0] };
                    reader.error(
                        &path,
                        format!("`{joint}` {}; put it under `{right}`", if slides_itself { "slides" } else { "turns" }),
                    );
                    continue;
                }
                let at = if slides { at } else { at.to_radians() };
                positions.insert(coordinate, within(at, &path, coordinate, (model, reader)));
            }
        }
    }
    all
}

fn within(at: f64, path: &str, coordinate: usize, (model, reader): (&Model, &mut Report)) -> f64 {
    let coordinate = &model.coordinates()[coordinate];
    let (lower, upper) = (coordinate.limits.lower, coordinate.limits.upper);
    // Limits are written in radians with few digits.
    if at < lower - 1e-3 || at > upper + 1e-3 {
        let (unit, factor) =
            if coordinate.kind == MovingKind::Prismatic { (" m", 1.0) } else { ("°", 1f64.to_degrees()) };
        let message = format!(
            "{:.2}{unit} is outside the limits of `{}`, {:.2}{unit} to {:.2}{unit}; the nearer end is taken",
            at * factor,
            coordinate.name,
            lower * factor,
            upper * factor
        );
        reader.error(path, message);
    }
    at.max(lower).min(upper)
}
