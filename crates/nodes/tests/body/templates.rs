//! Template steps on every robot: an object is where a frame is given, or where a camera sees it.

use engine::{Mirror, Plane, Rework};
use geometry::{Pose, Vector3};
use robot::{BodyFrame, Robot, Side};
use scene::template::{Library, Template};
use serde_json::{Value as Json, json};
use testkit::Stage;

use super::kit::*;
use super::rework::{node, reworked};

fn template(class: &str) -> Template {
    Template::clone(Library::built_in().get(class).expect("one of ours"))
}

/// Level, ahead of the robot, so that the grasp is where the hand is in a preset.
fn within_reach(robot: &Robot, class: &str, grasp: &str, side: Side) -> Pose {
    let template = template(class);
    let object_from_hand = template.object_from_hand(template.grasp(grasp).expect("a grasp"), side).expect("this hand");
    let hand_m = hand_in(robot, "ready", BodyFrame::Walking, side).translation_m();
    let at = hand_m - object_from_hand.translation_m();
    Pose::from_translation(at.x, at.y, at.z)
}

fn placed(name: &str, world_from_object: &Pose) -> String {
    let at = world_from_object.translation_m();
    format!("0 frame {name} {} {} {}\n", at.x, at.y, at.z)
}

/// About the x axis of an object: how far from it, and at what angle.
fn about(world_from_axis: &Pose, world_from_thing: &Pose) -> (f64, f64) {
    let at = (world_from_axis.inverse() * *world_from_thing).translation_m();
    (libm::hypot(at.y, at.z), libm::atan2(at.z, at.y).to_degrees())
}

const START: &str = "preset ready\n";

#[test]
fn a_valve_is_grasped_and_turned() {
    on_every_robot(|name, robot| {
        for side in Side::BOTH {
            let valve = within_reach(robot, "valve", "rim", side);
            let outline = format!(
                "
                 template_pre_grasp Before object=valve side={side}
                 wait Pause duration_s=0.3
                 template_grasp Grasp object=valve grasp=rim side={side}
                 template_affordance Turn object=valve affordance=open side={side} displacement_deg=-30",
                side = side.word()
            );
            let mut stage = Stage::new(name, &outline, &format!("{START}{}", placed("valve", &valve)));
            let template = template("valve");
            let grasp = template.grasp("rim").expect("it has it");
            while stage.tick() && !stage.trace().contains("+ Pause") {}
            let before = valve * template.object_from_pre_grasp(grasp, side).expect("either hand");
            assert_near(&hand(&stage, side), &before, 5e-3, 1.0);
            while stage.tick() && !stage.trace().contains("+ Turn") {}
            let at = valve * template.object_from_hand(grasp, side).expect("either hand");
            assert_near(&hand(&stage, side), &at, 5e-3, 1.0);
            for (joint, position) in robot.grip("close", side).expect("a grip") {
                assert!((stage.state().positions[*joint] - position).abs() < 0.02, "the fingers are closed");
            }
            let (radius_m, from_deg) = about(&valve, &hand(&stage, side));
            assert_succeeds(&mut stage, "Turn");
            let (now_m, to_deg) = about(&valve, &hand(&stage, side));
            assert!((now_m - radius_m).abs() < 5e-3, "{name}: from {radius_m} m to {now_m} m");
            let turned_deg = (to_deg - from_deg + 540.0).rem_euclid(360.0) - 180.0;
            assert!((turned_deg + 30.0).abs() < 2.0, "{name} {side:?}: turned {turned_deg}°");
        }
    });
}

#[test]
fn what_is_seen_has_the_template_of_its_class() {
    on_every_robot(|name, _| {
        let outline = "
                       setup_object Find class=ball object=it
                       template_stand Stand object=it stand=front";
        let mut stage = Stage::new(name, outline, "0 see thing ball 1.5 0.3 0.8");
        assert_succeeds(&mut stage, "Stand");
        // Known by its position only, the ball is turned as the chest was.
        let stand = template("ball").stand("front").expect("it has it").clone();
        let goal = stand.world_from_walking(&Pose::from_translation(1.5, 0.3, 0.8), 0.0);
        assert_near(&stage.poses().world_from(BodyFrame::Walking), &goal, 0.03, 3.0);
    });
}

