use std::sync::Arc;

use geometry::{Pose, Vector3};
use recording::Report;
use robot::control::Controller;
use robot::interface::{
    Capabilities, Command, Fault, FootState, Mode, Refusal, RobotState, Vitals, WalkingState, Wrench,
};
use robot::{BodyPoses, Robot, Side};
use scene::{DetectorSettings, Sight};
use site::{Clock, Driver, Event, Solid};

use super::balance::{Support, Watch};
use super::body::{Aim, Body};
use super::disturb::{Disturbances, Seen};
use super::engine::{self, Data};
use super::eyes::Eyes;
use super::furniture::Furniture;
use super::judge::Judge;
use super::line::Line;
use super::solids::Solids;
use super::touch::{self, Touch};
use super::truths::{Contacts, Stance, Truths};
use super::{Balance, PHYSICS_PERIOD_NS, PhysicsError, TruthSeen, WorldNote};
use crate::fault::FaultPlan;
use crate::mjcf::{RobotNames, scene_mjcf};
use crate::sight::SimulatedDetector;
use crate::world::PlacedWorld;

const DT_S: f64 = PHYSICS_PERIOD_NS as f64 * 1e-9;
/// Things come to rest before the run begins.
const SETTLE_STEPS: usize = 100;
/// Deeper than this in something at the start, it is meant to be elsewhere.
const INSIDE_M: f64 = 0.003;
/// A joint this far from where it should be, for this long, is told. Fingers are closed on things on purpose.
const AWAY_RAD: f64 = 0.15;
const AWAY_S: f64 = 0.5;

/// A robot with weight and motors in a world that pushes back. Its feet go where the walking generator has them and its
/// pelvis is carried: balance is assumed, and what it would take is watched.
pub struct PhysicsRobot {
    robot: Arc<Robot>,
    world: PlacedWorld,
    controller: Controller,
    line: Line,
    data: Data,
    body: Body,
    touch: Touch,
    watch: Watch,
    judge: Judge,
    furniture: Furniture,
    disturbances: Disturbances,
    truths: Truths,
    /// Closed until someone wants to see.
    eyes: Option<Eyes>,
    solids: Solids,
    hand_bodies: [usize; 2],
    /// Of joints of the world, by someone else: where, and N·m or N.
    worked: Vec<(usize, f64)>,
    poses: BodyPoses,
    positions: Vec<f64>,
    velocities: Vec<f64>,
    efforts: Vec<f64>,
    world_from_base: Pose,
    away_s: Vec<f64>,
    broken: bool,
    time_ns: i64,
    state: Arc<RobotState>,
}

impl PhysicsRobot {
    pub fn new(world: PlacedWorld, robot: Arc<Robot>, plan: &FaultPlan) -> Result<PhysicsRobot, PhysicsError> {
        plan.check(&robot)?;
        let positions = start(&world, &robot)?;
        let mut poses = BodyPoses::new(robot.clone());
        let world_from_base = world.world_from_walking * poses.stand(&positions);
        let mut controller = Controller::new(robot.clone(), &positions, &world_from_base);
        controller.must_balance();
        let positions = controller.desired().positions.clone();

        let apart = touching_at_start(&world, &robot, &positions, &world_from_base)?;
        let mut data = open(&world, &robot, &world_from_base, &apart)?;
        let body = Body::new(&robot, &data)?;
        body.place(&robot, &mut data, &positions, &world_from_base)?;
        let furniture = Furniture::new(&world, &mut data)?;
        data.forward();
        let judge = Judge::new(&robot, &data)?;
        not_inside(&judge, &mut data)?;
        let hand_bodies = hand_bodies(&robot, &data)?;
        let count = positions.len();
        let mut simulated = PhysicsRobot {
            line: Line::new(plan, &robot, &positions),
            touch: Touch::new(&data, &robot, DT_S)?,
            watch: Watch::new(DT_S),
            judge,
            disturbances: Disturbances::new(&world, &data)?,
            truths: Truths::new(&world, &robot, &data)?,
            furniture,
            eyes: None,
            solids: Solids::new(&data),
            hand_bodies,
            worked: Vec::new(),
            poses,
            velocities: vec![0.0; count],
            efforts: vec![0.0; count],
            away_s: vec![0.0; count],
            positions,
            world_from_base,
            broken: false,
            time_ns: 0,
            state: Arc::new(nothing_known(count)),
            controller,
            world,
            body,
            data,
            robot,
        };
        for _ in 0..SETTLE_STEPS {
            simulated.step_physics(&world_from_base);
        }
        simulated.watch = Watch::new(DT_S);
        simulated.disturbances = Disturbances::new(&simulated.world, &simulated.data)?;
        simulated.truths = Truths::new(&simulated.world, &simulated.robot, &simulated.data)?;
        simulated.tell();
        Ok(simulated)
    }

