//! What somebody wanted, in words for the log.

use engine::{Control, Instance, Verdict};
use model::Library;
use protocol::talk::Want;

/// As it follows `ana:`.
pub(super) fn of(what: &Want, library: &Library) -> String {
    match what {
        Want::Run(control) => control_text(control, library),
        Want::TakeControl => "take run control".to_owned(),
        Want::GiveControl(Some(to)) => format!("give run control to {}", to.name),
        Want::GiveControl(None) => "give run control back".to_owned(),
        Want::PressedStop => "stop".to_owned(),
        Want::Open { world: None, .. } => "open another behavior".to_owned(),
        Want::Open { world: Some(world), .. } => format!("open another behavior in the world {world}"),
        Want::ResetWorld(None) => "let the world begin anew".to_owned(),
        Want::ResetWorld(Some(world)) => format!("go to the world {world}"),
        Want::Watch { clouds, images } => match (clouds, images) {
            (true, true) => "watch clouds and pictures".to_owned(),
            (true, false) => "watch clouds".to_owned(),
            (false, true) => "watch pictures".to_owned(),
            (false, false) => "watch clouds and pictures no more".to_owned(),
        },
        Want::WatchBody { hz } if *hz > 0.0 => "watch the robot's body".to_owned(),
        Want::WatchBody { .. } => "watch the robot's body no more".to_owned(),
        Want::Look(look) => format!("look at one {}", if look.cloud { "cloud" } else { "picture" }),
        Want::Achieve(goal) => format!("find the way to {}", short(&goal.request.goals.join(", "))),
    }
}

fn control_text(control: &Control, library: &Library) -> String {
    let name = |at: &Instance| name_of(at, library);
    let switched = |what: &str, on: bool| format!("switch {what} {}", if on { "on" } else { "off" });
    match control {
        Control::Automatic { on } => switched("automatic", *on),
        Control::FromStart => "run from the start".to_owned(),
        Control::Press { track: None, into } => if *into { "step into" } else { "step" }.to_owned(),
        Control::Press { track: Some(track), .. } => format!("step in {}", name(track)),
        Control::Continue { step: None } => "continue what breakpoints hold".to_owned(),
        Control::Continue { step: Some(step) } => format!("continue {}", name(step)),
        Control::SetNext { to } => format!("make {} next", name(to)),
        Control::MoveNext { by } if *by < 0 => format!("move next back by {}", by.unsigned_abs()),
        Control::MoveNext { by } => format!("move next on by {by}"),
        Control::Pause { on: true } => "pause".to_owned(),
        Control::Pause { on: false } => "go on after the pause".to_owned(),
        Control::Stop => "stop".to_owned(),
        Control::ResetFailures => "reset failures".to_owned(),
        Control::Concurrency { on } => switched("concurrency", *on),
        Control::RunOnly { node } => format!("run only {}", name(node)),
        Control::AutonomyLevel { level } => format!("set the autonomy level to {}", word(level)),
        Control::Lock { node, on } => format!("{} {}", if *on { "lock" } else { "unlock" }, name(node)),
        Control::Breakpoint { node, on: true } => format!("put a breakpoint at {}", name(node)),
        Control::Breakpoint { node, on: false } => format!("clear the breakpoint at {}", name(node)),
        Control::Admit { step: None } => "admit all that was added".to_owned(),
        Control::Admit { step: Some(step) } => format!("admit {}", name(step)),
        Control::Force { step, verdict: Verdict::Success, .. } => format!("let {} succeed", name(step)),
        Control::Force { step, .. } => format!("let {} fail", name(step)),
        Control::Answer { step, value } => format!("answer {}: {}", name(step), short(&value.to_string())),
        Control::SetVariable { name, value, .. } => format!("set {name} to {}", short(&value.to_string())),
        Control::FreezeObject { object, on: true } => format!("freeze {object}"),
        Control::FreezeObject { object, on: false } => format!("let {object} follow what is seen"),
        Control::DeleteObject { object } => format!("take {object} out of the scene"),
        Control::PlaceObject(placement) => format!("place {} in {}", placement.object, placement.frame),
    }
}

fn name_of(at: &Instance, library: &Library) -> String {
    let owner = library.owner_of(at.node).map(|id| library.get(id));
    owner.map_or_else(|| "a step that is gone".to_owned(), |tree| format!("“{}”", tree.node(at.node).label()))
}

fn word(level: &model::Autonomy) -> String {
    serde_json::to_value(level).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

fn short(text: &str) -> String {
    const LONGEST: usize = 80;
    if text.chars().count() > LONGEST {
        text.chars().take(LONGEST).collect::<String>() + "…"
    } else {
        text.to_owned()
    }
}
