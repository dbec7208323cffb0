//! What the robot feels and how it is, as it was last told: for those who look at it.

use geometry::{Pose, Vector3};
use link::Message;
use protocol::Role;
use protocol::api::{BodyView, FaultView, FootView, HandView, PressureView, SourceView, TemperatureView, Topics};
use protocol::body::{BodyPart, Forces, Health, MOST_HZ, effort, speed};
use protocol::talk::{Demand, Want};
use robot::interface::RobotState;
use robot::{BodyPoses, Robot, Side};

use crate::operator::{Now, Operator};
use crate::pushes::Next;
use crate::session::SessionId;

const WATCH_VALID_NS: u64 = 10_000_000_000;

#[derive(Debug, Default)]
pub struct BodySeen {
    at_ms: u64,
    velocities: Vec<f64>,
    efforts: Vec<f64>,
    forces: Option<Forces>,
    health: Health,
}

impl BodySeen {
    /// True: with it a moment is whole.
    pub fn take(&mut self, part: BodyPart, joints: usize) -> bool {
        match part {
            BodyPart::Joints { first, speeds, efforts, .. } => {
                let first = usize::from(first);
                if speeds.len() != efforts.len() || first + speeds.len() > joints {
                    return false;
                }
                self.velocities.resize(joints, 0.0);
                self.efforts.resize(joints, 0.0);
                for (index, (its_speed, its_effort)) in speeds.into_iter().zip(efforts).enumerate() {
                    self.velocities[first + index] = speed(its_speed);
                    self.efforts[first + index] = effort(its_effort);
                }
                false
            }
            BodyPart::Health(health) => {
                self.health = health;
                false
            }
            BodyPart::Forces(forces) => {
                self.at_ms = forces.at_ms;
                self.forces = Some(forces);
                true
            }
        }
    }

    /// Of a recorded moment.
    pub fn of_state(state: &RobotState) -> BodySeen {
        let vitals = &state.vitals;
        let faults = state.faults.iter().map(|fault| (fault.place.clone(), fault.text.clone()));
        let temperatures = vitals.temperatures_c.iter().map(|(place, at_c)| (place.clone(), *at_c as f32));
        BodySeen {
            at_ms: u64::try_from(state.time_ns / 1_000_000).unwrap_or(0),
            velocities: state.velocities.clone(),
            efforts: state.efforts.clone(),
            forces: Some(onboard::forces(state)),
            health: Health {
                faults: faults.collect(),
                temperatures_c: temperatures.collect(),
                battery: vitals.battery.map(|share| share as f32),
                ..Health::default()
            },
        }
    }

    /// None: nothing was told.
    pub fn view(&self, robot: &Robot, poses: &BodyPoses) -> Option<BodyView> {
        let forces = self.forces.as_ref()?;
        let soles = robot.frames.soles.map(|sole| poses.world_from_link(sole));
        let down: Vec<Pose> =
            soles.iter().zip(&forces.feet).filter(|(_, foot)| foot.contact).map(|(at, _)| *at).collect();
        let hand = |side: Side| hand(forces, side, &poses.world_from_link(robot.frames.hands[side.index()]));
        let feet = soles.iter().zip(&forces.feet).map(|(sole, foot)| FootView {
            contact: foot.contact,
            load: rounded(foot.load_n.into(), 10.0),
            at: place(sole),
        });
        let walking = &robot.walking;
        Some(BodyView {
            at_s: self.at_ms as f64 / 1e3,
            velocities: self.velocities.iter().map(|value| rounded(*value, 1e3)).collect(),
            efforts: self.efforts.iter().map(|value| rounded(*value, 100.0)).collect(),
            hands: Side::BOTH.map(hand).into(),
            feet: feet.collect(),
            pressure: forces.pressure.map(|[x_m, y_m, margin_m]| PressureView {
                at: [x_m, y_m].map(|at_m| rounded(at_m.into(), 1e4)),
                margin: rounded(margin_m.into(), 1e4),
            }),
            support: support(&down, [walking.foot_length_m, walking.foot_width_m]),
            ground_m: soles.iter().map(|sole| sole.translation_m().z).fold(f64::INFINITY, f64::min),
            faults: self
                .health
                .faults
                .iter()
                .map(|(place, text)| FaultView { place: place.clone(), text: text.clone() })
                .collect(),
            more_faults: self.health.more_faults.into(),
            temperatures: self
                .health
                .temperatures_c
                .iter()
                .map(|(place, at_c)| TemperatureView { place: place.clone(), celsius: rounded((*at_c).into(), 10.0) })
                .collect(),
            battery: self.health.battery.map(|share| rounded(share.into(), 1e3)),
            sources: self
                .health
                .sources
                .iter()
                .map(|source| SourceView {
                    kind: source.kind,
                    name: source.name.to_string(),
                    per_s: rounded(source.per_s.into(), 10.0),
                    delay_ms: rounded(source.delay_ms.into(), 10.0),
                })
                .collect(),
        })
    }
}

/// What is told in fewer digits than a float has.
fn rounded(value: f64, of_one: f64) -> f64 {
    (value * of_one).round() / of_one
}

