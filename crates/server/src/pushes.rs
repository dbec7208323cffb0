//! What is told unasked, when there is room on the way to a client.

use link::{Keyed, Message, Stream};
use protocol::api::{ChannelView, HappenedWhat, HappeningView, LinkView, PersonView, Push, Quality, ROBOT_STATE};
use protocol::talk::{NoteKind, Presence, pack};

use crate::operator::{Frame, Now, Operator};
use crate::session::{Session, SessionId};

/// The run is told this often at most; the page counts time between.
const RUN_NS: u64 = 50_000_000;
const SCENE_NS: u64 = 100_000_000;

impl Operator {
    /// A client has taken this much of what was on its way.
    pub fn sent(&mut self, now: Now, to: SessionId, bytes: usize) {
        if let Some(session) = self.sessions.get_mut(&to) {
            session.on_its_way = session.on_its_way.saturating_sub(bytes);
            session.frames = session.frames.saturating_sub(1);
        }
        self.flush(now, to);
    }

    pub(crate) fn flush_all(&mut self, now: Now) {
        self.find_tries(now);
        let sessions: Vec<SessionId> = self.sessions.keys().copied().collect();
        sessions.into_iter().for_each(|session| self.flush(now, session));
    }

    fn flush(&mut self, now: Now, to: SessionId) {
        if self.sessions.get(&to).is_some_and(|session| session.bulk) {
            return self.flush_bulk(now, to);
        }
        // Each changes what is due, so that this ends.
        while let Some(push) = self.next_push(now, to) {
            match push {
                Next::Push(push) => self.push(to, &push),
                Next::Robot(bytes) => self.send(to, Frame::Binary(bytes)),
            }
        }
    }

    fn next_push(&mut self, now: Now, to: SessionId) -> Option<Next> {
        let session = self.sessions.get_mut(&to)?;
        if !session.is_here() || !session.has_room() {
            return None;
        }
        let name = session.person.as_ref().map(|(name, _)| name.clone()).unwrap_or_default();
        let due = &mut session.due;
        if std::mem::take(&mut due.document) {
            return Some(Next::Push(Push::Document(self.document_view(&name))));
        }
        if std::mem::take(&mut due.delivery) {
            return Some(Next::Push(Push::Delivery { robot_has: self.robot_has }));
        }
        if std::mem::take(&mut due.link) {
            return Some(Next::Push(Push::Link(self.link_view())));
        }
        if due.run && now.ns.saturating_sub(due.run_ns) >= RUN_NS {
            (due.run, due.run_ns) = (false, now.ns);
            self.refresh_numbers();
            return Some(Next::Push(Push::Run(self.run.view(&self.numbers))));
        }
        if !due.happenings.is_empty() {
            return Some(Next::Push(happenings(session)));
        }
        if std::mem::take(&mut due.people) {
            return Some(Next::Push(Push::People { people: self.people(to) }));
        }
        if std::mem::take(&mut due.variables) && session.topics.variables {
            self.refresh_numbers();
            let (variables, tokens) = self.run.variables(&self.numbers);
            return Some(Next::Push(Push::Variables { variables, tokens }));
        }
        if due.scene && session.topics.scene && now.ns.saturating_sub(due.scene_ns) >= SCENE_NS {
            (due.scene, due.scene_ns) = (false, now.ns);
            let objects = self.robot.as_ref().map(|robot| robot.objects()).unwrap_or_default();
            let frames = self.robot.as_ref().map(|robot| robot.frames()).unwrap_or_default();
            let detections = self.robot.as_ref().map(|robot| robot.around.detections()).unwrap_or_default();
            let cameras = self.robot.as_ref().map(|robot| robot.cameras()).unwrap_or_default();
            return Some(Next::Push(Push::Scene { objects, detections, frames, cameras }));
        }
        if due.world && session.topics.scene && now.ns.saturating_sub(due.world_ns) >= SCENE_NS {
            (due.world, due.world_ns) = (false, now.ns);
            let lacks = self.robot.as_ref().and_then(|robot| robot.around.lacks(due.world_told));
            if let Some((push, told)) = lacks {
                due.world_told = Some(told);
                return Some(Next::Push(push));
            }
        }
        if let Some(next) = self.next_of_preview(now, to) {
            return Some(next);
        }
        if let Some(next) = self.next_of_body(now, to) {
            return Some(next);
        }
        let session = self.sessions.get_mut(&to)?;
        let due = &mut session.due;
        let every_ns = if session.topics.robot_hz > 0.0 { (1e9 / session.topics.robot_hz) as u64 } else { u64::MAX };
        // A report comes every 16 ms: one that is a little early is not left out.
        if due.robot && now.ns.saturating_sub(due.robot_ns).saturating_add(4_000_000) >= every_ns {
            (due.robot, due.robot_ns) = (false, now.ns);
            return self.robot.as_ref().map(|robot| Next::Robot(robot.packed(ROBOT_STATE)));
        }
        None
    }

