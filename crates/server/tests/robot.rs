//! With a robot on the other end of the link: commands, delivery, restarts, losses.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::common;

use common::Desk;
use engine::RunFact;
use geometry::Pose;
use link::{Event, Keyed, Latest, Message, Outcome, Quality, Refusal, Stream};
use model::NodeId;
use protocol::Role;
use protocol::api::ROBOT_STATE;
use protocol::report::{RobotPacker, RobotReport, RunMode, RunReport, RunningStep};
use protocol::talk::{
    AnswerKind, Detail, Happening, Held, HeldBy, Holder, Looks, News, NoteKind, ObjectAt, Overview, Presence, Question,
    Reply, RunDetail, SceneAt, TrackAt, Want, What, instance_number, pack,
};
use serde_json::{Value as Json, json};

fn node(id: &str) -> NodeId {
    id.parse().unwrap()
}

#[test]
fn a_command_is_answered_by_the_robot_only() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let request = desk.say(ann, json!({"ask": "run", "control": {"do": "automatic", "on": true}}));
    assert!(desk.reply(ann, request).is_none(), "not before the robot has answered");
    assert!(matches!(desk.orders().pop().unwrap().what, Want::Run(engine::Control::Automatic { on: true })));
    desk.answer(&Reply::Done);
    assert_eq!(desk.reply(ann, request).unwrap()["ok"]["is"], "done");
}

#[test]
fn every_command_gets_an_answer() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    for (outcome, says) in [
        (Outcome::Answered(serde_json::to_vec(&Reply::Refused("no control".into())).unwrap()), "no control"),
        (Outcome::Answered(b"?".to_vec()), "not understood"),
        (Outcome::Refused(Refusal::Late), "too late"),
        (Outcome::Refused(Refusal::OvertakenByStop), "stop"),
        (Outcome::Refused(Refusal::TooMany), "too many"),
        (Outcome::PeerRestarted, "started anew"),
    ] {
        let request = desk.say(ann, json!({"ask": "take_control"}));
        desk.end_command(outcome);
        let reply = desk.reply(ann, request).unwrap();
        assert_eq!(reply["error"]["code"], "robot_refused");
        assert!(reply["error"]["text"].as_str().unwrap().contains(says), "{reply}");
    }
    let request = desk.say(ann, json!({"ask": "take_control"}));
    desk.pass(6_000);
    assert!(desk.reply(ann, request).is_none());
    desk.pass(2_000);
    let reply = desk.reply(ann, request).unwrap();
    assert_eq!(reply["error"]["code"], "no_robot");
    desk.answer(&Reply::Done);
    let replies = desk.heard[&ann].iter().filter(|message| message["reply"] == json!(request)).count();
    assert_eq!(replies, 1, "a late answer is none");
    assert_eq!(desk.refused(ann, json!({"ask": "run", "control": {"do": "stop"}, "valid_for_s": 0})).0, "bad_request");
}

#[test]
fn a_stop_goes_out_whatever_the_link_is_like() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    desk.status.quality = Quality::Down;
    desk.tell_status();
    assert_eq!(desk.refused(ann, json!({"ask": "take_control"})).0, "no_robot", "a command is not sent into the dark");
    let request = desk.say(ann, json!({"ask": "stop"}));
    assert!(desk.offers.iter().any(|(_, message)| *message == Message::Stop));
    assert!(desk.reply(ann, request).is_none());
    desk.operator.link(desk.now, Event::StopAcknowledged);
    desk.settle();
    assert_eq!(desk.reply(ann, request).unwrap()["ok"]["is"], "done");
    let late = desk.say(ann, json!({"ask": "stop"}));
    desk.pass(6_000);
    assert!(desk.reply(ann, late).unwrap()["error"]["text"].as_str().unwrap().contains("repeated until"));
}

