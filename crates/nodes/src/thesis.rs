//! Actions in files of the form the thesis shows: what their fields mean in ours. A conversion takes what it understands
//! out of a node's fields and puts ours in; what it leaves is kept in the file and reported.
//!
//! Fields of the arm and the walk are those of the files in the thesis; those of the others are read where a file has
//! them under the names that the same system uses elsewhere.

mod scene;

use model::{Field, Fields, Foreign};
use serde_json::{Map, Value as Json, json};

pub const ARM: &[Foreign] = &[
    Foreign::plain("ArmActionDefinition", MOVED).converted(arm),
    Foreign::plain("HandPoseActionDefinition", MOVED).converted(arm),
    Foreign::plain("ArmJointAnglesActionDefinition", MOVED).converted(arm_by_angles),
];
pub const SCREW: &[Foreign] = &[Foreign::plain("ScrewPrimitiveActionDefinition", &[]).converted(screw)];
pub const HAND: &[Foreign] = &[
    Foreign::plain("AbilityHandActionDefinition", &[]).converted(hand),
    Foreign::plain("PsyonicAbilityHandCommandActionDefinition", &[]).converted(hand),
];
pub const GRIPPER: &[Foreign] = &[
    Foreign::plain("EZGripperActionDefinition", &[]).converted(gripper),
    Foreign::plain("SakeHandCommandActionDefinition", &[]).converted(gripper),
];
pub const HAND_WRENCH: &[Foreign] = &[Foreign::plain("HandWrenchActionDefinition", MOVED).converted(hand_wrench)];
pub const SPINE: &[Foreign] = &[
    Foreign::plain("SpineActionDefinition", MOVED).converted(spine),
    Foreign::plain("ChestOrientationActionDefinition", MOVED).converted(spine),
];
pub const NECK: &[Foreign] = &[Foreign::plain("NeckActionDefinition", MOVED).converted(turned)];
pub const PELVIS: &[Foreign] = &[
    Foreign::plain("PelvisActionDefinition", MOVED).converted(pelvis),
    Foreign::plain("PelvisHeightOrientationActionDefinition", MOVED).converted(pelvis),
];
pub const LEG: &[Foreign] = &[
    Foreign::plain("LegActionDefinition", MOVED).converted(leg),
    Foreign::plain("FootPoseActionDefinition", MOVED).converted(leg),
];
pub const WALK: &[Foreign] = &[
    Foreign::plain("WalkActionDefinition", STEPPED).converted(walk),
    Foreign::plain("FootstepPlanActionDefinition", STEPPED).converted(walk),
];

const SCENE: Foreign = Foreign::plain("SceneActionDefinition", &[]);
const fn scene_action(kind: &'static str) -> Foreign {
    SCENE.only_if("sceneActionType", kind)
}
const fn set_up(object: &'static str) -> Foreign {
    scene_action("SETUP_OBJECT").with_inside("sceneObjectDefinition", "objectType", object)
}
const CONDITION: Foreign = Foreign::plain("ConditionNodeDefinition", &[]);

pub const DEFINE_FRAME: &[Foreign] = &[set_up("COMPOSITE_FRAME").converted(scene::define_frame)];
pub const DOOR_PANEL: &[Foreign] = &[set_up("DOOR_PANEL").converted(scene::door_panel)];
pub const DOOR_FRAME: &[Foreign] = &[set_up("DOOR_FRAME").converted(scene::door_frame)];
pub const APPROACH_TABLE: &[Foreign] = &[set_up("APPROACH_TABLE").converted(scene::approach_table)];
pub const SETUP_OBJECT: &[Foreign] =
    &[set_up("YOLO_ONLY").converted(scene::set_up), set_up("FOUNDATION_POSE").converted(scene::set_up)];
pub const FREEZE_OBJECT: &[Foreign] = &[scene_action("FREEZE_OBJECT").converted(scene::one_object)];
pub const DELETE_OBJECT: &[Foreign] = &[scene_action("DELETE_OBJECT").converted(scene::one_object)];
pub const CLEAR_SCENE: &[Foreign] = &[scene_action("CLEAR_SCENE")];
pub const FREEZE_SCENE: &[Foreign] = &[scene_action("FREEZE_SCENE")];
pub const CONFIGURE_PERSISTENT_DETECTIONS: &[Foreign] =
    &[scene_action("CONFIGURE_PERSISTENT_DETECTIONS").converted(scene::tracking)];
