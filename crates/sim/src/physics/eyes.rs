//! The robot's cameras in the physics: what their rays meet, when they take pictures and when those arrive.

use std::collections::VecDeque;
use std::sync::Arc;

use geometry::Pose;
use robot::{BodyPoses, Robot};
use scene::{DetectorSettings, Detectors, Sight};

use super::PhysicsError;
use super::engine::{self, Data};
use crate::mjcf::UNSEEN_GROUP;
use crate::sight::{Hits, Lens, Random, SimulatedDetector, things};
use crate::world::{Deed, PlacedWorld};

pub(super) struct Eyes {
    cameras: Vec<Camera>,
    detectors: Detectors,
    geom_colours: Vec<[f32; 4]>,
    period_ns: i64,
    latency_ns: i64,
    next_ns: i64,
    /// On their way; by rising time.
    arriving: VecDeque<(i64, Arc<Sight>)>,
    normals: Vec<[f64; 3]>,
}

struct Camera {
    name: Arc<str>,
    link: usize,
    link_from_camera: Pose,
    lens: Lens,
}

/// Of its pixels: with more covered it is not worth looking.
const COVERED_SHARE: f64 = 0.98;

impl Eyes {
    pub fn new(world: &PlacedWorld, robot: &Robot, data: &Data) -> Result<Eyes, PhysicsError> {
        let settings = &world.camera;
        check_names(world, robot)?;
        let used = |name: &str| settings.names.as_ref().is_none_or(|names| names.iter().any(|used| used == name));
        let cameras: Vec<Camera> = robot
            .cameras
            .iter()
            .filter(|camera| used(&camera.name))
            .map(|camera| Camera {
                name: camera.name.as_str().into(),
                link: camera.link,
                link_from_camera: camera.link_from_camera,
                lens: Lens::new(settings, camera.horizontal_view_rad, Random::new(world.seed, &camera.name)),
            })
            .collect();
        let things = things(world);
        let mut of_bodies = vec![None; data.model().ffi().nbody as usize];
        for (index, thing) in things.iter().enumerate() {
            let body =
                engine::body(data, &thing.body).map_err(|_| PhysicsError::NoBody { body: thing.body.clone() })?;
            of_bodies[body] = Some(index);
        }
        let of_geoms = data.model().geom_bodyid().iter().map(|body| of_bodies[*body as usize]).collect();
        // Each picture of each camera is one that could be wrong.
        let pictures_hz = settings.rate_hz * cameras.len().max(1) as f64;
        let random = Random::new(world.seed, "detector");
        let detector = SimulatedDetector::new(&world.detector, things, of_geoms, pictures_hz, random);
        let period_ns = (1e9 / settings.rate_hz).round() as i64;
        Ok(Eyes {
            cameras,
            detectors: Detectors::new(vec![Box::new(detector)]),
            geom_colours: colours(data),
            period_ns,
            latency_ns: (settings.latency_s * 1e9).round() as i64,
            next_ns: 0,
            arriving: VecDeque::new(),
            normals: vec![[0.0; 3]; (settings.width * settings.height) as usize],
        })
    }

    pub fn is_due(&self, time_ns: i64) -> bool {
        time_ns >= self.next_ns && !self.cameras.is_empty()
    }

    /// A camera that looks into what is right before it would run through a whole behavior in vain.
    pub fn check_view(&mut self, data: &mut Data, poses: &BodyPoses) -> Result<(), PhysicsError> {
        for camera in &mut self.cameras {
            let (_, geoms, distances_m) = camera.cast(data, poses, &mut self.normals);
            let near_m = camera.lens.near_m();
            let close = |pixel: &usize| geoms[*pixel].is_some() && distances_m[*pixel] < near_m;
            let covered = (0..geoms.len()).filter(close).count();
            if covered as f64 > COVERED_SHARE * geoms.len() as f64 {
                let thing = geoms[geoms.len() / 2].or_else(|| geoms.iter().flatten().next().copied());
                let body = thing.map_or(0, |geom| data.model().geom_bodyid()[geom] as usize);
                let what = engine::body_name(data, body).to_owned();
                let why = format!("{what} is nearer than {near_m} m before nearly all of it");
                return Err(PhysicsError::NoView { camera: camera.name.to_string(), why });
            }
        }
        Ok(())
    }

    /// Takes the pictures that are due. A blind camera takes none.
    pub fn look(&mut self, data: &mut Data, poses: &BodyPoses, time_ns: i64, is_blind: impl Fn(&str) -> bool) {
        while self.next_ns <= time_ns {
            self.next_ns += self.period_ns;
        }
        for camera in &mut self.cameras {
            if is_blind(&camera.name) {
                continue;
            }
            let (world_from_camera, geoms, distances_m) = camera.cast(data, poses, &mut self.normals);
            let hits = Hits {
                geoms: &geoms,
                distances_m: &distances_m,
                normals: &self.normals,
                geom_colours: &self.geom_colours,
            };
            let picture = camera.lens.picture(&camera.name, time_ns, &world_from_camera, &hits);
            let sight = Arc::new(self.detectors.see(&picture));
            self.arriving.push_back((time_ns.saturating_add(self.latency_ns), sight));
        }
    }

    pub fn arrived(&mut self, time_ns: i64) -> Vec<Arc<Sight>> {
        let due = self.arriving.iter().take_while(|(arrives_ns, _)| *arrives_ns <= time_ns).count();
        self.arriving.drain(..due).map(|(_, sight)| sight).collect()
    }

    pub fn configure(&mut self, settings: &DetectorSettings) {
        self.detectors.configure(settings);
    }
}

impl Camera {
    /// Where it is, and what is before each of its pixels, no further than it reaches.
    fn cast(
        &mut self,
        data: &mut Data,
        poses: &BodyPoses,
        normals: &mut [[f64; 3]],
    ) -> (Pose, Vec<Option<usize>>, Vec<f64>) {
        let world_from_camera = poses.world_from_link(self.link) * self.link_from_camera;
        let from_m: [f64; 3] = world_from_camera.translation_m().into();
        let reach_m = self.lens.far_m();
        let mut groups = [1; 6];
        groups[UNSEEN_GROUP] = 0;
        let rays = self.lens.aim(&world_from_camera);
        let (geoms, distances_m) = engine::cast(data, &from_m, rays, (&groups, reach_m), normals);
        (world_from_camera, geoms, distances_m)
    }
}

fn check_names(world: &PlacedWorld, robot: &Robot) -> Result<(), PhysicsError> {
    let blinded = world.disturbances.iter().filter_map(|disturbance| match &disturbance.deed {
        Deed::BlindCamera { camera } => camera.as_deref(),
        _ => None,
    });
    let mut asked = world.camera.names.iter().flatten().map(String::as_str).chain(blinded);
    match asked.find(|name| !robot.cameras.iter().any(|camera| camera.name == **name)) {
        None => Ok(()),
        Some(name) => Err(PhysicsError::NoCamera {
            robot: robot.name.clone(),
            camera: name.to_owned(),
            known: robot.cameras.iter().map(|camera| camera.name.clone()).collect(),
        }),
    }
}

/// Where a geom has a material, that decides.
fn colours(data: &Data) -> Vec<[f32; 4]> {
    let model = data.model();
    let of_materials = model.mat_rgba();
    let own = model.geom_rgba().iter().zip(model.geom_matid());
    own.map(|(own, material)| {
        usize::try_from(*material).ok().and_then(|id| of_materials.get(id)).copied().unwrap_or(*own)
    })
    .collect()
}
