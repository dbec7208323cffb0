use std::collections::BTreeSet;
use std::sync::Arc;

use geometry::Pose;
use serde::{Deserialize, Serialize};

use crate::control::Controller;
use crate::interface::{
    Command, CommandId, Footstep, HandPath, HandWaypoint, Order, Phase, Queueing, Reach, Refusal, RobotState,
};
use crate::own_touch::are_near;
use crate::{BodyFrame, Chain, IkSettings, IkSolver, PartName, Robot, Side};

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
    /// Why the step would not be begun, though it can be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The links of its own body that it would drive into each other, where that is why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touches: Option<[String; 2]>,
    /// The body on its way, for who draws it.
    #[serde(skip)]
    pub samples: Vec<Sample>,
}

/// The whole robot at a moment of the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub time_s: f64,
    pub positions: Vec<f64>,
    pub world_from_base: Pose,
    /// The hand is where its path wants it to be.
    pub reached: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandTrace {
    pub side: Side,
    #[serde(with = "exact_list")]
    pub world_from_hand: Vec<Pose>,
}

/// Coarse: a preview is looked at, not followed.
const STEP_NS: i64 = 20_000_000;
const STEP_S: f64 = STEP_NS as f64 * 1e-9;
/// Steps between two poses that are kept of a hand.
const KEEP_EVERY: usize = 5;
/// A motion that takes longer is shown as far as this.
const MOST_STEPS: usize = 60_000;
/// A hand that cannot get where it should may never rest there.
const SETTLING_STEPS: usize = 50;
/// A hand that moves less than this does not move.
const MOVED_M: f64 = 1e-4;
const MOVED_RAD: f64 = 1e-3;

impl Preview {
    /// What an order would do to a robot in a state, among objects. An error says why it would not be done.
    pub fn of<'a>(
        robot: &Arc<Robot>,
        state: &RobotState,
        objects: impl Iterator<Item = (&'a str, &'a Pose)>,
        order: &Order,
    ) -> Result<Preview, String> {
        let mut controller = Controller::new(robot.clone(), &state.positions, &state.world_from_base);
        objects.for_each(|(name, world_from_object)| controller.place_frame(name, world_from_object));
        let tried = match order {
            Order::Hand(path) => try_path(&mut controller, state, path),
            _ => Vec::new(),
        };
        let id = CommandId(1);
        let command = Command { id, queueing: Queueing::Override, order: order.clone() };
        controller.command(&command).map_err(|Refusal(reason)| reason)?;
        let mut shown = Shown::new(robot);
        shown.look(&mut controller, (0.0, &tried));
        let (mut steps, mut settling) = (0, 0);
        while let Some(progress) = progress(&controller, id)? {
            settling += usize::from(progress >= 1.0);
            if steps == MOST_STEPS || settling > SETTLING_STEPS {
                break;
            }
            controller.step(STEP_NS);
            steps += 1;
            if steps % KEEP_EVERY == 0 {
                shown.look(&mut controller, (steps as f64 * STEP_S, &tried));
            }
        }
        shown.look(&mut controller, (steps as f64 * STEP_S, &tried));
        let footsteps = if let Order::Footsteps { steps } = order { steps.clone() } else { Vec::new() };
        Ok(Preview {
            duration_s: steps as f64 * STEP_S,
            goal: controller.desired().positions.clone(),
            world_from_base: controller.desired().world_from_base,
            collisions: shown.collisions(),
            hand_paths: shown.hands.into_iter().filter(HandTrace::moves).collect(),
            footsteps,
            quality: tried.iter().map(|tried| tried.quality).fold(0.0, f64::max),
            refused: None,
            touches: None,
            samples: shown.samples,
        })
    }
}

/// None: it has ended.
fn progress(controller: &Controller, id: CommandId) -> Result<Option<f64>, String> {
    match controller.statuses().into_iter().find(|status| status.id == id).map(|status| status.phase) {
        Some(Phase::Queued) => Ok(Some(0.0)),
        Some(Phase::Running { progress }) => Ok(Some(progress)),
        Some(Phase::Failed { reason } | Phase::Refused { reason }) => Err(reason),
        Some(Phase::Done | Phase::Ended { .. }) | None => Ok(None),
    }
}

/// What is kept of the body on its way.
struct Shown<'a> {
    robot: &'a Robot,
    hands: [HandTrace; 2],
    touching: BTreeSet<[usize; 2]>,
    samples: Vec<Sample>,
}

