use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use geometry::{Pose, UnitQuaternion, Vector3};
use robot::BodyFrame;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::cloud::Cloud;
use crate::composite::{Composite, CompositeKind};
use crate::object::{Changed, Object, ObjectKind, SceneChange, SceneUpdate};
use crate::sight::Sight;
use crate::template::{Held, HeldError};
use crate::tracking::{DetectionId, PersistentDetection, Tracker, TrackingSettings};

/// Why the scene does not do what a step asks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SceneError {
    #[error("there is no object `{0}`{1}")]
    NoObject(Arc<str>, String),
    #[error("what `{0}` was to follow is not tracked any more: set it up again")]
    NoDetection(Arc<str>),
    #[error("`{0}` would be made of itself, through {1}: take another frame")]
    Circle(Arc<str>, String),
    #[error("an object needs a name")]
    NoName,
    #[error(transparent)]
    Held(#[from] HeldError),
}

/// What was seen, and the objects made of it. Nothing in it depends on a clock: the same sights and updates at the same
/// times give the same scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    time_ns: i64,
    tracker: Tracker,
    objects: BTreeMap<Arc<str>, Object>,
    /// Composite objects, each behind those it is made of.
    order: Vec<Arc<str>>,
    clouds: BTreeMap<Arc<str>, Arc<Cloud>>,
    has_seen: bool,
    #[serde(default, skip_serializing_if = "Held::is_empty")]
    held: Held,
    changes: Vec<SceneChange>,
    #[serde(skip)]
    looked: Looked,
}

/// The cameras whose points somebody has looked at, a bit each in the order of their names: what nobody looks at need not be
/// on record.
#[derive(Debug, Default)]
struct Looked(AtomicU64);

impl Looked {
    fn at(&self, place: usize) {
        self.0.fetch_or(1 << place.min(63), Ordering::Relaxed);
    }

    /// The places of cameras mean something else from now on.
    fn at_any(&self) {
        if self.0.load(Ordering::Relaxed) != 0 {
            self.0.store(u64::MAX, Ordering::Relaxed);
        }
    }
}

impl Clone for Looked {
    fn clone(&self) -> Looked {
        Looked::default()
    }
}

/// No part of what was seen.
impl PartialEq for Looked {
    fn eq(&self, _other: &Looked) -> bool {
        true
    }
}

impl Scene {
    /// Takes in what a camera and its detectors told, with how the robot's chest is turned now.
    pub fn see(&mut self, sight: &Sight, chest: &UnitQuaternion<f64>) {
        self.has_seen = true;
        self.tracker.see(sight, chest);
        if let Some(cloud) = &sight.cloud {
            let old = self.clouds.get(&sight.camera);
            if old.is_none() {
                self.looked.at_any();
            }
            if old.is_none_or(|old| old.time_ns <= cloud.time_ns) {
                self.clouds.insert(sight.camera.clone(), Arc::clone(cloud));
            }
        }
    }

    /// Brings every object up to date. `frame` gives the frames that are no objects.
    pub fn advance(&mut self, time_ns: i64, frame: &dyn Fn(&str) -> Option<Pose>) {
        self.time_ns = time_ns;
        if self.objects.is_empty() && self.tracker.detections.is_empty() {
            return;
        }
        let bound: BTreeSet<DetectionId> = self.objects.values().filter_map(detection_of).collect();
        self.tracker.advance(time_ns, |id| bound.contains(&id));
        self.follow_detections();
        self.follow_hands(frame);
        self.follow_frames(frame);
        self.tell_moves();
    }

    fn follow_detections(&mut self) {
        let Scene { time_ns, tracker, objects, changes, .. } = self;
        for (name, object) in objects {
            let Some(detection) = detection_of(object).and_then(|id| tracker.get(id)) else { continue };
            if !object.frozen {
                object.world_from_object = Some(detection.world_from_object);
            }
            let stale = !detection.is_stable(&tracker.settings, *time_ns);
            set_stale(name, object, stale, changes);
        }
    }

    fn follow_hands(&mut self, frame: &dyn Fn(&str) -> Option<Pose>) {
        for (side, in_hand) in self.held.iter() {
            let world_from_hand = BodyFrame::Hand(side).word().and_then(frame);
            if let (Some(hand), Some(object)) = (world_from_hand, self.objects.get_mut(in_hand.object.as_str()))
                && !object.frozen
            {
                object.world_from_object = Some(hand * in_hand.hand_from_object);
            }
        }
    }

