//! Where the pelvis goes while the robot walks: as an inverted pendulum that keeps its centre of pressure on the feet.

use geometry::{Pose, Vector3};

use super::pendulum::{self, Course, StepCourse};
use crate::interface::Footstep;
use crate::trajectory::rotation::{about_vertical, exp, log, wrapped_rad, yaw_rad};
use crate::trajectory::{Moment, Quintic};

/// x, y, z, m; yaw; then the turn that is left, about three axes, rad.
pub(crate) type PelvisMoment = [Moment; 7];
const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;
const YAW: usize = 3;

/// From knot to knot without a jump in velocity or acceleration.
#[derive(Clone, Debug)]
pub(crate) struct PelvisPlan {
    segments: Vec<Segment>,
    /// Along x and y; None: as the segments have it.
    level: Option<[Course; 2]>,
    duration_s: f64,
}

#[derive(Clone, Debug)]
struct Segment {
    start_s: f64,
    channels: [Quintic; 7],
}

/// One step, as the pelvis sees it: both feet on the ground, then one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stride<'a> {
    pub world_from_left: Pose,
    pub world_from_landing: Pose,
    pub world_from_support: Pose,
    pub transfer_s: f64,
    pub swing_s: f64,
    /// Of the pelvis above the lower of the feet on the ground.
    pub height_m: f64,
    /// This one and those after it; behind the last it comes to rest between the feet.
    pub steps: &'a [Footstep],
    /// The centre of pressure stays on the feet.
    pub balanced: bool,
    /// Length and width.
    pub foot_m: [f64; 2],
}

/// Of the centre of pressure to the edge of the feet, m: the pelvis is not all that has weight.
const INSET_M: f64 = 0.01;
/// How far the centre of pressure goes from the middle of a foot to heel and toe: of what the other foot goes, and at
/// most of the length of the foot.
const ROLL: f64 = 0.2;
const MOST_ROLL: f64 = 0.32;
/// Without balance: how far the pelvis goes from the middle of the feet to the foot it stands on, in the middle of a
/// swing, and where the swing begins and ends.
const SWAY: f64 = 0.55;
const SWAY_AT_ENDS: f64 = 0.35;
/// Of the acceleration from rest to rest, over the way by the square of the time.
const PEAK: f64 = 5.77;
const MOST_DOWN_M_S2: f64 = 1.5;
/// A transfer or the way to rest gets longer by this until the centre of pressure stays on the feet, this often at most.
const LONGER: f64 = 1.1;
const LONGEST: usize = 20;

impl PelvisPlan {
    pub fn through(knots: &[(f64, PelvisMoment)]) -> PelvisPlan {
        let segment = |pair: &[(f64, PelvisMoment)]| {
            let ((start_s, from), (end_s, to)) = (&pair[0], &pair[1]);
            let channels = std::array::from_fn(|index| Quintic::new(&from[index], &to[index], end_s - start_s));
            Segment { start_s: *start_s, channels }
        };
        let duration_s = knots.last().map_or(0.0, |(time_s, _)| *time_s);
        PelvisPlan { segments: knots.windows(2).map(segment).collect(), level: None, duration_s }
    }

    pub fn to_rest(from: &PelvisMoment, goal: &PelvisMoment, duration_s: f64) -> PelvisPlan {
        PelvisPlan::through(&[(0.0, *from), (duration_s, near(goal, from))])
    }

    /// To rest between the feet from whatever motion, in this time or more.
    pub fn settle(from: &PelvisMoment, goal: &PelvisMoment, ground: &Ground, duration_s: f64) -> PelvisPlan {
        let rate_per_s = pendulum::rate_per_s(goal[Z].position - ground.height_m());
        let plan = |duration_s: f64| {
            let [x, y] = [X, Y].map(|axis| pendulum::to_rest(&from[axis], goal[axis].position, duration_s, rate_per_s));
            let held = (0..2).all(|knot| ground.holds(x.1[knot], y.1[knot]));
            (PelvisPlan { level: Some([x.0, y.0]), ..PelvisPlan::to_rest(from, goal, duration_s) }, held)
        };
        let longer = std::iter::successors(Some(duration_s), |duration_s| Some(duration_s * LONGER)).take(LONGEST);
        longer.map(plan).find(|(_, held)| *held).map_or_else(|| plan(duration_s).0, |(plan, _)| plan)
    }