pub const CONFIGURE_DETECTORS: &[Foreign] = &[scene_action("CONFIGURE_YOLO").converted(scene::detectors)];
pub const PROXIMITY: &[Foreign] = &[CONDITION.only_if("conditionType", "PROXIMITY").converted(scene::proximity)];
pub const SHAPE_CONTAINS: &[Foreign] =
    &[CONDITION.only_if("conditionType", "SHAPE_CONTAINS").converted(scene::shape_contains)];

const MOVED: &[(&str, &str)] = &[("trajectoryDuration", "duration_s")];
const STEPPED: &[(&str, &str)] = &[("swingDuration", "swing_s"), ("transferDuration", "transfer_s")];
/// A weight below zero leaves it to the controller, as ours does.
const WEIGHTS: [&str; 3] = ["jointspaceWeight", "linearPositionWeight", "angularPositionWeight"];
const CUSTOM_ANGLES: &str = "CUSTOM_ANGLES";
const POSE: [(&str, &str); 6] = [
    ("x", "x_m"),
    ("y", "y_m"),
    ("z", "z_m"),
    ("rollInDegrees", "roll_deg"),
    ("pitchInDegrees", "pitch_deg"),
    ("yawInDegrees", "yaw_deg"),
];

fn arm(fields: &mut Fields) {
    let by_angles = ["definedInJointspace", "usePredefinedJointAngles"];
    if by_angles.iter().any(|key| fields.get(key) == Some(&Field::Bool(true))) {
        for key in by_angles {
            fields.remove(key);
        }
        return arm_by_angles(fields);
    }
    for key in by_angles {
        take_if(fields, key, &Json::Bool(false));
    }
    take_if(fields, "taskspaceTrajectoryMode", &json!("SINGLE_POSE"));
    rename(fields, "holdPoseInWorldLater", "hold_in_world");
    side(fields);
    frame(fields);
    pose(fields, "pose");
    rename(fields, "jointspaceOnly", "joints_only");
    rename(fields, "positionErrorTolerance", "position_tolerance_m");
    rename(fields, "orientationErrorToleranceDegrees", "orientation_tolerance_deg");
    no_weights(fields);
}

fn arm_by_angles(fields: &mut Fields) {
    side(fields);
    no_weights(fields);
    rename(fields, "positionErrorTolerance", "joint_tolerance_rad");
    let custom = fields.get("preset").and_then(Field::as_str).is_none_or(|preset| preset == CUSTOM_ANGLES);
    if custom {
        fields.remove("preset");
        angles(fields);
        put(fields, "by", json!("angles"));
    } else {
        lower(fields, "preset", "preset");
        put(fields, "by", json!("preset"));
    }
}

/// `j0Degrees`, `j1Degrees` and so on; older files have radians under `j0`.
fn angles(fields: &mut Fields) {
    let degrees: Vec<Json> =
        (0..).map_while(|joint| take_number(fields, &format!("j{joint}Degrees"))).map(Json::from).collect();
    let radians = (0..).map_while(|joint| take_number(fields, &format!("j{joint}")));
    let angles: Vec<Json> =
        if degrees.is_empty() { radians.map(degrees_of).map(Json::from).collect() } else { degrees };
    if !angles.is_empty() {
        put(fields, "angles_deg", Json::Array(angles));
    }
}

fn degrees_of(angle_rad: f64) -> f64 {
    crate::body::setting::degrees(angle_rad)
}