    fn follow_frames(&mut self, frame: &dyn Fn(&str) -> Option<Pose>) {
        let newest = self.newest_cloud(None);
        let cloud = newest.map(|(_, cloud)| Arc::clone(cloud));
        let newest = newest.map(|(place, _)| place);
        for name in &self.order {
            let Some(Object { kind: ObjectKind::Composite(composite), frozen, cloud_ns, .. }) = self.objects.get(name)
            else {
                continue;
            };
            let frozen = *frozen;
            // Points are looked at once for each picture: there are many.
            let looks = matches!(composite.kind, CompositeKind::DoorPanel(_));
            let now_ns = cloud.as_ref().filter(|_| looks).map(|cloud| cloud.time_ns);
            if let Some(place) = newest.filter(|_| looks) {
                self.looked.at(place);
            }
            if now_ns.is_some() && now_ns == *cloud_ns {
                continue;
            }
            let of = |part: &str| match self.objects.get(part) {
                Some(object) => (object.world_from_object, object.stale),
                None => (frame(part), false),
            };
            let ((a, a_stale), (b, b_stale)) = (of(&composite.a), of(&composite.b));
            let kind = &composite.kind;
            let made = a.zip(b).and_then(|(a, b)| kind.made(&a, &b, cloud.as_deref()));
            let Some(object) = self.objects.get_mut(name) else { continue };
            object.cloud_ns = now_ns;
            if let Some((world_from_object, measures)) = made.filter(|_| !frozen) {
                object.world_from_object = Some(world_from_object);
                object.measures = object.measures.or(measures);
            }
            // What never was anywhere is not there yet; that is not stale.
            let stale = object.world_from_object.is_some() && (made.is_none() || a_stale || b_stale);
            set_stale(name, object, stale, &mut self.changes);
        }
    }

    fn tell_moves(&mut self) {
        for (name, object) in &mut self.objects {
            // What a hand carries moves as the hand does, which is told already.
            let carried = matches!(object.kind, ObjectKind::Carried { .. });
            if object.has_moved() && !carried {
                object.told = object.world_from_object;
                self.changes.push(change(name, Changed::Moved, object));
            }
        }
    }

    /// Whole or not at all.
    pub fn apply(&mut self, update: &SceneUpdate) -> Result<(), SceneError> {
        match update {
            SceneUpdate::SetUp { name, detection } => self.set_up(name, *detection),
            SceneUpdate::Place { name, class, world_from_object } => {
                let kind = ObjectKind::Placed { class: class.clone() };
                self.put(name, Object::new(Some(*world_from_object), kind), Changed::SetUp)
            }
            SceneUpdate::Measure { name, measures } => match self.objects.get_mut(name) {
                Some(object) => {
                    object.measures = *measures;
                    Ok(())
                }
                None => Err(self.no_object(name)),
            },
            SceneUpdate::Define { name, composite } => self.define(name, composite),
            SceneUpdate::Freeze { name, on } => {
                let missing = || self.no_object(name);
                let (name, _) = self.objects.get_key_value(name).ok_or_else(missing)?;
                self.freeze(&name.clone(), *on);
                Ok(())
            }
            SceneUpdate::FreezeAll { on } => {
                let names: Vec<Arc<str>> = self.objects.keys().cloned().collect();
                names.iter().for_each(|name| self.freeze(name, *on));
                Ok(())
            }
            SceneUpdate::Delete { name } => {
                let object = self.objects.remove(name).ok_or_else(|| self.no_object(name))?;
                self.held.forget(name);
                self.changes.push(change(name, Changed::Deleted, &object));
                self.sort();
                Ok(())
            }
            SceneUpdate::Clear => {
                self.held = Held::default();
                for (name, object) in std::mem::take(&mut self.objects) {
                    self.changes.push(change(&name, Changed::Deleted, &object));
                }
                self.sort();
                Ok(())
            }
            SceneUpdate::Attach { name, side, hand_from_object, world_from_object } => {
                let class = self.objects.get(name).and_then(Object::class).cloned();
                let mut held = self.held.clone();
                held.attach(*side, name, hand_from_object)?;
                let object = Object::new(Some(*world_from_object), ObjectKind::Carried { class });
                self.put(name, object, Changed::Attached)?;
                self.held = held;
                Ok(())
            }
            SceneUpdate::Detach { side } => {
                let in_hand = self.held.detach(*side)?;
                if let Some((name, object)) = self.objects.get_key_value(in_hand.object.as_str()) {
                    self.changes.push(change(name, Changed::Detached, object));
                }
                Ok(())
            }
            SceneUpdate::Track { settings } => {
                self.tracker.settings = settings.clone();
                self.changes.push(SceneChange { object: None, what: Changed::Configured, world_from_object: None });
                Ok(())
            }
        }
    }