    /// Through one step, for which [`Stride::with_time`] has found the time; it ends falling towards the foot that lands.
    pub fn over(from: &PelvisMoment, stride: &Stride<'_>) -> PelvisPlan {
        let Stride { transfer_s, swing_s, .. } = *stride;
        let knots = [
            (0.0, *from),
            (transfer_s, stride.knot(from, Part::Leaves)),
            (transfer_s + 0.5 * swing_s, stride.knot(from, Part::Middle)),
            (transfer_s + swing_s, stride.knot(from, Part::Lands)),
        ];
        let level = stride.balanced.then(|| stride.level(from).0);
        PelvisPlan { level, ..PelvisPlan::through(&knots) }
    }

    pub fn duration_s(&self) -> f64 {
        self.duration_s
    }

    pub fn at(&self, time_s: f64) -> PelvisMoment {
        let index = self.segments[1..].partition_point(|segment| segment.start_s <= time_s);
        let segment = &self.segments[index];
        let mut moment = segment.channels.map(|channel| channel.at(time_s - segment.start_s));
        if let Some([x, y]) = &self.level {
            (moment[X], moment[Y]) = (x.at(time_s), y.at(time_s));
        }
        moment
    }
}

#[derive(Clone, Copy)]
enum Part {
    Leaves,
    Middle,
    Lands,
}

/// Feet at heights further apart than this are on different levels.
const UNEVEN_M: f64 = 0.03;

impl<'a> Stride<'a> {
    pub fn is_uneven(&self) -> bool {
        let heights_m = [self.world_from_left, self.world_from_support, self.world_from_landing]
            .map(|world_from_sole| world_from_sole.translation_m().z);
        let [low_m, high_m] = [
            heights_m.into_iter().fold(f64::INFINITY, f64::min),
            heights_m.into_iter().fold(f64::NEG_INFINITY, f64::max),
        ];
        high_m - low_m > UNEVEN_M
    }

