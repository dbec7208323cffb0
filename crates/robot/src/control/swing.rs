use geometry::{Pose, Vector3};

use crate::Side;
use crate::trajectory::rotation::between;
use crate::trajectory::smooth_share;

/// A foot through the air: up, across, down, at rest at both ends.
#[derive(Clone, Debug)]
pub(crate) struct Swing {
    pub side: Side,
    /// Within its stage: both feet stay on the ground before.
    pub start_s: f64,
    pub duration_s: f64,
    pub world_from_left: Pose,
    pub world_from_landing: Pose,
    /// Above the higher of both.
    pub height_m: f64,
    /// Or it ends in the air.
    pub lands: bool,
    /// How far the heel goes up about the toe before the foot leaves the ground; it comes down on the way.
    pub heel_rad: f64,
    /// Of the edge of the toe, from the middle of the sole.
    pub toe_m: f64,
}

/// It goes straight up and comes straight down for this share of its time.
const VERTICAL_SHARE: f64 = 0.1;
/// And for this much more of it where it climbs or descends: toes and heels stand close to risers.
const STEEP_SHARE: f64 = 0.2;
/// Of the transfer: before, the foot still carries.
const HEEL_RISES_AT: f64 = 0.4;
/// Of the swing.
const HEEL_FALLS: [f64; 2] = [0.3, 0.9];

impl Swing {
    pub fn world_from_sole(&self, stage_s: f64) -> Pose {
        let world_from_flat = self.world_from_flat(stage_s);
        if self.heel_rad == 0.0 {
            return world_from_flat;
        }
        let u = (stage_s - self.start_s) / self.duration_s;
        let share = if u < 0.0 {
            smooth_share((stage_s / self.start_s - HEEL_RISES_AT) / (1.0 - HEEL_RISES_AT))
        } else {
            1.0 - smooth_share((u - HEEL_FALLS[0]) / (HEEL_FALLS[1] - HEEL_FALLS[0]))
        };
        let sole_from_toe = Vector3::new(self.toe_m, 0.0, 0.0);
        let pitch = Pose::from_axis_angle(sole_from_toe, Vector3::new(0.0, share * self.heel_rad, 0.0));
        world_from_flat * pitch * Pose::from_translation(-self.toe_m, 0.0, 0.0)
    }

    fn world_from_flat(&self, stage_s: f64) -> Pose {
        let u = ((stage_s - self.start_s) / self.duration_s).clamp(0.0, 1.0);
        let (from_m, to_m) = (self.world_from_left.translation_m().z, self.world_from_landing.translation_m().z);
        let top_m = from_m.max(to_m) + self.height_m;
        let (leaves, arrives) = (self.vertical_share(to_m - from_m), 1.0 - self.vertical_share(from_m - to_m));
        let across = smooth_share((u - leaves) / (arrives - leaves));
        let pose = between(&self.world_from_left, &self.world_from_landing, across);
        let z_m = if u < 0.5 {
            from_m + (top_m - from_m) * smooth_share(2.0 * u)
        } else {
            top_m + (to_m - top_m) * smooth_share(2.0 * u - 1.0)
        };
        let at_m = pose.translation_m();
        Pose::new(Vector3::new(at_m.x, at_m.y, z_m), pose.rotation())
    }

    /// Of its time, at the end that is lower by this much.
    fn vertical_share(&self, lower_m: f64) -> f64 {
        if lower_m <= 0.0 {
            return VERTICAL_SHARE;
        }
        VERTICAL_SHARE + STEEP_SHARE * lower_m / (lower_m + self.height_m)
    }

    pub fn is_under_way(&self, stage_s: f64) -> bool {
        stage_s > self.start_s && stage_s < self.start_s + self.duration_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sole that leaves here and lands there.
    fn swing(rise_m: f64) -> Swing {
        Swing {
            side: Side::Left,
            start_s: 0.4,
            duration_s: 1.0,
            world_from_left: Pose::identity(),
            world_from_landing: Pose::from_translation(0.56, 0.0, rise_m),
            height_m: 0.08,
            lands: true,
            heel_rad: 0.0,
            toe_m: 0.11,
        }
    }

    /// How far across, and how high, a thousand times.
    fn way_m(rise_m: f64) -> impl Iterator<Item = (f64, f64)> {
        (0..=1000).map(move |part| {
            let at_m = swing(rise_m).world_from_sole(0.4 + f64::from(part) * 1e-3).translation_m();
            (at_m.x, at_m.z)
        })
    }

    #[test]
    fn a_toe_close_to_a_riser_passes_above_it_up_and_a_heel_down() {
        let (tread_m, rise_m, near_m) = (0.28, 0.17, 0.01);
        let stairs_m = |x_m: f64| {
            if x_m < near_m {
                0.0
            } else if x_m < near_m + tread_m {
                rise_m
            } else {
                2.0 * rise_m
            }
        };
        for (x_m, z_m) in way_m(2.0 * rise_m) {
            assert!(z_m >= stairs_m(x_m) - 1e-9, "up: {z_m} at {x_m}");
        }
        for (x_m, z_m) in way_m(-2.0 * rise_m) {
            let ground_m = stairs_m(0.56 - x_m) - 2.0 * rise_m;
            assert!(z_m >= ground_m - 1e-9, "down: {z_m} at {x_m}");
        }
    }
}
