//! The robot's cameras in the physics: what their rays meet, when they take pictures and when those arrive.

use std::collections::VecDeque;
use std::sync::Arc;

use geometry::Pose;
use model::Random;
use robot::{BodyPoses, Robot};
use scene::{DetectorSettings, Detectors, Sight};

use super::PhysicsError;
use super::engine::{self, Data};
use crate::mjcf::UNSEEN_GROUP;
use crate::sight::{Form, Hits, Lens, SimulatedDetector, things};
use crate::world::{Deed, PlacedWorld};

pub(super) struct Eyes {
    cameras: Vec<Camera>,
    detectors: Detectors,
    geom_colours: Vec<[f32; 4]>,
    /// Of the geoms that can be seen; None: one of them is of a shape that only MuJoCo knows.
    forms: Option<Vec<(usize, Form)>>,
    period_ns: i64,
    latency_ns: i64,
    next_ns: i64,
    /// On their way; by rising time.
    arriving: VecDeque<(i64, Arc<Sight>)>,
    hits: Hits,
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
                lens: Lens::new(settings, camera.horizontal_view_rad, Random::of_stream(world.seed, &camera.name)),
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
        let random = Random::of_stream(world.seed, "detector");
        let detector = SimulatedDetector::new(&world.detector, things, of_geoms, pictures_hz, random);
        let period_ns = (1e9 / settings.rate_hz).round() as i64;
        Ok(Eyes {
            cameras,
            detectors: Detectors::new(vec![Box::new(detector)]),
            forms: engine::forms(data, UNSEEN_GROUP),
            geom_colours: colours(data),
            period_ns,
            latency_ns: (settings.latency_s * 1e9).round() as i64,
            next_ns: 0,
            arriving: VecDeque::new(),
            hits: Hits::default(),
        })
    }

    pub fn is_due(&self, time_ns: i64) -> bool {
        time_ns >= self.next_ns && !self.cameras.is_empty()
    }

    /// A camera that looks into what is right before it would run through a whole behavior in vain.
    pub fn check_view(&mut self, data: &mut Data, poses: &BodyPoses) -> Result<(), PhysicsError> {
        for camera in &mut self.cameras {
            camera.cast(data, poses, self.forms.as_deref(), &mut self.hits);
            let Hits { geoms, distances_m, .. } = &self.hits;
            let near_m = camera.lens.near_m();
            let close = |pixel: &usize| distances_m[*pixel] < near_m;
            let covered = (0..geoms.len()).filter(close).count();
            if covered as f64 > COVERED_SHARE * geoms.len() as f64 {
                let thing = geoms[geoms.len() / 2].or_else(|| geoms.iter().flatten().next().copied());
                let body = thing.map_or(0, |geom| data.model().geom_bodyid()[geom as usize] as usize);
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
            let world_from_camera = camera.cast(data, poses, self.forms.as_deref(), &mut self.hits);
            let taken = (&camera.name, time_ns);
            let picture = camera.lens.picture(taken, &world_from_camera, &self.hits, &self.geom_colours);
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

    pub fn take_problems(&mut self) -> Vec<String> {
        self.detectors.take_problems()
    }
}

impl Camera {
    /// Where it is; `hits` get what is before each of its pixels, no further than it reaches.
    fn cast(&self, data: &mut Data, poses: &BodyPoses, forms: Option<&[(usize, Form)]>, hits: &mut Hits) -> Pose {
        let world_from_camera = poses.world_from_link(self.link) * self.link_from_camera;
        match forms {
            Some(forms) => {
                let solids = forms.iter().map(|(geom, form)| (*geom as u32, engine::solid(data, *geom, *form)));
                hits.cast(&self.lens.grid, &world_from_camera, solids, self.lens.far_m());
            }
            None => {
                let from_m: [f64; 3] = world_from_camera.translation_m().into();
                let rays = self.lens.world_rays(&world_from_camera);
                *hits = engine::cast(data, &from_m, &rays, UNSEEN_GROUP, self.lens.far_m());
            }
        }
        world_from_camera
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
pub(super) fn colours(data: &Data) -> Vec<[f32; 4]> {
    let model = data.model();
    let of_materials = model.mat_rgba();
    let own = model.geom_rgba().iter().zip(model.geom_matid());
    own.map(|(own, material)| {
        usize::try_from(*material).ok().and_then(|id| of_materials.get(id)).copied().unwrap_or(*own)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use geometry::{Pose, Vector3};

    use site::Driver;

    use super::super::PhysicsWorld;
    use super::*;
    use crate::sight::{Grid, brute};
    use crate::world::World;

    /// What our rays meet is what those of MuJoCo meet.
    #[test]
    fn rays_meet_what_those_of_mujoco_meet() {
        let shapes = r#"<geom type="plane" size="0 0 1"/>
            <geom type="sphere" size="0.2" pos="2 0.5 1"/>
            <geom type="capsule" size="0.1 0.3" pos="2 -0.4 1.1" euler="40 20 10"/>
            <geom type="cylinder" size="0.2 0.1" pos="2.2 0 1.5" euler="70 -30 0"/>
            <geom type="box" size="0.3 0.2 0.1" pos="2.5 0 0.6" euler="10 40 80"/>
            <geom type="box" size="4 0.05 2" pos="1 1.5 1"/>"#;
        let mut data = engine::open(&format!("<mujoco><worldbody>{shapes}</worldbody></mujoco>")).expect("a model");
        data.forward();
        let world_from_camera = Pose::from_axis_angle(Vector3::new(0.1, 0.0, 1.2), Vector3::new(0.02, 0.1, 0.05));
        let grid = Grid::new(96, 72, 1.3);
        let forms = engine::forms(&data, UNSEEN_GROUP).expect("simple shapes");
        let mut ours = Hits::default();
        let solids = forms.iter().map(|(geom, form)| (*geom as u32, engine::solid(&data, *geom, *form)));
        ours.cast(&grid, &world_from_camera, solids, 8.0);
        let turn = world_from_camera.rotation();
        let rays: Vec<[f64; 3]> = grid.rays.iter().map(|ray| (turn * ray).into()).collect();
        let theirs = engine::cast(&mut data, &world_from_camera.translation_m().into(), &rays, UNSEEN_GROUP, 8.0);
        let differ: Vec<_> = (0..rays.len())
            .filter(|pixel| ours.geoms[*pixel] != theirs.geoms[*pixel])
            .map(|pixel| (pixel % 96, pixel / 96, ours.geoms[pixel], theirs.geoms[pixel], theirs.distances_m[pixel]))
            .collect();
        assert!(differ.is_empty(), "{} differ: {:?}", differ.len(), &differ[..differ.len().min(8)]);
        for (pixel, geom) in ours.geoms.iter().enumerate().filter(|(_, geom)| geom.is_some()) {
            let (ours_m, theirs_m) = (ours.distances_m[pixel], theirs.distances_m[pixel]);
            assert!((ours_m - theirs_m).abs() < 1e-6, "{geom:?}: {ours_m} and {theirs_m}");
            assert!((ours.facing[pixel] - theirs.facing[pixel]).abs() < 1e-4, "{geom:?} at {pixel}");
        }
        for geom in 0..6 {
            assert!(ours.geoms.iter().filter(|met| **met == Some(geom)).count() > 20, "geom {geom} is seen");
        }
    }

    /// Every world, from many places: what is shown faster is what every ray against every shape shows, to the last bit.
    #[test]
    fn pictures_of_every_world_are_those_of_every_ray_against_every_shape() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
        let mut files: Vec<_> = std::fs::read_dir(folder).expect("worlds").flatten().map(|file| file.path()).collect();
        files.sort();
        let (mut pictures, mut hits) = (0, Hits::default());
        let drawn = [("coact-one", 1), ("coact-one", 2), ("coact-mini", 3)];
        for (file, (robot, seed)) in files.iter().flat_map(|file| drawn.map(|drawn| (file, drawn))) {
            let json = std::fs::read_to_string(file).expect("a file");
            let world = World::from_json(&file.display().to_string(), &json).expect("a world");
            let robot = Arc::new(Robot::builtin(robot).expect("our own"));
            let mut sim = match PhysicsWorld::open(&world, robot, seed) {
                Ok(sim) => sim,
                Err(PhysicsError::Inside { .. }) => continue,
                Err(error) => panic!("{}: {error}", file.display()),
            };
            let mut random = Random::of_stream(seed, &file.display().to_string());
            for _ in 0..4 {
                for (data, world_from_camera) in sim.views() {
                    let forms = engine::forms(data, UNSEEN_GROUP).expect("simple shapes");
                    let solids = || forms.iter().map(|(geom, form)| (*geom as u32, engine::solid(data, *geom, *form)));
                    let grid = Grid::new(64, 48, 0.6 + 1.2 * random.share());
                    for away in [0.0, 0.05, 0.5, 2.0] {
                        let mut some = || Vector3::from_fn(|_, _| random.normal());
                        let moved = Pose::from_axis_angle(some() * away, some() * away);
                        let world_from_camera = world_from_camera * moved;
                        hits.cast(&grid, &world_from_camera, solids(), 8.0);
                        let expected = brute::cast(&grid, &world_from_camera, solids(), 8.0);
                        assert!(hits == expected, "{} {seed}: {world_from_camera:?}", file.display());
                        pictures += 1;
                    }
                }
                sim.advance(sim.state().time_ns + 100_000_000);
            }
        }
        assert!(pictures > 600, "{pictures} pictures");
    }
}
