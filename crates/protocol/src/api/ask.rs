//! What a client asks.

use engine::Control;
use model::NodeId;
use robot::Corrections;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ts_rs::TS;

use super::recorded::Against;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Request {
    /// The reply carries it.
    pub id: u32,
    #[serde(flatten)]
    pub ask: Ask,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Ask {
    /// Who this is. The token decides the role; without one only a client on this machine is let in.
    Hello {
        version: u32,
        #[serde(default)]
        #[ts(optional)]
        token: Option<String>,
        #[serde(default)]
        #[ts(optional)]
        name: Option<String>,
        /// What this person does in the team, as `auxiliary`: questions may be asked of it.
        #[serde(default)]
        #[ts(optional)]
        team_role: Option<String>,
        /// The secret of a session to take up again, as [`Welcome`] gave it; none: a new one.
        #[serde(default)]
        #[ts(optional)]
        session: Option<String>,
    },
    /// Behaviors and skills in the folder of this operator: [`Answer::Files`].
    Files,
    /// Loads a file onto the robot, which must have stopped; needs run control. Refused while changes are not saved,
    /// unless they are to be discarded. With a world, that simulated one begins with it.
    Open {
        file: String,
        #[serde(default)]
        discard: bool,
        #[serde(default)]
        #[ts(optional)]
        world: Option<String>,
    },
    /// An empty behavior of this name, loaded onto the robot as by `open`.
    New {
        file: String,
        #[serde(default)]
        discard: bool,
        #[serde(default)]
        #[ts(optional)]
        world: Option<String>,
    },
    /// Writes changed files, all or those named. `overwrite`: also those that changed on disk meanwhile.
    Save {
        #[serde(default)]
        #[ts(optional)]
        files: Option<Vec<String>>,
        #[serde(default)]
        overwrite: bool,
    },
    /// Writes the behavior itself as a new file; it stays the one that is open. Refused where there is a file of that name.
    SaveAs {
        file: String,
    },
    /// Gives a file that is not open another name. [`FailureCode::InUse`] while others use it, unless done `anyway`: they
    /// are written anew then, with the new name.
    RenameFile {
        file: String,
        to: String,
        #[serde(default)]
        anyway: bool,
    },
    /// Takes away a file that is not open; what it was stays beside it as `name.json~`. [`FailureCode::InUse`] while others
    /// use it, unless done `anyway`.
    DeleteFile {
        file: String,
        #[serde(default)]
        anyway: bool,
    },
    NewFolder {
        folder: String,
    },
    /// Nodes with what is below them and the skills they use, as text for [`Operation::Paste`]: [`Answer::Copied`].
    Copy {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
    },
    /// The whole document again: [`Answer::Document`].
    Document,
    /// Changes the tree: [`Answer::Edited`].
    Edit {
        operation: Operation,
    },
    /// Takes back this person's last operation.
    Undo,
    Redo,
    /// Everything wrong with the behavior: [`Answer::Problems`].
    Check,
    /// Who changed what, newest first: [`Answer::History`].
    History {
        most: u32,
    },
    /// Every node type with its settings and their JSON Schema: [`Answer::NodeTypes`].
    NodeTypes,
    /// What an expression gives now at a node: [`Answer::Value`].
    Evaluate {
        #[ts(type = "string")]
        node: NodeId,
        text: String,
    },
    /// What the robot is made of, to draw it: [`Answer::Robot`].
    Robot,
    /// What is guessed of the robot with these corrections, or else with those that its file has, checked anew:
    /// [`Answer::RobotGuess`]. Takes a moment.
    RobotGuess {
        #[serde(default)]
        #[ts(optional)]
        corrections: Option<Corrections>,
    },
    /// Writes that as the robot's file beside its URDF: [`Answer::RobotWritten`]. [`FailureCode::ChangedOnDisk`] where one is
    /// there, unless it is to be written over; what it was stays beside it.
    WriteRobot {
        corrections: Corrections,
        file: String,
        #[serde(default)]
        overwrite: bool,
    },
    /// A demo begins anew with the robot of this file, which `write_robot` wrote; the robot must have stopped.
    UseRobot {
        file: String,
    },
    /// Needs run control; refused by the robot when it arrives later than `valid_for_s` (2 s unless given).
    Run {
        control: Control,
        #[serde(default)]
        #[ts(optional)]
        valid_for_s: Option<f64>,
    },
    /// Allowed to everybody, always. Answered when the robot has it.
    Stop,
    TakeControl,
    /// To a person by name, or to nobody. Somebody who is here in several windows gets it in that which did something
    /// last, unless `session` of [`PersonView`] names one.
    GiveControl {
        to: Option<String>,
        #[serde(default)]
        #[ts(optional)]
        session: Option<String>,
    },
    /// What is pushed, and how often at most; nothing but the document, the run and the link until asked.
    Watch {
        topics: Topics,
    },
    /// What steps would do, from where each before would leave the robot, or one step from where it is now:
    /// [`Answer::Preview`]. Computed here.
    Preview {
        #[serde(default)]
        #[ts(type = "string | null")]
        node: Option<NodeId>,
        /// Settings that the node would have, as while a slider is dragged; null is the default.
        #[serde(default)]
        #[ts(optional, type = "Record<string, unknown>")]
        with: Option<serde_json::Map<String, Json>>,
    },
    /// When each step would run, from the beginning, by the engine's own dry run: [`Answer::Expected`]. Computed here.
    Expected,
    /// Runs the behavior for this session on a robot without dynamics, from where the real one is, which does not notice.
    /// [`Push::PreviewMode`] and [`Push::Preview`] tell of it. One that runs already begins anew.
    StartPreview {
        #[serde(default)]
        from: PreviewFrom,
        /// 1 unless given.
        #[serde(default)]
        #[ts(optional)]
        speed: Option<f64>,
    },
    /// To the preview of this session, never to the robot.
    PreviewRun {
        control: Control,
    },
    /// From 1 to 8 times as fast as the clock.
    PreviewSpeed {
        speed: f64,
    },
    EndPreview,
    /// On the bulk socket: one picture, or the points of one, now. On a narrow link this is the only way, and it comes in
    /// pieces; answered when the robot has sent the first of them.
    Look {
        what: LookAt,
        /// Of this camera; else of the first that sees something.
        #[serde(default)]
        #[ts(optional)]
        camera: Option<String>,
        /// Left, top, right, bottom as shares of the picture, 0 to 1: a part is sent finer than the whole.
        #[serde(default)]
        #[ts(optional)]
        region: Option<[f64; 4]>,
    },
    /// What robots are able to do, by the files of the folder `capabilities`, and what is so now by the run:
    /// [`Answer::Capabilities`].
    Capabilities {
        /// Told in full; none: the first.
        #[serde(default)]
        #[ts(optional)]
        file: Option<String>,
    },
    /// The way to goals, found on the robot: [`Answer::Synthesized`]. Nothing is changed.
    Synthesize {
        /// A file of the folder `capabilities`.
        capabilities: String,
        /// In the order in which they are wanted.
        goals: Vec<String>,
        /// What is so at the start; none: what the run says.
        #[serde(default)]
        #[ts(optional)]
        from: Option<Vec<String>>,
        /// The order is a must.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        strict: bool,
        /// What fails is tried as often again.
        #[serde(default)]
        #[ts(optional, as = "Option<u32>")]
        retry: u32,
        /// Only these modes may be used; none: those that are on a way.
        #[serde(default)]
        #[ts(optional, as = "Option<Vec<String>>")]
        modes: Vec<String>,
    },
    /// On the bulk socket: one message was taken, another may come. Not replied to.
    Ack,
    /// Where this person looks, for the others.
    Presence {
        #[ts(type = "string | null")]
        node: Option<NodeId>,
        #[serde(default)]
        edits: bool,
        /// Asks whoever has run control for it.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        wants_control: bool,
    },
    /// The simulated world begins anew, or another one of this name does; needs run control and a robot that has stopped.
    ResetWorld {
        #[serde(default)]
        #[ts(optional)]
        world: Option<String>,
    },
    /// Recorded runs, newest first; of those whose name, behavior, world or people hold this text: [`Answer::Recordings`].
    Recordings {
        #[serde(default)]
        #[ts(optional)]
        search: Option<String>,
    },
    /// All of a recording but its moments: [`Answer::Recording`].
    OpenRecording {
        recording: String,
    },
    /// How everything was then: [`Answer::Moment`]. `tree`: with the tree, where it was edited.
    Moment {
        recording: String,
        at_s: f64,
        #[serde(default)]
        tree: bool,
    },
    /// A number over time, as at most so many values: [`Answer::Range`].
    Range {
        recording: String,
        channel: String,
        from_s: f64,
        to_s: f64,
        most: u32,
    },
    /// The newest picture of a camera at that time: [`Answer::Picture`].
    RecordedPicture {
        recording: String,
        camera: String,
        at_s: f64,
    },
    /// The newest cloud at that time: [`Answer::Cloud`].
    RecordedCloud {
        recording: String,
        at_s: f64,
    },
    /// A note at a moment, which stays in the file: [`Answer::Marks`]. An empty text takes the marks of that moment away.
    Mark {
        recording: String,
        at_s: f64,
        text: String,
    },
    /// The budget does not take it, or may again.
    Keep {
        recording: String,
        keep: bool,
    },
    /// Where two runs part: [`Answer::Compared`].
    Compare {
        recording: String,
        with: String,
    },
    /// Computes a run anew from its inputs: [`Answer::Replayed`].
    Replay {
        recording: String,
    },
    /// Runs the tree that is open, as it is edited now, in a recorded run from that time on: [`Answer::WhatIf`].
    WhatIf {
        recording: String,
        from_s: f64,
        #[serde(default)]
        against: Against,
    },
    /// Suites in the folder of this operator, below `suites`: [`Answer::Suites`].
    Suites,
    /// Runs a suite on this machine, one at a time, as `coact trial` does: [`Answer::Trial`]. What was run before with the
    /// same files is not run again.
    StartTrial {
        suite: String,
        /// Of each case; else as the suite says.
        #[serde(default)]
        #[ts(optional)]
        runs: Option<u32>,
        #[serde(default)]
        #[ts(optional)]
        first_seed: Option<u32>,
    },
    /// What is being run ends first: [`Answer::Trial`].
    StopTrial,
    /// How far the trial is that runs, or what became of the last one: [`Answer::Trial`].
    Trial,
}

/// Where a preview begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PreviewFrom {
    /// At the step that is next on the robot, with variables as they are; behind the last step: at the beginning.
    #[default]
    Next,
    Beginning,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LookAt {
    Picture,
    Cloud,
}

/// What a person does to the tree. Each is one step of undo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Operation {
    /// A new node of a type, with settings.
    Add {
        #[ts(type = "string")]
        parent: NodeId,
        index: usize,
        kind: String,
        #[serde(default)]
        name: String,
        #[serde(default)]
        #[ts(type = "Record<string, unknown>")]
        settings: serde_json::Map<String, Json>,
        /// It begins where the robot is: a hand stays where it is, a walk goes half a metre ahead.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        at_robot: bool,
    },
    /// A node with all that is below it, as in a behavior file, whose file names are seen from that of the behavior.
    /// Without a place it is what runs next, under a lock too.
    Insert {
        #[ts(type = "unknown")]
        tree: Json,
        #[serde(default)]
        place: Option<Place>,
        #[serde(default)]
        then: Then,
        /// As what runs next: not in the middle of what one of these abilities does, a file of the folder `capabilities`.
        #[serde(default)]
        #[ts(optional)]
        capabilities: Option<String>,
        /// Refused where something else is so by then.
        #[serde(default)]
        #[ts(optional)]
        from: Option<Vec<String>>,
    },
    Delete {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
    },
    Move {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
        #[ts(type = "string")]
        parent: NodeId,
        index: usize,
    },
    /// Several settings of one node; null gives the default back.
    Set {
        #[ts(type = "string")]
        node: NodeId,
        #[ts(type = "Record<string, unknown>")]
        settings: serde_json::Map<String, Json>,
    },
    /// A setting that names another node.
    Refer {
        #[ts(type = "string")]
        node: NodeId,
        field: String,
        #[ts(type = "string")]
        target: NodeId,
    },
    Rename {
        #[ts(type = "string")]
        node: NodeId,
        name: String,
    },
    Notes {
        #[ts(type = "string")]
        node: NodeId,
        notes: String,
    },
    Retype {
        #[ts(type = "string")]
        node: NodeId,
        kind: String,
    },
    Duplicate {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
    },
    /// Puts nodes into a new one of this type, in their place.
    Wrap {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
        kind: String,
    },
    Unwrap {
        #[ts(type = "string")]
        node: NodeId,
    },
    /// Left becomes right.
    Mirror {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
        /// A mirrored copy behind the original instead.
        #[serde(default)]
        copy: bool,
        /// For a world that is mirrored with its objects, as a door whose hinge is on the other side; otherwise objects
        /// stay where they are.
        #[serde(default)]
        #[ts(optional, as = "Option<bool>")]
        objects: bool,
    },
    /// A subtree becomes a skill file of its own.
    Extract {
        #[ts(type = "string")]
        node: NodeId,
        file: String,
    },
    /// A use of a skill becomes the skill's own nodes.
    Inline {
        #[ts(type = "string")]
        node: NodeId,
    },
    /// Goals become where the robot is now.
    SetToRobot {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
    },
    /// What `copy` gave, or the text of any behavior file, among the children of a node.
    Paste {
        #[ts(type = "string")]
        parent: NodeId,
        index: usize,
        text: String,
    },
    /// A walk goes by these steps, as a preview told them, in place of those it would plan.
    TakeSteps {
        #[ts(type = "string")]
        node: NodeId,
        steps: Vec<super::view::FootstepView>,
    },
    /// The same goals, given in another frame.
    ChangeFrame {
        #[ts(type = "string[]")]
        nodes: Vec<NodeId>,
        frame: String,
    },
    /// Names of a file that stand for expressions.
    Lets {
        file: String,
        #[ts(type = "Record<string, string>")]
        lets: serde_json::Map<String, Json>,
    },
    /// Variables of a file with their first values.
    Variables {
        file: String,
        #[ts(type = "Record<string, unknown>")]
        variables: serde_json::Map<String, Json>,
    },
}

/// Among the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Place {
    #[ts(type = "string")]
    pub parent: NodeId,
    pub index: usize,
}

/// What runs when what was inserted has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// What stands behind it.
    #[default]
    Waited,
    /// Nothing more of its track.
    End,
    /// This node of the same file.
    Step(#[ts(type = "string")] NodeId),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default, deny_unknown_fields)]
pub struct Topics {
    /// Robot states a second; 0 none.
    pub robot_hz: f64,
    /// Of [`Push::Body`](super::Push::Body): efforts, forces, faults, rates; 0 none, 50 at most.
    pub body_hz: f64,
    /// Happenings of the run, for timeline and log.
    pub happenings: bool,
    pub variables: bool,
    pub scene: bool,
    pub clouds: bool,
    pub pictures: bool,
}