    fn link_view(&self) -> LinkView {
        let Some(status) = &self.status else {
            return LinkView { narrow: self.setup.narrow, ..LinkView::default() };
        };
        let ms = |ns: Option<u64>| ns.map(|ns| ns as f64 / 1e6);
        let waiting = status.document(Stream::Edits).waiting_bytes + status.document(Stream::Snapshot).waiting_bytes;
        let spent: u64 = status.channels.iter().map(|channel| channel.sent_bytes + channel.received_bytes).sum();
        LinkView {
            quality: match status.quality {
                link::Quality::NotConnected => Quality::NotConnected,
                link::Quality::Down => Quality::Down,
                link::Quality::Poor => Quality::Poor,
                link::Quality::Good => Quality::Good,
            },
            round_trip_ms: ms(status.round_trip_ns),
            loss: status.loss,
            state_age_ms: ms(status.robot_age_ns.or(status.run_age_ns)),
            stop_pending: status.stop_pending,
            waiting_bytes: u32::try_from(waiting).unwrap_or(u32::MAX),
            channels: status.channels.iter().zip(&status.channels_up).map(channel_view).collect(),
            narrow: self.setup.narrow,
            budget_left_bytes: self.setup.budget_bytes.map(|budget| budget.saturating_sub(spent) as f64),
        }
    }

    fn people(&self, to: SessionId) -> Vec<PersonView> {
        let in_control = |name: &str, number| {
            self.run.in_control().is_some_and(|holder| *holder.name == *name && holder.session == number)
        };
        let me = self.role_of(to).map(|(name, _)| name);
        let mut people: Vec<PersonView> = Vec::new();
        for (id, session) in self.sessions.iter().filter(|(_, session)| session.is_here()) {
            let Some((name, role)) = &session.person else { continue };
            people.push(PersonView {
                name: name.clone(),
                session: format!("{:016x}", session.number),
                role: *role,
                team_role: session.team_role.as_deref().map(str::to_owned),
                node: session.looks.node,
                edits: session.looks.edits,
                wants_control: session.looks.wants_control,
                in_control: in_control(name, session.number),
                me: *id == to,
                other_window: *id != to && me.as_ref() == Some(name),
            });
        }
        for presence in self.others.values() {
            let looks = presence.at.clone().unwrap_or_default();
            people.push(PersonView {
                name: presence.name.to_string(),
                session: format!("{:016x}", presence.session),
                role: presence.role,
                team_role: presence.team_role.as_deref().map(str::to_owned),
                node: looks.node,
                edits: looks.edits,
                wants_control: looks.wants_control,
                in_control: in_control(&presence.name, presence.session),
                me: false,
                other_window: false,
            });
        }
        people
    }

    /// Tells the other operator processes where somebody looks.
    pub(crate) fn present(&mut self, session: SessionId) {
        let Some(session) = self.sessions.get(&session).filter(|session| session.is_here()) else { return };
        let Some((name, role)) = &session.person else { return };
        let (number, at) = (session.number, Some(session.looks.clone()));
        let presence = Presence {
            name: name.as_str().into(),
            role: *role,
            team_role: session.team_role.clone(),
            session: number,
            at,
        };
        self.tell_presence(session.presence_key, &presence);
    }

    pub(crate) fn tell_presence(&mut self, key: u32, presence: &Presence) {
        if self.is_linked() {
            self.offer(Message::Keyed { kind: Keyed::Presence, key, bytes: pack(presence) });
        }
    }
}

/// Of a channel that only comes from the robot, its own acknowledgements say nothing: bytes do.
fn channel_view((traffic, up): (&link::ChannelTraffic, &bool)) -> ChannelView {
    let only_comes = traffic.most_bytes_s == 0;
    ChannelView {
        up: if only_comes { traffic.received_bytes_s > 0 } else { *up },
        sent_bytes_s: traffic.sent_bytes_s as f64,
        received_bytes_s: traffic.received_bytes_s as f64,
        most_bytes_s: traffic.most_bytes_s as f64,
        sent_bytes: traffic.sent_bytes as f64,
        received_bytes: traffic.received_bytes as f64,
    }
}

#[expect(clippy::large_enum_variant, reason = "one at a time, never kept")]
pub(crate) enum Next {
    Push(Push),
    Robot(Vec<u8>),
}

fn happenings(session: &mut Session) -> Push {
    let mut happenings: Vec<HappeningView> = session.due.happenings.drain(..).collect();
    let left_out = std::mem::take(&mut session.due.happenings_left_out);
    if left_out > 0 {
        let at_s = happenings.first().map_or(0.0, |first| first.at_s);
        let text = format!("{left_out} happenings before this were left out: this client reads too slowly");
        let what = HappenedWhat::Note { kind: NoteKind::Warning, step: None, text };
        happenings.insert(0, HappeningView { at_s, what });
    }
    Push::Happened { happenings }
}