#[test]
fn a_held_tool_goes_round_in_the_place_of_the_hand() {
    on_every_robot(|name, robot| {
        let ready = hand_in(robot, "ready", BodyFrame::Walking, Side::Right);
        // The bit of the drill begins 5 cm above the middle of the circle.
        let drill = Pose::from_translation(0.0, 0.04, 0.0) * Pose::new(ready.translation_m(), Default::default());
        let bit = drill * template("drill").usability("bit").expect("it has it");
        let wall = Pose::new(bit.translation_m() - Vector3::new(0.0, 0.0, 0.05), Default::default());
        let outline = "
                       attach_object Take object=drill
                       template_affordance Cut object=wall affordance=cut_circle usability=bit displacement_deg=40
                       detach_object Drop
                       template_affordance Again object=wall affordance=cut_circle usability=bit displacement_deg=40";
        let script = format!("{START}{}{}", placed("drill", &drill), placed("wall", &wall));
        let mut stage = Stage::new(name, outline, &script);
        let hand_from_bit = ready.inverse() * bit;
        let end = end_of(&mut stage, "Again");
        assert!(end.contains("nothing is attached to the right hand"), "{end}");
        assert!(stage.trace().contains("- Cut success"), "{}", stage.trace());
        let now = hand(&stage, Side::Right);
        assert!(now.distance(&ready).angle_rad.to_degrees() < 1.0, "the drill keeps pointing at the wall");
        let (radius_m, angle_deg) = about(&wall, &(now * hand_from_bit));
        assert!((radius_m - 0.05).abs() < 3e-3 && (angle_deg - 130.0).abs() < 4.0, "{radius_m} m, {angle_deg}°");
    });
}

#[test]
fn what_is_attached_goes_along_and_stays_where_it_is_let_go() {
    on_every_robot(|name, robot| {
        let ready = hand_in(robot, "ready", BodyFrame::Walking, Side::Right);
        let ball = Pose::new(ready.translation_m() + Vector3::new(0.0, 0.05, 0.0), Default::default());
        let above = Pose::from_translation(0.0, 0.0, 0.03) * ball.inverse() * ready;
        let outline = format!(
            "
            attach_object Take object=ball
            template_affordance Lift object=ball displacement_m=0.05
            detach_object Drop
            arm Away frame=ball pose={} duration_s=2",
            setting(&above)
        );
        let mut stage = Stage::new(name, &outline, &format!("{START}{}", placed("ball", &ball)));
        while stage.tick() && !stage.trace().contains("+ Away") {}
        assert!(stage.trace().contains("- Lift success"), "{}", stage.trace());
        let lifted = hand(&stage, Side::Right).translation_m() - ready.translation_m();
        assert!((lifted - Vector3::new(0.0, 0.0, 0.05)).norm() < 3e-3, "{lifted}");
        assert_succeeds(&mut stage, "Away");
        // Above where the ball was let go, which is higher than where it was found.
        let goal = Pose::from_translation(0.0, 0.0, 0.08) * ready;
        assert_near(&hand(&stage, Side::Right), &goal, 5e-3, 1.0);
        let objects = stage.trace();
        assert!(objects.contains("attached") && objects.contains("detached"), "{objects}");
    });
}

#[test]
fn the_template_of_another_class_and_another_size_serve() {
    on_every_robot(|name, robot| {
        let ready = hand_in(robot, "ready", BodyFrame::Walking, Side::Right);
        let wheel = Pose::new(ready.translation_m() + Vector3::new(0.05, 0.18, 0.0), Default::default());
        let outline =
            "template_affordance Steer object=wheel template=valve affordance=close displacement_deg=20 scale=1.5";
        let mut stage = Stage::new(name, outline, &format!("{START}{}", placed("wheel", &wheel)));
        assert_succeeds(&mut stage, "Steer");
        let (radius_m, angle_deg) = about(&wheel, &hand(&stage, Side::Right));
        assert!(
            (radius_m - 0.18).abs() < 5e-3 && (angle_deg.rem_euclid(360.0) - 200.0).abs() < 2.0,
            "{radius_m} {angle_deg}"
        );
    });
}

#[test]
fn what_cannot_be_done_says_why() {
    let ball = "0 frame ball 0.4 -0.2 1.0\n0 frame lever 0.4 -0.2 1.0";
    for (outline, told) in [
        ("template_stand Go", "it names no object"),
        ("template_stand Go object=cup", "there is no template for class `cup`"),
        ("template_stand Go object=ball stand=behind", "no stand pose `behind`; it has front"),
        ("template_grasp Go object=lever template=door_handle grasp=right side=left", "is for the right hand"),
        ("template_affordance Go object=ball affordance=throw", "no affordance `throw`"),
        ("template_affordance Go object=ball displacement_deg=10", "affordance `lift` is straight"),
        ("template_affordance Go object=ball displacement_m=0", "goes nowhere"),
        ("template_affordance Go object=ball usability=tip", "nothing is attached to the right hand"),
        ("attach_object Go object=chest", "is a frame of the robot"),
        ("attach_object Go object=cup", "there is no frame `cup`"),
        ("detach_object Go side=left", "nothing is attached to the left hand"),
    ] {
        let end = end_of(&mut Stage::new("coact-one", outline, ball), "Go");
        assert!(end.contains("- Go failure") && end.contains(told), "{outline}: {end}");
    }
}