#[test]
fn people_see_whether_the_robot_has_their_edit() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    assert_eq!(desk.document(ann)["version"], desk.last_push(ann, "delivery")["robot_has"]);
    let first = desk.id(ann, "First");
    let edited = desk.edit(ann, json!({"do": "set", "node": first, "settings": {"duration_s": 4}}));
    assert!(desk.last_push(ann, "delivery")["robot_has"].as_u64() < edited["version"].as_u64());
    desk.acknowledge();
    assert!(desk.pushes(ann, "delivery").is_empty(), "the link has it, the robot has not said so");
    let sent = desk.updates().pop().unwrap();
    assert_eq!((sent.epoch, sent.number), (7, 1));
    let robot = desk.robot.as_mut().unwrap();
    assert_eq!(robot.merge(&sent.update).unwrap().edits.len(), 1, "the robot can use it");
    desk.news(&News::Kept { number: 1 });
    assert_eq!(desk.last_push(ann, "delivery")["robot_has"], edited["version"]);
}

#[test]
fn what_others_did_comes_by_the_robot() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let first = node(&desk.id(ann, "First"));
    let robot = desk.robot.as_mut().unwrap();
    robot.act(("Bob", 5), |document| document.rename(first, "Renamed")).unwrap();
    let update = robot.unsent().last().unwrap().update.clone();
    desk.news(&News::Update { epoch: 7, update });
    let push = desk.last_push(ann, "changed");
    assert_eq!(push["nodes"][0]["name"], "Renamed");
    assert_eq!(push["by"], "Bob");
    assert_eq!(push["undo"], json!(null), "it is not Ann's to take back");
    assert_eq!(desk.last_push(ann, "delivery")["robot_has"], push["version"]);
}

#[test]
fn edits_made_in_the_dark_arrive_after_a_restart_of_the_robot() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    desk.status.quality = Quality::Down;
    desk.tell_status();
    assert_eq!(desk.last_push(ann, "link")["quality"], "down");
    let first = desk.id(ann, "First");
    let edited = desk.edit(ann, json!({"do": "set", "node": first, "settings": {"duration_s": 4}}));
    desk.offers.clear();
    desk.connect(true);
    assert_eq!(desk.last_push(ann, "link")["quality"], "good");
    assert_eq!(desk.updates().len(), 1, "all it lacks, at once");
    assert_eq!(desk.setting(ann, "First", "duration_s"), 4, "nothing was lost here");
    desk.take_edits();
    assert!(desk.last_push(ann, "delivery")["robot_has"].as_u64() >= edited["version"].as_u64());
    desk.ok(ann, json!({"ask": "undo"}));
    assert_eq!(desk.setting(ann, "First", "duration_s"), 1, "and it can still be taken back");
}

#[test]
fn the_link_is_told_twice_a_second_and_when_it_changes() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    desk.pushes(ann, "link");
    for _ in 0..20 {
        desk.pass(100);
        desk.tell_status();
    }
    let pushes = desk.pushes(ann, "link");
    assert!((3..=5).contains(&pushes.len()), "{}", pushes.len());
    assert_eq!(pushes[0]["state_age_ms"], 20.0);
    desk.status.stop_pending = true;
    desk.tell_status();
    assert_eq!(desk.last_push(ann, "link")["stop_pending"], true);
}

#[test]
fn a_behavior_is_opened_on_the_robot_first() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let request = desk.say(ann, json!({"ask": "open", "file": "skills/nod.json"}));
    assert!(desk.orders().is_empty(), "the order would overtake the tree");
    assert_eq!(desk.refused(ann, json!({"ask": "open", "file": "main.json"})).0, "refused", "one at a time");
    desk.acknowledge();
    let Some(Want::Open { epoch, .. }) = desk.orders().pop().map(|order| order.what) else { panic!("no order") };
    assert!(epoch > 7);
    assert_eq!(desk.document(ann)["files"][0]["file"], "main.json", "not before the robot has it");
    desk.answer(&Reply::Done);
    assert_eq!(desk.reply(ann, request).unwrap()["ok"]["is"], "done");
    assert_eq!(desk.document(ann)["files"][0]["file"], "skills/nod.json");
    let request = desk.say(ann, json!({"ask": "open", "file": "main.json"}));
    desk.acknowledge();
    desk.answer(&Reply::Refused("it runs: stop it first".to_owned()));
    assert_eq!(desk.reply(ann, request).unwrap()["error"]["code"], "robot_refused");
    assert_eq!(desk.document(ann)["files"][0]["file"], "skills/nod.json", "nothing has changed");
}

