//! How pictures become sights: the one door for simulated cameras and detectors and for real ones.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use geometry::{Point3, Pose, Vector3};
use thiserror::Error;

use crate::cloud::Cloud;
use crate::sight::{Detection, DetectorSettings, Sight};

/// What a camera took at one time.
#[derive(Clone, Debug)]
pub struct Picture {
    pub camera: Arc<str>,
    pub cloud: Arc<Cloud>,
    /// Of each pixel the thing it shows, where the camera is a simulated one; empty where nobody knows.
    pub labels: Vec<Option<u32>>,
}

/// One thing a detector sees in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub class: Arc<str>,
    /// 0 to 1.
    pub confidence: f64,
    /// Its mask: places in the picture, row by row from the top left, rising.
    pub mask: Vec<u32>,
    /// Where the detector tells more than a mask.
    pub world_from_object: Option<Pose>,
}

/// One model that finds things in pictures.
pub trait Detector {
    fn name(&self) -> &Arc<str>;

    fn detect(&mut self, picture: &Picture) -> Result<Vec<Found>, DetectError>;
}

/// Why a detector could not look at a picture, and what helps.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct DetectError(pub String);

/// All models of a robot. Each picture goes to one of those that are on, in turn.
#[derive(Default)]
pub struct Detectors {
    models: Vec<Box<dyn Detector + Send>>,
    settings: DetectorSettings,
    turn: usize,
    /// What each model had last against a picture.
    problems: BTreeMap<Arc<str>, DetectError>,
    /// Asked for, and not there.
    unknown: BTreeSet<Arc<str>>,
    untold: Vec<String>,
}

impl Detectors {
    pub fn new(models: Vec<Box<dyn Detector + Send>>) -> Detectors {
        Detectors { models, ..Detectors::default() }
    }

    /// What is left out stays as it is. A model that is not there is told.
    pub fn configure(&mut self, asked: &DetectorSettings) {
        for name in asked.models.keys().filter(|name| self.models.iter().all(|model| model.name() != *name)) {
            // A step of a loop asks again and again.
            if self.unknown.insert(name.clone()) {
                let known: Vec<String> = self.models.iter().map(|model| format!("`{}`", model.name())).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                self.untold.push(format!("there is no detector model `{name}` to turn on or off: there is {known}"));
            }
        }
        self.settings.models.extend(asked.models.iter().map(|(name, on)| (name.clone(), *on)));
        if asked.classes.is_some() {
            self.settings.classes.clone_from(&asked.classes);
        }
        self.settings.confidence.extend(asked.confidence.iter().map(|(name, least)| (name.clone(), *least)));
    }

    /// The next model's turn; no detections where all are off or where the model could not look.
    pub fn see(&mut self, picture: &Picture) -> Sight {
        let count = self.models.len();
        let is_on = |index: &usize| self.settings.models.get(self.models[*index].name()).is_none_or(|on| *on);
        let next = (0..count).map(|ahead| (self.turn + ahead) % count).find(is_on);
        let mut detections = Vec::new();
        if let Some(index) = next {
            self.turn = index + 1;
            let model = &mut self.models[index];
            let name = model.name().clone();
            let found = model.detect(picture);
            let found = self.found_by(&name, found);
            let wanted = found.into_iter().filter(|found| is_wanted(&self.settings, found));
            detections.extend(wanted.filter_map(|found| detection(&name, found, &picture.cloud)));
        }
        let (camera, time_ns) = (picture.camera.clone(), picture.cloud.time_ns);
        Sight { camera, time_ns, cloud: Some(picture.cloud.clone()), detections }
    }

    /// What has kept models from looking since this was last called. What stays wrong is told once, not at each picture.
    pub fn take_problems(&mut self) -> Vec<String> {
        std::mem::take(&mut self.untold)
    }

    fn found_by(&mut self, name: &Arc<str>, found: Result<Vec<Found>, DetectError>) -> Vec<Found> {
        match found {
            Ok(found) => {
                self.problems.remove(name);
                found
            }
            Err(problem) => {
                let before = self.problems.insert(name.clone(), problem.clone());
                if before.as_ref() != Some(&problem) {
                    self.untold.push(format!("the detector `{name}` could not look: {problem}"));
                }
                Vec::new()
            }
        }
    }
}

fn is_wanted(settings: &DetectorSettings, found: &Found) -> bool {
    let in_classes = settings.classes.as_ref().is_none_or(|all| all.is_empty() || all.contains(&found.class));
    in_classes && settings.confidence.get(&found.class).is_none_or(|least| found.confidence >= *least)
}

/// None: nothing in its mask has a depth, and the detector knows no pose either.
fn detection(detector: &Arc<str>, found: Found, cloud: &Cloud) -> Option<Detection> {
    let (mut sum, mut count) = (Vector3::zeros(), 0_usize);
    let pixels = found.mask.iter().map(|pixel| *pixel as usize).filter(|pixel| *pixel < cloud.len());
    let points = pixels.filter_map(|pixel| cloud.point(pixel));
    for point in points {
        sum += Vector3::from(point.map(f64::from));
        count += 1;
    }
    let centroid = (count > 0).then(|| Point3::from(sum / count as f64));
    let world_position = centroid.or(found.world_from_object.map(|pose| Point3::from(pose.translation_m())))?;
    Some(Detection {
        detector: detector.clone(),
        class: found.class,
        confidence: found.confidence,
        world_position,
        world_from_object: found.world_from_object,
        pixels: around(&found.mask, cloud.width()),
    })
}