impl<'a> Shown<'a> {
    fn new(robot: &'a Robot) -> Shown<'a> {
        let hands = Side::BOTH.map(|side| HandTrace { side, world_from_hand: Vec::new() });
        Shown { robot, hands, touching: BTreeSet::new(), samples: Vec::new() }
    }

    fn look(&mut self, controller: &mut Controller, (time_s, tried): (f64, &[Tried])) {
        // Behind the end of its path the hand stays there.
        let wanted = tried.iter().find(|tried| tried.time_s >= time_s - 1e-9).or(tried.last());
        self.samples.push(Sample {
            time_s,
            positions: controller.desired().positions.clone(),
            world_from_base: controller.desired().world_from_base,
            reached: wanted.is_none_or(|wanted| wanted.quality <= 1.0),
        });
        let poses = controller.poses();
        for hand in &mut self.hands {
            hand.world_from_hand.push(poses.world_from(BodyFrame::Hand(hand.side)));
        }
        let contacts = self.robot.collision_model().self_collisions(poses.link_poses());
        self.touching.extend(contacts.into_iter().map(|contact| contact.links));
    }

    /// By name. Fingers that touch their own hand are a grip, not a collision, and so is an elbow that is bent.
    fn collisions(&self) -> Vec<(String, String)> {
        let description = &self.robot.description;
        let hand_of = |link: usize| {
            let parent = |link: &usize| link.checked_sub(1).map(|joint| description.joints[joint].parent);
            let upward = std::iter::successors(Some(link), parent).collect::<Vec<_>>();
            let wrist = |side: &Side| self.robot.part(PartName::Hand(*side)).map(|hand| hand.base);
            Side::BOTH.iter().position(|side| wrist(side).is_some_and(|wrist| upward.contains(&wrist)))
        };
        let collides = |[one, two]: &&[usize; 2]| {
            !are_near(self.robot, [*one, *two]) && (hand_of(*one).is_none() || hand_of(*one) != hand_of(*two))
        };
        let name = |link: usize| description.links[link].name.clone();
        self.touching.iter().filter(collides).map(|[one, two]| (name(*one), name(*two))).collect()
    }
}

impl HandTrace {
    fn moves(&self) -> bool {
        self.world_from_hand.iter().any(|pose| {
            let way = self.world_from_hand[0].distance(pose);
            way.position_m > MOVED_M || way.angle_rad > MOVED_RAD
        })
    }
}

/// Near enough to grasp by.
const SHOWN_IK: IkSettings = IkSettings { position_tolerance_m: 5e-3, angle_tolerance_rad: 0.02, restarts: 0, seed: 1 };
/// Between the poses of a path that are tried.
const TRIED_EVERY_M: f64 = 0.05;
const TRIED_EVERY_RAD: f64 = 0.2;

/// A pose of a hand path that was tried.
struct Tried {
    /// When the hand is to be there.
    time_s: f64,
    /// 0–1 good, above 1 not reached.
    quality: f64,
}

/// From where the hand is, along its path. Nothing where there is no such arm: the controller tells that.
fn try_path(controller: &mut Controller, state: &RobotState, path: &HandPath) -> Vec<Tried> {
    let world_from_frame = controller.world_from_frame(&path.frame).ok();
    let robot = controller.robot().clone();
    let poses = controller.poses();
    let part = match path.reach {
        Reach::Arm => PartName::Arm(path.side),
        Reach::ArmAndSpine => PartName::Spine,
    };
    let hand = robot.frames.hands[path.side.index()];
    let base = robot.part(part).map(|part| part.base);
    let chain = base.and_then(|base| Chain::new(&robot.model, base, hand).ok().map(|chain| (base, chain)));
    let (Some((base, chain)), Some(world_from_frame)) = (chain, world_from_frame) else { return Vec::new() };
    let mut solver = IkSolver::new(chain, SHOWN_IK);
    let mut positions = solver.chain().pick(&state.positions);
    let base_from_world = poses.world_from_link(base).inverse();
    let mut before = base_from_world * poses.world_from_link(hand);
    let (mut found, mut begun_s) = (Vec::new(), 0.0);
    for HandWaypoint { frame_from_hand, time_s } in &path.waypoints {
        let next = base_from_world * world_from_frame * *frame_from_hand;
        let way = before.distance(&next);
        let tries = (way.position_m / TRIED_EVERY_M).max(way.angle_rad / TRIED_EVERY_RAD).ceil().clamp(1.0, 1000.0);
        for tried in 1..=tries as usize {
            let share = tried as f64 / tries;
            let base_from_hand = before.interpolate(&next, share);
            let quality = solver.solve(&base_from_hand, &mut positions).quality;
            found.push(Tried { time_s: begun_s + share * (time_s - begun_s), quality });
        }
        (before, begun_s) = (next, *time_s);
    }
    found
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