#[test]
fn the_run_is_mirrored() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    desk.ok(ann, json!({"ask": "watch", "topics": {"happenings": true, "variables": true, "scene": true}}));
    let (first, used, inside) =
        (node(&desk.id(ann, "First")), node(&desk.id(ann, "Use")), node(&desk.id(ann, "Inside")));
    let nested = engine::Instance { uses: vec![used], node: inside };
    let (a, b) = (instance_number(&first.into()), instance_number(&nested));
    let happenings = vec![
        Happening { at_ms: 100, what: What::Started(a) },
        Happening {
            at_ms: 900,
            what: What::Ended { step: a, result: engine::Verdict::Success, outcome: None, reason: None },
        },
        Happening { at_ms: 900, what: What::Started(b) },
        Happening { at_ms: 950, what: What::Note { kind: NoteKind::Log, step: Some(b), text: "here".into() } },
    ];
    desk.operator.link(desk.now, Event::Document { stream: Stream::History, bytes: pack(&happenings) });
    let session = desk.session_of(ann);
    let second = desk.hello("Ann");
    let details = [
        Detail::Question { step: b, asked: Some(go()) },
        Detail::Run(RunDetail {
            in_control: Some(Holder { name: "Ann".into(), session }),
            breakpoints: vec![a],
            ..RunDetail::default()
        }),
        Detail::Track {
            branch: 0,
            owner: None,
            at: Some(TrackAt {
                next: Some(a),
                automatic: false,
                waits: "held at `First`: breakpoint".into(),
                kept_next: None,
                added_by: None,
                held: vec![
                    Held { step: a, by: HeldBy::Breakpoint, reason: "held at `First`: breakpoint".into() },
                    Held { step: 12345, by: HeldBy::Outcome, reason: "of another tree".into() },
                ],
            }),
        },
        Detail::Variable { of: Some(0), name: "n".into(), value: Some("3".into()) },
    ];
    for detail in details {
        let event = Event::Keyed { kind: Keyed::Detail, key: detail.key(), bytes: pack(&detail) };
        desk.operator.link(desk.now, event);
    }
    let running =
        vec![RunningStep { node: b, progress_percent: Some(50) }, RunningStep { node: 12345, progress_percent: None }];
    let report = RunReport { mode: RunMode::Automatic, tick: 200, next: Some(b), document_version: 1, running };
    desk.operator.link(desk.now, Event::Latest { of: Latest::Run, bytes: report.to_bytes().unwrap(), at_ns: 0 });
    desk.settle();
    desk.pass(100);
    let run = desk.last_push(ann, "run");
    assert_eq!(run["mode"], "automatic");
    assert_eq!(run["running"].as_array().unwrap().len(), 1, "what is in no tree is not shown");
    assert_eq!(run["running"][0]["step"]["uses"], json!([used]));
    assert_eq!(run["running"][0]["progress"], 0.5);
    assert_eq!(run["results"][0]["result"], "success");
    assert_eq!(run["questions"][0]["text"], "Go?");
    assert_eq!(run["questions"][0]["kind"], "choice");
    assert_eq!(run["held"].as_array().unwrap().len(), 1);
    assert_eq!((&run["held"][0]["step"]["node"], &run["held"][0]["by"]), (&json!(first), &json!("breakpoint")));
    assert_eq!(run["breakpoints"][0]["node"], json!(first));
    assert_eq!(run["in_control"], "Ann");
    assert_eq!(desk.last_push(ann, "variables")["variables"][0]["value"], 3);
    let heard: Vec<_> =
        desk.pushes(ann, "happened").iter().flat_map(|push| push["happenings"].as_array().unwrap().clone()).collect();
    assert_eq!(heard.len(), 4);
    assert_eq!(heard[3]["text"], "here");
    let marks = |people: &Json| -> Vec<(bool, bool, bool)> {
        let of = |person: &Json, key: &str| person[key].as_bool().unwrap();
        let all = people["people"].as_array().unwrap().iter();
        all.map(|person| (of(person, "me"), of(person, "other_window"), of(person, "in_control"))).collect()
    };
    assert_eq!(marks(&desk.last_push(ann, "people")), [(true, false, true), (false, true, false)]);
    assert_eq!(marks(&desk.last_push(second, "people")), [(false, true, true), (true, false, false)], "one of the two");
}

/// A step that has ended, one that runs, and the words of a run that is over.
fn told(desk: &mut Desk, happenings: Vec<Happening>) {
    desk.operator.link(desk.now, Event::Document { stream: Stream::History, bytes: pack(&happenings) });
    desk.settle();
    desk.pass(100);
}

