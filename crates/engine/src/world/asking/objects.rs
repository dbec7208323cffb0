use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;

use expression::{Query, frame_of, pose_of, pose_value};
use geometry::Pose;
use model::Value;
use scene::derived::HingeSide;
use scene::{CompositeKind, Measures, Object, ObjectKind};

use super::super::body::{Body, Frames};
use super::text;
use crate::types::Cannot;

pub fn answer(frames: Frames<'_>, query: Query, about: &[Value]) -> Result<Value, Cannot> {
    let body = frames.body;
    match query {
        Query::IsThere => Ok(Value::Bool(frames.world_from(text(about, 0)?).is_ok())),
        Query::InFrame => in_frame(frames, about),
        Query::Height => {
            let ground_m = frames.world_from("walking")?.translation_m().z;
            Ok(Value::Number(frames.world_from(text(about, 0)?)?.translation_m().z - ground_m))
        }
        Query::Angle => angle_deg(frames, about).map(Value::Number),
        Query::Hinge => {
            let name = text(about, 0)?;
            let hinge = hinge(object(body, name)?).ok_or_else(|| Cannot::NoDoor { object: name.to_owned() })?;
            Ok(Value::text(word(hinge)))
        }
        _ => size(body, text(about, 0)?),
    }
}

fn object<'b>(body: &'b Body, name: &str) -> Result<&'b Object, Cannot> {
    if let Some(object) = body.scene().object(name) {
        return Ok(object);
    }
    let known = body.scene().objects().keys().map(|name| name.to_string()).collect();
    Err(Cannot::NoObject { object: name.to_owned(), known })
}

/// Of a frame, or of a pose that is given in one.
fn in_frame(frames: Frames<'_>, about: &[Value]) -> Result<Value, Cannot> {
    let (world_from_thing, to) = match about {
        [pose @ Value::Map(_), _] => (world_from(frames, pose, None)?, text(about, 1)?),
        [_, _] => (frames.world_from(text(about, 0)?)?, text(about, 1)?),
        [pose, ..] => (world_from(frames, pose, Some(text(about, 1)?))?, text(about, 2)?),
        [] => return Err(Cannot::NoName { found: "nothing" }),
    };
    Ok(pose_value(&(frames.world_from(to)?.inverse() * world_from_thing)))
}

/// A pose that names no frame itself is one of the world.
fn world_from(frames: Frames<'_>, pose: &Value, given_in: Option<&str>) -> Result<Pose, Cannot> {
    let own = given_in.or_else(|| frame_of(pose).map(|frame| &**frame));
    let written = pose_of(pose).ok_or(Cannot::NoPose { found: pose.kind() })?;
    Ok(match own {
        Some(frame) => frames.world_from(frame)? * written,
        None => written,
    })
}

fn angle_deg(frames: Frames<'_>, about: &[Value]) -> Result<f64, Cannot> {
    let name = text(about, 0)?;
    let turned_deg = |from: &Pose, to: &Pose| {
        let turn_rad = to.rpy().yaw_rad - from.rpy().yaw_rad;
        (turn_rad - (turn_rad / TAU).round() * TAU).to_degrees()
    };
    if about.len() > 1 {
        return Ok(turned_deg(&frames.world_from(text(about, 1)?)?, &frames.world_from(name)?));
    }
    let door = object(frames.body, name)?;
    let hinge = hinge(door).ok_or_else(|| Cannot::NoDoor { object: name.to_owned() })?;
    let world_from_door = frames.world_from(name)?;
    let closed =
        closed(frames.body, &world_from_door).ok_or_else(|| Cannot::NoDoorFrame { object: name.to_owned() })?;
    let turned_deg = turned_deg(&closed, &world_from_door);
    Ok(if hinge == HingeSide::Left { turned_deg } else { -turned_deg })
}

/// Nearer than the next doorway.
const OWN_FRAME_M: f64 = 1.2;

/// Where the panel of a door is when it is closed: what was found to be its frame.
fn closed(body: &Body, world_from_door: &Pose) -> Option<Pose> {
    let frames = body.scene().objects().values().filter(
        |object| matches!(&object.kind, ObjectKind::Placed { class: Some(class) } if **class == *scene::DOOR_FRAME),
    );
    let apart_m = |pose: &Pose| (pose.translation_m() - world_from_door.translation_m()).norm();
    let near = frames.filter_map(|object| object.world_from_object).filter(|pose| apart_m(pose) < OWN_FRAME_M);
    near.min_by(|a, b| apart_m(a).total_cmp(&apart_m(b)))
}

fn hinge(object: &Object) -> Option<HingeSide> {
    let of_kind = match &object.kind {
        ObjectKind::Composite(composite) => match &composite.kind {
            CompositeKind::DoorPanel(settings) => Some(settings.hinge),
            CompositeKind::Approach { .. } | CompositeKind::Hybrid | CompositeKind::Offset { .. } => None,
        },
        ObjectKind::Detected { .. } | ObjectKind::Placed { .. } | ObjectKind::Carried { .. } => None,
    };
    object.measures.hinge.or(of_kind)
}

fn word(hinge: HingeSide) -> &'static str {
    match hinge {
        HingeSide::Left => "left",
        HingeSide::Right => "right",
    }
}

/// As it was measured, else as the templates know its class.
fn size(body: &Body, name: &str) -> Result<Value, Cannot> {
    let object = object(body, name)?;
    let of_class = || {
        let class = object.class()?;
        body.templates().get(class).ok()?.shape.map(|shape| Measures::of_shape(&shape))
    };
    let measures = if object.measures.has_size() { object.measures } else { of_class().unwrap_or_default() };
    let lengths = [
        ("width_m", measures.width_m),
        ("height_m", measures.height_m),
        ("depth_m", measures.depth_m),
        ("hinge_m", measures.hinge_m),
    ];
    let known = lengths.into_iter().filter_map(|(key, length)| Some((Arc::from(key), Value::Number(length?))));
    let entries: BTreeMap<Arc<str>, Value> = known.collect();
    if entries.is_empty() {
        return Err(Cannot::NoSize { object: name.to_owned() });
    }
    Ok(Value::Map(Arc::new(entries)))
}