fn screw(fields: &mut Fields) {
    side(fields);
    frame(fields);
    if let Some(Json::Object(axis)) = fields.get("screwAxisPose").map(Field::to_json)
        && let Some(axis) = pose_of(axis)
    {
        fields.remove("screwAxisPose");
        put(fields, "axis", axis);
    }
    rename(fields, "translation", "translation_m");
    rename(fields, "maxLinearVelocity", "max_linear_m_s");
    for (theirs, ours) in [("rotation", "rotation_deg"), ("maxAngularVelocity", "max_angular_deg_s")] {
        if let Some(angle_rad) = take_number(fields, theirs) {
            put(fields, ours, degrees_of(angle_rad).into());
        }
    }
    rename(fields, "positionErrorTolerance", "position_tolerance_m");
    rename(fields, "orientationErrorToleranceDegrees", "orientation_tolerance_deg");
    for key in ["maxForce", "maxTorque"] {
        take_if(fields, key, &json!(0.0));
    }
    // How its controller tracks the path; ours has one way.
    if matches!(fields.get("jointspaceOnly"), Some(Field::Bool(_))) {
        fields.remove("jointspaceOnly");
    }
    no_weights(fields);
}

fn hand(fields: &mut Fields) {
    side(fields);
    let by_grip = fields.get("controlMode").and_then(Field::as_str).is_none_or(|mode| mode == "GRIP");
    if by_grip {
        fields.remove("controlMode");
        lower(fields, "grip", "grip");
    }
}

fn gripper(fields: &mut Fields) {
    side(fields);
    rename(fields, "handOpenAngleDegrees", "opening_deg");
    rename(fields, "fingertipGripForceLimit", "force_limit_n");
}

/// A force alone has no direction in the file: it is kept under another name, for ours is taken, and reported.
fn hand_wrench(fields: &mut Fields) {
    side(fields);
    rename(fields, "force", "handForce");
}

fn spine(fields: &mut Fields) {
    frame(fields);
    take_if(fields, "holdPoseInWorldLater", &Json::Bool(false));
    if take_if(fields, "jointspaceOnly", &Json::Bool(true)) {
        // The first joint of a spine turns it; what the others do depends on the robot the file is of.
        if let Some(yaw_deg) = take_number(fields, "j0") {
            put(fields, "yaw_deg", yaw_deg.into());
        }
        for joint in ["j1", "j2"] {
            take_if(fields, joint, &json!(0.0));
        }
        return;
    }
    take_if(fields, "jointspaceOnly", &Json::Bool(false));
    if fields.get("yawInDegrees").is_some() {
        turned(fields);
        // Where the chest is follows from how it is turned.
        for key in ["x", "y", "z"] {
            take_number(fields, key);
        }
        put(fields, "by", json!("orientation"));
    }
}

fn turned(fields: &mut Fields) {
    for (theirs, ours) in &POSE[3..] {
        rename(fields, theirs, ours);
    }
}

fn pelvis(fields: &mut Fields) {
    frame(fields);
    turned(fields);
    rename(fields, "z", "height_m");
    // It goes up, down and round only.
    for key in ["x", "y"] {
        take_number(fields, key);
    }
}

fn leg(fields: &mut Fields) {
    side(fields);
    frame(fields);
    pose(fields, "pose");
    take_if(fields, "holdPoseInWorldLater", &Json::Bool(false));
}

fn walk(fields: &mut Fields) {
    frame(fields);
    if let Some(steps) = fields.get("footsteps").and_then(|steps| steps_of(&steps.to_json())) {
        fields.remove("footsteps");
        put(fields, "steps", steps);
        put(fields, "by", json!("steps"));
    }
    let points = [("goalStancePoint", "stance"), ("goalFocalPoint", "focal")];
    let feet = [("leftGoalFootToGoal", "left_foot"), ("rightGoalFootToGoal", "right_foot")];
    for (theirs, ours) in points.into_iter().chain(feet) {
        if let Some(Json::Object(place)) = fields.get(theirs).map(Field::to_json)
            && let Some(place) = pose_of(place)
        {
            fields.remove(theirs);
            put(fields, ours, place);
        }
    }
    if let Some(waypoints) = fields.get("waypoints").and_then(|waypoints| waypoints_of(&waypoints.to_json())) {
        fields.remove("waypoints");
        put(fields, "waypoints", waypoints);
    }
    lower(fields, "planner", "planner");
    lower(fields, "plannerInitialStanceSide", "first");
    rename(fields, "obstacleClearanceRadius", "obstacle_clearance_m");
    rename(fields, "quickStepLength", "step_length_m");
    take_if(fields, "useRrtPathPlanner", &Json::Bool(true));
    take_if(fields, "plannerParameters", &json!({}));
}