fn of_a_run(step: protocol::talk::InstanceNumber) -> Vec<Happening> {
    let run = |fact| What::Run { step: None, fact };
    let ended =
        What::Ended { step, result: engine::Verdict::Failure, outcome: None, reason: Some("it slipped".into()) };
    let end = RunFact::Ended { result: engine::Verdict::Failure, reason: Some("it slipped".into()) };
    let all = [run(RunFact::Began), What::Started(step), ended, run(end)];
    all.into_iter().enumerate().map(|(at, what)| Happening { at_ms: at as u64, what }).collect()
}

#[test]
fn a_run_that_begins_anew_shows_nothing_of_the_one_before_but_the_question_it_asks() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let first = node(&desk.id(ann, "First"));
    let step = instance_number(&first.into());
    told(&mut desk, of_a_run(step));
    let run = desk.last_push(ann, "run");
    assert_eq!(run["results"][0]["reason"], "it slipped");
    assert_eq!(run["ended"]["result"], "failure");
    assert_eq!(run["ended"]["reason"], "it slipped");
    assert_eq!(run["ended"]["text"], "the behavior ended: failure: it slipped");
    assert_eq!(run["run_s"], 0.003, "from its own beginning to its own end");
    // Details overtake happenings: the question of the new run is there before the run is.
    let question = go();
    let detail = Detail::Question { step, asked: Some(question) };
    desk.operator.link(desk.now, Event::Keyed { kind: Keyed::Detail, key: detail.key(), bytes: pack(&detail) });
    told(
        &mut desk,
        vec![Happening { at_ms: 50, what: What::Anew }, Happening { at_ms: 50, what: What::Started(step) }],
    );
    let run = desk.last_push(ann, "run");
    assert_eq!(run["results"], json!([]));
    assert_eq!(run["ended"], json!(null));
    assert_eq!(run["questions"][0]["text"], "Go?", "the first question of a run is not forgotten with the run before");
}

#[test]
fn of_a_robot_that_starts_anew_nothing_of_before_is_shown() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    desk.ok(ann, json!({"ask": "watch", "topics": {"scene": true}}));
    let first = node(&desk.id(ann, "First"));
    let step = instance_number(&first.into());
    told(&mut desk, of_a_run(step));
    let details = [
        Detail::Question { step, asked: Some(go()) },
        Detail::Run(RunDetail {
            in_control: Some(Holder { name: "Ann".into(), session: 7 }),
            breakpoints: vec![step],
            ..RunDetail::default()
        }),
    ];
    for detail in details {
        desk.operator.link(desk.now, Event::Keyed { kind: Keyed::Detail, key: detail.key(), bytes: pack(&detail) });
    }
    let mug = SceneAt::Object(ObjectAt {
        name: "mug".into(),
        pose: Some([1.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0]),
        class: None,
        stale: false,
        frozen: false,
    });
    desk.operator.link(desk.now, Event::Keyed { kind: Keyed::Scene, key: mug.key(), bytes: pack(&mug) });
    desk.settle();
    desk.pass(200);
    assert_eq!(desk.last_push(ann, "run")["questions"][0]["text"], "Go?");
    assert_eq!(desk.last_push(ann, "scene")["objects"][0]["name"], "mug");
    desk.connect(true);
    desk.pass(200);
    let run = desk.last_push(ann, "run");
    for field in ["results", "questions", "breakpoints", "running"] {
        assert_eq!(run[field], json!([]), "{field}");
    }
    assert_eq!((&run["ended"], &run["in_control"]), (&json!(null), &json!(null)));
    let report = RobotReport {
        joints_rad: vec![0.0; desk.ok(ann, json!({"ask": "robot"}))["joints"].as_array().unwrap().len()],
        ..RobotReport::default()
    };
    desk.operator.link(
        desk.now,
        Event::Latest { of: Latest::Robot, bytes: RobotPacker::default().pack(&report, 0).unwrap(), at_ns: 0 },
    );
    desk.settle();
    desk.pass(200);
    assert_eq!(desk.last_push(ann, "scene")["objects"], json!([]));
}

