//! Which steps a robot can take. Planners, tests and the gate in front of a controller all ask here.

use geometry::Pose;
use robot::{Side, WalkingLimits};

use crate::planar::Planar;
use crate::shapes::Rectangle;

/// A sole: where it is on the floor, and how high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sole {
    pub at: Planar,
    pub z_m: f64,
}

/// Why a robot cannot take a step. Lengths are seen from the foot it stands on.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Unreachable {
    #[error("{is_m:.3} m ahead of the other foot, the limit is {limit_m:.3} m")]
    Forward { is_m: f64, limit_m: f64 },
    #[error("{is_m:.3} m behind the other foot, the limit is {limit_m:.3} m")]
    Backward { is_m: f64, limit_m: f64 },
    #[error("{is_m:.3} m beside the other foot, at least {limit_m:.3} m is needed")]
    Narrow { is_m: f64, limit_m: f64 },
    #[error("{is_m:.3} m beside the other foot, the limit is {limit_m:.3} m")]
    Wide { is_m: f64, limit_m: f64 },
    #[error("turned {is_deg:.1}° outward against the other foot, the limit is {limit_deg:.1}°")]
    TurnedOut { is_deg: f64, limit_deg: f64 },
    #[error("turned {is_deg:.1}° inward against the other foot, the limit is {limit_deg:.1}°")]
    TurnedIn { is_deg: f64, limit_deg: f64 },
    #[error("{is_m:.3} m above the other foot, the limit is {limit_m:.3} m")]
    Up { is_m: f64, limit_m: f64 },
    #[error("{is_m:.3} m below the other foot, the limit is {limit_m:.3} m")]
    Down { is_m: f64, limit_m: f64 },
    #[error("the legs cross")]
    Crossed,
    #[error("the feet overlap")]
    Overlap,
    #[error("on its way the foot hits the other one")]
    SwingHitsFoot,
    #[error("a number is not finite")]
    NotFinite,
}

/// Can the foot of a side go from a place to a landing while the other stands?
pub fn reachable(
    limits: &WalkingLimits,
    side: Side,
    world_from_stance: &Pose,
    world_from_landing: &Pose,
    world_from_swing: &Pose,
) -> Result<(), Unreachable> {
    Reach::of(limits).check(
        side,
        &Sole::of(world_from_stance),
        &Sole::of(world_from_landing),
        &Sole::of(world_from_swing),
    )
}

/// The limits, ready to be asked often.
#[derive(Clone, Debug)]
pub struct Reach {
    pub limits: WalkingLimits,
    turn_out_rad: f64,
    turn_in_rad: f64,
    /// Soles whose frames are farther apart than this cannot overlap.
    clear_m: f64,
}

/// Rounding must not forbid a step that lies on a limit.
const SLACK: f64 = 1e-9;

impl Sole {
    pub fn of(pose: &Pose) -> Sole {
        Sole { at: Planar::of(pose), z_m: pose.translation_m().z }
    }

    #[must_use]
    pub fn mirrored(&self) -> Sole {
        Sole { at: self.at.mirrored(), z_m: self.z_m }
    }
}

/// +1 for left, whose outside is where y grows.
pub(crate) fn outward(side: Side) -> f64 {
    match side {
        Side::Left => 1.0,
        Side::Right => -1.0,
    }
}

impl Reach {
    pub fn of(limits: &WalkingLimits) -> Reach {
        Reach {
            limits: limits.clone(),
            turn_out_rad: limits.max_turn_out_deg.to_radians(),
            turn_in_rad: limits.max_turn_in_deg.to_radians(),
            clear_m: libm::hypot(limits.foot_length_m, limits.foot_width_m),
        }
    }

    pub fn rectangle(&self, at: Planar) -> Rectangle {
        Rectangle { at, half_length_m: self.limits.foot_length_m / 2.0, half_width_m: self.limits.foot_width_m / 2.0 }
    }

    pub fn allows(&self, side: Side, stance: &Sole, landing: &Sole, from: &Sole) -> bool {
        self.check(side, stance, landing, from).is_ok()
    }