    /// Puts an object that a hand has elsewhere: the hand still has it, there. What kind of thing it is stays unless
    /// another is said.
    pub fn place_in_hand(
        &mut self,
        name: &Arc<str>,
        class: Option<&Arc<str>>,
        (hand_from_object, world_from_object): (&Pose, &Pose),
    ) -> Result<(), SceneError> {
        let class = class.or_else(|| self.objects.get(name)?.class()).cloned();
        let mut held = self.held.clone();
        held.hold_otherwise(name, hand_from_object);
        self.held.forget(name);
        self.put(name, Object::new(Some(*world_from_object), ObjectKind::Carried { class }), Changed::Moved)?;
        self.held = held;
        Ok(())
    }

    fn set_up(&mut self, name: &Arc<str>, id: DetectionId) -> Result<(), SceneError> {
        let detection = self.tracker.get(id).ok_or_else(|| SceneError::NoDetection(name.clone()))?;
        let kind = ObjectKind::Detected { class: detection.class.clone(), detection: id };
        let object = Object::new(Some(detection.world_from_object), kind);
        self.put(name, object, Changed::SetUp)
    }

    fn define(&mut self, name: &Arc<str>, composite: &Composite) -> Result<(), SceneError> {
        for part in [&composite.a, &composite.b] {
            if let Some(way) = self.way_to(part, name, &mut BTreeSet::new()) {
                return Err(SceneError::Circle(name.clone(), way.join(" and ")));
            }
        }
        self.put(name, Object::new(None, ObjectKind::Composite(composite.clone())), Changed::Defined)
    }

    /// The composites from one frame down to another that it is made of.
    fn way_to(&self, from: &Arc<str>, goal: &str, passed: &mut BTreeSet<Arc<str>>) -> Option<Vec<String>> {
        let here = format!("`{from}`");
        if **from == *goal {
            return Some(vec![here]);
        }
        if !passed.insert(from.clone()) {
            return None;
        }
        let Some(ObjectKind::Composite(composite)) = self.objects.get(from).map(|object| &object.kind) else {
            return None;
        };
        let mut way = [&composite.a, &composite.b].into_iter().find_map(|part| self.way_to(part, goal, passed))?;
        way.insert(0, here);
        Some(way)
    }

    fn put(&mut self, name: &Arc<str>, object: Object, what: Changed) -> Result<(), SceneError> {
        if name.is_empty() {
            return Err(SceneError::NoName);
        }
        if self.held.side_of(name).is_some() {
            self.held.forget(name);
            self.changes.push(change(name, Changed::Detached, &object));
        }
        self.changes.push(change(name, what, &object));
        self.objects.insert(name.clone(), object);
        self.sort();
        Ok(())
    }

    fn freeze(&mut self, name: &Arc<str>, on: bool) {
        if let Some(object) = self.objects.get_mut(name).filter(|object| object.frozen != on) {
            object.frozen = on;
            let what = if on { Changed::Frozen } else { Changed::Unfrozen };
            self.changes.push(change(name, what, object));
        }
    }

    /// Each composite behind what it is made of; there are no circles.
    fn sort(&mut self) {
        let mut order = Vec::new();
        let mut passed = BTreeSet::new();
        self.objects.keys().for_each(|name| self.append(name, &mut passed, &mut order));
        self.order = order;
    }

    fn append(&self, name: &Arc<str>, passed: &mut BTreeSet<Arc<str>>, order: &mut Vec<Arc<str>>) {
        let kind = self.objects.get(name).map(|object| &object.kind);
        if let Some(ObjectKind::Composite(composite)) = kind
            && passed.insert(name.clone())
        {
            [&composite.a, &composite.b].into_iter().for_each(|part| self.append(part, passed, order));
            order.push(name.clone());
        }
    }

    fn no_object(&self, name: &Arc<str>) -> SceneError {
        let known: Vec<&str> = self.objects.keys().map(|name| &**name).collect();
        let known =
            if known.is_empty() { ": none was set up".to_owned() } else { format!("; there are {}", known.join(", ")) };
        SceneError::NoObject(name.clone(), known)
    }