#[test]
fn a_grasp_that_is_stopped_comes_to_rest() {
    let robot = Robot::builtin("coact-one").expect("one of ours");
    let valve = within_reach(&robot, "valve", "rim", Side::Right);
    for at in ["0.4", "2.5"] {
        let outline = "template_pre_grasp Before object=valve";
        let mut stage = Stage::new("coact-one", outline, &format!("{}{at} stop", placed("valve", &valve)));
        stage.run();
        assert!(stage.trace().contains("- Before halted"), "{}", stage.trace());
        assert!(is_at_rest(&stage));
    }
}

#[test]
fn steps_claim_what_they_move() {
    let two = "
        parallel Both
          template_pre_grasp First object=ball
          sequence
            wait Then duration_s=0.2
            hand Second grip=close";
    let mut stage = Stage::new("coact-one", two, "0 frame ball 0.4 -0.2 1.0");
    stage.run_until(0.5);
    assert!(stage.trace().contains("Second held: `right_hand` is held by `First`"), "{}", stage.trace());
}

#[test]
fn mirrored_steps_do_the_mirrored() {
    on_every_robot(|name, robot| {
        let lever = within_reach(robot, "door_handle", "right", Side::Right);
        let mirror = Rework::Mirror(Mirror { robot, plane: Plane::Sagittal, body: None });
        let steps = [
            (
                "template_pre_grasp",
                json!({"object": "lever", "template": "door_handle", "grasp": "right", "duration_s": 2}),
            ),
            ("template_affordance", json!({"object": "lever", "template": "door_handle", "displacement_deg": -15.0})),
        ];
        let outline = |steps: &[(&str, Json)]| {
            let line = |(kind, settings): &(&str, Json)| {
                let settings = settings.as_object().expect("settings").iter();
                let words: Vec<String> = settings
                    .filter(|(_, value)| !value.is_null())
                    .map(|(key, value)| format!("{key}={}", value.as_str().map_or(value.to_string(), str::to_owned)))
                    .filter(|word| !word.ends_with('='))
                    .collect();
                format!("{kind} Do {}", words.join(" "))
            };
            steps.iter().map(line).collect::<Vec<String>>().join("\n")
        };
        let end = |steps: &[(&str, Json)], lever: &Pose, side: Side| {
            let script = format!("{START}{}", placed("lever", lever));
            let mut stage = Stage::new(name, &outline(steps), &script);
            assert_succeeds(&mut stage, "Do");
            hand(&stage, side)
        };
        let one = end(&steps, &lever, Side::Right);
        let mirrored = steps.clone().map(|(kind, settings)| (kind, reworked(kind, &settings, &mirror)));
        assert_eq!(mirrored[0].1["side"], "left");
        let other = end(&mirrored, &lever.mirrored(), Side::Left);
        assert_near(&other, &one.mirrored(), 5e-3, 1.0);
        let stand = reworked("template_stand", &json!({"object": "lever"}), &mirror);
        assert_eq!(stand["mirrored"], true);
        let detach = reworked("detach_object", &json!({"side": "left"}), &mirror);
        assert_eq!(detach["side"], "right");
    });
}

#[test]
fn a_preview_shows_what_a_template_step_would_do() {
    on_every_robot(|name, robot| {
        let valve = within_reach(robot, "valve", "rim", Side::Right);
        let mut stage = Stage::new(name, "wait Now duration_s=0.1", &format!("{START}{}", placed("valve", &valve)));
        stage.run();
        let body = stage.body();
        for kind in ["template_pre_grasp", "template_grasp", "template_affordance", "template_stand"] {
            let preview = testkit::registry().preview(&node(kind, &json!({"object": "valve"})), &body);
            let preview = preview.expect("it can be done").expect("it moves a body");
            assert!(preview.duration_s > 0.5, "{kind}: {preview:?}");
            if kind == "template_grasp" {
                let mut poses = stage.poses();
                poses.place(&preview.goal, &preview.world_from_base);
                let template = template("valve");
                let goal = valve * template.object_from_hand(&template.grasps[0], Side::Right).expect("either");
                assert_near(&poses.world_from(BodyFrame::Hand(Side::Right)), &goal, 5e-3, 1.0);
            }
        }
        let error = testkit::registry().preview(&node("template_grasp", &json!({"object": "cup"})), &body);
        assert!(error.unwrap_err().to_string().contains("there is no template for class `cup`"));
    });
}
