//! The world as planners see it: from between the feet they start on, and mirrored so that a problem and its mirror
//! image are the same problem.

use std::sync::Arc;

use crate::obstacles::Obstacles;
use crate::parameters::BodyBox;
use crate::plan::WayEnd;
use crate::planar::Planar;
use crate::problem::Problem;
use crate::reach::Sole;
use crate::shapes::Rectangle;
use crate::terrain::{Foothold, FootholdProblem, Sampling, Terrain, is_before_riser, snap};

pub(crate) struct View {
    world_from_here: Planar,
    pub mirrored: bool,
    terrain: Option<Arc<Terrain>>,
    floor_m: f64,
    foot_m: [f64; 2],
    pub sampling: Sampling,
    pub obstacles: Obstacles,
    body: BodyBox,
    /// Close to these, less room around the body is right: the robot stands there, or shall stand there.
    ends: [(Planar, f64); 2],
}

/// How far from its start or goal a body may come as near to something as there.
const END_M: f64 = 0.4;

impl View {
    pub fn of(problem: &Problem, world_from_here: Planar, mirrored: bool) -> View {
        let [left, right] = problem.start.map(|pose| pose.translation_m().z);
        let mut view = View {
            world_from_here,
            mirrored,
            terrain: problem.terrain.clone(),
            floor_m: (left + right) / 2.0,
            foot_m: [problem.limits.foot_length_m, problem.limits.foot_width_m],
            sampling: problem.parameters.sole,
            obstacles: Obstacles::default(),
            body: problem.parameters.body.clone(),
            ends: [(Planar::new(0.0, 0.0, 0.0), problem.parameters.body.clearance_m); 2],
        };
        view.obstacles = problem.obstacles.mapped(|at| view.seen(at));
        if let Some(floor_m) = view.terrain.as_ref().filter(|terrain| terrain.is_floor()).and_then(|it| it.floor_m()) {
            view.floor_m = floor_m;
            view.terrain = None;
        }
        view
    }

    pub fn seen(&self, world: &Planar) -> Planar {
        let here = self.world_from_here.seen(world);
        if self.mirrored { here.mirrored() } else { here }
    }

    pub fn world(&self, here: &Planar) -> Planar {
        self.world_from_here.then(&if self.mirrored { here.mirrored() } else { *here })
    }

    pub fn world_foothold(&self, here: &Foothold) -> Foothold {
        let foothold = if self.mirrored { here.mirrored() } else { *here };
        Foothold { sole: Sole { at: self.world_from_here.then(&foothold.sole.at), ..foothold.sole }, ..foothold }
    }

    pub fn is_flat(&self) -> bool {
        self.terrain.is_none()
    }

    pub fn height_m(&self, x_m: f64, y_m: f64) -> Option<f64> {
        let Some(terrain) = &self.terrain else { return Some(self.floor_m) };
        let [x_m, y_m] = self.world_from_here.point(x_m, if self.mirrored { -y_m } else { y_m });
        terrain.height_m(x_m, y_m)
    }

    pub fn foothold(&self, at: &Planar) -> Result<Foothold, FootholdProblem> {
        if self.terrain.is_none() {
            return Ok(Foothold::level(Sole { at: *at, z_m: self.floor_m }));
        }
        snap(|x_m, y_m| self.height_m(x_m, y_m), *at, self.foot_m, &self.sampling)
    }

    /// As [`View::foothold`], with room before the toe.
    pub fn roomy_foothold(&self, at: &Planar, room_m: f64) -> Result<Foothold, FootholdProblem> {
        let foothold = self.foothold(at)?;
        let height_m = |x_m: f64, y_m: f64| self.height_m(x_m, y_m);
        if room_m > 0.0 && is_before_riser(height_m, &foothold, self.foot_m, room_m) {
            return Err(FootholdProblem::Toe { room_m });
        }
        Ok(foothold)
    }

