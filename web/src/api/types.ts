// Generated from crates/protocol: UPDATE_EXPECT=1 cargo test -p protocol

/** Said in every hello. */
export const VERSION = 5;

export type AbilityKind = "mode" | "action" | "fact";
export type AbilityView = { name: string, is: AbilityKind, notes: string, };
export type Against = "best" | "recorded" | "simulated";
export type Alternative = { value: unknown, 
/**
 * To be clicked on; none: it is no other link.
 */
link: string | null, reason: string, };
export type Answer = { "is": "done" } | { "is": "welcome" } & Welcome | { "is": "files", files: Array<FileEntry>, 
/**
 * Those without files, too.
 */
folders: Array<string>, } | { "is": "copied", text: string, } | { "is": "document" } & DocumentView | { "is": "edited", created: string[], version: number, } | { "is": "saved", files: Array<string>, } | { "is": "problems", problems: Array<ProblemView>, } | { "is": "history", entries: Array<HistoryEntry>, } | { "is": "node_types", types: unknown, common: unknown, functions: unknown, } | { "is": "value", value: unknown, why: string | null, } | { "is": "robot" } & RobotView | { "is": "robot_guess" } & RobotGuessView | { "is": "robot_written", file: string, path: string, } | { "is": "preview", steps: Array<PreviewView>, } | { "is": "expected", steps: Array<ExpectedView>, } | { "is": "capabilities", 
/**
 * In the folder `capabilities`.
 */
files: Array<string>, told: CapabilitiesView | null, } | { "is": "synthesized" } & SynthesizedView | { "is": "recordings", recordings: Array<RecordingEntry>, 
/**
 * Where they are.
 */
folder: string, bytes: number, 
/**
 * Above this the oldest go.
 */
most_bytes: number, } | { "is": "recording" } & RecordingView | { "is": "moment" } & MomentView | { "is": "range" } & RangeView | { "is": "picture" } & PictureView | { "is": "cloud" } & CloudView | { "is": "marks", marks: Array<MarkView>, } | { "is": "compared", difference: DifferenceView | null, } | { "is": "replayed" } & ReplayedView | { "is": "what_if" } & WhatIfView | { "is": "suites", suites: Array<SuiteView>, } | { "is": "trial", trial: TrialView | null, };
export type AnswerKind = "choice" | "number" | "text" | "bool" | "pose" | "point" | "object" | "template" | "frame" | "several";
export type AskedOf = "in_control" | "anybody" | "operator" | "supervisor" | "team_role";
export type AskedPart = { 
/**
 * What it is called in the answer.
 */
name: string, kind: AnswerKind, class: string | null, };
export type Autonomy = "off" | "low" | "high" | "full";
export type BarView = { step: InstanceView, path: string, kind: string, start_s: number, 
/**
 * None: it still ran at the end.
 */
end_s: number | null, result: Verdict | null, outcome: string | null, reason: string | null, };
export type BodyView = { 
/**
 * The engine's clock.
 */
at_s: number, 
/**
 * In the robot's order of joints: rad/s or m/s.
 */
velocities: Array<number>, 
/**
 * N·m or N.
 */
efforts: Array<number>, 
/**
 * Left, right.
 */
hands: Array<HandView>, feet: Array<FootView>, pressure: PressureView | null, 
/**
 * Corners of what it stands on, x and y in the world, counterclockwise.
 */
support: Array<[number, number]>, 
/**
 * How high that is.
 */
ground_m: number, faults: Array<FaultView>, 
/**
 * Beyond those that there was room for.
 */
more_faults: number, temperatures: Array<TemperatureView>, 
/**
 * 0 to 1.
 */
battery: number | null, 
/**
 * What tells again and again, as it reaches the behavior; of a recorded moment there are none.
 */
sources: Array<SourceView>, };
export type CameraView = { name: string, horizontal_view_deg: number, };
export type CapabilitiesView = { file: string, name: string, notes: string, 
/**
 * In the order of the file.
 */
abilities: Array<AbilityView>, 
/**
 * What is so when what is put in as next begins, by what ran.
 */
present: Array<string>, 
/**
 * Where what runs next would be put in now.
 */
place: Place, };
export type ChannelOf = { 
/**
 * As `joint/left_elbow/position`, `hand/left/force_x`, `variable/count`, `condition/…`.
 */
name: string, 
/**
 * Empty: a mere number.
 */
unit: string, };
export type ChannelView = { 
/**
 * It gets through, as far as is known.
 */
up: boolean, 
/**
 * In the last whole second.
 */
sent_bytes_s: number, received_bytes_s: number, 
/**
 * Never more than this is sent in a second; zero: nothing is sent on it from here.
 */
most_bytes_s: number, 
/**
 * Since this operator process began.
 */
sent_bytes: number, received_bytes: number, };
export type ChildrenView = { parent: string, 
/**
 * Taken out first.
 */
out: string[], 
/**
 * Then put in, one after the other, each at its place.
 */
in: [number, string][], };
export type Chose = { 
/**
 * How far the task is; none: it has no states.
 */
state: number | string | null, 
/**
 * None: no strategy is safe.
 */
strategy: string | null, among: Array<Considered>, };
export type CloudView = { at_s: number, 
/**
 * A message of [`super::CLOUD`]'s form.
 */
points_base64: string, };
export type Confidence = "missing" | "doubtful" | "likely" | "sure";
export type Considered = { strategy: string, expected_s: number, 
/**
 * Why it is not safe there; none: it is, as far as anybody knows.
 */
not_safe: NotSafe | null, };
export type Control = { "do": "automatic", on: boolean, } | { "do": "press", track?: Instance, into?: boolean, } | { "do": "continue", step?: Instance, } | { "do": "set_next", to: Instance, } | { "do": "from_start" } | { "do": "move_next", by: number, } | { "do": "pause", on: boolean, } | { "do": "stop" } | { "do": "reset_failures" } | { "do": "concurrency", on: boolean, } | { "do": "run_only", node: Instance, } | { "do": "autonomy_level", level: Autonomy, } | { "do": "lock", node: Instance, on: boolean, } | { "do": "breakpoint", node: Instance, on: boolean, } | { "do": "admit", step?: Instance, } | { "do": "force", step: Instance, verdict: Verdict, outcome?: string, } | { "do": "answer", step: Instance, value: unknown, } | { "do": "set_variable", uses?: Array<string>, name: string, value: unknown, } | { "do": "freeze_object", object: string, on: boolean, } | { "do": "delete_object", object: string, } | { "do": "place_object" } & Placement;
export type ControlFact = { "held_by": string } | "free" | { "stopped_without": string } | "nobody_leads" | { "tree_anew": { why: string, } };
export type Corrections = { 
/**
 * The link that is it, or that it is fixed to. Of a pair one is enough: the other one is its mirror image.
 */
links?: { [key in FrameName]?: string }, 
/**
 * How far the left palm is turned about its fingers from where the guess has it, counterclockwise seen from their
 * tips; the right one as its mirror image.
 */
palm_turn_deg?: number, 
/**
 * The fingers are open where the guess has them closed.
 */
grips_reversed?: boolean, 
/**
 * The links that are cameras, in place of those whose names say so.
 */
cameras?: Array<string>, };
export type DetectionView = { 
/**
 * Names it for as long as the robot follows it.
 */
number: number, class: string, 
/**
 * 0 to 1.
 */
confidence: number, 
/**
 * x, y, z, qx, qy, qz, qw in the world.
 */
pose: Array<number>, 
/**
 * An object can be set up from it.
 */
stable: boolean, 
/**
 * Where in the picture of which camera it was last seen.
 */
seen_in: SeenInView | null, };
export type DifferenceView = { at_s: number, tick: number, step: InstanceView | null, path: string, 
/**
 * What differs: `started`, `ended`, a variable, a command.
 */
what: string, was: unknown, is: unknown, 
/**
 * All of it, for a person.
 */
text: string, };
export type DocumentView = { 
/**
 * Counts up with every change; `robot_has` in [`Push::Delivery`] is about it.
 */
version: number, 
/**
 * The behavior first, then its skills.
 */
files: Array<FileView>, nodes: Array<NodeView>, undo: string | null, redo: string | null, };
export type EditedAt = { at_s: number, version: number, by: string | null, };
export type ExpectedView = { step: InstanceView, start_s: number, end_s: number, };
export type Failure = { code: FailureCode, 
/**
 * What is wrong, where, and what to do.
 */
text: string, };
export type FailureCode = "bad_request" | "not_allowed" | "refused" | "changed_on_disk" | "in_use" | "robot_refused" | "no_robot" | "too_many" | "other_version" | "failed";
export type FaultView = { place: string, text: string, };
export type FileEntry = { file: string, 
/**
 * A skill declares inputs or outputs, or lies in a folder of skills.
 */
skill: boolean, };
export type FileView = { file: string, root: string, unsaved: boolean, variables: Record<string, unknown>, 
/**
 * Names that stand for expressions.
 */
lets: Record<string, string>, inputs: unknown, outputs: unknown, };
export type FootView = { contact: boolean, 
/**
 * N.
 */
load: number, 
/**
 * Where its sole is, in the world.
 */
at: [number, number, number], };
export type FootstepView = { side: 'left' | 'right', 
/**
 * Of the sole: x, y, z, qx, qy, qz, qw in the world.
 */
pose: Array<number>, };
export type Form = { "plane": { size_m: [number, number], } } | { "sphere": { radius_m: number, } } | { "capsule": { radius_m: number, length_m: number, } } | { "cylinder": { radius_m: number, length_m: number, } } | { "box": { size_m: [number, number, number], } };
export type FrameName = "pelvis" | "chest" | "head" | "left_hand" | "right_hand" | "left_sole" | "right_sole";
export type FrameView = { name: string, 
/**
 * x, y, z, qx, qy, qz, qw in the world.
 */
pose: Array<number>, };
export type GoalStepView = { name: string, 
/**
 * For which goal it is done.
 */
goal: string, is_mode: boolean, };
export type GoalView = { from: Array<string>, goals: Array<string>, strict: boolean, retry: number, modes: Array<string>, };
export type Guessed = { 
/**
 * Where it stands in the file: `frames.left_hand`, `presets_deg.home`, `walking`.
 */
key: string, topic: Topic, 
/**
 * None: it was not found.
 */
value: unknown, reason: string, confidence: Confidence, 
/**
 * Links of the robot that the value is about, to be shown on it.
 */
links: Array<string>, 
/**
 * All links that are fixed to those, or that a part of the body moves.
 */
shown: Array<string>, 
/**
 * Likeliest first.
 */
alternatives: Array<Alternative>, };
export type HandView = { 
/**
 * Along x, y, z of the hand: N, and N·m.
 */
force: [number, number, number], torque: [number, number, number], 
/**
 * Where the hand is, and the force, in the world.
 */
at: [number, number, number], world_force: [number, number, number], };
export type HappeningView = { at_s: number, } & ({ "what": "started", step: InstanceView, } | { "what": "ended", step: InstanceView, result: Verdict, outcome: string | null, reason: string | null, } | { "what": "note", kind: NoteKind, step: InstanceView | null, text: string, } | { "what": "run", step: InstanceView | null, fact: RunFact, text: string, } | { "what": "control", fact: ControlFact, text: string, } | { "what": "anew" });
export type HeldBy = "breakpoint" | "outcome";
export type HeldView = { step: InstanceView, by: HeldBy, 
/**
 * For people.
 */
reason: string, };
export type HistoryEntry = { who: string, 
/**
 * Milliseconds since 1970.
 */
when_ms: number, what: string, nodes: string[], };
export type Instance = { uses?: Array<string>, node: string, };
export type InstanceView = { uses: string[], node: string, };
export type LateView = { count: number, worst_ms: number, last_ms: number, 
/**
 * In the engine's time.
 */
last_at_s: number, };
export type LineKind = "log" | "warning" | "run" | "command" | "held" | "edit";
export type LineView = { at_s: number, kind: LineKind, step: InstanceView | null, text: string, };
export type LinkView = { quality: Quality, round_trip_ms: number | null, 
/**
 * 0 to 1.
 */
loss: number, 
/**
 * How old the robot's state is that is shown.
 */
state_age_ms: number | null, stop_pending: boolean, 
/**
 * Part of the document the robot does not have yet, in bytes.
 */
waiting_bytes: number, 
/**
 * The one that carries everything first, then the fast one where there is one.
 */
channels: Array<ChannelView>, 
/**
 * Clouds and pictures come only one at a time, when asked for by `look`.
 */
narrow: boolean, 
/**
 * What is left of the bytes that this operator process may send and get, where a budget was set.
 */
budget_left_bytes: number | null, };
export type LookAt = "picture" | "cloud";
export type MarkView = { at_s: number, by: string, text: string, };
export type MeasuredView = { step: InstanceView, value: number, unit: string, holds: boolean, };
export type MomentView = { at_s: number, tick: number, 
/**
 * Of the tree as it was then: 0 is that of the beginning.
 */
version: number, 
/**
 * The tree, where it was asked for and is another one than at the beginning.
 */
document: DocumentView | null, 
/**
 * `run`, `variables`, `scene`, `world` and `body`.
 */
told: Array<Push>, 
/**
 * None: there is no robot.
 */
robot: PosedView | null, 
/**
 * Where it was commanded to be, where that is known.
 */
commanded: PosedView | null, 
/**
 * The newest picture of each camera, with when it was taken.
 */
pictures: Array<[string, number]>, cloud_s: number | null, };
export type NodeView = { id: string, parent: string | null, 
/**
 * Index into the document's files.
 */
file: number, kind: string, name: string, notes?: string, 
/**
 * None: they are as they were, but for what [`Push::Changed`] says in `children`.
 */
children: string[], 
/**
 * Those written; the rest has its default.
 */
settings: Record<string, unknown>, 
/**
 * Settings that name another node, with that node's id. Where it is in the tree, its name now counts, not the text in
 * `settings`, which is the one that was written.
 */
references?: Record<string, string>, 
/**
 * Of a use of a skill: the file it uses, as an index.
 */
skill?: number, 
/**
 * Of a fallback: how many of its children are its try. Of a tree that was just changed it comes a moment later.
 */
tries?: number, };
export type NotSafe = { at: number | string, sense: string, expected: number, max: number, };
export type NoteKind = "log" | "warning" | "audit";
export type ObjectView = { name: string, 
/**
 * x, y, z, qx, qy, qz, qw in the world.
 */
pose: Array<number> | null, class: string | null, stale: boolean, frozen: boolean, };
export type Operation = { "do": "add", parent: string, index: number, kind: string, name: string, settings: Record<string, unknown>, 
/**
 * It begins where the robot is: a hand stays where it is, a walk goes half a metre ahead.
 */
at_robot?: boolean, } | { "do": "insert", tree: unknown, place: Place | null, then: Then, 
/**
 * As what runs next: not in the middle of what one of these abilities does, a file of the folder `capabilities`.
 */
capabilities?: string, 
/**
 * Refused where something else is so by then.
 */
from?: Array<string>, } | { "do": "delete", nodes: string[], } | { "do": "move", nodes: string[], parent: string, index: number, } | { "do": "set", node: string, settings: Record<string, unknown>, } | { "do": "refer", node: string, field: string, target: string, } | { "do": "rename", node: string, name: string, } | { "do": "notes", node: string, notes: string, } | { "do": "retype", node: string, kind: string, } | { "do": "duplicate", nodes: string[], } | { "do": "wrap", nodes: string[], kind: string, } | { "do": "unwrap", node: string, } | { "do": "mirror", nodes: string[], 
/**
 * A mirrored copy behind the original instead.
 */
copy: boolean, 
/**
 * For a world that is mirrored with its objects, as a door whose hinge is on the other side; otherwise objects
 * stay where they are.
 */
objects?: boolean, } | { "do": "extract", node: string, file: string, } | { "do": "inline", node: string, } | { "do": "set_to_robot", nodes: string[], } | { "do": "paste", parent: string, index: number, text: string, } | { "do": "take_steps", node: string, steps: Array<FootstepView>, } | { "do": "change_frame", nodes: string[], frame: string, } | { "do": "lets", file: string, lets: Record<string, string>, } | { "do": "variables", file: string, variables: Record<string, unknown>, };
export type OutlineView = { number: number, name: string, 
/**
 * In the way; else something to step on.
 */
obstacle: boolean, 
/**
 * x and y in the world.
 */
corners: Array<[number, number]>, };
export type PersonView = { name: string, 
/**
 * Names this session for `give_control`; no secret.
 */
session: string, role: Role, 
/**
 * What they do in the team, as they say themselves.
 */
team_role: string | null, node: string | null, edits: boolean, 
/**
 * They ask whoever is in control for it.
 */
wants_control: boolean, in_control: boolean, 
/**
 * The session this is sent to.
 */
me: boolean, 
/**
 * Another session of the person this is sent to.
 */
other_window: boolean, };
export type PictureView = { camera: string, at_s: number, 
/**
 * For `data:image/jpeg;base64,`.
 */
jpeg_base64: string, };
export type Place = { parent: string, index: number, };
export type Placement = { object: string, 
/**
 * What kind of thing it is: a template of that class can be used with it.
 */
class?: string, frame: string, 
/**
 * In the frame as it is in that tick: x, y, z in metres, then the quaternion x, y, z, w.
 */
pose: number[], };
export type PosedView = { 
/**
 * In the world.
 */
base: [number, number, number, number, number, number, number], 
/**
 * In the robot's order; rad or m.
 */
joints: Array<number>, flags: number, };
export type PressureView = { 
/**
 * x and y in the world.
 */
at: [number, number], 
/**
 * In m, to the edge of what it stands on; below zero: outside.
 */
margin: number, };
export type PreviewFrom = "next" | "beginning";
export type PreviewModeView = { 
/**
 * Times the clock.
 */
speed: number, };
export type PreviewView = { step: InstanceView, path: string, problem: string | null, duration_s: number, 
/**
 * 0 to 1 good, above 1 not reached.
 */
quality: number, 
/**
 * x, y, z, qx, qy, qz, qw.
 */
base: Array<number>, 
/**
 * In the order of a robot state's joints.
 */
joints: Array<number>, 
/**
 * Each a list of poses as `base`.
 */
hand_paths: Array<Array<Array<number>>>, footsteps: Array<FootstepView>, collisions: Array<[string, string]>, 
/**
 * The body on its way, evenly in time; the last is how it ends.
 */
way: Array<SampleView>, 
/**
 * It would drive the body into itself, and there is a setting that allows it.
 */
touches: TouchView | null, };
export type ProblemView = { error: boolean, file: string, node: string | null, field: string | null, text: string, };
export type Push = { "push": "document" } & DocumentView | { "push": "changed", version: number, by: string, what: string, 
/**
 * All of them, or none where they are as they were.
 */
files: Array<FileView>, 
/**
 * New ones, and those that are different; the latter without their children.
 */
nodes: (Omit<NodeView, "children"> & Partial<Pick<NodeView, "children">>)[], removed: string[], 
/**
 * Of those that were there before and have others now.
 */
children: Array<ChildrenView>, undo: string | null, redo: string | null, } | { "push": "delivery", robot_has: number, } | { "push": "notice", text: string, node: string | null, } | { "push": "run" } & RunView | { "push": "happened", happenings: Array<HappeningView>, } | { "push": "variables", variables: Array<VariableView>, tokens: Array<TokenView>, } | { "push": "scene", objects: Array<ObjectView>, detections: Array<DetectionView>, 
/**
 * Those of the body that every robot has.
 */
frames: Array<FrameView>, 
/**
 * Where cameras are: x forward, y left, z up.
 */
cameras: Array<FrameView>, } | { "push": "world", 
/**
 * Nothing of before counts.
 */
whole: boolean, 
/**
 * Of a simulated world, as it truly is; no robot knows this.
 */
solids: Array<SolidView>, 
/**
 * Of the terrain that the robot was given.
 */
outlines: Array<OutlineView>, } | { "push": "body" } & BodyView | { "push": "people", people: Array<PersonView>, } | { "push": "robot_is", robot: string, simulated: boolean, 
/**
 * Its world can begin anew.
 */
resets: boolean, } | { "push": "robot_anew" } | { "push": "link" } & LinkView | { "push": "preview_mode", on: PreviewModeView | null, 
/**
 * Why it ended, where nobody ended it.
 */
ended: string | null, } | { "push": "preview", told: Push, };
export type Quality = "not_connected" | "down" | "poor" | "good";
export type QuestionView = { step: InstanceView, text: string, 
/**
 * The answers there are, where it asks to choose.
 */
options: Array<string>, kind: AnswerKind, 
/**
 * Of an object or a template: of this class only.
 */
class: string | null, of: AskedOf, 
/**
 * The role in the team that is asked; empty: none.
 */
team_role: string, 
/**
 * Of several: each of them.
 */
parts: Array<AskedPart>, };
export type RangeView = { channel: string, unit: string, times_s: Array<number>, values: Array<number>, 
/**
 * Of all values of the stretch, not only of those above.
 */
statistics: StatisticsView, };
export type RecordedRun = { began_s: number, 
/**
 * None: it had not ended.
 */
ended_s: number | null, result: Verdict | null, reason: string, };
export type RecordingEntry = { 
/**
 * Names it in every request: its file without the ending.
 */
name: string, 
/**
 * The behavior file.
 */
behavior: string, robot: string | null, world: string | null, seed: number, 
/**
 * Milliseconds since 1970.
 */
began_unix_ms: number, duration_s: number, 
/**
 * Of the last run in it; none: nothing ran, or it was cut off.
 */
result: Verdict | null, reason: string, runs: Array<RecordedRun>, 
/**
 * Who commanded, in the order in which they first did.
 */
who: Array<string>, bytes: number, 
/**
 * The budget does not take it.
 */
kept: boolean, 
/**
 * It is written now.
 */
live: boolean, 
/**
 * It was not closed: the process ended, or the disk was full. What is in it can be looked at.
 */
cut: boolean, 
/**
 * Inputs that are missing because the disk was too slow: it cannot be run again behind them.
 */
lost: number, marks: number, };
export type RecordingView = { entry: RecordingEntry, 
/**
 * Version of the program, digests of program, robot, world and behavior.
 */
versions: VersionsView, 
/**
 * The tree as it was at the beginning. Moments tell which version of the tree they belong to.
 */
document: DocumentView, 
/**
 * Executions of steps, in the order in which they began.
 */
bars: Array<BarView>, 
/**
 * What happened that is no step: log, warnings, holds, commands and questions of people.
 */
lines: Array<LineView>, marks: Array<MarkView>, 
/**
 * What can be plotted.
 */
channels: Array<ChannelOf>, 
/**
 * Edits of the tree, with the version that each led to.
 */
edits: Array<EditedAt>, 
/**
 * Cameras of which there are pictures.
 */
cameras: Array<string>, has_clouds: boolean, ticks: number, };
export type ReplayedView = { 
/**
 * None: it is the same, bit for bit.
 */
difference: DifferenceView | null, ticks: number, duration_s: number, 
/**
 * Times the clock.
 */
speed: number, };
export type Reply = { 
/**
 * Of the request.
 */
reply: number, } & ({ "ok": Answer } | { "error": Failure });
export type Request = { 
/**
 * The reply carries it.
 */
id: number, } & ({ "ask": "hello", version: number, token?: string, name?: string, 
/**
 * What this person does in the team, as `auxiliary`: questions may be asked of it.
 */
team_role?: string, 
/**
 * The secret of a session to take up again, as [`Welcome`] gave it; none: a new one.
 */
session?: string, } | { "ask": "files" } | { "ask": "open", file: string, discard: boolean, world?: string, } | { "ask": "new", file: string, discard: boolean, world?: string, } | { "ask": "save", files?: Array<string>, overwrite: boolean, } | { "ask": "save_as", file: string, } | { "ask": "rename_file", file: string, to: string, anyway: boolean, } | { "ask": "delete_file", file: string, anyway: boolean, } | { "ask": "new_folder", folder: string, } | { "ask": "copy", nodes: string[], } | { "ask": "document" } | { "ask": "edit", operation: Operation, } | { "ask": "undo" } | { "ask": "redo" } | { "ask": "check" } | { "ask": "history", most: number, } | { "ask": "node_types" } | { "ask": "evaluate", node: string, text: string, } | { "ask": "robot" } | { "ask": "robot_guess", corrections?: Corrections, } | { "ask": "write_robot", corrections: Corrections, file: string, overwrite: boolean, } | { "ask": "use_robot", file: string, } | { "ask": "run", control: Control, valid_for_s?: number, } | { "ask": "stop" } | { "ask": "take_control" } | { "ask": "give_control", to: string | null, session?: string, } | { "ask": "watch", topics: Topics, } | { "ask": "preview", node: string | null, 
/**
 * Settings that the node would have, as while a slider is dragged; null is the default.
 */
with?: Record<string, unknown>, } | { "ask": "expected" } | { "ask": "start_preview", from: PreviewFrom, 
/**
 * 1 unless given.
 */
speed?: number, } | { "ask": "preview_run", control: Control, } | { "ask": "preview_speed", speed: number, } | { "ask": "end_preview" } | { "ask": "look", what: LookAt, 
/**
 * Of this camera; else of the first that sees something.
 */
camera?: string, 
/**
 * Left, top, right, bottom as shares of the picture, 0 to 1: a part is sent finer than the whole.
 */
region?: [number, number, number, number], } | { "ask": "capabilities", 
/**
 * Told in full; none: the first.
 */
file?: string, } | { "ask": "synthesize", 
/**
 * A file of the folder `capabilities`.
 */
capabilities: string, 
/**
 * In the order in which they are wanted.
 */
goals: Array<string>, 
/**
 * What is so at the start; none: what the run says.
 */
from?: Array<string>, 
/**
 * The order is a must.
 */
strict?: boolean, 
/**
 * What fails is tried as often again.
 */
retry?: number, 
/**
 * Only these modes may be used; none: those that are on a way.
 */
modes?: Array<string>, } | { "ask": "ack" } | { "ask": "presence", node: string | null, edits: boolean, 
/**
 * Asks whoever has run control for it.
 */
wants_control?: boolean, } | { "ask": "reset_world", world?: string, } | { "ask": "recordings", search?: string, } | { "ask": "open_recording", recording: string, } | { "ask": "moment", recording: string, at_s: number, tree: boolean, } | { "ask": "range", recording: string, channel: string, from_s: number, to_s: number, most: number, } | { "ask": "recorded_picture", recording: string, camera: string, at_s: number, } | { "ask": "recorded_cloud", recording: string, at_s: number, } | { "ask": "mark", recording: string, at_s: number, text: string, } | { "ask": "keep", recording: string, keep: boolean, } | { "ask": "compare", recording: string, with: string, } | { "ask": "replay", recording: string, } | { "ask": "what_if", recording: string, from_s: number, against: Against, } | { "ask": "suites" } | { "ask": "start_trial", suite: string, 
/**
 * Of each case; else as the suite says.
 */
runs?: number, first_seed?: number, } | { "ask": "stop_trial" } | { "ask": "trial" });
export type ResultView = { step: InstanceView, result: Verdict, outcome: string | null, reason: string | null, };
export type RobotGuessView = { urdf: string, corrections: Corrections, 
/**
 * In the order of the file.
 */
guessed: Array<Guessed>, 
/**
 * Of the URDF, by name.
 */
links: Array<string>, 
/**
 * Errors first.
 */
problems: Array<RobotProblem>, 
/**
 * Where it would be written unless another name is given.
 */
file: string, 
/**
 * A file is there already.
 */
is_there: boolean, };
export type RobotProblem = { error: boolean, text: string, };
export type RobotView = { name: string, 
/**
 * Its URDF, whose primitives and meshes the page draws.
 */
urdf: string, 
/**
 * Names in the order of the joints of a robot state.
 */
joints: Array<string>, 
/**
 * Parts of the body with their joints, from the trunk outward.
 */
parts: { [key in string]: Array<string> }, presets: Array<string>, grips: Array<string>, cameras: Array<CameraView>, 
/**
 * Classes that there are templates for, with what can be drawn of them.
 */
templates: Array<TemplateView>, };
export type Role = "observer" | "operator" | "supervisor";
export type RunEnd = { result: Verdict, 
/**
 * Why it did not succeed.
 */
reason: string | null, 
/**
 * Somebody or something stopped it; else it came to its own end.
 */
stopped: boolean, 
/**
 * All of it, for a person.
 */
text: string, };
export type RunFact = "began" | { "ended": { result: Verdict, reason: string | null, } } | { "stopped": { why: string, } } | "paused" | "resumed" | "edited" | { "again": { attempt: number, of: number, } } | { "with": { values: Array<[string, unknown]>, } } | { "chose": Chose } | { "tried": Tried };
export type RunMode = "stopped" | "manual" | "automatic" | "paused" | "stopping" | "failed";
export type RunView = { mode: RunMode, 
/**
 * The engine's clock.
 */
time_s: number, 
/**
 * How long the run takes or took, by the same clock; none: none began since this operator process looks.
 */
run_s: number | null, automatic: boolean, paused: boolean, concurrency: boolean, 
/**
 * off, low, high, full.
 */
autonomy: Autonomy, in_control: string | null, 
/**
 * The root's next; none: behind the last step.
 */
next: InstanceView | null, 
/**
 * Why the step at next does not start; empty: nothing holds it.
 */
waits: string, running: Array<RunningView>, 
/**
 * Steps that have come to an end, with how, since the run began.
 */
results: Array<ResultView>, tracks: Array<TrackView>, questions: Array<QuestionView>, 
/**
 * What waits for `continue`.
 */
held: Array<HeldView>, locks: Array<InstanceView>, breakpoints: Array<InstanceView>, measured: Array<MeasuredView>, 
/**
 * How the run ended, where it has.
 */
ended: RunEnd | null, 
/**
 * Runs that began since this operator process looks.
 */
runs: number, 
/**
 * Ticks of the robot that took too long; none: there was none.
 */
late: LateView | null, };
export type RunningView = { step: InstanceView, since_s: number, 
/**
 * 0 to 1.
 */
progress: number | null, };
export type SampleView = { time_s: number, 
/**
 * x, y, z, qx, qy, qz, qw.
 */
base: Array<number>, 
/**
 * In the order of a robot state's joints.
 */
joints: Array<number>, reached: boolean, };
export type SceneView = { title: string, summary: string, 
/**
 * None: an empty behavior of this title.
 */
file: string | null, world: string, 
/**
 * Why it cannot be opened here, and what helps; none: it can.
 */
missing: string | null, };
export type SeenInView = { camera: string, 
/**
 * Left, top, right, bottom as shares of the picture.
 */
box: [number, number, number, number], };
export type SolidView = { number: number, name: string, form: Form, 
/**
 * Red, green, blue, alpha, 0 to 255.
 */
colour: [number, number, number, number], 
/**
 * x, y, z, qx, qy, qz, qw in the world.
 */
pose: Array<number>, };
export type SourceKind = "state" | "camera" | "detector";
export type SourceView = { kind: SourceKind, name: string, per_s: number, 
/**
 * From when it was so until it reached the behavior.
 */
delay_ms: number, };
export type StatisticsView = { count: number, least: number, greatest: number, mean: number, 
/**
 * Standard deviation.
 */
deviation: number, };
export type SuiteCaseView = { name: string, behavior: string, robot: string | null, world: string | null, 
/**
 * As the suite says.
 */
runs: number, };
export type SuiteView = { 
/**
 * Names it in requests.
 */
file: string, 
/**
 * What is wrong with it; none: it can be started.
 */
wrong: string | null, cases: Array<SuiteCaseView>, };
export type SynthesizedView = { 
/**
 * What was asked, with what is so now filled in.
 */
request: GoalView, 
/**
 * One behind the other; empty: there is no way.
 */
steps: Array<GoalStepView>, 
/**
 * For [`super::Operation::Insert`].
 */
tree: unknown, proof: string | null, 
/**
 * Why there is no way.
 */
why: string | null, 
/**
 * Where what runs next would be put in now.
 */
place: Place, 
/**
 * Of the request, on the link.
 */
link_bytes: number, };
export type TemperatureView = { place: string, celsius: number, };
export type TemplateView = { class: string, notes: string, form: Form | null, 
/**
 * Of the middle of the form in the object: x, y, z, qx, qy, qz, qw.
 */
form_at: Array<number>, };
export type Then = "waited" | "end" | { "step": string };
export type TokenView = { name: string, holder: string | null, };
export type Topic = { "is": "frame", frame: FrameName, } | { "is": "palm" } | { "is": "part" } | { "is": "preset" } | { "is": "grip" } | { "is": "camera" } | { "is": "walking" };
export type Topics = { 
/**
 * Robot states a second; 0 none.
 */
robot_hz: number, 
/**
 * Of [`Push::Body`](super::Push::Body): efforts, forces, faults, rates; 0 none, 50 at most.
 */
body_hz: number, 
/**
 * Happenings of the run, for timeline and log.
 */
happenings: boolean, variables: boolean, scene: boolean, clouds: boolean, pictures: boolean, };
export type TouchView = { links: [string, string], 
/**
 * The setting that allows it.
 */
allowed_by: string, };
export type TrackView = { owner: InstanceView | null, next: InstanceView | null, automatic: boolean, waits: string, 
/**
 * Where next goes when the lock that keeps it opens.
 */
kept_next: InstanceView | null, 
/**
 * Who added or freed the step at next without being in control: `admit` lets it start.
 */
added_by: string | null, };
export type TrialCaseView = { name: string, total: number, done: number, succeeded: number, 
/**
 * The share of runs that succeeds, with 95 %; none: nothing was run.
 */
least_share: number | null, greatest_share: number | null, 
/**
 * Of those that succeeded.
 */
mean_s: number | null, };
export type TrialRunView = { case: string, seed: number, success: boolean, duration_s: number, 
/**
 * What went wrong, for a person; empty: nothing did.
 */
why: string, 
/**
 * To be opened as any recording; none: it left none.
 */
recording: string | null, };
export type TrialView = { suite: string, 
/**
 * Who started it.
 */
by: string, 
/**
 * Milliseconds since 1970.
 */
began_unix_ms: number, running: boolean, 
/**
 * Somebody stopped it: what is being run ends first.
 */
stopping: boolean, 
/**
 * Why it ended before all runs were made.
 */
ended: string | null, 
/**
 * Where its report is, once it is written.
 */
report: string | null, cases: Array<TrialCaseView>, 
/**
 * Those that were made, in the order of cases and seeds.
 */
runs: Array<TrialRunView>, };
export type Tried = { strategy: string, 
/**
 * From 1 on.
 */
attempt: number, 
/**
 * How many have counted so far, this one with them.
 */
counted: number, why: string, 
/**
 * Samples that were kept of it.
 */
samples: number, };
export type VariableView = { name: string, 
/**
 * The skill use it belongs to; none: the behavior's own, or the world's.
 */
of: InstanceView | null, 
/**
 * Brought by robot or cell: cannot be set.
 */
world: boolean, value: unknown, };
export type Verdict = "success" | "failure" | "halted";
export type VersionsView = { program: string, program_digest: string, robot_digest: string, world_digest: string, behavior_digest: string, };
export type Welcome = { version: number, name: string, role: Role, 
/**
 * The robot this operator process is for, where it is known yet.
 */
robot: string | null, 
/**
 * Whether robot and world are simulated; none: no robot has said so yet. [`Push::RobotIs`] tells when one does.
 */
simulated: boolean | null, 
/**
 * The secret of this session: whoever says hello with it takes the session up again, with its run control.
 */
session: string, 
/**
 * Names this operator process: what another one told does not count any more.
 */
process: string, 
/**
 * The robot's world can begin anew.
 */
resets: boolean, 
/**
 * What can be opened with one click, each with its world; empty but in a demo.
 */
scenes: Array<SceneView>, 
/**
 * What was guessed of the robot can be looked at and corrected.
 */
workshop: Workshop, };
export type WhatIfView = { from_s: number, 
/**
 * Until then it is judged by what the robot told in the recording; from then on it commands something else.
 */
recorded_until_s: number | null, 
/**
 * It went on in the simulator.
 */
simulated: boolean, result: Verdict | null, reason: string, duration_s: number, 
/**
 * From the beginning, to stand under those of the recording.
 */
bars: Array<BarView>, difference: DifferenceView | null, };
export type Workshop = "none" | "written" | "guessed";