    pub fn objects(&self) -> &BTreeMap<Arc<str>, Object> {
        &self.objects
    }

    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects.get(name)
    }

    /// What is attached to the hands.
    pub fn held(&self) -> &Held {
        &self.held
    }

    /// Everything that is followed, stable or not, oldest first.
    pub fn detections(&self) -> &[PersistentDetection] {
        &self.tracker.detections
    }

    pub fn stable(&self) -> impl Iterator<Item = &PersistentDetection> {
        self.tracker.detections.iter().filter(|each| each.is_stable(&self.tracker.settings, self.time_ns))
    }

    /// The stable detection nearest to a point that fits and that no other object follows.
    pub fn nearest(&self, asked: &Asked<'_>, world_point_m: &Vector3<f64>) -> Option<&PersistentDetection> {
        self.nearest_of(asked, world_point_m, |_| true)
    }

    /// The same, only of those that are at the right place in the world.
    pub fn nearest_of(
        &self,
        asked: &Asked<'_>,
        world_point_m: &Vector3<f64>,
        is_right_place: impl Fn(&Vector3<f64>) -> bool,
    ) -> Option<&PersistentDetection> {
        let others = self.objects.iter().filter(|(name, _)| ***name != *asked.name);
        let taken: BTreeSet<DetectionId> = others.filter_map(|(_, object)| detection_of(object)).collect();
        let fits = |each: &&PersistentDetection| {
            *each.class == *asked.class
                && asked.detector.is_none_or(|detector| *each.detector == *detector)
                && each.history_len() >= asked.minimum_history
                && !taken.contains(&each.id)
                && is_right_place(&each.world_from_object.translation_m())
        };
        let distance_m = |each: &PersistentDetection| (each.world_from_object.translation_m() - world_point_m).norm();
        self.stable().filter(fits).min_by(|a, b| distance_m(a).total_cmp(&distance_m(b)))
    }

    pub fn tracking(&self) -> &TrackingSettings {
        &self.tracker.settings
    }

    /// The newest of a camera; of whichever has the newest where none is named.
    pub fn latest_cloud(&self, camera: Option<&str>) -> Option<&Arc<Cloud>> {
        let (place, cloud) = self.newest_cloud(camera)?;
        self.looked.at(place);
        Some(cloud)
    }

    /// The clouds that somebody has looked at since this was last called.
    pub fn take_looked(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<Cloud>)> {
        let looked = self.looked.0.swap(0, Ordering::Relaxed);
        let clouds = if looked == 0 { None } else { Some(self.clouds.iter()) };
        clouds
            .into_iter()
            .flatten()
            .enumerate()
            .filter(move |(place, _)| looked >> (*place).min(63) & 1 == 1)
            .map(|(_, of)| of)
    }

    /// With its place among the cameras.
    fn newest_cloud(&self, camera: Option<&str>) -> Option<(usize, &Arc<Cloud>)> {
        let mut clouds = self.clouds.iter().enumerate().map(|(place, (name, cloud))| (place, name, cloud));
        let newest = match camera {
            Some(camera) => clouds.find(|(_, name, _)| ***name == *camera),
            None => clouds.max_by_key(|(.., cloud)| cloud.time_ns),
        };
        newest.map(|(place, _, cloud)| (place, cloud))
    }

    /// Some camera has told something since the beginning.
    pub fn has_seen(&self) -> bool {
        self.has_seen
    }

    /// What became of the objects since this was last called.
    pub fn take_changes(&mut self) -> Vec<SceneChange> {
        std::mem::take(&mut self.changes)
    }
}

/// What an object is to be made of.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Of the object.
    pub name: &'a str,
    pub class: &'a str,
    /// None: any.
    pub detector: Option<&'a str>,
    /// How often it must have been seen within the history.
    pub minimum_history: usize,
}

fn detection_of(object: &Object) -> Option<DetectionId> {
    match object.kind {
        ObjectKind::Detected { detection, .. } => Some(detection),
        ObjectKind::Composite(_) | ObjectKind::Placed { .. } | ObjectKind::Carried { .. } => None,
    }
}

fn change(name: &Arc<str>, what: Changed, object: &Object) -> SceneChange {
    SceneChange { object: Some(name.clone()), what, world_from_object: object.world_from_object }
}

fn set_stale(name: &Arc<str>, object: &mut Object, stale: bool, changes: &mut Vec<SceneChange>) {
    if object.stale != stale {
        object.stale = stale;
        changes.push(change(name, if stale { Changed::Stale } else { Changed::Found }, object));
    }
}