    pub fn world(&self) -> &PlacedWorld {
        &self.world
    }

    /// All of the world but the robot, where it is now.
    pub fn solids(&self) -> Vec<Solid> {
        self.solids.now(&self.data)
    }

    /// How near it came to falling.
    pub fn balance(&self) -> Balance {
        self.watch.balance
    }

    /// Why the run has failed.
    pub fn fallen(&self) -> Option<&str> {
        if self.broken {
            return Some("the physics got out of hand: something in the world is too stiff, too light or too fast");
        }
        self.watch.fall.as_deref().or(self.judge.fall.as_deref())
    }

    /// What became of all that the world file expects.
    pub fn truths(&self) -> Vec<TruthSeen> {
        self.truths.seen()
    }

    /// What has happened to the world since this was last called.
    pub fn take_notes(&mut self) -> Vec<WorldNote> {
        let note = |(time_s, text): (f64, String)| WorldNote { time_ns: (time_s * 1e9).round() as i64, text };
        self.disturbances.notes.drain(..).map(note).collect()
    }

    /// From now on the cameras take pictures, the first at once.
    pub fn open_eyes(&mut self) -> Result<(), PhysicsError> {
        let mut eyes = Eyes::new(&self.world, &self.robot, &self.data)?;
        self.poses.place(&self.positions, &self.world_from_base);
        eyes.check_view(&mut self.data, &self.poses)?;
        self.eyes = Some(eyes);
        self.look();
        Ok(())
    }

    /// All that is there, and where each camera is.
    #[cfg(test)]
    pub(super) fn views(&mut self) -> Vec<(&Data, Pose)> {
        self.poses.place(&self.positions, &self.world_from_base);
        let cameras = self.robot.cameras.iter();
        let place = |camera: &robot::Camera| self.poses.world_from_link(camera.link) * camera.link_from_camera;
        cameras.map(|camera| (&self.data, place(camera))).collect()
    }

    fn look(&mut self) {
        let Some(eyes) = self.eyes.as_mut().filter(|eyes| eyes.is_due(self.time_ns)) else { return };
        self.poses.place(&self.positions, &self.world_from_base);
        let disturbances = &self.disturbances;
        eyes.look(&mut self.data, &self.poses, self.time_ns, |camera| disturbances.is_blind(camera));
    }

    /// The truth about the world, which no behavior sees: where a body is, `door/handle`.
    pub fn world_from_body(&self, body: &str) -> Option<Pose> {
        engine::body(&self.data, body).ok().map(|body| engine::world_from_body(&self.data, body))
    }

    /// The truth about a joint of the world: `door/hinge`; rad or m.
    pub fn world_joint(&self, joint: &str) -> Option<f64> {
        engine::joint(&self.data, joint).ok().map(|at| self.data.qpos()[at.position])
    }

    /// Someone else works a joint of the world with this effort, N·m or N, until told otherwise. False: there is none.
    pub fn work_joint(&mut self, joint: &str, effort: f64) -> bool {
        let Ok(at) = engine::joint(&self.data, joint) else { return false };
        self.worked.retain(|(dof, _)| *dof != at.velocity);
        self.worked.push((at.velocity, effort));
        true
    }

    /// How many contacts a hand has with things of the world.
    pub fn hand_contacts(&self, side: Side) -> usize {
        self.touch.count(&self.data, side)
    }

    pub fn is_latched(&self, door: &str) -> Option<bool> {
        self.furniture.door(door).map(|door| door.latched)
    }

    pub fn is_blind(&self, camera: &str) -> bool {
        self.disturbances.is_blind(camera)
    }

    /// From where each joint should be to where it is.
    pub fn tracking_errors(&self) -> impl Iterator<Item = f64> {
        self.positions.iter().zip(&self.controller.desired().positions).map(|(is, wanted)| is - wanted)
    }

    fn time_s(&self) -> f64 {
        self.time_ns as f64 * 1e-9
    }

