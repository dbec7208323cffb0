use geometry::Pose;
use serde::{Deserialize, Serialize};

use crate::Side;
use crate::interface::Footstep;

/// What a step would do, found without moving anything.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Preview {
    pub duration_s: f64,
    /// The whole robot at the end: a position for each coordinate.
    pub goal: Vec<f64>,
    #[serde(with = "geometry::exact")]
    pub world_from_base: Pose,
    /// Where each hand that moves goes along, in the world.
    pub hand_paths: Vec<HandTrace>,
    pub footsteps: Vec<Footstep>,
    /// Of the worst moment of a hand path: 0–1 good, above 1 not reached. 0 where no hand pose was asked.
    pub quality: f64,
    /// Pairs of links that touch on the way, each once.
    pub collisions: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandTrace {
    pub side: Side,
    #[serde(with = "exact_list")]
    pub world_from_hand: Vec<Pose>,
}

mod exact_list {
    use geometry::Pose;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Exact(#[serde(with = "geometry::exact")] Pose);

    pub fn serialize<S: Serializer>(poses: &[Pose], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(poses.iter().map(|pose| Exact(*pose)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Pose>, D::Error> {
        Ok(Vec::<Exact>::deserialize(deserializer)?.into_iter().map(|exact| exact.0).collect())
    }
}
