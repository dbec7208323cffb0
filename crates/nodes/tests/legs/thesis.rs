use expect_test::{Expect, expect};
use model::file::{MemoryFiles, load, save};

const DEMO: &str = include_str!("../../../model/tests/fixtures/thesis_demo.json");

/// What a file becomes, and what is said about it.
fn opened(text: &str) -> String {
    let registry = testkit::registry();
    let files = MemoryFiles::from([("f.json", text)]);
    let loaded = load("f.json", &files, registry.catalogue()).expect("it opens");
    let problems: Vec<String> = loaded.problems.iter().map(|problem| format!("{}\n", problem.message)).collect();
    assert!(loaded.problems.iter().all(|problem| !problem.is_error()), "{problems:?}");
    format!("{}{}", save(loaded.library.main(), registry.catalogue()), problems.concat())
}

fn check(children: &str, expected: Expect) {
    let text = format!(r#"{{"type": "ActionSequenceDefinition", "name": "F", "children": [{children}]}}"#);
    expected.assert_eq(&opened(&text));
}

#[test]
fn the_demo_is_understood_whole() {
    expect![[r#"
        {
          "version": 2,
          "name": "Demo Behavior.json",
          "children": [
            {
              "type": "arm",
              "name": "Move Right Arm",
              "after": "Previous",
              "by": "angles",
              "angles_deg": [40.1, -22.92, 22.92, -108.86, 0.0, 0.0, 0.0],
              "duration_s": 1.0
            },
            {
              "type": "arm",
              "name": "Move Left Arm",
              "after": "Previous",
              "side": "left",
              "by": "angles",
              "angles_deg": [40.1, 22.92, -22.92, -108.86, 0.0, 0.0, 0.0],
              "duration_s": 1.0
            },
            {
              "type": "walk",
              "name": "Walk action",
              "after": "Previous",
              "on_conflict": "override",
              "stance": {"x_m": 1.292, "y_m": -0.013},
              "focal": {"x_m": 2.2745, "y_m": -0.002},
              "left_foot": {"y_m": 0.11},
              "right_foot": {"y_m": -0.11}
            }
          ]
        }
    "#]]
    .assert_eq(&opened(DEMO));
}

#[test]
fn arms_by_pose_by_preset_and_in_older_files() {
    check(
        r#"{"type": "ArmActionDefinition", "name": "Pose", "side": "left", "definedInJointspace": false,
            "taskspaceTrajectoryMode": "SINGLE_POSE", "parentFrame": "Door Lever", "trajectoryDuration": 2.5,
            "x": 0.1, "y": -0.2, "z": 0.0, "rollInDegrees": 0.0, "pitchInDegrees": 90.0, "yawInDegrees": 0.0,
            "jointspaceOnly": true, "holdPoseInWorldLater": false, "linearPositionWeight": -1.0,
            "angularPositionWeight": 50.0, "jointspaceWeight": -1.0, "positionErrorTolerance": 0.1,
            "orientationErrorToleranceDegrees": 10.0},
           {"type": "ArmActionDefinition", "name": "Home", "side": "right", "usePredefinedJointAngles": true,
            "preset": "HOME", "trajectoryDuration": 3.0, "jointspaceWeight": -1.0},
           {"type": "HandPoseActionDefinition", "name": "Old pose", "side": "right", "parentFrame": "Chest",
            "x": 0.4, "y": -0.2, "z": 0.1, "rollInDegrees": 0.0, "pitchInDegrees": 0.0, "yawInDegrees": 5.0,
            "trajectoryDuration": 4.0, "holdPoseInWorldLater": false, "jointspaceOnly": false},
           {"type": "ArmJointAnglesActionDefinition", "name": "Old angles", "side": "left",
            "preset": "CUSTOM_ANGLES", "j0": 0.5, "j1": 0.0, "j2": 0.0, "j3": -1.0, "j4": 0.0, "j5": 0.0, "j6": 0.0,
            "trajectoryDuration": 2.0}"#,
        expect![[r#"
            {
              "version": 2,
              "name": "F",
              "children": [
                {
                  "type": "arm",
                  "name": "Pose",
                  "side": "left",
                  "frame": "Door Lever",
                  "pose": {"x_m": 0.1, "y_m": -0.2, "pitch_deg": 90.0},
                  "joints_only": true,
                  "duration_s": 2.5,
                  "position_tolerance_m": 0.1,
                  "orientation_tolerance_deg": 10.0,
                  "angularPositionWeight": 50.0
                },
                {"type": "arm", "name": "Home", "by": "preset", "preset": "home", "duration_s": 3.0},
                {
                  "type": "arm",
                  "name": "Old pose",
                  "pose": {"x_m": 0.4, "y_m": -0.2, "z_m": 0.1, "yaw_deg": 5.0}
                },
                {
                  "type": "arm",
                  "name": "Old angles",
                  "side": "left",
                  "by": "angles",
                  "angles_deg": [28.648, 0.0, 0.0, -57.296, 0.0, 0.0, 0.0],
                  "duration_s": 2.0
                }
              ]
            }
            `angularPositionWeight` of `ArmActionDefinition` has no counterpart in `arm`; it is kept and ignored
        "#]],
    );
}

#[test]
fn walks_by_steps_and_with_waypoints() {
    check(
        r#"{"type": "WalkActionDefinition", "name": "Through", "swingDuration": 1.0, "transferDuration": 0.5,
            "executionMode": "QUEUE", "parentFrame": "Door Frame", "footsteps": [
              {"side": "left", "x": 0.3, "y": 0.1, "z": 0.0, "rollInDegrees": 0.0, "pitchInDegrees": 0.0, "yawInDegrees": 5.0},
              {"side": "right", "x": 0.6, "y": -0.1, "z": 0.0, "rollInDegrees": 0.0, "pitchInDegrees": 0.0, "yawInDegrees": 0.0}]},
           {"type": "WalkActionDefinition", "name": "There", "swingDuration": 0.8, "transferDuration": 0.5,
            "executionMode": "OVERRIDE", "parentFrame": "Walking",
            "goalStancePoint": {"x": 1.0, "y": 0.0, "z": 0.0}, "goalFocalPoint": {"x": 2.0, "y": 0.0, "z": 0.0},
            "leftGoalFootToGoal": {"x": 0.1, "y": 0.11, "yawInDegrees": 0.0},
            "rightGoalFootToGoal": {"x": -0.1, "y": -0.11, "yawInDegrees": -5.0},
            "planner": "TURN_WALK_TURN", "plannerInitialStanceSide": "LEFT", "plannerWalkWithGoalOrientation": true,
            "waypoints": [{"x": 0.5, "y": 0.2, "z": 0.0, "rollInDegrees": 0.0, "pitchInDegrees": 0.0, "yawInDegrees": 10.0}],
            "plannerParameters": {"idealFootstepLength": 0.3}}"#,
        expect![[r#"
            {
              "version": 2,
              "name": "F",
              "children": [
                {
                  "type": "walk",
                  "name": "Through",
                  "by": "steps",
                  "frame": "Door Frame",
                  "steps": [
                    {
                      "side": "left",
                      "pose": {"x_m": 0.3, "y_m": 0.1, "yaw_deg": 5.0}
                    },
                    {
                      "side": "right",
                      "pose": {"x_m": 0.6, "y_m": -0.1}
                    }
                  ],
                  "swing_s": 1.0
                },
                {
                  "type": "walk",
                  "name": "There",
                  "on_conflict": "override",
                  "stance": {"x_m": 1.0},
                  "focal": {"x_m": 2.0},
                  "left_foot": {"x_m": 0.1, "y_m": 0.11},
                  "right_foot": {"x_m": -0.1, "y_m": -0.11, "yaw_deg": -5.0},
                  "waypoints": [
                    {"x_m": 0.5, "y_m": 0.2, "yaw_deg": 10.0}
                  ],
                  "planner": "turn_walk_turn",
                  "first": "left",
                  "plannerWalkWithGoalOrientation": true,
                  "plannerParameters": {"idealFootstepLength": 0.3}
                }
              ]
            }
            `plannerWalkWithGoalOrientation` of `WalkActionDefinition` has no counterpart in `walk`; it is kept and ignored
            `plannerParameters` of `WalkActionDefinition` has no counterpart in `walk`; it is kept and ignored
        "#]],
    );
}

#[test]
fn hands_trunk_and_legs() {
    check(
        r#"{"type": "ScrewPrimitiveActionDefinition", "name": "Turn lever", "side": "right", "objectFrame": "Door Lever",
            "screwAxisPose": {"x": 0.0, "y": 0.05, "z": 0.0, "rollInDegrees": 0.0, "pitchInDegrees": 0.0, "yawInDegrees": 90.0},
            "translation": 0.0, "rotation": -0.7853981633974483, "maxLinearVelocity": 0.2, "maxAngularVelocity": 0.6,
            "jointspaceOnly": true, "linearPositionWeight": -1.0, "angularPositionWeight": -1.0},
           {"type": "AbilityHandActionDefinition", "name": "Grip", "side": "left", "controlMode": "GRIP", "grip": "DOOR_LEVER_OPEN"},
           {"type": "EZGripperActionDefinition", "name": "Open", "side": "right"},
           {"type": "SakeHandCommandActionDefinition", "name": "Close", "side": "right", "handOpenAngleDegrees": 15.0, "fingertipGripForceLimit": 30.0},
           {"type": "HandWrenchActionDefinition", "name": "Press", "side": "left", "trajectoryDuration": 10.0, "force": 20.0},
           {"type": "SpineActionDefinition", "name": "Spine", "parentFrame": "Pelvis", "trajectoryDuration": 2.0, "jointspaceOnly": true, "j0": 25.0, "j1": 0.0, "j2": 3.0},
           {"type": "ChestOrientationActionDefinition", "name": "Chest", "parentFrame": "Pelvis", "trajectoryDuration": 4.0, "holdPoseInWorldLater": false,
            "x": 0.0, "y": 0.0, "z": 0.4, "rollInDegrees": 0.0, "pitchInDegrees": 10.0, "yawInDegrees": 20.0},
           {"type": "NeckActionDefinition", "name": "Neck", "pitchInDegrees": 15.0, "yawInDegrees": -20.0, "trajectoryDuration": 1.0},
           {"type": "PelvisActionDefinition", "name": "Pelvis", "parentFrame": "Walking", "trajectoryDuration": 3.0,
            "x": 0.0, "y": 0.0, "z": 0.75, "rollInDegrees": 0.0, "pitchInDegrees": 5.0, "yawInDegrees": 0.0},
           {"type": "PelvisHeightOrientationActionDefinition", "name": "Old pelvis", "parentFrame": "worldFrame", "z": 0.8, "trajectoryDuration": 4.0},
           {"type": "LegActionDefinition", "name": "Leg", "side": "right", "parentFrame": "Right Foot Sole", "trajectoryDuration": 2.0, "z": 0.1},
           {"type": "FootPoseActionDefinition", "name": "Foot", "side": "left", "parentFrame": "Walking", "trajectoryDuration": 4.0, "x": 0.2, "y": 0.1},
           {"type": "FootstepPlanActionDefinition", "name": "Old walk", "swingDuration": 1.2, "transferDuration": 0.8, "parentFrame": "worldFrame",
            "footsteps": [{"side": "left", "x": 0.3, "y": 0.1}]}"#,
        expect![[r#"
            {
              "version": 2,
              "name": "F",
              "children": [
                {
                  "type": "screw",
                  "name": "Turn lever",
                  "frame": "Door Lever",
                  "axis": {"y_m": 0.05, "yaw_deg": 90.0},
                  "translation_m": 0.0,
                  "rotation_deg": -45.0,
                  "max_linear_m_s": 0.2,
                  "max_angular_deg_s": 34.377
                },
                {"type": "hand", "name": "Grip", "side": "left", "grip": "door_lever_open"},
                {"type": "gripper", "name": "Open"},
                {"type": "gripper", "name": "Close", "opening_deg": 15.0, "force_limit_n": 30.0},
                {"type": "hand_wrench", "name": "Press", "side": "left", "duration_s": 10.0, "handForce": 20.0},
                {"type": "spine", "name": "Spine", "yaw_deg": 25.0, "duration_s": 2.0, "j2": 3.0},
                {"type": "spine", "name": "Chest", "by": "orientation", "yaw_deg": 20.0, "pitch_deg": 10.0},
                {"type": "neck", "name": "Neck", "yaw_deg": -20.0, "pitch_deg": 15.0, "duration_s": 1.0},
                {"type": "pelvis", "name": "Pelvis", "height_m": 0.75, "pitch_deg": 5.0, "duration_s": 3.0},
                {"type": "pelvis", "name": "Old pelvis", "frame": "world", "height_m": 0.8},
                {
                  "type": "leg",
                  "name": "Leg",
                  "frame": "right_sole",
                  "pose": {"z_m": 0.1},
                  "duration_s": 2.0
                },
                {
                  "type": "leg",
                  "name": "Foot",
                  "side": "left",
                  "pose": {"x_m": 0.2, "y_m": 0.1}
                },
                {
                  "type": "walk",
                  "name": "Old walk",
                  "by": "steps",
                  "frame": "world",
                  "steps": [
                    {
                      "side": "left",
                      "pose": {"x_m": 0.3, "y_m": 0.1}
                    }
                  ],
                  "swing_s": 1.2,
                  "transfer_s": 0.8
                }
              ]
            }
            `handForce` of `HandWrenchActionDefinition` has no counterpart in `hand_wrench`; it is kept and ignored
            `j2` of `SpineActionDefinition` has no counterpart in `spine`; it is kept and ignored
        "#]],
    );
}