fn place(pose: &Pose) -> [f64; 3] {
    let at = pose.translation_m();
    [at.x, at.y, at.z].map(|part| rounded(part, 1e4))
}

fn hand(forces: &Forces, side: Side, world_from_hand: &Pose) -> HandView {
    let [force, torque] = {
        let [x, y, z, about_x, about_y, about_z] = forces.hands[side.index()].map(f64::from);
        [[x, y, z], [about_x, about_y, about_z]]
    };
    let in_world = world_from_hand.transform_vector(&Vector3::from(force));
    HandView {
        force: force.map(|part| rounded(part, 100.0)),
        torque: torque.map(|part| rounded(part, 100.0)),
        at: place(world_from_hand),
        world_force: [in_world.x, in_world.y, in_world.z].map(|part| rounded(part, 100.0)),
    }
}

/// The hull of the soles on the ground, counterclockwise.
fn support(soles: &[Pose], [length_m, width_m]: [f64; 2]) -> Vec<[f64; 2]> {
    let corner = |sole: &Pose, (along, across): (f64, f64)| {
        let offset = Vector3::new(along * length_m / 2.0, across * width_m / 2.0, 0.0);
        let at = sole.translation_m() + sole.transform_vector(&offset);
        [rounded(at.x, 1e4), rounded(at.y, 1e4)]
    };
    let signs = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)];
    let mut points: Vec<[f64; 2]> = soles.iter().flat_map(|sole| signs.map(|sign| corner(sole, sign))).collect();
    points.sort_by(|one, other| one[0].total_cmp(&other[0]).then(one[1].total_cmp(&other[1])));
    points.dedup();
    let mut hull = half(points.iter());
    hull.extend(half(points.iter().rev()));
    hull
}

/// Of points in order along x: what bounds them on the right of the way, without the last of them.
fn half<'a>(points: impl Iterator<Item = &'a [f64; 2]>) -> Vec<[f64; 2]> {
    let mut way: Vec<[f64; 2]> = Vec::new();
    for point in points {
        while let [.., before, last] = way[..] {
            let turn = (last[0] - before[0]) * (point[1] - last[1]) - (last[1] - before[1]) * (point[0] - last[0]);
            if turn > 0.0 {
                break;
            }
            way.pop();
        }
        way.push(*point);
    }
    way.pop();
    way
}

impl Operator {
    /// Tells the robot how often somebody looks at its body, where that has changed.
    pub(crate) fn watch_body(&mut self) {
        let looks = self.sessions.values().filter(|session| session.is_here()).map(|session| session.topics.body_hz);
        let hz = looks.fold(0.0, f64::max);
        if !self.is_linked() || hz == self.watching_body_hz {
            return;
        }
        self.watching_body_hz = hz;
        let order = Demand {
            by: self.setup.peer.name.clone(),
            role: Role::Observer,
            team_role: None,
            session: 0,
            what: Want::WatchBody { hz },
        };
        self.offer(Message::Command { bytes: order.to_bytes(), valid_for_ns: WATCH_VALID_NS });
    }

    pub(crate) fn body_came(&mut self, part: BodyPart) {
        let Some(robot) = &mut self.robot else { return };
        if robot.feels(part) {
            self.everyone(|due| due.body = true);
        }
    }

    pub(crate) fn next_of_body(&mut self, now: Now, to: SessionId) -> Option<Next> {
        let session = self.sessions.get_mut(&to)?;
        let hz = session.topics.body_hz;
        // Moments come as often as the most eager wants them: one that is a little early is not left out.
        let passed_ns = now.ns.saturating_sub(session.due.body_ns).saturating_add(4_000_000);
        if !session.due.body || hz <= 0.0 || passed_ns < (1e9 / hz) as u64 {
            return None;
        }
        (session.due.body, session.due.body_ns) = (false, now.ns);
        let view = self.robot.as_ref()?.felt()?;
        Some(Next::Push(protocol::api::Push::Body(view)))
    }
}

/// As often as anybody may be told.
pub fn clamped(topics: Topics) -> Topics {
    let clamp = |hz: f64, most: f64| if hz.is_finite() { hz.clamp(0.0, most) } else { 0.0 };
    Topics { robot_hz: clamp(topics.robot_hz, 100.0), body_hz: clamp(topics.body_hz, MOST_HZ), ..topics }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_stands_on_is_around_the_soles_that_carry() {
        let sole = |y_m: f64| Pose::from_translation(1.0, y_m, 0.0);
        assert_eq!(support(&[], [0.2, 0.1]), Vec::<[f64; 2]>::new());
        let one = support(&[sole(0.0)], [0.2, 0.1]);
        assert_eq!(one, [[0.9, -0.05], [1.1, -0.05], [1.1, 0.05], [0.9, 0.05]]);
        let both = support(&[sole(0.1), sole(-0.1)], [0.2, 0.1]);
        assert_eq!(both, [[0.9, -0.15], [1.1, -0.15], [1.1, 0.15], [0.9, 0.15]]);
    }
}
