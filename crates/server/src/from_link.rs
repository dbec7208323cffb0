//! What the robot tells.

use std::sync::Arc;

use link::{Event, Keyed, Latest, LinkStatus, Message, Stream};
use model::NodeId;
use protocol::api::{FailureCode, Push};
use protocol::body::BodyPart;
use protocol::report::{RobotReport, RunReport};
use protocol::talk::{
    Demand, Detail, Happening, News, Overview, Pieces, Presence, SceneAt, Update, Want, Whole, unpack,
};
use robot::Robot;

use crate::around::Changed;
use crate::commands::{answer, no_answer};
use crate::operator::{Now, Operator, failure};
use crate::robot_seen::RobotSeen;
use crate::run_seen::{RunSeen, happening_view};
use crate::session::{Due, SessionId};

/// An order to open may take this long on its way.
const OPEN_VALID_NS: u64 = 10_000_000_000;

impl Operator {
    pub fn link(&mut self, now: Now, event: Event) {
        self.flow.heard(&event);
        match event {
            Event::Connected { resumed, .. } => {
                self.linked = true;
                self.connected(resumed);
            }
            Event::StopAcknowledged => {
                for stop in self.commands.stopped() {
                    self.reply(stop.session, stop.request, Ok(protocol::api::Answer::Done));
                }
            }
            Event::Answered { id, outcome } => {
                let opens = self.commands.tag_of(id).is_some_and(|tag| {
                    self.opening.as_ref().is_some_and(|opening| opening.ordered && opening.tag == tag)
                });
                let tag = self.commands.tag_of(id);
                if let Some(waiting) = self.command_of(id)
                    && !self.goal_answered(tag, &outcome)
                {
                    if opens {
                        self.end_opening(answer(&outcome));
                    } else {
                        self.reply(waiting.session, waiting.request, answer(&outcome));
                    }
                }
            }
            Event::Document { stream, bytes } => self.document_came(stream, &bytes),
            Event::Latest { of: Latest::Robot, bytes, .. } => {
                let Some(report) = RobotReport::from_bytes(&bytes) else { return };
                let time_ns = (self.run.time_s() * 1e9) as i64;
                if self.robot.as_mut().is_some_and(|robot| robot.report(&report, time_ns)) {
                    self.everyone(|due| (due.robot, due.scene) = (true, true));
                }
            }
            Event::Latest { of: Latest::Run, bytes, .. } => {
                let Some(report) = RunReport::from_bytes(&bytes) else { return };
                self.run.report(report);
                self.everyone(|due| due.run = true);
            }
            Event::Keyed { kind, key, bytes } => self.keyed_came(kind, key, &bytes),
            // Robots give no orders.
            Event::Stop | Event::Command { .. } | Event::CommandRefused { .. } => {}
        }
        self.flush_all(now);
    }

    fn connected(&mut self, resumed: bool) {
        if resumed {
            return;
        }
        // A robot that was started anew says everything again; what it lacks goes to it when its tree has come.
        (self.refusals, self.tree_is_here) = (0, false);
        self.arriving = Pieces::default();
        self.early.clear();
        for session in self.everybody_here() {
            self.push(session, &Push::RobotAnew);
        }
        self.run = RunSeen::default();
        self.robot_version = None;
        self.others.clear();
        if let Some(robot) = &mut self.robot {
            robot.forget_objects();
        }
        if self.opening.is_some() {
            let text = "the robot was started anew while the behavior was on its way: open it again";
            self.end_opening(Err(failure(FailureCode::RobotRefused, text)));
        }
        let sessions: Vec<SessionId> = self.sessions.keys().copied().collect();
        sessions.into_iter().for_each(|session| self.present(session));
        self.watching_bulk = false;
        self.watch_bulk();
        self.watching_body_hz = 0.0;
        self.watch_body();
        self.everyone(|due| {
            due.world = true;
            due.link = true;
            due.run = true;
        });
    }

