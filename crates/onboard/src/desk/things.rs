//! Where things are: objects, detections, the terrain and the simulated world, told when they change.

use std::collections::BTreeSet;

use link::Keyed;
use link::udp::PeerId;
use protocol::talk::{DetectionAt, ObjectAt, SceneAt};

use super::Desk;
use crate::audit::Now;
use crate::fit::fit_thing;
use crate::seen::Things;

impl Desk {
    /// All of it, to somebody who knows nothing.
    pub(super) fn send_things(&mut self, to: PeerId) {
        let things: Vec<(u32, Vec<u8>)> = self
            .things
            .iter()
            .filter_map(|(key, thing)| Some((*key, fit_thing(thing, self.settings.value_bytes)?)))
            .collect();
        for (key, bytes) in things {
            self.value(to, Keyed::Scene, key, bytes);
        }
    }

    pub(super) fn tell_things(&mut self, now: Now, things: Things) {
        // What has to wait is told when its time comes, also if nothing changes any more by then.
        self.untold.append(things);
        let due = self.things_ns.is_none_or(|at| now.ns.saturating_sub(at) >= self.settings.things_every_ns);
        if !due {
            return;
        }
        let Things { objects, detections, solids, outlines } = std::mem::take(&mut self.untold);
        if objects.is_some() || detections.is_some() {
            self.things_ns = Some(now.ns);
        }
        // What is only simulated is not worth a narrow line.
        let solids = solids.filter(|_| self.settings.tile_bytes.is_some());
        if let Some(all) = objects {
            self.tell_gone(&all, |thing| matches!(thing, SceneAt::Object(_)));
            self.tell_changed(all);
        }
        if let Some(all) = detections {
            self.tell_gone(&all, |thing| matches!(thing, SceneAt::Detection(_)));
            self.tell_changed(all);
        }
        let around: Vec<SceneAt> = solids.into_iter().chain(outlines).flatten().collect();
        self.forget_older_worlds(&around);
        self.tell_changed(around);
    }

    /// Those of this kind that are not among all that there are.
    fn tell_gone(&mut self, all: &[SceneAt], is_kind: fn(&SceneAt) -> bool) {
        let now: BTreeSet<u32> = all.iter().map(SceneAt::key).collect();
        let is_gone = |(key, thing): &(&u32, &SceneAt)| is_kind(thing) && !now.contains(*key);
        let gone: Vec<(u32, SceneAt)> =
            self.things.iter().filter(is_gone).filter_map(|(key, thing)| Some((*key, gone(thing)?))).collect();
        for (key, thing) in gone {
            self.things.remove(&key);
            self.tell_thing(key, &thing);
        }
    }

    /// Nobody who joins is told of them; those who know them see by the number of the world that they are gone.
    fn forget_older_worlds(&mut self, around: &[SceneAt]) {
        let Some(world) = around.iter().find_map(world_of) else { return };
        self.things.retain(|_, thing| world_of(thing).is_none_or(|of| of >= world));
    }

    fn tell_changed(&mut self, all: Vec<SceneAt>) {
        for thing in all {
            let key = thing.key();
            if self.things.get(&key) != Some(&thing) {
                self.tell_thing(key, &thing);
                self.things.insert(key, thing);
            }
        }
    }

    fn tell_thing(&mut self, key: u32, thing: &SceneAt) {
        if let Some(bytes) = fit_thing(thing, self.settings.value_bytes) {
            self.value_to_all(Keyed::Scene, key, &bytes);
        }
    }
}

/// Of what belongs to a world.
fn world_of(thing: &SceneAt) -> Option<u16> {
    match thing {
        SceneAt::Solid(solid) => Some(solid.world),
        SceneAt::Outline(outline) => Some(outline.world),
        SceneAt::Object(_) | SceneAt::Detection(_) => None,
    }
}

/// None: it does not go.
fn gone(thing: &SceneAt) -> Option<SceneAt> {
    match thing {
        SceneAt::Object(object) => Some(SceneAt::Object(ObjectAt { pose: None, ..object.clone() })),
        SceneAt::Detection(detection) => Some(SceneAt::Detection(DetectionAt { number: detection.number, at: None })),
        SceneAt::Solid(_) | SceneAt::Outline(_) => None,
    }
}