    /// What a sole, and the leg right above it, would be in.
    pub fn foot_hit(&self, sole: &Sole) -> Option<String> {
        if self.obstacles.is_empty() {
            return None;
        }
        let [length_m, width_m] = self.foot_m;
        let rectangle = Rectangle { at: sole.at, half_length_m: length_m / 2.0, half_width_m: width_m / 2.0 };
        let rectangle = rectangle.grown(self.body.foot_clearance_m);
        self.obstacles.touching(&rectangle, sole.z_m + 0.02, sole.z_m + self.body.from_m).map(|hit| hit.to_string())
    }

    /// What the body over a place would be in.
    pub fn body_hit(&self, hips: &Planar, z_m: f64) -> Option<String> {
        if self.obstacles.is_empty() {
            return None;
        }
        self.hit_with(hips, z_m, self.clearance_m(hips))
    }

    /// A square of this half width, whichever way the body is turned.
    pub fn core_is_free(&self, hips: &Planar, z_m: f64, half_m: f64) -> bool {
        let core = Rectangle { at: *hips, half_length_m: half_m, half_width_m: half_m };
        self.obstacles.touching(&core, z_m + self.body.from_m, z_m + self.body.to_m).is_none()
    }

    fn hit_with(&self, hips: &Planar, z_m: f64, clearance_m: f64) -> Option<String> {
        let rectangle =
            Rectangle { at: *hips, half_length_m: self.body.depth_m / 2.0, half_width_m: self.body.width_m / 2.0 };
        let (from_m, to_m) = (z_m + self.body.from_m, z_m + self.body.to_m);
        self.obstacles.touching(&rectangle.grown(clearance_m), from_m, to_m).map(|hit| hit.to_string())
    }

    /// What would be in the way of a square stance, with extra room around the body.
    pub fn stance_hit(&self, hips: &Planar, z_m: f64, stance_m: f64, room_m: f64) -> Option<String> {
        let [length_m, width_m] = self.foot_m;
        let feet = Rectangle { at: *hips, half_length_m: length_m / 2.0, half_width_m: (stance_m + width_m) / 2.0 };
        let feet = feet.grown(self.body.foot_clearance_m);
        let low = self.obstacles.touching(&feet, z_m + 0.02, z_m + self.body.from_m).map(|hit| hit.to_string());
        low.or_else(|| self.hit_with(hips, z_m, self.clearance_m(hips) + room_m))
    }

    fn clearance_m(&self, hips: &Planar) -> f64 {
        let near =
            self.ends.iter().filter(|(end, _)| end.distance_m(hips) < END_M).map(|(_, clearance_m)| *clearance_m);
        near.fold(self.body.clearance_m, f64::min)
    }

    /// Over feet that stand, and on the way there from where they stood before.
    pub fn step_hit(&self, stance: &Sole, landing: &Sole, from: &Sole) -> Option<String> {
        if self.obstacles.is_empty() {
            return None;
        }
        let after = stance.at.middle(&landing.at);
        let before = stance.at.middle(&from.at);
        let z_m = stance.z_m.min(landing.z_m);
        self.foot_hit(landing)
            .or_else(|| self.body_hit(&after, z_m))
            .or_else(|| self.body_hit(&before.middle(&after), stance.z_m))
    }

    /// Says how much room there is where the robot stands and where it shall stand. Err: none at all.
    pub fn set_ends(&mut self, start: (&Planar, f64), goal: (&Planar, f64)) -> Result<(), (String, WayEnd)> {
        for (index, ((hips, z_m), end)) in [(start, WayEnd::Start), (goal, WayEnd::Goal)].into_iter().enumerate() {
            let wanted_m = self.body.clearance_m;
            let rooms_m = [wanted_m, wanted_m * 0.5, 0.0];
            let room_m = rooms_m.into_iter().find(|room_m| self.hit_with(hips, z_m, *room_m).is_none());
            match room_m {
                Some(room_m) => self.ends[index] = (*hips, room_m),
                None => return Err((self.hit_with(hips, z_m, 0.0).unwrap_or_default(), end)),
            }
        }
        Ok(())
    }
}
