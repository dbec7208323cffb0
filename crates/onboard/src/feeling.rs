//! What the robot feels and how it is, for operators who look at it; and how often what it is made of comes.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::TickInput;
use protocol::body::{BodyPart, Foot, Forces, Health, MOST_HZ, Source, SourceKind};
use protocol::talk::pack;
use robot::interface::{Fault, RobotState};

use crate::runner::to_ms;

const WINDOW_NS: i64 = 1_000_000_000;
/// What has not come for so long is not there any more.
const GONE_NS: i64 = 10_000_000_000;
const MOST_SOURCES: usize = 16;

/// One moment of it.
#[derive(Clone, Debug)]
pub struct Felt {
    pub state: Arc<RobotState>,
    pub sources: Vec<Source>,
}

/// Counts what reaches the behavior, and says when somebody is to be told.
#[derive(Default)]
pub struct Feeling {
    /// None: nobody looks.
    every_ns: Option<i64>,
    told_ns: Option<i64>,
    sources: BTreeMap<(SourceKind, Arc<str>), Counted>,
}

/// In windows of a second.
struct Counted {
    since_ns: i64,
    count: u32,
    /// Of the window before.
    per_s: f32,
    delay_ns: i64,
    last_ns: i64,
}

impl Feeling {
    /// 0: nobody looks any more.
    pub fn watched(&mut self, hz: f64) {
        self.every_ns = (hz > 0.0).then(|| (1e9 / hz.min(MOST_HZ)) as i64);
    }

    /// What came with a tick. The state is given where it is time to tell it.
    pub fn ticked(&mut self, input: &TickInput, state: Option<&Arc<RobotState>>) -> Option<Felt> {
        let time_ns = input.time_ns;
        if let Some(state) = &input.robot {
            self.came(SourceKind::State, &"robot".into(), (time_ns, state.time_ns));
        }
        for sight in &input.sights {
            if sight.cloud.is_some() {
                self.came(SourceKind::Camera, &sight.camera, (time_ns, sight.time_ns));
            }
            let mut detectors: Vec<&Arc<str>> = sight.detections.iter().map(|found| &found.detector).collect();
            detectors.dedup();
            detectors.into_iter().for_each(|name| self.came(SourceKind::Detector, name, (time_ns, sight.time_ns)));
        }
        let is_due = |told_ns: i64| self.every_ns.is_some_and(|every_ns| time_ns - told_ns >= every_ns);
        if self.every_ns.is_none() || !self.told_ns.is_none_or(is_due) {
            return None;
        }
        self.told_ns = Some(time_ns);
        self.sources.retain(|_, counted| time_ns - counted.last_ns < GONE_NS);
        Some(Felt { state: Arc::clone(state?), sources: self.rates(time_ns) })
    }

    fn came(&mut self, kind: SourceKind, name: &Arc<str>, (now_ns, at_ns): (i64, i64)) {
        if self.sources.len() >= MOST_SOURCES && !self.sources.contains_key(&(kind, Arc::clone(name))) {
            return;
        }
        let first = || Counted { since_ns: now_ns, count: 0, per_s: 0.0, delay_ns: 0, last_ns: now_ns };
        let counted = self.sources.entry((kind, Arc::clone(name))).or_insert_with(first);
        counted.pass(now_ns);
        counted.count += 1;
        (counted.delay_ns, counted.last_ns) = (now_ns - at_ns, now_ns);
    }

    fn rates(&mut self, now_ns: i64) -> Vec<Source> {
        let source = |((kind, name), counted): (&(SourceKind, Arc<str>), &mut Counted)| {
            counted.pass(now_ns);
            let delay_ms = (counted.delay_ns as f64 / 1e6) as f32;
            Source { kind: *kind, name: Arc::clone(name), per_s: counted.per_s, delay_ms }
        };
        self.sources.iter_mut().map(source).collect()
    }
}

impl Counted {
    fn pass(&mut self, now_ns: i64) {
        let passed_ns = now_ns - self.since_ns;
        if passed_ns >= WINDOW_NS {
            self.per_s = (f64::from(self.count) * 1e9 / passed_ns as f64) as f32;
            (self.since_ns, self.count) = (now_ns, 0);
        }
    }
}

/// In parts of at most so many bytes; the forces come last, and with them all of the moment is there.
pub fn parts(felt: &Felt, with_health: bool, max_bytes: usize) -> Vec<BodyPart> {
    let state = &felt.state;
    let at_ms = to_ms(state.time_ns);
    let mut parts = BodyPart::joints(at_ms, &state.velocities, &state.efforts, max_bytes);
    if with_health {
        parts.push(BodyPart::Health(health(felt, max_bytes)));
    }
    parts.push(BodyPart::Forces(forces(state)));
    parts
}

pub fn forces(state: &RobotState) -> Forces {
    let numbers = |wrench: &robot::interface::Wrench| {
        let (force, torque) = (wrench.force_n, wrench.torque_nm);
        [force.x, force.y, force.z, torque.x, torque.y, torque.z].map(|number| number as f32)
    };
    Forces {
        at_ms: to_ms(state.time_ns),
        hands: state.hand_wrenches.each_ref().map(numbers),
        feet: state.feet.each_ref().map(|foot| Foot { contact: foot.contact, load_n: foot.load_n as f32 }),
        pressure: state.vitals.pressure.map(|pressure| {
            let [x_m, y_m] = pressure.centre_m;
            [x_m, y_m, pressure.margin_m].map(|number| number as f32)
        }),
    }
}

