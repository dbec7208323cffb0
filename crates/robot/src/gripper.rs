use crate::{MovingKind, PartName, Robot, Side};

/// The fingers of one hand taken as one opening: from the grip `close` at 0 to the grip `open`, or between the limits of
/// fingers without grips. The opening is that of the joint that moves most.
#[derive(Clone, Debug, PartialEq)]
pub struct Gripper {
    /// Coordinate, closed and open position.
    joints: Vec<(usize, f64, f64)>,
    widest: (usize, f64, f64),
}

const CLOSED: &str = "close";
const OPEN: &str = "open";

impl Robot {
    /// None: the hand has no fingers, or they never open.
    pub fn gripper(&self, side: Side) -> Option<Gripper> {
        let of = |grip: &str, coordinate: usize| {
            self.grip(grip, side)?.iter().find(|(at, _)| *at == coordinate).map(|(_, position)| *position)
        };
        let joint = |at: &usize| {
            let coordinate = &self.model.coordinates()[*at];
            let closed = of(CLOSED, *at).unwrap_or(coordinate.limits.lower);
            let open = of(OPEN, *at).unwrap_or(coordinate.limits.upper);
            let turns = coordinate.kind != MovingKind::Prismatic;
            (turns && (open - closed).is_finite()).then_some((*at, closed, open))
        };
        let joints: Vec<_> = self.part(PartName::Hand(side))?.coordinates.iter().filter_map(joint).collect();
        let way = |&(_, closed, open): &(usize, f64, f64)| (open - closed).abs();
        let widest = joints.iter().copied().reduce(|best, each| if way(&each) > way(&best) { each } else { best })?;
        (way(&widest) > 0.0).then_some(Gripper { joints, widest })
    }
}

impl Gripper {
    pub fn widest_rad(&self) -> f64 {
        (self.widest.2 - self.widest.1).abs()
    }

    /// `positions` has one number for each coordinate of the model.
    pub fn opening_rad(&self, positions: &[f64]) -> f64 {
        let (at, closed, open) = self.widest;
        (positions[at] - closed) * (open - closed).signum()
    }

    /// Where each finger joint is at an opening.
    pub fn positions(&self, opening_rad: f64) -> impl Iterator<Item = (usize, f64)> {
        let share = (opening_rad / self.widest_rad()).clamp(0.0, 1.0);
        self.joints.iter().map(move |(at, closed, open)| (*at, closed + share * (open - closed)))
    }
}
