//! What is around the robot, as it was last told: detections, the simulated world, the terrain.

use std::collections::BTreeMap;

use protocol::api::{DetectionView, OutlineView, Push, SeenInView, SolidView};
use protocol::talk::{Detected, DetectionAt, OutlineAt, SolidAt};

/// More than any world of ours has: a robot cannot fill our memory.
const MOST: usize = 5_000;

/// What is to be told on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    Scene,
    World,
    Nothing,
}

#[derive(Default)]
pub struct Around {
    detections: BTreeMap<u32, Detected>,
    /// With the count of changes when it was last another.
    solids: BTreeMap<u32, (u64, SolidAt)>,
    outlines: BTreeMap<u32, (u64, OutlineAt)>,
    changes: u64,
    /// Who has seen less than this begins anew.
    begins: u64,
    /// Of an older world nothing is there any more, whatever comes late.
    world: u16,
}

impl Around {
    /// With nothing in it; those who have seen what was there are told so.
    pub fn anew(&self) -> Around {
        let changes = self.changes + 1;
        Around { changes, begins: changes, ..Around::default() }
    }

    pub fn detection(&mut self, detection: DetectionAt) -> Changed {
        match detection.at {
            Some(at) if self.detections.len() < MOST => drop(self.detections.insert(detection.number, at)),
            Some(_) => return Changed::Nothing,
            None => drop(self.detections.remove(&detection.number)),
        }
        Changed::Scene
    }

    /// False: it is of a world that has gone.
    fn is_of_this_world(&mut self, world: u16) -> bool {
        if world > self.world {
            // The robot itself says which detections are gone.
            let detections = std::mem::take(&mut self.detections);
            *self = Around { world, detections, ..self.anew() };
        }
        world == self.world
    }

    pub fn solid(&mut self, solid: SolidAt) -> Changed {
        if !self.is_of_this_world(solid.world) {
            return Changed::Nothing;
        }
        self.changes += 1;
        if self.solids.len() < MOST || self.solids.contains_key(&solid.number) {
            self.solids.insert(solid.number, (self.changes, solid));
        }
        Changed::World
    }

    pub fn outline(&mut self, outline: OutlineAt) -> Changed {
        if !self.is_of_this_world(outline.world) {
            return Changed::Nothing;
        }
        self.changes += 1;
        if self.outlines.len() < MOST || self.outlines.contains_key(&outline.number) {
            self.outlines.insert(outline.number, (self.changes, outline));
        }
        Changed::World
    }

    pub fn detections(&self) -> Vec<DetectionView> {
        let view = |(number, at): (&u32, &Detected)| DetectionView {
            number: *number,
            class: at.class.to_string(),
            confidence: f64::from(at.confidence) / 100.0,
            pose: at.pose.map(f64::from),
            stable: at.stable,
            seen_in: at.seen_in.as_ref().map(|(camera, shares)| SeenInView {
                camera: camera.to_string(),
                shares: shares.map(|share| f64::from(share) / 255.0),
            }),
        };
        self.detections.iter().map(view).collect()
    }

    /// What somebody lacks who was told up to some count; none: nothing. Then the count they have.
    pub fn lacks(&self, told: Option<u64>) -> Option<(Push, u64)> {
        let told = told.filter(|told| *told >= self.begins);
        if told == Some(self.changes) {
            return None;
        }
        let is_new = |at: u64| told.is_none_or(|told| at > told);
        let solids = self.solids.values().filter(|(at, _)| is_new(*at)).map(|(_, solid)| SolidView {
            number: solid.number,
            name: solid.name.to_string(),
            form: solid.form,
            colour: solid.colour,
            pose: solid.pose.map(f64::from),
        });
        let outlines = self.outlines.values().filter(|(at, _)| is_new(*at)).map(|(_, outline)| OutlineView {
            number: outline.number,
            name: outline.name.to_string(),
            obstacle: outline.obstacle,
            corners: outline.corners_m.iter().map(|corner| corner.map(f64::from)).collect(),
        });
        let push = Push::World { whole: told.is_none(), solids: solids.collect(), outlines: outlines.collect() };
        Some((push, self.changes))
    }
}
