//! What scene actions share: an update is queued in one tick and done in the next, when the following step sees it.

use engine::{Body, Cannot, Context, Tick};
use robot::{BodyFrame, Robot};
use scene::SceneUpdate;
use serde::{Deserialize, Serialize};

use crate::why_not::WhyNot;

/// What a scene action remembers.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct State {
    /// Its update is on its way.
    asked: bool,
}

/// Ends the step once the update is done. `update` is asked until it gives one or an end.
pub fn tick(
    state: &mut State,
    context: &mut Context<'_>,
    update: impl FnOnce(&mut Context<'_>) -> Result<Asked, Cannot>,
) -> Tick {
    if state.asked {
        return match context.scene_refusal() {
            Some(refusal) => Tick::failure(refusal.to_owned()),
            None => Tick::SUCCESS,
        };
    }
    match update(context) {
        Ok(Asked::NotYet) => Tick::Running,
        Ok(Asked::Now(updates)) => {
            updates.into_iter().for_each(|update| context.update_scene(update));
            state.asked = true;
            Tick::Running
        }
        Err(reason) => Tick::failure(reason),
    }
}

/// What a scene action wants in a tick.
pub enum Asked {
    NotYet,
    /// All of these, in their order.
    Now(Vec<SceneUpdate>),
}

/// Waits for something up to a time: `found` gives it, `missing` says what to do where it does not come.
pub fn wait_for(
    context: &mut Context<'_>,
    timeout_s: f64,
    found: impl FnOnce(&Context<'_>) -> Result<Option<SceneUpdate>, Cannot>,
    missing: impl FnOnce(&Body) -> WhyNot,
) -> Result<Asked, Cannot> {
    let body = context.body()?;
    if let Some(update) = found(context)? {
        return Ok(Asked::Now(vec![update]));
    }
    if !context.has_run_for(timeout_s) {
        return Ok(Asked::NotYet);
    }
    Err(missing(body).into())
}

/// What is wrong with the name of an object on this robot.
pub fn check_name(robot: &Robot, field: &'static str, name: &str) -> Vec<(&'static str, String)> {
    match own_frame(robot, name) {
        Some(wrong) => vec![(field, wrong.to_string())],
        None => Vec::new(),
    }
}

/// A frame of the body would hide an object of its name.
pub fn own_frame(robot: &Robot, name: &str) -> Option<WhyNot> {
    BodyFrame::find(robot, name).map(|_| WhyNot::NameOfFrame { name: name.to_owned() })
}

/// The objects there are.
pub fn known(body: &Body) -> Vec<String> {
    body.scene().objects().keys().map(|name| name.to_string()).collect()
}
