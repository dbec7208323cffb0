use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use geometry::{Pose, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

use crate::sight::{Detection, Sight};

/// How detections of many pictures become one thing that persists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackingSettings {
    /// A detection this near to a tracked thing of its detector and class is of that thing.
    pub match_radius_m: f64,
    /// The share of a new detection in the pose; what was there keeps the rest.
    pub filter_alpha: f64,
    /// The least mean confidence of what counts as stable.
    pub acceptance_confidence: f64,
    /// The same for single classes, where it is another.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub class_confidence: BTreeMap<Arc<str>, f64>,
    /// What is seen less often is not stable.
    pub stability_hz: f64,
    /// How far back counts.
    pub history_s: f64,
}

impl Default for TrackingSettings {
    fn default() -> TrackingSettings {
        TrackingSettings {
            match_radius_m: 0.5,
            filter_alpha: 0.5,
            acceptance_confidence: 0.25,
            class_confidence: BTreeMap::new(),
            stability_hz: 1.0,
            history_s: 2.0,
        }
    }
}

impl TrackingSettings {
    fn acceptance(&self, class: &str) -> f64 {
        self.class_confidence.get(class).copied().unwrap_or(self.acceptance_confidence)
    }

    fn history_ns(&self) -> i64 {
        (self.history_s * 1e9) as i64
    }
}

/// What was seen this often lately is where it was; what is seen further away than this, once, is something else. Two
/// cameras that each see a part of a handle have it up to 0.2 m apart.
const KNOWN: usize = 3;
const JUMP_M: f64 = 0.25;

/// Names a persistent detection for the life of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DetectionId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    time_ns: i64,
    confidence: f64,
}

/// One thing, followed over the pictures it was detected in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PersistentDetection {
    pub id: DetectionId,
    pub detector: Arc<str>,
    pub class: Arc<str>,
    /// Filtered. A detector that tells only positions leaves the orientation to the robot's chest, as it was at the
    /// last detection: what is authored in the frame then fits the way the robot stands to it.
    #[serde(with = "geometry::exact")]
    pub world_from_object: Pose,
    /// The detector tells how it is turned.
    pub has_orientation: bool,
    /// As it was when the thing was first seen.
    filter_alpha: f64,
    /// In order of time.
    history: VecDeque<Seen>,
    /// Where it was seen last, far from where it is followed: it has moved if it is seen there again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    jumped_to_m: Option<[f64; 3]>,
    /// Where in a picture it was last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_picture: Option<InPicture>,
}

/// A part of a camera's picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InPicture {
    pub camera: Arc<str>,
    /// Left, top, right, bottom as shares of the picture.
    pub shares: [f32; 4],
}

impl InPicture {
    /// None: the detector does not tell, or nobody knows how large the picture is.
    fn of(sight: &Sight, detection: &Detection) -> Option<InPicture> {
        let cloud = sight.cloud.as_ref()?;
        let [left, top, right, bottom] = detection.pixels?;
        let (width, height) = (cloud.width().max(1) as f32, cloud.height().max(1) as f32);
        let shares = [left as f32 / width, top as f32 / height, right as f32 / width, bottom as f32 / height];
        Some(InPicture { camera: sight.camera.clone(), shares })
    }
}

impl PersistentDetection {
    pub fn history_len(&self) -> usize {
        self.history.len()
    }

    pub fn last_seen_ns(&self) -> Option<i64> {
        self.history.back().map(|seen| seen.time_ns)
    }

    /// Zero where nothing was seen in the time that counts.
    pub fn mean_confidence(&self) -> f64 {
        let sum: f64 = self.history.iter().map(|seen| seen.confidence).sum();
        if self.history.is_empty() { 0.0 } else { sum / self.history.len() as f64 }
    }

    /// Zero until it was seen twice: one sighting tells no frequency.
    pub fn frequency_hz(&self, now_ns: i64) -> f64 {
        let Some(oldest) = self.history.front().filter(|_| self.history.len() > 1) else { return 0.0 };
        let span_s = (now_ns - oldest.time_ns) as f64 / 1e9;
        if span_s > 0.0 { self.history.len() as f64 / span_s } else { 0.0 }
    }

    pub fn is_stable(&self, settings: &TrackingSettings, now_ns: i64) -> bool {
        !self.history.is_empty()
            && self.mean_confidence() >= settings.acceptance(&self.class)
            && self.frequency_hz(now_ns) >= settings.stability_hz
    }

    fn take(&mut self, measured: &Measured, time_ns: i64) {
        // Pictures of two cameras may arrive in another order than they were taken in.
        let place = self.history.partition_point(|seen| seen.time_ns <= time_ns);
        let share = self.share_of(measured.at_m());
        self.history.insert(place, Seen { time_ns, confidence: measured.confidence });
        if share == 0.0 {
            return;
        }
        self.world_from_object = if measured.has_orientation && self.has_orientation {
            self.world_from_object.interpolate(&measured.world_from_object, share)
        } else {
            let at_m = self.world_from_object.translation_m().lerp(&measured.at_m(), share);
            Pose::new(at_m, measured.world_from_object.rotation())
        };
        self.has_orientation = measured.has_orientation;
    }

