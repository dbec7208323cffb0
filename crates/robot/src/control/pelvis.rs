//! Where the pelvis goes while the robot walks. Believable to look at and smooth, not balanced: what keeps a robot with
//! weight from falling takes the place of this file.

use geometry::{Pose, Vector3};

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
    duration_s: f64,
}

#[derive(Clone, Debug)]
struct Segment {
    start_s: f64,
    channels: [Quintic; 7],
}

/// One step, as the pelvis sees it: both feet on the ground, then one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stride {
    pub world_from_left: Pose,
    pub world_from_landing: Pose,
    pub world_from_support: Pose,
    pub transfer_s: f64,
    pub swing_s: f64,
    /// Of the pelvis above the lower of the feet on the ground.
    pub height_m: f64,
}

/// How far the pelvis goes from the middle of the feet to the foot it stands on: in the middle of a swing, and where
/// the swing begins and ends.
const SWAY: f64 = 0.55;
const SWAY_AT_ENDS: f64 = 0.35;

impl PelvisPlan {
    pub fn through(knots: &[(f64, PelvisMoment)]) -> PelvisPlan {
        let segment = |pair: &[(f64, PelvisMoment)]| {
            let ((start_s, from), (end_s, to)) = (&pair[0], &pair[1]);
            let channels = std::array::from_fn(|index| Quintic::new(&from[index], &to[index], end_s - start_s));
            Segment { start_s: *start_s, channels }
        };
        let duration_s = knots.last().map_or(0.0, |(time_s, _)| *time_s);
        PelvisPlan { segments: knots.windows(2).map(segment).collect(), duration_s }
    }

    pub fn to_rest(from: &PelvisMoment, goal: &PelvisMoment, duration_s: f64) -> PelvisPlan {
        PelvisPlan::through(&[(0.0, *from), (duration_s, near(goal, from))])
    }

    /// Through one step; it ends moving on, towards the middle of the feet.
    pub fn over(from: &PelvisMoment, stride: &Stride) -> PelvisPlan {
        let Stride { transfer_s, swing_s, .. } = *stride;
        let knots = [
            (0.0, *from),
            (transfer_s, stride.knot(from, Part::Leaves)),
            (transfer_s + 0.5 * swing_s, stride.knot(from, Part::Middle)),
            (transfer_s + swing_s, stride.knot(from, Part::Lands)),
        ];
        PelvisPlan::through(&knots)
    }

    pub fn duration_s(&self) -> f64 {
        self.duration_s
    }

    pub fn at(&self, time_s: f64) -> PelvisMoment {
        let index = self.segments[1..].partition_point(|segment| segment.start_s <= time_s);
        let segment = &self.segments[index];
        segment.channels.map(|channel| channel.at(time_s - segment.start_s))
    }
}

#[derive(Clone, Copy)]
enum Part {
    Leaves,
    Middle,
    Lands,
}

impl Stride {
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
