use std::collections::BTreeMap;
use std::sync::Arc;

use geometry::{Point3, Pose};
use serde::{Deserialize, Serialize};

use crate::cloud::Cloud;

/// All that one camera and the detectors behind it tell of one picture. Simulated cameras and real ones give the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sight {
    pub camera: Arc<str>,
    /// When the picture was taken; it arrives later.
    pub time_ns: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cloud: Option<Arc<Cloud>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub detections: Vec<Detection>,
}

/// One thing a detector found in one picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detection {
    pub detector: Arc<str>,
    pub class: Arc<str>,
    /// 0 to 1.
    pub confidence: f64,
    /// The centroid of the depth points in its mask, so that what stands in front of it moves it.
    pub world_position: Point3<f64>,
    /// Where the detector tells more than a position.
    #[serde(default, with = "geometry::exact::option", skip_serializing_if = "Option::is_none")]
    pub world_from_object: Option<Pose>,
    /// Column and row of the top left pixel, then of the one behind the bottom right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pixels: Option<[u32; 4]>,
}

/// What a behavior asks of the detectors. What is left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DetectorSettings {
    /// Models on or off, by the name of the detector.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<Arc<str>, bool>,
    /// Only these classes are reported; all where the list is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<Vec<Arc<str>>>,
    /// The least confidence at which a class is reported.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub confidence: BTreeMap<Arc<str>, f64>,
}