/// Of what does not fit, faults go last.
fn health(felt: &Felt, max_bytes: usize) -> Health {
    let vitals = &felt.state.vitals;
    let mut health = Health {
        faults: felt.state.faults.iter().map(|Fault { place, text }| (place.clone(), text.clone())).collect(),
        more_faults: 0,
        temperatures_c: vitals.temperatures_c.iter().map(|(place, at_c)| (place.clone(), *at_c as f32)).collect(),
        battery: vitals.battery.map(|share| share as f32),
        sources: felt.sources.clone(),
    };
    // The hottest are what matters.
    health.temperatures_c.sort_by(|one, other| other.1.total_cmp(&one.1));
    while pack(&BodyPart::Health(health.clone())).len() > max_bytes {
        if health.temperatures_c.len() > 1 {
            health.temperatures_c.pop();
        } else if health.faults.len() > 1 {
            health.faults.pop();
            health.more_faults += 1;
        } else if health.sources.pop().is_none() {
            health.temperatures_c.clear();
            let (_, text) = health.faults.pop().unwrap_or_default();
            health.faults = vec![(String::new(), text.chars().take(max_bytes / 8).collect())];
            break;
        }
    }
    health
}

#[cfg(test)]
mod tests {
    use geometry::Pose;
    use scene::Sight;

    use super::*;

    fn tick(time_ns: i64, behind_ns: i64) -> TickInput {
        let state = RobotState { time_ns: time_ns - behind_ns, ..RobotState::standing(&[0.0; 3], &Pose::identity()) };
        TickInput { time_ns, robot: Some(Arc::new(state)), ..TickInput::default() }
    }

    #[test]
    fn nothing_is_told_that_nobody_looks_at_and_as_often_as_asked() {
        let mut feeling = Feeling::default();
        let mut told = |hz: f64, from: i64| {
            feeling.watched(hz);
            let ticks = (from..from + 100).map(|tick_number| tick(tick_number * 10_000_000, 0));
            ticks.filter(|input| feeling.ticked(input, input.robot.as_ref()).is_some()).count()
        };
        assert_eq!(
            [told(0.0, 0), told(10.0, 100), told(50.0, 200), told(1e9, 300), told(0.0, 400)],
            [0, 10, 50, 50, 0]
        );
    }

    #[test]
    fn rates_and_delays_are_those_of_what_came() {
        let mut feeling = Feeling::default();
        feeling.watched(10.0);
        let mut felt = None;
        for number in 0..250 {
            let mut input = tick(number * 10_000_000, 4_000_000);
            if number % 20 == 0 {
                let cloud = Some(Arc::new(scene::Cloud::new(0, Pose::identity(), 2, 2)));
                let time_ns = input.time_ns - 120_000_000;
                let sight = Sight { camera: "head".into(), time_ns, cloud, detections: Vec::new() };
                input.sights.push(Arc::new(sight));
            }
            felt = feeling.ticked(&input, input.robot.as_ref()).or(felt);
        }
        let sources = felt.expect("it is told").sources;
        let of = |kind: SourceKind| sources.iter().find(|source| source.kind == kind).expect("it came");
        assert!(
            (of(SourceKind::State).per_s - 100.0).abs() < 1.0 && (of(SourceKind::State).delay_ms - 4.0).abs() < 1e-3
        );
        assert!((of(SourceKind::Camera).per_s - 5.0).abs() < 0.1 && of(SourceKind::Camera).delay_ms == 120.0);
        // It does not come any more: first its rate goes, then it.
        let input = tick(5_000_000_000, 0);
        let camera =
            |felt: &Felt| felt.sources.iter().find(|source| source.kind == SourceKind::Camera).map(|at| at.per_s);
        let later = feeling.ticked(&input, input.robot.as_ref()).expect("it is told");
        assert!(camera(&later).expect("it is known") < 5.0);
        let input = tick(30_000_000_000, 0);
        assert_eq!(camera(&feeling.ticked(&input, input.robot.as_ref()).expect("it is told")), None);
    }

    #[test]
    fn whatever_there_is_to_tell_fits_a_datagram_and_a_fault_is_told() {
        let mut state = RobotState::standing(&[0.0; 60], &Pose::identity());
        state.faults =
            (0..40).map(|number| Fault { place: format!("joint {number}"), text: "far ".repeat(60) }).collect();
        state.vitals.temperatures_c = (0..80).map(|number| (format!("motor {number}"), f64::from(number))).collect();
        let felt = Felt { state: Arc::new(state), sources: Vec::new() };
        for max_bytes in [100, 200, 1_200] {
            for part in parts(&felt, true, max_bytes) {
                assert!(pack(&part).len() <= max_bytes, "{part:?}");
                if let BodyPart::Health(health) = part {
                    assert!(!health.faults.is_empty());
                    assert!(health.temperatures_c.first().is_none_or(|(_, at_c)| *at_c == 79.0), "the hottest");
                }
            }
        }
    }
}
