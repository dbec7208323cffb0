//! Scene actions and conditions over frames and points. One foreign type covers all scene actions; what an action is
//! about stands in an object of its own.

use model::{Field, Fields};
use serde_json::{Map, Value as Json, json};

use super::{frame_name, lower, pose_of, put, rename, take_if, take_number};

const OBJECT: &str = "sceneObjectDefinition";

/// Takes the object that an action is about out, understood or not: what is left of it is put back.
fn about(fields: &mut Fields, understand: impl FnOnce(&mut Map<String, Json>, &mut Fields)) {
    let Some(Json::Object(mut object)) = fields.get(OBJECT).map(Field::to_json) else { return };
    fields.remove(OBJECT);
    object.remove("objectType");
    understand(&mut object, fields);
    if !object.is_empty() {
        put(fields, OBJECT, Json::Object(object));
    }
}

fn text(object: &mut Map<String, Json>, key: &str) -> Option<String> {
    let text = object.get(key)?.as_str()?.to_owned();
    object.remove(key);
    Some(text)
}

/// What the system calls an object: its frame has that name, and actions refer to it.
fn name(object: &mut Map<String, Json>, kind: &str) -> Option<String> {
    match kind {
        "DOOR_PANEL" => Some("Door Panel".to_owned()),
        "DOOR_FRAME" => Some("Door Frame".to_owned()),
        "APPROACH_TABLE" => Some("Approach Table".to_owned()),
        "COMPOSITE_FRAME" => text(object, "compositeFrameName"),
        "FOUNDATION_POSE" => text(object, "foundationPoseObjectType").map(|kind| title_case(&kind)),
        _ => text(object, "yoloClassName"),
    }
}

/// `CHEEZ_IT` is shown and named as `Cheez It`.
fn title_case(word: &str) -> String {
    let words = word.split('_').map(|word| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        format!("{first}{}", rest.to_lowercase())
    });
    words.collect::<Vec<_>>().join(" ")
}

fn kind_of(fields: &Fields) -> String {
    let object = fields.get(OBJECT).map(Field::to_json).unwrap_or_default();
    object.get("objectType").and_then(Json::as_str).unwrap_or_default().to_owned()
}

pub fn set_up(fields: &mut Fields) {
    let kind = kind_of(fields);
    about(fields, |object, fields| {
        if let Some(class) = name(object, &kind) {
            put(fields, "class", json!(class));
        }
        if let Some(model) = text(object, "yoloModelName") {
            put(fields, "detector", json!(model));
        }
    });
    searched(fields);
    rename(fields, "minimumHistorySize", "minimum_history");
}

/// How long it looks, and where the object is in a preview.
fn searched(fields: &mut Fields) {
    rename(fields, "timeout", "search_s");
    if let Some(Json::Object(nominal)) = fields.get("nominalObjectPose").map(Field::to_json)
        && let Some(nominal) = pose_of(nominal)
    {
        fields.remove("nominalObjectPose");
        put(fields, "nominal", nominal);
    }
}

pub fn one_object(fields: &mut Fields) {
    let kind = kind_of(fields);
    about(fields, |object, fields| {
        if let Some(name) = name(object, &kind) {
            put(fields, "object", json!(name));
        }
        // The name says it all; the rest is how the object was set up.
        object.clear();
    });
}

pub fn define_frame(fields: &mut Fields) {
    about(fields, |object, fields| {
        if let Some(name) = name(object, "COMPOSITE_FRAME") {
            put(fields, "object", json!(name));
        }
        for (theirs, ours) in [("compositeFrameA", "a"), ("compositeFrameB", "b")] {
            if let Some(frame) = text(object, theirs) {
                put(fields, ours, json!(frame_name(&frame)));
            }
        }
        if let Some(kind) = text(object, "compositeFrameType") {
            put(fields, "kind", json!(kind.to_lowercase()));
        }
        if let Some(distance_m) = object.remove("compositeDistance") {
            put(fields, "distance_m", distance_m);
        }
    });
    of_no_use(fields);
}

/// A frame is made at once: it neither looks for anything nor needs a nominal pose.
fn of_no_use(fields: &mut Fields) {
    for key in ["timeout", "minimumHistorySize", "nominalObjectPose"] {
        fields.remove(key);
    }
}

pub fn door_panel(fields: &mut Fields) {
    about(fields, |object, fields| put_name(object, fields, "DOOR_PANEL"));
    rename(fields, "timeout", "search_s");
    of_no_use(fields);
}

pub fn door_frame(fields: &mut Fields) {
    about(fields, |object, fields| put_name(object, fields, "DOOR_FRAME"));
    searched(fields);
    fields.remove("minimumHistorySize");
}