    pub fn check(&self, side: Side, stance: &Sole, landing: &Sole, from: &Sole) -> Result<(), Unreachable> {
        self.check_place(side, &stance.at, &landing.at)?;
        self.check_height(landing.z_m - stance.z_m)?;
        self.check_swing(&stance.at, &landing.at, &from.at)
    }

    /// The heading nearest to a wanted one that the foot of a side can take beside a stance foot.
    pub(crate) fn nearest_heading_rad(&self, side: Side, stance: &Planar, wanted_rad: f64) -> f64 {
        let sign = outward(side);
        let out_rad = (wanted_rad - stance.yaw_rad) * sign;
        stance.yaw_rad + out_rad.clamp(-self.turn_in_rad, self.turn_out_rad) * sign
    }

    /// Seen from above, wherever the foot comes from.
    pub(crate) fn check_place(&self, side: Side, stance: &Planar, landing: &Planar) -> Result<(), Unreachable> {
        let limits = &self.limits;
        let sign = outward(side);
        let [ahead_m, left_m] = stance.local(landing.x_m, landing.y_m);
        let beside_m = left_m * sign;
        if !(ahead_m + beside_m + landing.yaw_rad).is_finite() {
            return Err(Unreachable::NotFinite);
        }
        if ahead_m > limits.max_forward_m + SLACK {
            return Err(Unreachable::Forward { is_m: ahead_m, limit_m: limits.max_forward_m });
        }
        if -ahead_m > limits.max_backward_m + SLACK {
            return Err(Unreachable::Backward { is_m: -ahead_m, limit_m: limits.max_backward_m });
        }
        if beside_m > limits.max_width_m + SLACK {
            return Err(Unreachable::Wide { is_m: beside_m, limit_m: limits.max_width_m });
        }
        if beside_m < limits.min_width_m - SLACK {
            return Err(Unreachable::Narrow { is_m: beside_m, limit_m: limits.min_width_m });
        }
        let out_rad = stance.turn_rad(landing) * sign;
        if out_rad > self.turn_out_rad + SLACK {
            return Err(Unreachable::TurnedOut { is_deg: out_rad.to_degrees(), limit_deg: limits.max_turn_out_deg });
        }
        if -out_rad > self.turn_in_rad + SLACK {
            return Err(Unreachable::TurnedIn { is_deg: -out_rad.to_degrees(), limit_deg: limits.max_turn_in_deg });
        }
        if beside_hips_m(stance, landing) * sign < limits.foot_width_m - SLACK {
            return Err(Unreachable::Crossed);
        }
        if self.overlap(stance, landing) { Err(Unreachable::Overlap) } else { Ok(()) }
    }

    pub(crate) fn check_height(&self, up_m: f64) -> Result<(), Unreachable> {
        let limits = &self.limits;
        if !up_m.is_finite() {
            return Err(Unreachable::NotFinite);
        }
        if up_m > limits.max_step_up_m + SLACK {
            return Err(Unreachable::Up { is_m: up_m, limit_m: limits.max_step_up_m });
        }
        if -up_m > limits.max_step_down_m + SLACK {
            return Err(Unreachable::Down { is_m: -up_m, limit_m: limits.max_step_down_m });
        }
        Ok(())
    }

    /// Straight through the air, turning evenly. Where it starts is where it stands: no fault of this step.
    pub(crate) fn check_swing(&self, stance: &Planar, landing: &Planar, from: &Planar) -> Result<(), Unreachable> {
        if !from.is_finite() {
            return Err(Unreachable::NotFinite);
        }
        let [_, from_m] = stance.local(from.x_m, from.y_m);
        let [_, to_m] = stance.local(landing.x_m, landing.y_m);
        // Past this line beside the stance foot a sole touches it however it is turned.
        let beside_m = (self.clear_m + self.limits.foot_width_m) / 2.0;
        if from_m * to_m > 0.0 && from_m.abs().min(to_m.abs()) >= beside_m {
            return Ok(());
        }
        const PARTS: u32 = 8;
        for part in 1..PARTS {
            let on_the_way = from.toward(landing, f64::from(part) / f64::from(PARTS));
            if self.overlap(stance, &on_the_way) {
                return Err(Unreachable::SwingHitsFoot);
            }
        }
        Ok(())
    }