fn steps_of(steps: &Json) -> Option<Json> {
    let step = |step: &Json| {
        let mut step = step.as_object()?.clone();
        let side = step.remove("side")?.as_str()?.to_lowercase();
        Some(json!({"side": side, "pose": pose_of(step)?}))
    };
    Some(Json::Array(steps.as_array()?.iter().map(step).collect::<Option<_>>()?))
}

/// On the ground, turned about the vertical only.
fn waypoints_of(waypoints: &Json) -> Option<Json> {
    let waypoint = |waypoint: &Json| {
        let number = |key: &str| waypoint.get(key).and_then(Json::as_f64);
        Some(json!({"x_m": number("x")?, "y_m": number("y")?, "yaw_deg": number("yawInDegrees")?}))
    };
    Some(Json::Array(waypoints.as_array()?.iter().map(waypoint).collect::<Option<_>>()?))
}

/// None: there is something else in it, or something is no number.
fn pose_of(mut theirs: Map<String, Json>) -> Option<Json> {
    let mut ours = Map::new();
    for (key, name) in POSE {
        let Some(number) = theirs.remove(key) else { continue };
        // What is zero is left out, as we write it.
        if number.as_f64()? != 0.0 {
            ours.insert(name.to_owned(), number);
        }
    }
    theirs.is_empty().then_some(Json::Object(ours))
}

fn pose(fields: &mut Fields, ours: &str) {
    let mut pose = Map::new();
    for (theirs, name) in POSE {
        if let Some(number) = take_number(fields, theirs).filter(|number| *number != 0.0) {
            pose.insert(name.to_owned(), number.into());
        }
    }
    if !pose.is_empty() {
        put(fields, ours, Json::Object(pose));
    }
}

fn side(fields: &mut Fields) {
    lower(fields, "side", "side");
}

/// Frames of the body have names of ours; an object's frame has its own.
fn frame(fields: &mut Fields) {
    for theirs in ["parentFrame", "objectFrame"] {
        let Some(Field::Text(name)) = fields.get(theirs) else { continue };
        let ours = json!(frame_name(name));
        fields.remove(theirs);
        put(fields, "frame", ours);
    }
}

fn frame_name(theirs: &str) -> &str {
    match theirs {
        "World" | "worldFrame" => "world",
        "Walking" => "walking",
        "Pelvis" => "pelvis",
        "Chest" => "chest",
        "Head" => "head",
        "Left Hand" => "left_hand",
        "Right Hand" => "right_hand",
        "Left Foot Sole" => "left_sole",
        "Right Foot Sole" => "right_sole",
        object => object,
    }
}

fn no_weights(fields: &mut Fields) {
    for weight in WEIGHTS {
        let left_open =
            matches!(fields.get(weight), Some(Field::Number(number)) if number.as_f64().is_some_and(|n| n < 0.0));
        if left_open {
            fields.remove(weight);
        }
    }
}

/// A word of theirs is written in capitals.
fn lower(fields: &mut Fields, theirs: &str, ours: &str) {
    if let Some(word) = fields.get(theirs).and_then(Field::as_str).map(str::to_lowercase) {
        fields.remove(theirs);
        put(fields, ours, Json::String(word));
    }
}

fn rename(fields: &mut Fields, theirs: &str, ours: &str) {
    if fields.get(ours).is_none()
        && let Some((place, field)) = fields.remove(theirs)
    {
        fields.insert(place, ours.into(), field);
    }
}

/// What says no more than ours does by itself.
fn take_if(fields: &mut Fields, key: &str, value: &Json) -> bool {
    let is = fields.get(key).is_some_and(|field| field.to_json() == *value);
    if is {
        fields.remove(key);
    }
    is
}

fn take_number(fields: &mut Fields, key: &str) -> Option<f64> {
    let Some(Field::Number(number)) = fields.get(key) else { return None };
    let number = number.as_f64()?;
    fields.remove(key);
    Some(number)
}

/// Ours counts where the file has it already.
fn put(fields: &mut Fields, key: &str, value: Json) {
    if fields.get(key).is_none() {
        fields.push(key.into(), Field::from_json(value));
    }
}
