//! The operator process without its sockets: what clients ask, what the robot tells, and what is told to whom. It has no
//! clock, no threads and no network, so that tests drive it step by step.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use engine::Registry;
use link::{CommandId, LinkStatus, Message, Receipt};
use model::{Edit, Library};
use protocol::Role;
use protocol::api::{Answer, Failure, FailureCode, Outcome, Push, Reply, SceneView};
use protocol::talk::{News, Overview, Pieces, Presence};
use replica::{Peer, Unsent};
use robot::Robot;

use crate::bulk::Sheets;
use crate::commands::{Commands, Opening};
use crate::flow::Flow;
use crate::load::Gathered;
use crate::numbers::Numbers;
use crate::outbox::Outbox;
use crate::people::Tokens;
use crate::recall::{Recall, Recordings};
use crate::rehearsal::{Beginning, RehearsalOrder};
use crate::robot_seen::RobotSeen;
use crate::run_seen::RunSeen;
use crate::session::{Session, SessionId};
use crate::shared::{Shared, SharedError};
use crate::store::Store;
use crate::trials::Trials;
use crate::tries::Finding;
use crate::untold::Untold;
use crate::view::{Difference, View};
use crate::work::{Listing, Work};
use crate::workshop::Workshop;

/// When something happens: a clock that only goes forward, and the one on the wall.
#[derive(Clone, Copy, Debug, Default)]
pub struct Now {
    pub ns: u64,
    pub wall_ms: u64,
}

/// What an operator process is told at its beginning.
pub struct Setup {
    pub registry: Arc<Registry>,
    pub store: Box<dyn Store>,
    /// Empty: only clients on this machine are let in.
    pub tokens: Tokens,
    /// Of this process among all that share the tree.
    pub peer: Peer,
    /// The behavior that is there before a robot tells of its own.
    pub library: Library,
    /// Drawn and previewed until a robot says which one it is.
    pub robot: Option<Arc<Robot>>,
    /// Where edits are that the robot does not have yet.
    pub outbox: Box<dyn Outbox>,
    /// False: there is no robot to speak with, only the tree to edit.
    pub has_link: bool,
    /// Known from the start; else the robot says.
    pub simulated: bool,
    /// What can be opened with one click.
    pub scenes: Vec<SceneView>,
    /// Bytes that may go over the link both ways, to be shown; it goes on when they are spent.
    pub budget_bytes: Option<u64>,
    /// The link carries clouds and pictures only one at a time, when somebody asks.
    pub narrow: bool,
    /// Recorded runs; none: there are none to be looked at here.
    pub recordings: Option<Recordings>,
    /// Suites that can be started from here; none: none can.
    pub trials: Option<Trials>,
    /// Where meshes of robots are kept that were made for the page; none: they are made each time.
    pub meshes: Option<PathBuf>,
    /// Where the robot can be corrected.
    pub workshop: Option<Workshop>,
}

/// Of a web socket that is closed: what it did is not allowed, or its session goes on in another window.
pub const NOT_ALLOWED: u16 = 1008;
pub const TAKEN_UP: u16 = 4001;

/// Names what is given to the link, for [`Operator::offered`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u64);