    fn step(&mut self) {
        let before = self.controller.desired().world_from_base;
        for command in self.line.arrived(self.time_ns) {
            // The sender has gone on: a refusal is told by the state.
            let _ = self.line.take(&mut self.controller, &command, self.time_ns);
        }
        self.controller.step(PHYSICS_PERIOD_NS);
        self.time_ns += PHYSICS_PERIOD_NS;
        self.line.bend(self.time_s(), DT_S, self.controller.desired());
        self.step_physics(&before);
        self.watch_balance();
        self.watch_body();
        self.watch_truths();
        let desired = &self.controller.desired().positions;
        for ((away_s, is), wanted) in self.away_s.iter_mut().zip(&self.positions).zip(desired) {
            *away_s = if (is - wanted).abs() > AWAY_RAD { *away_s + DT_S } else { 0.0 };
        }
        self.look();
    }

    fn step_physics(&mut self, before: &Pose) {
        let time_s = self.time_s();
        let hands = self.hand_bodies.map(|body| engine::world_from_body(&self.data, body));
        let hands_m = hands.map(|world_from_hand| world_from_hand.translation_m());
        self.data.qfrc_applied_mut().fill(0.0);
        for (dof, effort) in &self.worked {
            self.data.qfrc_applied_mut()[*dof] = *effort;
        }
        self.furniture.step(&mut self.data, time_s);
        let seen = Seen { time_s, hands_m, hand_bodies: self.hand_bodies, furniture: &self.furniture };
        self.disturbances.step(&mut self.data, &seen);
        let pushes = Side::BOTH.map(|side| {
            let mut push = self.line.hand_wrench(side, time_s, &hands[side.index()]);
            push.force_n += self.disturbances.pushes_n[side.index()];
            push
        });
        for ((body, at_m), push) in self.hand_bodies.into_iter().zip(hands_m).zip(&pushes) {
            engine::push(&mut self.data, body, at_m, push);
        }
        let (positions, velocities) = self.line.aim(self.controller.desired());
        let aim = Aim { positions, velocities, limits: self.line.limits(), before: *before, dt_s: DT_S };
        if Side::BOTH.into_iter().any(|side| self.controller.pressing(side).is_some()) {
            self.poses.place(&self.positions, &self.world_from_base);
        }
        self.body.drive(&mut self.data, &self.controller, &self.poses, &aim);
        let began_s = self.data.time();
        self.data.step();
        // MuJoCo starts the world anew when a number is none.
        self.broken |= self.data.time() <= began_s;
        let hands_m = self.hand_bodies.map(|body| Vector3::from(self.data.xpos()[body]));
        self.touch.see(&self.data, self.world_from_base.translation_m(), hands_m, pushes);
        self.world_from_base = self.body.world_from_base(&self.data);
        self.body.measure(&self.data, &mut self.positions, &mut self.velocities, &mut self.efforts);
    }

    fn watch_balance(&mut self) {
        let carried = self.body.carried(&self.data, &self.touch.whole, &self.world_from_base);
        let soles = self.robot.frames.soles;
        let standing = Side::BOTH.into_iter().filter(|side| self.controller.in_contact(*side)).collect::<Vec<_>>();
        let poses = self.controller.poses();
        let on_ground: Vec<Pose> = standing.iter().map(|side| poses.world_from_link(soles[side.index()])).collect();
        // A robot without legs stands on what carries it.
        if on_ground.is_empty() {
            return;
        }
        let walking = &self.robot.walking;
        let support = Support::new(&on_ground, (walking.foot_length_m, walking.foot_width_m));
        let had_fallen = self.watch.fall.is_some();
        self.watch.see(&carried, self.world_from_base.translation_m(), &support, DT_S);
        if let Some(fall) = self.watch.fall.as_mut().filter(|_| !had_fallen) {
            self.controller.stop();
            if let Some(pushed) = self.judge.pushed_by(&self.data) {
                *fall = format!("{fall}; {pushed}");
            }
        }
    }

    fn watch_body(&mut self) {
        let standing = Side::BOTH.map(|side| self.controller.in_contact(side));
        if self.judge.step(&mut self.data, standing) && self.watch.fall.is_none() {
            self.controller.stop();
        }
    }