    pub(crate) fn document_came(&mut self, stream: Stream, bytes: &[u8]) {
        // What a robot of another version says is not to be understood; that it is one was told.
        if stream != Stream::Overview && self.same_version().is_err() {
            return;
        }
        match stream {
            Stream::Overview => {
                self.robot_version = Overview::version_of(bytes);
                match unpack::<Overview>(bytes).filter(|_| self.same_version().is_ok()) {
                    Some(overview) => self.overview_came(overview),
                    None => self.tell_version(),
                }
            }
            Stream::Edits => {
                if let Some(news) = unpack::<News>(bytes) {
                    self.news_came(news);
                }
            }
            Stream::Snapshot => {
                let whole = self.arriving.take(bytes).and_then(|bytes| Update::from_bytes(&bytes));
                if let Some(whole) = whole.and_then(|update| unpack::<Whole>(&update.bytes)) {
                    self.whole_came(&whole);
                }
            }
            Stream::History => {
                let Some(happenings) = unpack::<Vec<Happening>>(bytes) else {
                    tracing::error!(bytes = bytes.len(), "what happened on the robot cannot be read");
                    return;
                };
                happenings.iter().for_each(|happening| self.happened(happening));
            }
        }
    }

    fn overview_came(&mut self, overview: Overview) {
        let known = self.robot.as_ref().is_some_and(|seen| *seen.robot.name == *overview.robot);
        if !known {
            match Robot::find(&overview.robot) {
                Ok((robot, _)) => self.robot = Some(RobotSeen::new(Arc::new(robot))),
                Err(_) => {
                    let name = &overview.robot;
                    let text = format!("robot `{name}` is not known here: start the operator with --robot, its folder");
                    self.robot = None;
                    self.notice(text, None);
                }
            }
        }
        let Overview { name, simulated, resets, .. } = &overview;
        let push = Push::RobotIs { robot: name.to_string(), simulated: *simulated, resets: *resets };
        self.overview = Some(overview);
        for session in self.everybody_here() {
            self.push(session, &push);
        }
        if !known {
            self.use_templates();
        }
        if let Some(text) = self.look_only() {
            // Whoever comes later is told then.
            for session in self.everybody_here() {
                self.push(session, &Push::Notice { text: text.clone(), node: None });
            }
        }
        self.everyone(|due| due.link = true);
    }

    fn happened(&mut self, happening: &Happening) {
        self.run.happening(happening);
        self.everyone(|due| due.run = true);
        self.refresh_numbers();
        let Some(view) = happening_view(happening, &self.numbers) else { return };
        for session in self.sessions.values_mut().filter(|session| session.topics.happenings && !session.bulk) {
            session.happened(&view);
        }
    }

    fn keyed_came(&mut self, kind: Keyed, key: u32, bytes: &[u8]) {
        match kind {
            Keyed::Presence => {
                if let Some(presence) = unpack::<Presence>(bytes)
                    && !self.sessions.values().any(|session| session.presence_key == key)
                {
                    match presence.at {
                        Some(_) => self.others.insert(key, presence),
                        None => self.others.remove(&key),
                    };
                    self.everyone(|due| due.people = true);
                }
            }
            Keyed::Detail => {
                if let Some(detail) = unpack::<Detail>(bytes) {
                    let people = matches!(detail, Detail::Run(_));
                    let board = self.run.detail(detail);
                    self.everyone(|due| {
                        due.variables |= board;
                        due.run |= !board;
                        due.people |= people;
                    });
                }
            }
            Keyed::Scene => {
                if let Some(thing) = unpack::<SceneAt>(bytes)
                    && let Some(robot) = &mut self.robot
                {
                    let changed = robot.thing(key, thing);
                    self.everyone(|due| {
                        due.scene |= changed == Changed::Scene;
                        due.world |= changed == Changed::World;
                    });
                }
            }
            Keyed::Body => {
                if let Some(part) = unpack::<BodyPart>(bytes) {
                    self.body_came(part);
                }
            }
            Keyed::Cloud | Keyed::Image => self.tile_came(kind, bytes),
        }
    }