pub fn approach_table(fields: &mut Fields) {
    about(fields, |object, fields| {
        put_name(object, fields, "APPROACH_TABLE");
        let mut sweep = Map::new();
        for (theirs, ours) in [("minCapsulePoints", "min_points"), ("searchStartX", "start_m")] {
            if let Some(number) = object.remove(theirs) {
                sweep.insert(ours.to_owned(), number);
            }
        }
        if !sweep.is_empty() {
            put(fields, "sweep", Json::Object(sweep));
        }
    });
    searched(fields);
    fields.remove("minimumHistorySize");
}

fn put_name(object: &mut Map<String, Json>, fields: &mut Fields, kind: &str) {
    if let Some(name) = name(object, kind) {
        put(fields, "object", json!(name));
    }
}

pub fn tracking(fields: &mut Fields) {
    for (theirs, ours) in [
        ("poseFilterAlpha", "filter_alpha"),
        ("acceptanceConfidence", "acceptance_confidence"),
        ("stabilityFrequency", "stability_hz"),
        ("historyDuration", "history_s"),
    ] {
        rename(fields, theirs, ours);
    }
}

/// Classes stand there by their numbers in the model alone: only which models run carries over.
pub fn detectors(fields: &mut Fields) {
    let Some(Json::Array(models)) = fields.get("enabledYoloModels").map(Field::to_json) else { return };
    let names = models.iter().filter_map(|model| model.get("name")?.as_str());
    let on: Map<String, Json> = names.map(|name| (name.to_owned(), json!(true))).collect();
    if models.iter().all(|model| model.as_object().is_some_and(|model| model.keys().all(|key| key == "name"))) {
        fields.remove("enabledYoloModels");
    }
    put(fields, "models", Json::Object(on));
}

pub fn proximity(fields: &mut Fields) {
    for (theirs, ours) in [("objectFrameName", "a"), ("referenceFrameName", "b")] {
        frame_field(fields, theirs, ours);
    }
    lower(fields, "distanceType", "axes");
    rename(fields, "minDistanceToObject", "min_m");
    rename(fields, "maxDistanceToObject", "max_m");
    rename(fields, "maxEvaluationTime", "within_s");
    take_if(fields, "manageMissingFrameInternally", &Json::Bool(false));
}

fn frame_field(fields: &mut Fields, theirs: &str, ours: &str) {
    if let Some(name) = fields.get(theirs).and_then(Field::as_str).map(|name| frame_name(name).to_owned()) {
        fields.remove(theirs);
        put(fields, ours, json!(name));
    }
}

pub fn shape_contains(fields: &mut Fields) {
    frame_field(fields, "shapeParentFrameName", "frame");
    if let Some(Json::Object(pose)) = fields.get("shapeTransformToParent").map(Field::to_json)
        && let Some(pose) = pose_of(pose)
    {
        fields.remove("shapeTransformToParent");
        put(fields, "pose", pose);
    }
    if let Some(radius_m) = take_number(fields, "sphereRadius") {
        put(fields, "shape", json!({"shape": "sphere", "radius_m": radius_m}));
    }
    if take_if(fields, "containsType", &json!("CONTAINS_POINTS")) {
        put(fields, "contains", json!("points"));
        fields.remove("frameName");
    } else if take_if(fields, "containsType", &json!("CONTAINS_FRAME")) {
        frame_field(fields, "frameName", "inside");
    }
    rename(fields, "minPoints", "min_points");
    rename(fields, "maxPoints", "max_points");
    // Their way to write that any number is right.
    take_if(fields, "max_points", &json!(2_000_000_000));
    if take_if(fields, "checkColor", &Json::Bool(true)) {
        colour(fields);
    }
    take_if(fields, "checkColor", &Json::Bool(false));
}

/// Hues go up to 180 there, saturation and value to 255.
fn colour(fields: &mut Fields) {
    let mut colour = Map::new();
    for (theirs, ours, most, ours_most) in [
        ("hueMin", "hue_from_deg", 180.0, 360.0),
        ("hueMax", "hue_to_deg", 180.0, 360.0),
        ("saturationMin", "saturation_min", 255.0, 1.0),
        ("saturationMax", "saturation_max", 255.0, 1.0),
        ("valueMin", "value_min", 255.0, 1.0),
        ("valueMax", "value_max", 255.0, 1.0),
    ] {
        if let Some(number) = take_number(fields, theirs) {
            let ours_number = crate::body::setting::round(number / most * ours_most, 1e4);
            colour.insert(ours.to_owned(), ours_number.into());
        }
    }
    put(fields, "colour", Json::Object(colour));
}