    fn watch_truths(&mut self) {
        if self.world.expected.is_empty() {
            return;
        }
        let hands_m = self.hand_bodies.map(|body| Vector3::from(self.data.xpos()[body]));
        let time_s = self.time_s();
        let seen = Seen { time_s, hands_m, hand_bodies: self.hand_bodies, furniture: &self.furniture };
        let (poses, walking) = (self.controller.poses(), &self.robot.walking);
        let stance = Stance {
            base_m: self.world_from_base.translation_m(),
            world_from_soles: self.robot.frames.soles.map(|sole| poses.world_from_link(sole)),
            foot_m: (walking.foot_length_m, walking.foot_width_m),
        };
        let contacts = Contacts::of(&self.data, &self.judge.touching);
        self.truths.step(&self.data, &contacts, &seen, &stance, &self.disturbances.taken());
    }

    fn tell(&mut self) {
        if self.line.state_is_lost(self.time_s()) {
            return;
        }
        self.poses.place(&self.positions, &self.world_from_base);
        let wrench = |side: Side| {
            let world_from_hand = self.poses.world_from_link(self.robot.frames.hands[side.index()]);
            self.touch.hand(side, &world_from_hand)
        };
        self.state = Arc::new(RobotState {
            time_ns: self.time_ns,
            positions: self.line.read(self.time_s(), &self.positions),
            velocities: self.velocities.clone(),
            efforts: self.efforts.clone(),
            world_from_base: self.world_from_base,
            hand_wrenches: Side::BOTH.map(wrench),
            feet: self.feet(),
            walking: self.controller.walking(),
            commands: self.line.statuses(&self.controller),
            faults: self.faults(),
            mode: if self.fallen().is_some() { Mode::Faulted } else { self.controller.mode() },
            vitals: Vitals { pressure: self.watch.pressure(), ..Vitals::default() },
        });
    }

    fn feet(&self) -> [FootState; 2] {
        let (load_n, shares) = (self.watch.load_n().max(0.0), self.controller.weight_shares());
        Side::BOTH
            .map(|side| FootState { contact: self.controller.in_contact(side), load_n: load_n * shares[side.index()] })
    }

    fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        if let Some(text) = self.fallen() {
            faults.push(Fault { place: "balance".to_owned(), text: text.to_owned() });
        }
        let fingers = |coordinate: usize| {
            let hand = |side| self.robot.part(robot::PartName::Hand(side));
            Side::BOTH.into_iter().filter_map(hand).any(|hand| hand.coordinates.contains(&coordinate))
        };
        let desired = &self.controller.desired().positions;
        for (coordinate, away_s) in self.away_s.iter().enumerate() {
            if *away_s > AWAY_S && !fingers(coordinate) {
                let away_deg = (self.positions[coordinate] - desired[coordinate]).to_degrees();
                let place = self.robot.model.coordinates()[coordinate].name.clone();
                faults.push(Fault { place, text: format!("{away_deg:.1}° from where it should be") });
            }
        }
        faults
    }
}

fn start(world: &PlacedWorld, robot: &Robot) -> Result<Vec<f64>, PhysicsError> {
    let preset = world.preset.as_deref().unwrap_or("home");
    match (robot.configuration(preset), &world.preset) {
        (Some(positions), _) => Ok(positions),
        (None, None) => Ok(robot.model.neutral()),
        (None, Some(preset)) => Err(PhysicsError::NoPreset {
            robot: robot.name.clone(),
            preset: preset.clone(),
            known: robot.presets.keys().cloned().collect(),
        }),
    }
}

fn not_inside(judge: &Judge, data: &mut Data) -> Result<(), PhysicsError> {
    let mut pairs = touch::inside(data, INSIDE_M);
    let passed = judge.inside(data, INSIDE_M);
    pairs.extend(passed.iter().map(|inside| (inside.link, inside.thing, inside.deep_m)));
    let plain = |(link, thing, deep_m)| (engine::plain_name(data, link), engine::plain_name(data, thing), deep_m);
    let pairs: Vec<_> = pairs.into_iter().map(plain).collect();
    if pairs.is_empty() { Ok(()) } else { Err(PhysicsError::Inside { pairs }) }
}

fn open(
    world: &PlacedWorld,
    robot: &Robot,
    world_from_base: &Pose,
    apart: &[(String, String)],
) -> Result<Data, PhysicsError> {
    engine::open(&scene_mjcf(world, robot, world_from_base, apart)).map_err(|error| match error {
        PhysicsError::Mjcf { message } => PhysicsError::World { world: world.name.clone(), error: message },
        other => other,
    })
}

