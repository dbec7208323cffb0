//! What the robot feels, for those who look at it: a few values, of which only the newest are on their way, behind all
//! that matters more.

use link::udp::PeerId;
use link::{Keyed, Message};
use protocol::body::MOST_HZ;
use protocol::talk::pack;

use super::{Desk, Operator};
use crate::audit::Now;
use crate::feeling::{Felt, parts};
use crate::runner::Request;

/// Faults and rates change slowly.
const HEALTH_NS: u64 = 500_000_000;
/// A moment that is a little early is not left out.
const EARLY_NS: u64 = 4_000_000;

/// What one operator process wants of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WatchesBody {
    hz: f64,
    told_ns: Option<u64>,
    health_ns: Option<u64>,
}

impl Desk {
    pub(super) fn watch_body(&mut self, from: PeerId, hz: f64) {
        let Some(operator) = self.operators.get_mut(&from) else { return };
        let hz = if hz.is_finite() { hz.clamp(0.0, MOST_HZ) } else { 0.0 };
        operator.body = WatchesBody { hz, ..WatchesBody::default() };
        self.ask_for_body();
    }

    /// Of the engine, as often as the most eager wants it.
    pub(super) fn ask_for_body(&mut self) {
        let hz = self.operators.values().map(|operator| operator.body.hz).fold(0.0, f64::max);
        if hz != self.body_hz {
            self.body_hz = hz;
            self.requests.push(Request::WatchBody(hz));
        }
    }

    pub(super) fn tell_body(&mut self, now: Now, felt: Option<&Felt>) {
        let Some(felt) = felt else { return };
        let least_ns = self.settings.body_every_ns;
        let passed = |since_ns: Option<u64>, every_ns: u64| {
            since_ns.is_none_or(|since_ns| now.ns.saturating_sub(since_ns).saturating_add(EARLY_NS) >= every_ns)
        };
        let is_due = |operator: &Operator| {
            let WatchesBody { hz, told_ns, .. } = operator.body;
            hz > 0.0 && operator.silent_since_ns.is_none() && passed(told_ns, least_ns.max((1e9 / hz) as u64))
        };
        let due: Vec<PeerId> = self.operators.iter().filter(|(_, each)| is_due(each)).map(|(id, _)| *id).collect();
        for to in due {
            let Some(operator) = self.operators.get_mut(&to) else { continue };
            let with_health = passed(operator.body.health_ns, HEALTH_NS.max(least_ns));
            operator.body.told_ns = Some(now.ns);
            if with_health {
                operator.body.health_ns = Some(now.ns);
            }
            for part in parts(felt, with_health, self.settings.value_bytes) {
                let message = Message::Keyed { kind: Keyed::Body, key: part.key(), bytes: pack(&part) };
                self.messages.push((to, message));
            }
        }
    }
}