    pub(crate) fn overlap(&self, one: &Planar, other: &Planar) -> bool {
        let (dx, dy) = (other.x_m - one.x_m, other.y_m - one.y_m);
        dx * dx + dy * dy < self.clear_m * self.clear_m && self.rectangle(*one).overlaps(&self.rectangle(*other))
    }
}

/// How far the landing is to the left as the hips see it, which head midway between the feet.
fn beside_hips_m(stance: &Planar, landing: &Planar) -> f64 {
    let (x, y) = (stance.cos + landing.cos, stance.sin + landing.sin);
    let length = (x * x + y * y).sqrt();
    (x * (landing.y_m - stance.y_m) - y * (landing.x_m - stance.x_m)) / length.max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sole(x_m: f64, y_m: f64, yaw_deg: f64) -> Sole {
        Sole { at: Planar::new(x_m, y_m, yaw_deg.to_radians()), z_m: 0.0 }
    }

    fn check(landing: Sole) -> Result<(), Unreachable> {
        Reach::of(&WalkingLimits::default()).check(Side::Left, &sole(0.0, 0.0, 0.0), &landing, &sole(0.0, 0.24, 0.0))
    }

    #[test]
    fn every_limit_has_its_reason() {
        assert_eq!(check(sole(0.45, 0.24, 0.0)), Ok(()));
        assert!(matches!(check(sole(0.46, 0.24, 0.0)), Err(Unreachable::Forward { .. })));
        assert!(matches!(check(sole(-0.31, 0.24, 0.0)), Err(Unreachable::Backward { .. })));
        assert!(matches!(check(sole(0.0, 0.43, 0.0)), Err(Unreachable::Wide { .. })));
        assert!(matches!(check(sole(0.0, 0.15, 0.0)), Err(Unreachable::Narrow { .. })));
        assert!(matches!(check(sole(0.0, -0.24, 0.0)), Err(Unreachable::Narrow { .. })));
        assert!(matches!(check(sole(0.0, 0.3, 51.0)), Err(Unreachable::TurnedOut { .. })));
        assert!(matches!(check(sole(0.0, 0.3, -11.0)), Err(Unreachable::TurnedIn { .. })));
        assert!(matches!(check(Sole { z_m: 0.26, ..sole(0.0, 0.24, 0.0) }), Err(Unreachable::Up { .. })));
        assert!(matches!(check(Sole { z_m: -0.21, ..sole(0.0, 0.24, 0.0) }), Err(Unreachable::Down { .. })));
        assert_eq!(check(sole(0.4, 0.16, 50.0)), Err(Unreachable::Crossed));
        assert_eq!(check(sole(f64::NAN, 0.24, 0.0)), Err(Unreachable::NotFinite));
    }

    #[test]
    fn a_foot_does_not_swing_through_the_other() {
        let reach = Reach::of(&WalkingLimits::default());
        let (stance, landing) = (sole(0.0, 0.0, 0.0), sole(0.3, 0.2, 0.0));
        assert_eq!(reach.check(Side::Left, &stance, &landing, &sole(-0.3, 0.2, 0.0)), Ok(()));
        let behind = sole(-0.3, -0.2, 0.0);
        assert_eq!(reach.check(Side::Left, &stance, &landing, &behind), Err(Unreachable::SwingHitsFoot));
    }

    #[test]
    fn left_and_right_are_mirrored() {
        let reach = Reach::of(&WalkingLimits::default());
        let (stance, from) = (sole(0.0, -0.1, 5.0), sole(-0.1, 0.2, 0.0));
        for step in 0..400 {
            let landing = sole(
                f64::from(step % 20) * 0.05 - 0.4,
                f64::from(step / 20) * 0.04 - 0.3,
                f64::from(step % 13) * 6.0 - 20.0,
            );
            let left = reach.allows(Side::Left, &stance, &landing, &from);
            let right = reach.allows(Side::Right, &stance.mirrored(), &landing.mirrored(), &from.mirrored());
            assert_eq!(left, right, "{landing:?}");
        }
    }
}