    /// With a transfer long enough for the weight to come over the foot that stays.
    #[must_use]
    pub fn with_time(mut self, from: &PelvisMoment) -> Stride<'a> {
        if !self.balanced {
            return self;
        }
        let ground = Ground { soles: [self.world_from_left, self.world_from_support], foot_m: self.foot_m };
        // Lowered faster, the feet would lose their load.
        let lower_m = (from[Z].position - ground.height_m() - self.height_m).abs();
        self.transfer_s = self.transfer_s.max((PEAK * lower_m / MOST_DOWN_M_S2).sqrt());
        // One that is already falling towards the foot cannot wait: where no time does, the least bad.
        let (mut best_s, mut least) = (self.transfer_s, f64::INFINITY);
        for _ in 0..LONGEST {
            let (_, [x_m, y_m]) = self.level(from);
            let outside = ground.outside(x_m, y_m);
            if outside < least {
                (best_s, least) = (self.transfer_s, outside);
            }
            if outside <= 1.0 {
                break;
            }
            self.transfer_s *= LONGER;
        }
        self.transfer_s = best_s;
        self
    }

    /// Along x and y, and the centre of pressure half way through the transfer.
    fn level(&self, from: &PelvisMoment) -> ([Course; 2], [f64; 2]) {
        let rate_per_s = pendulum::rate_per_s(self.height_m);
        let pressure = self.pressure();
        let capture_m = self.capture_m(&pressure, rate_per_s);
        let [x, y] = [X, Y].map(|axis| {
            let step = StepCourse {
                support_m: pressure.map(|place_m| place_m[axis]),
                capture_m: capture_m[axis],
                transfer_s: self.transfer_s,
                swing_s: self.swing_s,
            };
            step.solve(&from[axis], rate_per_s)
        });
        ([x.0, y.0], [x.1, y.1])
    }

    /// On the foot that stays, when the other one leaves and when it lands. From heel to toe: the legs reach further.
    fn pressure(&self) -> [Vector3<f64>; 2] {
        let [left_m, support_m, landing_m] =
            [self.world_from_left, self.world_from_support, self.world_from_landing].map(|pose| pose.translation_m());
        let forward = self.world_from_support.transform_vector(&Vector3::x());
        let most_m = MOST_ROLL * self.foot_m[0];
        let roll_m = (ROLL * (landing_m - left_m).dot(&forward)).clamp(-most_m, most_m);
        [support_m - forward * roll_m, support_m + forward * roll_m]
    }

    /// Where the mass would come to rest when the foot lands, so that each step after this one can be taken with the
    /// centre of pressure going straight from foot to foot.
    fn capture_m(&self, pressure: &[Vector3<f64>; 2], rate_per_s: f64) -> Vector3<f64> {
        let [_, lands_m] = pressure;
        let before = |wanted_m: Vector3<f64>, from_m: &Vector3<f64>, to_m: &Vector3<f64>, duration_s: f64| {
            wanted_m.zip_zip_map(from_m, to_m, |wanted_m, from_m, to_m| {
                pendulum::capture_before_m(wanted_m, [from_m, to_m], duration_s, rate_per_s)
            })
        };
        let Some(next) = self.next() else {
            let rest_m = (self.world_from_support.translation_m() + self.world_from_landing.translation_m()) * 0.5;
            return before(rest_m, lands_m, &rest_m, self.transfer_s);
        };
        let next_pressure = next.pressure();
        let [lifts_m, next_lands_m] = &next_pressure;
        let lifted_m = before(next.capture_m(&next_pressure, rate_per_s), lifts_m, next_lands_m, next.swing_s);
        before(lifted_m, lands_m, lifts_m, next.transfer_s)
    }

    /// As asked for, as far ahead as it matters.
    fn next(&self) -> Option<Stride<'a>> {
        let (step, next) = (self.steps.first()?, self.steps.get(1)?);
        let stays = if next.side == step.side { self.world_from_support } else { self.world_from_landing };
        let leaves = if next.side == step.side { self.world_from_landing } else { self.world_from_support };
        Some(Stride {
            world_from_left: leaves,
            world_from_landing: next.world_from_sole,
            world_from_support: stays,
            transfer_s: next.transfer_s,
            swing_s: next.swing_s,
            steps: &self.steps[1..],
            ..*self
        })
    }

    fn knot(&self, from: &PelvisMoment, part: Part) -> PelvisMoment {
        let step_s = self.transfer_s + self.swing_s;
        let (time_s, sway, sway_direction) = match part {
            Part::Leaves => (0.5 * self.transfer_s, SWAY_AT_ENDS, 1.0),
            Part::Middle => (0.5 * step_s, SWAY, 0.0),
            Part::Lands => (step_s - 0.5 * self.transfer_s, SWAY_AT_ENDS, -1.0),
        };
        let share = time_s / step_s;
        let [left, landing, support] =
            [self.world_from_left, self.world_from_landing, self.world_from_support].map(|pose| pose.translation_m());
        let (before, after) = ((left + support) * 0.5, (support + landing) * 0.5);
        let sideways = support - (before + after) * 0.5;
        let sway_rate = sway_direction * 3.0 * (SWAY - SWAY_AT_ENDS) / self.swing_s;
        let position = before.lerp(&after, share) + sideways * sway;
        let velocity = (after - before) / step_s + sideways * sway_rate;
        let moving = |position, velocity| Moment { position, velocity, acceleration: 0.0 };

        // Upright: tilted as it was told to stand, the legs would reach less far.
        let mut knot = from.map(|_| Moment::rest(0.0));
        knot[X] = moving(position.x, velocity.x);
        knot[Y] = moving(position.y, velocity.y);
        let (low, high) = (left.z.min(support.z) + self.height_m, support.z.min(landing.z) + self.height_m);
        knot[Z] = match part {
            Part::Leaves => Moment::rest(low),
            // Halfway of the smoothest way from rest to rest.
            Part::Middle => moving(0.5 * (low + high), 1.875 * (high - low) / self.swing_s),
            Part::Lands => Moment::rest(high),
        };
        let first_rad = nearest(mean_yaw_rad(&self.world_from_left, &self.world_from_support), from[YAW].position);
        let last_rad = nearest(mean_yaw_rad(&self.world_from_support, &self.world_from_landing), first_rad);
        knot[YAW] = moving(first_rad + (last_rad - first_rad) * share, (last_rad - first_rad) / step_s);
        knot
    }
}