/// Links that are drawn into each other would push each other apart.
fn touching_at_start(
    world: &PlacedWorld,
    robot: &Robot,
    positions: &[f64],
    world_from_base: &Pose,
) -> Result<Vec<(String, String)>, PhysicsError> {
    let mut data = open(world, robot, world_from_base, &[])?;
    let body = Body::new(robot, &data)?;
    let mut pairs = Vec::new();
    let neutral = robot.model.neutral();
    let home = robot.configuration("home").unwrap_or_else(|| neutral.clone());
    for positions in [positions, &neutral, &home] {
        body.place(robot, &mut data, positions, world_from_base)?;
        data.forward();
        for pair in touch::own_contacts(&data) {
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    Ok(pairs)
}

/// The palm may be a frame without a body of its own: forces act on what carries it.
fn hand_bodies(robot: &Robot, data: &Data) -> Result<[usize; 2], PhysicsError> {
    let name = |side: Side| RobotNames::of(&robot.description.links[robot.frames.hands[side.index()]].name);
    Ok([engine::body(data, &name(Side::Left))?, engine::body(data, &name(Side::Right))?])
}

fn nothing_known(count: usize) -> RobotState {
    RobotState {
        time_ns: 0,
        positions: vec![0.0; count],
        velocities: vec![0.0; count],
        efforts: vec![0.0; count],
        world_from_base: Pose::identity(),
        hand_wrenches: [Wrench { force_n: Vector3::zeros(), torque_nm: Vector3::zeros() }; 2],
        feet: [FootState::default(); 2],
        walking: WalkingState::default(),
        commands: Vec::new(),
        faults: Vec::new(),
        mode: Mode::default(),
        vitals: Vitals::default(),
    }
}

impl Driver for PhysicsRobot {
    fn robot(&self) -> &Arc<Robot> {
        &self.robot
    }

    fn capabilities(&self) -> &Capabilities {
        self.controller.capabilities()
    }

    fn clock(&self) -> Clock {
        Clock::Given
    }

    fn state(&self) -> &Arc<RobotState> {
        &self.state
    }

    fn command(&mut self, command: &Command) -> Result<(), Refusal> {
        if let Some(why) = self.fallen() {
            return Err(Refusal(why.to_owned()));
        }
        let taken = self.line.command(&mut self.controller, command, self.time_ns);
        self.tell();
        taken
    }

    /// Not delayed by faults of commands: a stop has its own line.
    fn stop(&mut self) {
        self.line.stop();
        self.controller.stop();
        self.tell();
    }

    fn place_frame(&mut self, name: &str, world_from_frame: &Pose) {
        self.controller.place_frame(name, world_from_frame);
    }

    fn hold(&mut self, on: bool) {
        self.controller.hold(on);
    }

    /// As many whole steps as fit.
    fn advance(&mut self, time_ns: i64) {
        while self.time_ns.saturating_add(PHYSICS_PERIOD_NS) <= time_ns {
            self.step();
        }
        self.tell();
    }

    fn open_eyes(&mut self) -> Result<(), String> {
        PhysicsRobot::open_eyes(self).map_err(|error| error.to_string())
    }

    fn take_sights(&mut self) -> Vec<Arc<Sight>> {
        let time_ns = self.time_ns;
        self.eyes.as_mut().map(|eyes| eyes.arrived(time_ns)).unwrap_or_default()
    }

    fn detectors(&self) -> Vec<&str> {
        vec![SimulatedDetector::NAME]
    }

    fn configure_detectors(&mut self, settings: &DetectorSettings) {
        if let Some(eyes) = &mut self.eyes {
            eyes.configure(settings);
        }
    }

    fn take_events(&mut self) -> Vec<Event> {
        let problems = self.eyes.as_mut().map(Eyes::take_problems).unwrap_or_default();
        let mut events: Vec<Event> = problems.into_iter().map(Event::Warning).collect();
        let notes = self.take_notes().into_iter();
        events.extend(notes.map(|WorldNote { time_ns, text }| Event::Note { time_ns, text }));
        events
    }

    fn failure(&self) -> Option<&str> {
        self.fallen()
    }

    fn solids(&self) -> Vec<Solid> {
        PhysicsRobot::solids(self)
    }

    fn sum_up(&self, report: &mut Report) {
        super::report::sum_up(self, report);
    }
}
