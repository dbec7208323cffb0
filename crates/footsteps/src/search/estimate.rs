//! What the rest of the way will cost at least, or nearly so.

use robot::Side;

use super::field::Field;
use crate::planar::Planar;
use crate::reach::outward;
use crate::setup::Setup;

pub(super) struct Estimate {
    goal: Planar,
    half_stance_m: f64,
    forward_m: f64,
    backward_m: f64,
    sideways_m: f64,
    turn_rad: f64,
    step: f64,
    distance: f64,
    yaw: f64,
    /// Only where something may be in the way.
    field: Option<Field>,
}

impl Estimate {
    pub fn of(setup: &Setup) -> Estimate {
        let limits = &setup.reach.limits;
        let cost = &setup.parameters.cost;
        let needs_field = !setup.view.is_flat() || !setup.view.obstacles.is_empty();
        Estimate {
            goal: setup.goal_hips(),
            half_stance_m: limits.stance_width_m / 2.0,
            forward_m: limits.max_forward_m,
            backward_m: limits.max_backward_m.max(0.01),
            // One foot goes out as far as it can, the other closes as near as it may.
            sideways_m: ((limits.max_width_m - limits.min_width_m) / 2.0).max(0.01),
            turn_rad: ((limits.max_turn_out_deg + limits.max_turn_in_deg) / 2.0).to_radians().max(0.01),
            step: cost.step,
            distance: cost.distance,
            yaw: cost.yaw,
            field: needs_field.then(|| Field::of(setup)),
        }
    }

    pub fn hips(&self, side: Side, foot: &Planar) -> Planar {
        foot.beside(-outward(side) * self.half_stance_m)
    }

    /// Infinite: no way leads from there.
    pub fn of_foot(&self, side: Side, foot: &Planar) -> f64 {
        let hips = self.hips(side, foot);
        let straight_m = hips.distance_m(&self.goal);
        let way_m = self.field.as_ref().map_or(straight_m, |field| straight_m.max(field.near_distance_m(&hips) - 0.15));
        let detour = way_m > straight_m * 1.2 + 0.2;
        let turn_rad = hips.turn_rad(&self.goal).abs();
        let steps = if detour { way_m / self.forward_m } else { self.steps(&hips, straight_m, turn_rad) };
        self.step * steps + self.distance * way_m + self.yaw * turn_rad
    }

    /// As they stand, or turned to walk straight ahead: whatever takes fewer.
    fn steps(&self, hips: &Planar, straight_m: f64, turn_rad: f64) -> f64 {
        let [ahead_m, left_m] = hips.local(self.goal.x_m, self.goal.y_m);
        let along = if ahead_m > 0.0 { ahead_m / self.forward_m } else { -ahead_m / self.backward_m };
        let as_is = along.max(left_m.abs() / self.sideways_m).max(turn_rad / self.turn_rad);
        if straight_m < 1e-6 {
            return as_is;
        }
        let heading_rad = libm::atan2(self.goal.y_m - hips.y_m, self.goal.x_m - hips.x_m);
        let heading = Planar { yaw_rad: heading_rad, ..*hips };
        let turns_rad = hips.turn_rad(&heading).abs() + heading.turn_rad(&self.goal).abs();
        as_is.min((straight_m / self.forward_m).max(turns_rad / self.turn_rad))
    }

    pub fn is_cut_off(&self, hips: &Planar) -> bool {
        self.field.as_ref().is_some_and(|field| field.near_distance_m(hips).is_infinite())
    }
}