/// What is to be done outside.
#[derive(Debug)]
pub enum Effect {
    Send {
        to: SessionId,
        frame: Frame,
    },
    /// Somebody was let in.
    Welcome(SessionId),
    /// Somebody came with a token that is nobody's.
    WrongToken(SessionId),
    Close {
        to: SessionId,
        code: u16,
        why: &'static str,
    },
    Offer {
        tag: Tag,
        /// Of the operator, for [`Flow::take`] of the link.
        flow: u64,
        message: Message,
    },
    Work(Box<Work>),
    List(Listing),
    Recall(Box<Recall>),
    Rehearse(Box<Beginning>),
    /// To the preview of this number.
    Rehearsal(u64, RehearsalOrder),
    /// All of this process is to begin anew with the robot of this file.
    UseRobot(PathBuf),
    /// A line for the local log of who did what.
    Audit(String),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Frame {
    Text(String),
    Binary(Vec<u8>),
}

impl Frame {
    pub fn len(&self) -> usize {
        match self {
            Frame::Text(text) => text.len(),
            Frame::Binary(bytes) => bytes.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

pub struct Operator {
    pub(crate) setup: Setup,
    pub(crate) shared: Shared,
    pub(crate) view: View,
    pub(crate) version: u32,
    pub(crate) numbers: Numbers,
    pub(crate) sessions: BTreeMap<SessionId, Session>,
    pub(crate) last_session: u64,
    pub(crate) session_seed: [u8; 32],
    pub(crate) last_tag: u64,
    pub(crate) last_preview: u64,
    pub(crate) commands: Commands,
    /// Ways to goals that the robot looks for.
    pub(crate) goals: BTreeMap<Tag, crate::goals::Asked>,
    pub(crate) opening: Option<Opening>,
    pub(crate) robot: Option<RobotSeen>,
    pub(crate) run: RunSeen,
    pub(crate) overview: Option<Overview>,
    pub(crate) status: Option<LinkStatus>,
    /// A robot has answered once.
    pub(crate) linked: bool,
    /// Of all operator processes on this robot, by their key; ours are among the sessions.
    pub(crate) others: BTreeMap<u32, Presence>,
    /// Versions that the robot is not known to have on its disk, each with the number of its edit.
    pub(crate) unacknowledged: VecDeque<(u32, u64)>,
    /// Edits of a process before this one, until there is a tree to do them in.
    pub(crate) stored: Vec<Unsent>,
    /// Lines in the file of unsent edits.
    pub(crate) stored_lines: usize,
    /// Edits that the robot has refused since it was connected.
    pub(crate) refusals: u32,
    /// The tree here is the one of the robot that is connected; else edits wait for it.
    pub(crate) tree_is_here: bool,
    pub(crate) flow: Flow,
    /// The robot's tree, as far as it has come, and what was told of it before it came.
    pub(crate) arriving: Pieces,
    pub(crate) early: Vec<News>,
    pub(crate) untold: Untold,
    pub(crate) robot_has: u32,
    pub(crate) told_link_ns: u64,
    pub(crate) watching_bulk: bool,
    /// As often as the robot was last asked to tell of its body.
    pub(crate) watching_body_hz: f64,
    pub(crate) sheets: Sheets,
    /// As it said itself; none: not yet.
    pub(crate) robot_version: Option<u16>,
    /// Several edits of others are taken together, and told of together.
    pub(crate) gathers: Option<Gathered>,
    pub(crate) finding: Finding,
    pub(crate) effects: Vec<Effect>,
}

impl Operator {
    pub fn new(mut setup: Setup) -> Result<Operator, SharedError> {
        let library = std::mem::take(&mut setup.library);
        let stored = setup.outbox.load();
        let shared = Shared::new(library, Arc::clone(&setup.registry), setup.peer.clone(), 0)?;
        let robot = setup.robot.clone().map(RobotSeen::new);
        let mut operator = Operator {
            shared,
            view: View::default(),
            version: 1,
            numbers: Numbers::default(),
            sessions: BTreeMap::new(),
            last_session: 0,
            session_seed: [0; 32],
            last_tag: 0,
            last_preview: 0,
            commands: Commands::default(),
            goals: BTreeMap::new(),
            opening: None,
            robot,
            run: RunSeen::default(),
            overview: None,
            status: None,
            linked: false,
            others: BTreeMap::new(),
            unacknowledged: VecDeque::new(),
            stored_lines: stored.len(),
            stored,
            refusals: 0,
            flow: Flow::default(),
            tree_is_here: false,
            arriving: Pieces::default(),
            early: Vec::new(),
            untold: Untold::default(),
            robot_has: 0,
            told_link_ns: 0,
            watching_bulk: false,
            watching_body_hz: 0.0,
            sheets: Sheets::default(),
            robot_version: None,
            gathers: None,
            finding: Finding::default(),
            effects: Vec::new(),
            setup,
        };
        operator.adopt_saved();
        operator.use_templates();
        operator.look_at_all();
        operator.robot_has = if operator.setup.has_link { 0 } else { operator.version };
        Ok(operator)
    }

    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    pub fn shared(&self) -> &Shared {
        &self.shared
    }

    pub fn version(&self) -> u32 {
        self.version
    }

    /// Follows edits that are in the tree; gives what has changed in what clients see.
    pub(crate) fn follow(&mut self, edits: &[Edit]) -> Difference {
        self.edit_previews(edits);
        let (difference, steps) = self.view.follow(&self.shared, edits);
        let document = self.shared.document();
        self.numbers.follow(&steps, document.library(), document.catalogue());
        difference
    }

    /// The tree is another one.
    pub(crate) fn look_at_all(&mut self) {
        self.end_previews("another behavior was opened, or this one was replaced");
        self.view = View::of(&self.shared);
        let document = self.shared.document();
        self.numbers = Numbers::of(document.library(), document.catalogue());
    }

    /// Before numbers of instances are looked up.
    pub(crate) fn refresh_numbers(&mut self) {
        let document = self.shared.document();
        self.numbers.refresh(document.library(), document.catalogue());
    }

    /// What is kept of the tree is what it is: else says what is not.
    pub fn check_view(&self) -> Result<(), String> {
        self.view.check(&self.shared)?;
        let document = self.shared.document();
        let mut numbers = self.numbers.clone();
        numbers.refresh(document.library(), document.catalogue());
        numbers.check(&Numbers::of(document.library(), document.catalogue()))
    }

    /// Skill files that an edit brought into the behavior are as they are on disk; new ones are not there.
    pub(crate) fn note_brought(&mut self, edits: &[Edit]) {
        for edit in edits {
            if let Edit::AddFile { file, .. } = edit
                && let Ok(text) = self.setup.store.read(&self.in_store(file))
            {
                self.shared.set_saved(file, Some(&text));
            }
        }
    }

    /// What is on disk of the files of the tree.
    pub(crate) fn adopt_saved(&mut self) {
        let files: Vec<Arc<str>> = self.shared.document().library().iter().map(|(_, tree)| tree.file.clone()).collect();
        for file in files {
            let text = self.setup.store.read(&self.in_store(&file)).ok();
            self.shared.set_saved(&file, text.as_deref());
        }
    }

    pub(crate) fn next_tag(&mut self) -> Tag {
        self.last_tag += 1;
        Tag(self.last_tag)
    }

    pub(crate) fn offer(&mut self, message: Message) -> Tag {
        let tag = self.next_tag();
        self.effects.push(Effect::Offer { tag, flow: self.flow.number(), message });
        tag
    }

    /// What became of something given to the link.
    pub fn offered(&mut self, tag: Tag, receipt: Result<Receipt, String>) {
        match receipt {
            Ok(Receipt::Command(id)) => self.commands.is_number(tag, id),
            Ok(Receipt::Document(_, number)) => {
                if let Some(opening) = self.opening.as_mut().filter(|opening| opening.tag == tag) {
                    opening.number = Some(number.0);
                }
            }
            Ok(Receipt::None) => {}
            Err(why) => {
                let failure = Failure { code: FailureCode::NoRobot, text: format!("the link does not take it: {why}") };
                if let Some(waiting) = self.commands.refused(tag) {
                    self.reply(waiting.session, waiting.request, Err(failure));
                } else if self.opening.as_ref().is_some_and(|opening| opening.tag == tag) {
                    self.end_opening(Err(failure));
                }
            }
        }
    }

    pub(crate) fn command_of(&mut self, id: CommandId) -> Option<crate::commands::Waiting> {
        self.commands.answered(id)
    }

    pub(crate) fn reply(&mut self, to: SessionId, request: u32, outcome: Result<Answer, Failure>) {
        let outcome = match outcome {
            Ok(answer) => Outcome::Ok(answer),
            Err(failure) => Outcome::Error(failure),
        };
        let text = serde_json::to_string(&Reply { reply: request, outcome }).expect("replies have text as keys");
        self.send(to, Frame::Text(text));
    }

    pub(crate) fn push(&mut self, to: SessionId, push: &Push) {
        let text = serde_json::to_string(push).expect("pushes have text as keys");
        self.send(to, Frame::Text(text));
    }

    pub(crate) fn send(&mut self, to: SessionId, frame: Frame) {
        let Some(session) = self.sessions.get_mut(&to) else { return };
        session.sends(frame.len());
        if session.reads_nothing() {
            self.close(to, "too much is on its way to this client: read what comes, then connect again");
            return;
        }
        self.effects.push(Effect::Send { to, frame });
    }

    pub(crate) fn close(&mut self, to: SessionId, why: &'static str) {
        self.close_with(to, NOT_ALLOWED, why);
    }

    pub(crate) fn close_with(&mut self, to: SessionId, code: u16, why: &'static str) {
        self.effects.push(Effect::Close { to, code, why });
        self.leave(to);
    }

    pub(crate) fn audit(&mut self, line: String) {
        self.effects.push(Effect::Audit(line));
    }

    pub(crate) fn role_of(&self, session: SessionId) -> Option<(String, Role)> {
        self.sessions.get(&session)?.person.clone()
    }
}

pub(crate) fn failure(code: FailureCode, text: impl Into<String>) -> Failure {
    Failure { code, text: text.into() }
}