    /// What the link says of itself, a few times a second.
    pub fn status(&mut self, now: Now, status: LinkStatus) {
        let arrived = status.document(Stream::Snapshot).acknowledged;
        let before = self.status.as_ref().map(|status| status.quality);
        let changed = before != Some(status.quality)
            || self.status.as_ref().is_some_and(|before| before.stop_pending != status.stop_pending);
        self.status = Some(status);
        self.order_opening(arrived);
        if changed || now.ns.saturating_sub(self.told_link_ns) >= 500_000_000 {
            self.told_link_ns = now.ns;
            self.everyone(|due| due.link = true);
        }
        self.flush_all(now);
    }

    /// The behavior is there: now the robot may open it.
    fn order_opening(&mut self, arrived: u64) {
        let Some(opening) = &self.opening else { return };
        if opening.ordered || opening.number.is_none_or(|number| number > arrived) {
            return;
        }
        let (by, role) = opening.by.clone();
        let (session, request, until_ns) = (opening.waiting.session, opening.waiting.request, opening.waiting.until_ns);
        let what = Want::Open { epoch: opening.shared.epoch(), world: opening.world.clone() };
        let order = Demand { by, role, team_role: None, session: opening.window, what };
        let tag = self.offer(Message::Command { bytes: order.to_bytes(), valid_for_ns: OPEN_VALID_NS });
        self.commands.wait(tag, session, request, until_ns);
        if let Some(opening) = &mut self.opening {
            opening.ordered = true;
            opening.tag = tag;
        }
    }

    pub(crate) fn end_opening(&mut self, outcome: Result<protocol::api::Answer, protocol::api::Failure>) {
        let Some(opening) = self.opening.take() else { return };
        let waiting = opening.waiting;
        if outcome.is_ok() {
            let name = opening.by.0;
            // The robot may have told of it already.
            if self.shared.epoch() != opening.shared.epoch() {
                self.adopt(opening.shared, opening.saved);
            }
            self.audit(format!("{name} opened {}", self.shared.document().library().main().file));
        }
        self.reply(waiting.session, waiting.request, outcome);
    }

    /// Time passes: what nobody answered is answered here.
    pub fn tick(&mut self, now: Now) {
        for late in self.commands.overdue(now.ns) {
            if self.opening.as_ref().is_some_and(|opening| opening.waiting.request == late.request && opening.ordered) {
                self.end_opening(Err(no_answer()));
            } else {
                self.reply(late.session, late.request, Err(no_answer()));
            }
        }
        if self.opening.as_ref().is_some_and(|opening| opening.waiting.until_ns <= now.ns) {
            self.end_opening(Err(failure(
                FailureCode::NoRobot,
                "the behavior did not reach the robot in time: look at the link, then open it again",
            )));
        }
        for late in self.commands.overdue_stops(now.ns) {
            let text = "the robot has not acknowledged the stop yet; it is repeated until it does";
            self.reply(late.session, late.request, Err(failure(FailureCode::NoRobot, text)));
        }
        self.flush_all(now);
    }

    pub(crate) fn notice(&mut self, text: String, node: Option<NodeId>) {
        let everybody = self.everybody_here();
        if everybody.is_empty() {
            self.untold.keep(None, (text, node));
            return;
        }
        for session in everybody {
            self.push(session, &Push::Notice { text: text.clone(), node });
        }
    }

    fn everybody_here(&self) -> Vec<SessionId> {
        self.sessions.iter().filter(|(_, session)| session.is_here()).map(|(id, _)| *id).collect()
    }

    pub(crate) fn everyone(&mut self, mark: impl Fn(&mut Due)) {
        self.sessions.values_mut().filter(|session| session.is_here()).for_each(|session| mark(&mut session.due));
    }

    pub(crate) fn is_linked(&self) -> bool {
        self.linked
    }
}
