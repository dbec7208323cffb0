//! What a camera tells in tests: things where the script puts them, ten times a second, through the door that real
//! cameras use.

use std::collections::BTreeMap;
use std::sync::Arc;

use geometry::{Point3, Pose, RollPitchYaw, Vector3};
use scene::{Cloud, Detection, Sight};

const PICTURE_NS: i64 = 100_000_000;

#[derive(Clone, Debug)]
enum Seen {
    /// Class, place, yaw where the detector tells it, confidence.
    Thing { class: String, at_m: [f64; 3], yaw_deg: Option<f64>, confidence: f64 },
    /// So many points along a line a centimetre long, of one colour.
    Points { count: usize, at_m: [f64; 3], colour: [u8; 3] },
}

/// Lines `see name class x y z [yaw=deg] [confidence=c]`, `points name count x y z [r g b]` and `hide name`.
#[derive(Debug, Default)]
pub(crate) struct Camera {
    /// None: from then on it is not there.
    lines: Vec<(i64, String, Option<Seen>)>,
}

impl Camera {
    pub fn add(&mut self, at_ns: i64, words: &[&str]) {
        let number = |text: &str| -> f64 { text.parse().unwrap_or_else(|_| panic!("`{text}` is not a number")) };
        let (name, seen) = match words {
            ["see", name, class, x, y, z, rest @ ..] => {
                let value = |key: &str| rest.iter().find_map(|word| word.strip_prefix(key)).map(number);
                let at_m = [x, y, z].map(|text| number(text));
                let (yaw_deg, confidence) = (value("yaw="), value("confidence=").unwrap_or(0.8));
                (name, Some(Seen::Thing { class: (*class).to_owned(), at_m, yaw_deg, confidence }))
            }
            ["points", name, count, x, y, z, rest @ ..] => {
                let at_m = [x, y, z].map(|text| number(text));
                let colour = match rest {
                    [r, g, b] => [r, g, b].map(|text| number(text) as u8),
                    _ => [128; 3],
                };
                (name, Some(Seen::Points { count: number(count) as usize, at_m, colour }))
            }
            ["hide", name] => (name, None),
            other => panic!("the script has no line `{}`", other.join(" ")),
        };
        self.lines.push((at_ns, (*name).to_owned(), seen));
    }

    /// None: there is no camera, or no picture is due.
    pub fn sight(&self, time_ns: i64) -> Option<Arc<Sight>> {
        if self.lines.is_empty() || time_ns % PICTURE_NS != 0 {
            return None;
        }
        let mut there: BTreeMap<&str, &Seen> = BTreeMap::new();
        for (_, name, seen) in self.lines.iter().filter(|(at_ns, ..)| *at_ns <= time_ns) {
            match seen {
                Some(seen) => there.insert(name, seen),
                None => there.remove(name.as_str()),
            };
        }
        let detections = there.values().filter_map(|seen| detection(seen)).collect();
        let cloud = Some(Arc::new(cloud(time_ns, there.values().copied())));
        Some(Arc::new(Sight { camera: "head".into(), time_ns, cloud, detections }))
    }
}

fn detection(seen: &Seen) -> Option<Detection> {
    let Seen::Thing { class, at_m, yaw_deg, confidence } = seen else { return None };
    let turned = |yaw_deg: f64| Pose::from_rpy(Vector3::from(*at_m), RollPitchYaw::new(0.0, 0.0, yaw_deg.to_radians()));
    Some(Detection {
        detector: "yolo".into(),
        class: class.as_str().into(),
        confidence: *confidence,
        world_position: Point3::from(*at_m),
        world_from_object: yaw_deg.map(turned),
        pixels: None,
    })
}

fn cloud<'a>(time_ns: i64, seen: impl Iterator<Item = &'a Seen>) -> Cloud {
    let mut points = Vec::new();
    for seen in seen {
        let Seen::Points { count, at_m, colour } = seen else { continue };
        for index in 0..*count {
            let along_m = 0.01 * (index as f64 / (*count).max(2) as f64 - 0.5);
            points.push(([at_m[0] + along_m, at_m[1], at_m[2]].map(|number| number as f32), *colour));
        }
    }
    let mut cloud = Cloud::new(time_ns, Pose::from_translation(0.0, 0.0, 1.5), points.len() as u32, 1);
    for (index, (point, colour)) in points.into_iter().enumerate() {
        cloud.set(index, Some(point), colour);
    }
    cloud
}
