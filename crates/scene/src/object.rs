use std::sync::Arc;

use geometry::Pose;
use robot::Side;
use serde::{Deserialize, Serialize};

use crate::composite::Composite;
use crate::measures::Measures;
use crate::tracking::{DetectionId, TrackingSettings};

/// A frame that a behavior may name. It never expires: what is no longer seen goes stale and stays where it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// None: a composite whose frames are not all there yet.
    #[serde(with = "geometry::exact::option")]
    pub world_from_object: Option<Pose>,
    pub kind: ObjectKind,
    /// Nothing tells where it is any more.
    pub stale: bool,
    /// It stays where it is, whatever is seen.
    pub frozen: bool,
    /// Where it was when a move was last told.
    #[serde(with = "geometry::exact::option")]
    pub(crate) told: Option<Pose>,
    /// When the cloud was taken that it was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cloud_ns: Option<i64>,
    #[serde(default, skip_serializing_if = "Measures::is_empty")]
    pub measures: Measures,
}

/// The class of what a step found to be the frame of a door.
pub const DOOR_FRAME: &str = "door_frame";

/// What an object's frame comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObjectKind {
    /// Follows a detection.
    Detected { class: Arc<str>, detection: DetectionId },
    /// Follows two other frames.
    Composite(Composite),
    /// Was put there: found in a cloud, by an operator, or the nominal pose of a preview.
    Placed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        class: Option<Arc<str>>,
    },
    /// Was attached to a hand: it is where the hand has it, or where it was let go.
    Carried { class: Option<Arc<str>> },
}

impl Object {
    pub(crate) fn new(world_from_object: Option<Pose>, kind: ObjectKind) -> Object {
        Object {
            world_from_object,
            kind,
            stale: false,
            frozen: false,
            told: world_from_object,
            cloud_ns: None,
            measures: Measures::default(),
        }
    }

    /// What kind of thing it is, where a detector or an operator told.
    pub fn class(&self) -> Option<&Arc<str>> {
        match &self.kind {
            ObjectKind::Detected { class, .. } => Some(class),
            ObjectKind::Carried { class } | ObjectKind::Placed { class } => class.as_ref(),
            ObjectKind::Composite(_) => None,
        }
    }

    /// It has moved by more than a centimetre or a degree since that was last told.
    pub(crate) fn has_moved(&self) -> bool {
        match (&self.told, &self.world_from_object) {
            (Some(told), Some(now)) => {
                let apart = told.distance(now);
                apart.position_m > 0.01 || apart.angle_rad.to_degrees() > 1.0
            }
            (told, now) => told.is_some() != now.is_some(),
        }
    }
}

/// What a step asks of the scene. Applied at the end of a tick, in the order the steps asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SceneUpdate {
    /// Makes the object follow this detection, also if it was frozen or followed another.
    SetUp {
        name: Arc<str>,
        detection: DetectionId,
    },
    /// Puts the object there.
    Place {
        name: Arc<str>,
        /// What kind of thing it is, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        class: Option<Arc<str>>,
        #[serde(with = "geometry::exact")]
        world_from_object: Pose,
    },
    /// Tells what was measured of an object that is there.
    Measure {
        name: Arc<str>,
        measures: Measures,
    },
    Define {
        name: Arc<str>,
        composite: Composite,
    },
    Freeze {
        name: Arc<str>,
        on: bool,
    },
    FreezeAll {
        on: bool,
    },
    Delete {
        name: Arc<str>,
    },
    Clear,
    /// From now on the object moves with the hand, as it is in it now.
    Attach {
        name: Arc<str>,
        side: Side,
        #[serde(with = "geometry::exact")]
        hand_from_object: Pose,
        /// Where it is now.
        #[serde(with = "geometry::exact")]
        world_from_object: Pose,
    },
    /// What the hand has stays where it is.
    Detach {
        side: Side,
    },
    Track {
        settings: TrackingSettings,
    },
}

/// What became of the scene, for the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneChange {
    /// None: of the scene as a whole.
    pub object: Option<Arc<str>>,
    pub what: Changed,
    /// Where the object is then.
    #[serde(default, with = "geometry::exact::option", skip_serializing_if = "Option::is_none")]
    pub world_from_object: Option<Pose>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Changed {
    SetUp,
    Defined,
    /// By more than a centimetre or a degree since it was last told where it is.
    Moved,
    Frozen,
    Unfrozen,
    Stale,
    /// No longer stale.
    Found,
    /// To a hand.
    Attached,
    Detached,
    Deleted,
    /// How detections are followed.
    Configured,
}

impl Changed {
    pub fn word(self) -> &'static str {
        match self {
            Changed::SetUp => "set up",
            Changed::Defined => "defined",
            Changed::Moved => "moved",
            Changed::Frozen => "frozen",
            Changed::Unfrozen => "unfrozen",
            Changed::Stale => "stale",
            Changed::Found => "found again",
            Changed::Attached => "attached",
            Changed::Detached => "detached",
            Changed::Deleted => "deleted",
            Changed::Configured => "tracking configured",
        }
    }
}