#[test]
fn people_at_other_desks_are_seen() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    assert!(desk.offers.iter().any(|(_, message)| matches!(message, Message::Keyed { kind: Keyed::Presence, .. })));
    let there =
        Presence { name: "Far".into(), role: Role::Operator, team_role: None, session: 9, at: Some(Looks::default()) };
    let tell = |desk: &mut Desk, presence: &Presence| {
        desk.operator.link(desk.now, Event::Keyed { kind: Keyed::Presence, key: 5, bytes: pack(presence) });
        desk.settle();
    };
    tell(&mut desk, &there);
    assert_eq!(desk.last_push(ann, "people")["people"].as_array().unwrap().len(), 2);
    tell(&mut desk, &Presence { at: None, ..there });
    assert_eq!(desk.last_push(ann, "people")["people"].as_array().unwrap().len(), 1);
}

#[test]
fn robot_states_come_as_often_as_asked() {
    let mut desk = Desk::with_robot();
    let (ann, bob) = (desk.hello("Ann"), desk.hello("Bob"));
    let joints = desk.ok(ann, json!({"ask": "robot"}))["joints"].as_array().unwrap().len();
    desk.ok(ann, json!({"ask": "watch", "topics": {"robot_hz": 10}}));
    desk.states.clear();
    for _ in 0..60 {
        let report = RobotReport {
            world_from_base: Pose::from_translation(1.0, 2.0, 3.0),
            joints_rad: vec![0.25; joints],
            flags: 5,
        };
        desk.operator.link(
            desk.now,
            Event::Latest { of: Latest::Robot, bytes: RobotPacker::default().pack(&report, 0).unwrap(), at_ns: 0 },
        );
        desk.settle();
        desk.pass(16);
    }
    let states = &desk.states[&ann];
    assert!((9..=12).contains(&states.len()), "{}", states.len());
    assert!(!desk.states.contains_key(&bob), "who does not ask gets none");
    let state = &states[1];
    assert_eq!(state.len(), 1 + 8 + 28 + 4 + 4 * joints);
    assert_eq!(state[0], ROBOT_STATE);
    assert_eq!(f32::from_le_bytes(state[13..17].try_into().unwrap()), 2.0);
    assert_eq!(u16::from_le_bytes(state[37..39].try_into().unwrap()), 5);
    assert_eq!(f32::from_le_bytes(state[41..45].try_into().unwrap()), 0.25);
}

#[test]
fn garbage_from_the_robot_changes_nothing() {
    let mut desk = Desk::with_robot();
    let ann = desk.hello("Ann");
    let before = desk.document(ann);
    for stream in Stream::ALL {
        for bytes in [vec![], vec![7; 9], vec![255; 400]] {
            desk.operator.link(desk.now, Event::Document { stream, bytes });
        }
    }
    for kind in Keyed::ALL {
        desk.operator.link(desk.now, Event::Keyed { kind, key: 1, bytes: vec![255; 64] });
    }
    desk.settle();
    assert_eq!(desk.document(ann), before);
}

#[test]
fn a_simulated_robot_says_so() {
    let mut desk = Desk::with(server::Tokens::default(), true);
    let overview = Overview {
        version: protocol::talk::VERSION,
        name: "one at the door".into(),
        robot: "coact-mini".into(),
        file: "main.json".into(),
        epoch: 7,
        nodes: Vec::new(),
        beside: None,
        role: Role::Supervisor,
        simulated: false,
        resets: false,
    };
    let ann = desk.hello("Ann");
    for simulated in [true, false] {
        let bytes = pack(&Overview { simulated, ..overview.clone() });
        desk.operator.link(desk.now, Event::Document { stream: Stream::Overview, bytes });
        desk.settle();
        let told = desk.last_push(ann, "robot_is");
        assert_eq!((&told["robot"], &told["simulated"]), (&json!("one at the door"), &json!(simulated)));
        let id = desk.operator.join(desk.now, true, false).unwrap();
        assert_eq!(
            desk.ok(id, json!({"ask": "hello", "version": protocol::api::VERSION}))["simulated"],
            json!(simulated)
        );
    }
}

fn go() -> Question {
    Question {
        text: "Go?".into(),
        options: vec!["yes".into()],
        kind: AnswerKind::Choice,
        class: None,
        of: protocol::talk::AskedOf::InControl,
        team_role: String::new(),
        parts: Vec::new(),
    }
}