    /// Of a new detection in the pose.
    fn share_of(&mut self, at_m: Vector3<f64>) -> f64 {
        let away_m = |from_m: Vector3<f64>| (at_m - from_m).norm();
        let jumped_to_m = self.jumped_to_m.take().map(Vector3::from);
        if self.history.len() < KNOWN || away_m(self.world_from_object.translation_m()) <= JUMP_M {
            // What was lost is where it is found, not half way from where it was.
            return if self.history.is_empty() { 1.0 } else { self.filter_alpha };
        }
        // A false alarm beside it would take it half way there, just when someone reaches for it.
        if jumped_to_m.is_some_and(|before_m| away_m(before_m) <= JUMP_M) {
            return 1.0;
        }
        self.jumped_to_m = Some(at_m.into());
        0.0
    }

    fn forget_before(&mut self, time_ns: i64) {
        while self.history.front().is_some_and(|seen| seen.time_ns < time_ns) {
            self.history.pop_front();
        }
    }
}

/// A detection whose numbers can be used.
struct Measured {
    world_from_object: Pose,
    has_orientation: bool,
    confidence: f64,
}

impl Measured {
    /// None: a number is not finite, and would spoil everything it is averaged with.
    fn of(detection: &Detection, chest: &UnitQuaternion<f64>) -> Option<Measured> {
        let pose = detection.world_from_object;
        let world_from_object = pose.unwrap_or_else(|| Pose::new(detection.world_position.coords, *chest));
        let sound = world_from_object.is_finite() && detection.confidence.is_finite();
        sound.then_some(Measured {
            world_from_object,
            has_orientation: pose.is_some(),
            confidence: detection.confidence.clamp(0.0, 1.0),
        })
    }

    fn at_m(&self) -> Vector3<f64> {
        self.world_from_object.translation_m()
    }
}

/// All that is followed, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tracker {
    pub settings: TrackingSettings,
    pub detections: Vec<PersistentDetection>,
    seen_so_far: u64,
}

impl Tracker {
    /// Sorts the detections of a picture into what is followed: the nearest pair first, each thing and each detection
    /// once. What fits nowhere is new.
    pub fn see(&mut self, sight: &Sight, chest: &UnitQuaternion<f64>) {
        let measured: Vec<Option<Measured>> = sight.detections.iter().map(|each| Measured::of(each, chest)).collect();
        let pairs = self.pairs(sight, &measured);
        let mut detection_free: Vec<bool> = measured.iter().map(Option::is_some).collect();
        let mut thing_free = vec![true; self.detections.len()];
        for (_, detection, thing) in pairs {
            let (detection, thing) = (detection as usize, thing as usize);
            if detection_free[detection] && thing_free[thing] {
                (detection_free[detection], thing_free[thing]) = (false, false);
                if let Some(measured) = &measured[detection] {
                    let followed = &mut self.detections[thing];
                    followed.take(measured, sight.time_ns);
                    followed.in_picture = InPicture::of(sight, &sight.detections[detection]);
                }
            }
        }
        for (place, measured) in measured.iter().enumerate() {
            if let Some(measured) = measured.as_ref().filter(|_| detection_free[place]) {
                self.begin(sight, &sight.detections[place], measured);
            }
        }
    }

    /// Squared distance, detection, thing: those within the radius, nearest first, then in the order they are in.
    fn pairs(&self, sight: &Sight, measured: &[Option<Measured>]) -> Vec<(f64, u32, u32)> {
        let radius_sq = self.settings.match_radius_m * self.settings.match_radius_m;
        let at_m: Vec<Vector3<f64>> =
            self.detections.iter().map(|thing| thing.world_from_object.translation_m()).collect();
        let mut pairs = Vec::new();
        for (place, (detection, measured)) in sight.detections.iter().zip(measured).enumerate() {
            let Some(measured) = measured else { continue };
            let from_m = measured.at_m();
            for (thing, at_m) in at_m.iter().enumerate() {
                let distance_sq = (at_m - from_m).norm_squared();
                let followed = &self.detections[thing];
                if distance_sq <= radius_sq
                    && followed.class == detection.class
                    && followed.detector == detection.detector
                {
                    pairs.push((distance_sq, place as u32, thing as u32));
                }
            }
        }
        pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        pairs
    }

    fn begin(&mut self, sight: &Sight, detection: &Detection, measured: &Measured) {
        self.seen_so_far += 1;
        self.detections.push(PersistentDetection {
            id: DetectionId(self.seen_so_far),
            detector: detection.detector.clone(),
            class: detection.class.clone(),
            world_from_object: measured.world_from_object,
            has_orientation: measured.has_orientation,
            filter_alpha: self.settings.filter_alpha,
            history: VecDeque::from([Seen { time_ns: sight.time_ns, confidence: measured.confidence }]),
            jumped_to_m: None,
            in_picture: InPicture::of(sight, detection),
        });
    }

    /// Forgets what was not seen for as long as the history is; what an object is bound to stays and may be found again.
    pub fn advance(&mut self, now_ns: i64, is_bound: impl Fn(DetectionId) -> bool) {
        let since_ns = now_ns.saturating_sub(self.settings.history_ns());
        self.detections.iter_mut().for_each(|thing| thing.forget_before(since_ns));
        self.detections.retain(|thing| !thing.history.is_empty() || is_bound(thing.id));
    }

    pub fn get(&self, id: DetectionId) -> Option<&PersistentDetection> {
        // Ids only grow.
        let place = self.detections.binary_search_by_key(&id, |thing| thing.id).ok()?;
        Some(&self.detections[place])
    }
}