fn around(mask: &[u32], width: u32) -> Option<[u32; 4]> {
    let places = || mask.iter().map(|pixel| (pixel % width.max(1), pixel / width.max(1)));
    let (left, top) = (places().map(|(x, _)| x).min()?, places().map(|(_, y)| y).min()?);
    let (right, bottom) = (places().map(|(x, _)| x).max()?, places().map(|(_, y)| y).max()?);
    Some([left, top, right + 1, bottom + 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(Arc<str>, Vec<Found>);

    impl Detector for Fixed {
        fn name(&self) -> &Arc<str> {
            &self.0
        }

        fn detect(&mut self, _picture: &Picture) -> Result<Vec<Found>, DetectError> {
            Ok(self.1.clone())
        }
    }

    fn found(class: &str, confidence: f64, mask: &[u32]) -> Found {
        Found { class: class.into(), confidence, mask: mask.to_vec(), world_from_object: None }
    }

    fn picture() -> Picture {
        let mut cloud = Cloud::new(7, Pose::identity(), 2, 2);
        for (pixel, point) in [(0, [1.0, 0.0, 0.0]), (2, [3.0, 0.0, 0.0]), (3, [1.0, 1.0, 5.0])] {
            cloud.set(pixel, Some(point), [0; 3]);
        }
        Picture { camera: "head".into(), cloud: Arc::new(cloud), labels: Vec::new() }
    }

    #[test]
    fn a_position_is_the_centroid_of_the_depth_in_the_mask() {
        let all = vec![found("cup", 0.9, &[0, 1, 2]), found("ghost", 0.9, &[1])];
        let mut detectors = Detectors::new(vec![Box::new(Fixed("a".into(), all))]);
        let sight = detectors.see(&picture());
        assert_eq!((&*sight.camera, sight.time_ns, sight.detections.len()), ("head", 7, 1));
        assert_eq!(sight.detections[0].world_position, Point3::new(2.0, 0.0, 0.0));
        assert_eq!(sight.detections[0].pixels, Some([0, 0, 2, 2]));
    }

    #[test]
    fn models_take_turns_and_only_what_is_asked_for_is_told() {
        let model = |name: &str, confidence: f64| -> Box<dyn Detector + Send> {
            Box::new(Fixed(name.into(), vec![found("cup", confidence, &[0]), found("ball", 0.5, &[3])]))
        };
        let mut detectors = Detectors::new(vec![model("a", 0.4), model("b", 0.8)]);
        let told = |detectors: &mut Detectors| -> Vec<String> {
            let detections = detectors.see(&picture()).detections;
            detections.iter().map(|detection| format!("{} {}", detection.detector, detection.class)).collect()
        };
        assert_eq!(told(&mut detectors), ["a cup", "a ball"]);
        assert_eq!(told(&mut detectors), ["b cup", "b ball"]);
        assert_eq!(told(&mut detectors), ["a cup", "a ball"]);
        let least = [(Arc::from("cup"), 0.6)].into();
        detectors.configure(&DetectorSettings { confidence: least, ..DetectorSettings::default() });
        detectors.configure(&DetectorSettings { classes: Some(vec!["cup".into()]), ..DetectorSettings::default() });
        assert_eq!(told(&mut detectors), ["b cup"]);
        assert_eq!(told(&mut detectors), Vec::<String>::new());
        let models = [(Arc::from("a"), false)].into();
        detectors.configure(&DetectorSettings { models, ..DetectorSettings::default() });
        assert_eq!([told(&mut detectors), told(&mut detectors)], [["b cup"], ["b cup"]]);
        let models = [(Arc::from("b"), false)].into();
        detectors.configure(&DetectorSettings { models, ..DetectorSettings::default() });
        assert!(told(&mut detectors).is_empty());
    }

    #[test]
    fn a_model_that_is_not_there_is_told_once() {
        let mut detectors = Detectors::new(vec![Box::new(Fixed("a".into(), Vec::new()))]);
        for _ in 0..2 {
            let models = [(Arc::from("a"), true), (Arc::from("b"), true)].into();
            detectors.configure(&DetectorSettings { models, ..DetectorSettings::default() });
        }
        assert_eq!(detectors.take_problems(), ["there is no detector model `b` to turn on or off: there is `a`"]);
    }

    /// Gives what it was given, one after the other.
    struct Scripted(Arc<str>, Vec<Result<Vec<Found>, DetectError>>);

    impl Detector for Scripted {
        fn name(&self) -> &Arc<str> {
            &self.0
        }

        fn detect(&mut self, _picture: &Picture) -> Result<Vec<Found>, DetectError> {
            self.1.remove(0)
        }
    }

    #[test]
    fn a_model_that_cannot_look_says_so_once_and_the_others_go_on() {
        let bad = |why: &str| Err(DetectError(why.into()));
        let cup = || Ok(vec![found("cup", 0.9, &[0])]);
        let broken = vec![bad("no intrinsics"), bad("no intrinsics"), bad("no memory"), cup(), bad("no memory")];
        let mut detectors = Detectors::new(vec![
            Box::new(Scripted("broken".into(), broken)),
            Box::new(Fixed("good".into(), vec![found("cup", 0.9, &[0])])),
        ]);
        let mut told = Vec::new();
        let mut seen = Vec::new();
        for _ in 0..10 {
            seen.push(detectors.see(&picture()).detections.len());
            told.extend(detectors.take_problems());
        }
        assert_eq!(seen, [0, 1, 0, 1, 0, 1, 1, 1, 0, 1]);
        let wanted = ["no intrinsics", "no memory", "no memory"];
        assert_eq!(told, wanted.map(|why| format!("the detector `broken` could not look: {why}")));
    }
}