/// Two feet on the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    pub soles: [Pose; 2],
    /// Length and width.
    pub foot_m: [f64; 2],
}

impl Ground {
    fn height_m(&self) -> f64 {
        self.soles[0].translation_m().z.min(self.soles[1].translation_m().z)
    }

    /// Whether the centre of pressure may be there: near the line from the middle of one foot to that of the other.
    fn holds(&self, x_m: f64, y_m: f64) -> bool {
        self.outside(x_m, y_m) <= 1.0
    }

    /// From that line; at 1 it is as far away as it may be.
    fn outside(&self, x_m: f64, y_m: f64) -> f64 {
        let [length_m, width_m] = self.foot_m.map(|size_m| 0.5 * size_m - INSET_M);
        let turn = about_vertical(-yaw_rad(&self.soles[1].rotation()));
        // A foot is longer than wide: along it distances count less.
        let seen = |x_m: f64, y_m: f64| {
            let turned = turn * Vector3::new(x_m, y_m, 0.0);
            nalgebra::Vector2::new(turned.x / length_m, turned.y / width_m)
        };
        let [from, to] = self.soles.map(|sole| seen(sole.translation_m().x, sole.translation_m().y));
        let (along, away) = (to - from, seen(x_m, y_m) - from);
        let share = (away.dot(&along) / along.norm_squared().max(1e-9)).clamp(0.0, 1.0);
        (away - along * share).norm()
    }
}

/// Where it stands with both feet on the ground; what it was turned beside its yaw it keeps.
pub(crate) fn standing(soles: &[Pose; 2], height_m: f64, from: &PelvisMoment) -> PelvisMoment {
    let [left_m, right_m] = soles.map(|sole| sole.translation_m());
    let mut goal = from.map(|moment| Moment::rest(moment.position));
    goal[X] = Moment::rest(0.5 * (left_m.x + right_m.x));
    goal[Y] = Moment::rest(0.5 * (left_m.y + right_m.y));
    goal[Z] = Moment::rest(left_m.z.min(right_m.z) + height_m);
    goal[YAW] = Moment::rest(mean_yaw_rad(&soles[0], &soles[1]));
    goal
}

/// Above one foot, for as long as the other is in the air.
pub(crate) fn above(support: &Pose, height_m: f64, from: &PelvisMoment) -> PelvisMoment {
    let support_m = support.translation_m();
    let mut goal = from.map(|moment| Moment::rest(moment.position));
    goal[X] = Moment::rest(support_m.x);
    goal[Y] = Moment::rest(support_m.y);
    goal[Z] = Moment::rest(support_m.z + height_m);
    goal
}

pub(crate) fn world_from_pelvis(moment: &PelvisMoment) -> Pose {
    let [x, y, z, yaw, tilt_x, tilt_y, tilt_z] = moment.map(|channel| channel.position);
    Pose::new(Vector3::new(x, y, z), about_vertical(yaw) * exp(&Vector3::new(tilt_x, tilt_y, tilt_z)))
}

pub(crate) fn at_rest(world_from_pelvis: &Pose) -> PelvisMoment {
    let (at_m, rotation) = (world_from_pelvis.translation_m(), world_from_pelvis.rotation());
    let yaw_rad = yaw_rad(&rotation);
    let tilt_rad = log(&(about_vertical(-yaw_rad) * rotation));
    [at_m.x, at_m.y, at_m.z, yaw_rad, tilt_rad.x, tilt_rad.y, tilt_rad.z].map(Moment::rest)
}

fn near(goal: &PelvisMoment, from: &PelvisMoment) -> PelvisMoment {
    let mut goal = *goal;
    goal[YAW].position = nearest(goal[YAW].position, from[YAW].position);
    goal
}

fn nearest(angle_rad: f64, to_rad: f64) -> f64 {
    to_rad + wrapped_rad(angle_rad - to_rad)
}

fn mean_yaw_rad(one: &Pose, other: &Pose) -> f64 {
    let one_rad = yaw_rad(&one.rotation());
    one_rad + 0.5 * wrapped_rad(yaw_rad(&other.rotation()) - one_rad)
}
