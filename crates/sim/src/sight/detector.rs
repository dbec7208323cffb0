use std::sync::Arc;

use model::Random;
use scene::{DetectError, Detector, Found, Picture};

use super::Thing;
use crate::world::DetectorSetup;

/// Knows what each pixel shows, and is wrong as often as its settings say.
#[derive(Clone, Debug)]
pub struct SimulatedDetector {
    name: Arc<str>,
    setup: DetectorSetup,
    things: Vec<Thing>,
    /// Of each label the thing it belongs to.
    of_labels: Vec<Option<usize>>,
    /// Of a false alarm in one picture.
    alarm_share: f64,
    random: Random,
}

/// How far confidences differ from picture to picture.
const SPREAD: f64 = 0.06;
/// Pixels from the middle of a false alarm to its edges.
const ALARM_REACH: i64 = 3;

impl SimulatedDetector {
    pub const NAME: &str = "simulated";

    pub(crate) fn new(
        setup: &DetectorSetup,
        things: Vec<Thing>,
        of_labels: Vec<Option<usize>>,
        pictures_hz: f64,
        random: Random,
    ) -> SimulatedDetector {
        let often_s = setup.false_alarm_every_s;
        let alarm_share = if often_s > 0.0 { 1.0 / (often_s * pictures_hz) } else { 0.0 };
        SimulatedDetector { name: Self::NAME.into(), setup: setup.clone(), things, of_labels, alarm_share, random }
    }

    fn masks(&self, labels: &[Option<u32>]) -> Vec<Vec<u32>> {
        let mut masks = vec![Vec::new(); self.things.len()];
        for (pixel, label) in labels.iter().enumerate() {
            let Some(label) = label else { continue };
            if let Some(thing) = self.of_labels.get(*label as usize).copied().flatten() {
                masks[thing].push(pixel as u32);
            }
        }
        masks
    }

    /// Where there is some depth, as anything that is in this world.
    fn false_alarm(&mut self, picture: &Picture) -> Option<Found> {
        let (rings, which, confidence) = (self.random.share(), self.random.share(), self.random.share());
        let (across, down) = (self.random.share(), self.random.share());
        if rings >= self.alarm_share || self.things.is_empty() {
            return None;
        }
        let class = self.things[((which * self.things.len() as f64) as usize).min(self.things.len() - 1)].class.clone();
        let (width, height) = (i64::from(picture.cloud.width()), i64::from(picture.cloud.height()));
        let (column, row) = ((across * width as f64) as i64, (down * height as f64) as i64);
        let rows = (row - ALARM_REACH).max(0)..(row + ALARM_REACH).min(height);
        let columns = (column - ALARM_REACH).max(0)..(column + ALARM_REACH).min(width);
        let mask = rows.flat_map(|row| columns.clone().map(move |column| (row * width + column) as u32)).collect();
        let usual = self.setup.skill(&class).confidence;
        Some(Found { class, confidence: usual * (0.4 + 0.5 * confidence), mask, world_from_object: None })
    }
}

impl Detector for SimulatedDetector {
    fn name(&self) -> &Arc<str> {
        &self.name
    }

    fn detect(&mut self, picture: &Picture) -> Result<Vec<Found>, DetectError> {
        let masks = self.masks(&picture.labels);
        let mut all = Vec::new();
        for (thing, mask) in masks.into_iter().enumerate() {
            // Drawn for every thing, so that one more in view does not change the luck of the others.
            let (missed, better) = (self.random.share(), self.random.normal());
            let class = self.things[thing].class.clone();
            let skill = self.setup.skill(&class);
            if mask.len() < self.setup.least_pixels || missed < skill.misses {
                continue;
            }
            let confidence = (skill.confidence + better * SPREAD).clamp(0.01, 0.99);
            all.push(Found { class, confidence, mask, world_from_object: None });
        }
        all.extend(self.false_alarm(picture));
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use geometry::Pose;
    use scene::Cloud;

    use super::*;
    use crate::world::Skill;

    /// The left half shows the first thing, the right one the second.
    fn picture() -> Picture {
        let (width, height) = (20_u32, 10_u32);
        let labels: Vec<Option<u32>> = (0..width * height).map(|pixel| Some(u32::from(pixel % width >= 10))).collect();
        let mut cloud = Cloud::new(0, Pose::identity(), width, height);
        (0..labels.len()).for_each(|pixel| cloud.set(pixel, Some([1.0, 0.0, 0.0]), [9; 3]));
        Picture { camera: "head".into(), cloud: Arc::new(cloud), labels }
    }

    fn detector(setup: &DetectorSetup, seed: u64) -> SimulatedDetector {
        let thing = |class: &str| Thing { class: class.into(), body: class.to_owned() };
        let things = vec![thing("ball"), thing("cup")];
        SimulatedDetector::new(setup, things, vec![Some(0), Some(1)], 10.0, Random::of_stream(seed, "detector"))
    }

    #[test]
    fn misses_and_false_alarms_are_as_often_as_written() {
        let mut setup = DetectorSetup::default();
        setup.classes.insert("cup".into(), Skill { misses: 0.5, confidence: 0.4 });
        let mut detector = detector(&setup, 5);
        let pictures = 20_000;
        let (mut balls, mut cups, mut alarms, mut confidence) = (0, 0, 0, 0.0);
        for _ in 0..pictures {
            for found in detector.detect(&picture()).expect("it looks") {
                match (&*found.class, found.mask.len()) {
                    ("ball", 100) => balls += 1,
                    ("cup", 100) => {
                        cups += 1;
                        confidence += found.confidence;
                    }
                    _ => alarms += 1,
                }
            }
        }
        let share = |count: i32| f64::from(count) / f64::from(pictures);
        assert!((share(balls) - 0.95).abs() < 0.01, "{balls} balls");
        assert!((share(cups) - 0.5).abs() < 0.02, "{cups} cups");
        assert!((confidence / f64::from(cups) - 0.4).abs() < 0.01);
        // 2,000 s at one in 20 s.
        assert!((70..130).contains(&alarms), "{alarms} false alarms");
    }

    #[test]
    fn the_same_seed_sees_the_same_and_few_pixels_are_nothing() {
        let setup = DetectorSetup::default();
        let run = |seed: u64| {
            (0..50)
                .map(|_| 0)
                .map({
                    let mut detector = detector(&setup, seed);
                    move |_| detector.detect(&picture())
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
        let strict = DetectorSetup { least_pixels: 101, false_alarm_every_s: 0.0, ..DetectorSetup::default() };
        assert_eq!(detector(&strict, 1).detect(&picture()), Ok(Vec::new()));
    }
}
