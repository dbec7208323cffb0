//! Objects that points tell.

use std::sync::Arc;

use engine::TickInput;
use geometry::Pose;
use scene::{Cloud, Sight};
use testkit::{ROBOT_TICK_NS, Stage};

const ROBOT: &str = "coact-one";

/// A board seen from the front: points in a plane, square to x at first, then turned about the vertical through its
/// first corner.
struct Board {
    corner_m: [f64; 3],
    width_m: f64,
    height_m: f64,
    yaw_deg: f64,
}

fn picture(time_ns: i64, boards: &[Board]) -> Arc<Sight> {
    let (across, up) = (100, 100);
    let mut cloud = Cloud::new(time_ns, Pose::from_translation(0.0, 0.0, 1.5), across * boards.len() as u32, up);
    for (place, board) in boards.iter().enumerate() {
        let (sin, cos) = libm::sincos(board.yaw_deg.to_radians());
        for row in 0..up {
            for column in 0..across {
                let along_m = board.width_m * f64::from(column) / f64::from(across);
                let [x, y, z] = board.corner_m;
                let point = [x - sin * along_m, y + cos * along_m, z + board.height_m * f64::from(row) / f64::from(up)];
                let index = cloud.index(across * place as u32 + column, row);
                cloud.set(index, Some(point.map(|number| number as f32)), [128; 3]);
            }
        }
    }
    Arc::new(Sight { camera: "head".into(), time_ns, cloud: Some(Arc::new(cloud)), detections: Vec::new() })
}

/// Ticks with a picture in each until nothing is left to do; no more than two seconds.
fn watch(stage: &mut Stage, boards: &[Board]) -> String {
    for tick in 0..200 {
        let time_ns = tick * ROBOT_TICK_NS;
        let mut input = TickInput { time_ns, sights: vec![picture(time_ns, boards)], ..TickInput::default() };
        if tick == 0 {
            let what = engine::Control::Automatic { on: true };
            input.commands.push(engine::Command { id: 1, what });
        }
        stage.engine.tick(&input);
    }
    stage.trace()
}

#[test]
fn a_table_is_found_by_its_points_and_stands_square_to_its_edge() {
    let mut stage = Stage::new(ROBOT, "approach_table Find", "");
    // Its front edge, a little turned, and the floor-less rest of it behind.
    let edge = Board { corner_m: [1.0, -0.8, 0.7], width_m: 1.6, height_m: 0.05, yaw_deg: 8.0 };
    let trace = watch(&mut stage, &[edge]);
    assert!(trace.contains("- Find success"), "{trace}");
    let table = stage.engine.body().expect("a robot").world_from("table").expect("the table");
    let yaw_deg = table.rpy().yaw_rad.to_degrees();
    assert!((yaw_deg - 8.0).abs() < 3.0, "{yaw_deg}");
    assert!(table.translation_m().z.abs() < 0.02);
}

#[test]
fn without_a_table_it_says_what_it_saw() {
    let mut stage = Stage::new(ROBOT, "approach_table Find search_s=0.5", "");
    let wall = Board { corner_m: [8.0, -0.8, 0.7], width_m: 1.6, height_m: 0.05, yaw_deg: 0.0 };
    let trace = watch(&mut stage, &[wall]);
    assert!(trace.contains("no table in front of the left hip"), "{trace}");
}

#[test]
fn a_door_panel_is_turned_as_its_handle_and_its_middle_say() {
    let outline = "door_panel Panel handle=lever panel=door object=panel";
    let mut stage = Stage::new(ROBOT, outline, "0 frame lever 1 -0.4 1\n0 frame door 1.05 0.0 1");
    stage.run();
    let panel = stage.engine.body().expect("a robot").world_from("panel").expect("the panel");
    assert!(panel.rpy().yaw_rad.to_degrees().abs() < 4.0, "{:?}", panel.rpy());
    let seen = "0 see lever lever 1 -0.4 1\n0 see door door 1.05 0 1\n0 see other door 5 0 1";
    let mut found = Stage::new(ROBOT, outline, seen);
    found.run();
    let of_seen = found.engine.body().expect("a robot").world_from("panel").expect("the panel");
    assert!(of_seen.distance(&panel).position_m < 0.01, "{}", found.trace());
    let mut missing = Stage::new(ROBOT, outline, "end 10\n0 frame lever 1 -0.4 1");
    missing.run();
    assert!(missing.trace().contains("there is no frame `door`"), "{}", missing.trace());
}

#[test]
fn a_door_frame_tells_whether_the_door_is_ajar() {
    // Hinge at y 0.4; the closed door lies along y at x 1, the handle 0.8 m from the hinge; the frame beside it.
    let outline = "door_frame Frame handle=lever panel=door object=frame";
    let post = || Board { corner_m: [1.0, -0.6, 0.5], width_m: 0.12, height_m: 1.0, yaw_deg: 0.0 };
    let closed = |yaw_deg: f64| {
        let (sin, cos) = libm::sincos(yaw_deg.to_radians());
        let at = |from_hinge_m: f64| (1.0 + sin * from_hinge_m, 0.4 - cos * from_hinge_m);
        let ((hx, hy), (mx, my)) = (at(0.8), at(0.45));
        let script = format!("0 frame lever {} {hy} 1\n0 frame door {mx} {my} 1", hx - 0.055);
        Stage::new(ROBOT, outline, &script)
    };
    for (open_deg, outcome) in [(0.0, "closed"), (20.0, "ajar_push")] {
        let mut stage = closed(open_deg);
        // The frames of the script are given with the first tick of the stage.
        stage.tick();
        let trace = watch(&mut stage, &[post()]);
        assert!(trace.contains(&format!("- Frame success \"{outcome}\"")), "{open_deg}°: {trace}");
    }
}

/// What `values` gave in a `set` named Ask.
fn answers(stage: &Stage, trace: &str) -> impl Fn(&str) -> f64 {
    assert!(trace.contains("- Ask success"), "{trace}");
    let variables = stage.engine.variables();
    move |name| {
        let found = variables.iter().find(|(own, _)| &**own == name).map(|(_, value)| value.to_json());
        found.and_then(|value| value.as_f64()).unwrap_or_else(|| panic!("{name} is no number"))
    }
}

#[test]
fn a_table_that_was_found_has_a_height() {
    let outline = "sequence Root\n  approach_table Find\n  set Ask values={\"high_m\":\"size('table').height_m\"}";
    let mut stage = Stage::new(ROBOT, outline, "");
    let edge = Board { corner_m: [1.0, -0.8, 0.7], width_m: 1.6, height_m: 0.05, yaw_deg: 8.0 };
    let trace = watch(&mut stage, &[edge]);
    let high_m = answers(&stage, &trace)("high_m");
    assert!((0.7..=0.75).contains(&high_m), "{high_m} m");
}

/// A leaf 0.9 m wide, hinged at its left edge, seen before a frame beside it.
#[test]
fn a_door_that_was_found_has_an_angle_and_a_hinge() {
    for open_deg in [0.0, 20.0_f64] {
        let (sin, cos) = libm::sincos(open_deg.to_radians());
        let at = |from_hinge_m: f64| (1.0 + sin * from_hinge_m, 0.4 - cos * from_hinge_m);
        let ((hx, hy), (mx, my), (ex, ey)) = (at(0.8), at(0.45), at(0.9));
        let script = format!("0 frame lever {} {} 1\n0 frame door {mx} {my} 1", hx - 0.055 * cos, hy - 0.055 * sin);
        let panel = "door_panel Panel handle=lever panel=door object=leaf";
        let frame = "door_frame Frame handle=lever panel=door object=frame";
        let values = "{\"open_deg\":\"angle_deg('leaf')\",\"left\":\"hinge('leaf') == 'left' ? 1 : 0\"}";
        let outline = format!("sequence Root\n  {panel}\n  {frame}\n  set Ask values={values}");
        let mut stage = Stage::new(ROBOT, &outline, &script);
        // The frames of the script are given with the first tick of the stage.
        stage.tick();
        let leaf = Board { corner_m: [ex, ey, 0.1], width_m: 0.9, height_m: 1.9, yaw_deg: open_deg };
        let post = Board { corner_m: [1.0, -0.64, 0.5], width_m: 0.12, height_m: 1.0, yaw_deg: 0.0 };
        let trace = watch(&mut stage, &[leaf, post]);
        let answer = answers(&stage, &trace);
        assert!((answer("open_deg") - open_deg).abs() < 4.0, "{} for {open_deg}", answer("open_deg"));
        assert!((answer("left") - 1.0).abs() < 1e-9);
    }
}

/// Nobody wrote how wide a door is, nor where its hinge is: what was seen of it is used by steps.
#[test]
fn a_door_is_as_wide_as_it_was_seen() {
    for (handle_m, is_left, from_hinge_m) in [(-0.4, 1.0, 0.8), (0.3, 0.0, 0.8)] {
        let script = format!("0 frame lever 1.345 {handle_m} 1\n0 frame door 1.4 -0.05 1");
        let panel = "door_panel Panel handle=lever panel=door object=leaf door={\"hinge\":\"left\",\"measure\":true}";
        let half = "wait Half duration_s={\"=\":\"size('leaf').width_m / 2\"}";
        let values = "{\"wide_m\":\"size('leaf').width_m\",\"hinge_m\":\"size('leaf').hinge_m\",\"left\":\"hinge('leaf') == 'left' ? 1 : 0\"}";
        let outline =
            format!("sequence Root\n  {panel}\n  wait Look duration_s=0.3\n  {half}\n  set Ask values={values}");
        let mut stage = Stage::new(ROBOT, &outline, &script);
        // The frames of the script are given with the first tick of the stage.
        stage.tick();
        let leaf = Board { corner_m: [1.4, -0.5, 0.1], width_m: 0.9, height_m: 1.9, yaw_deg: 0.0 };
        // Where nothing is seen beside a leaf, it may go on.
        let post = |right_m: f64| Board { corner_m: [1.37, right_m, 0.1], width_m: 0.2, height_m: 1.9, yaw_deg: 0.0 };
        let trace = watch(&mut stage, &[leaf, post(0.4), post(-0.7)]);
        let answer = answers(&stage, &trace);
        assert!((answer("wide_m") - 0.9).abs() < 0.06, "{} m wide", answer("wide_m"));
        assert!((answer("hinge_m") - from_hinge_m).abs() < 0.06, "{} m to the hinge", answer("hinge_m"));
        assert!((answer("left") - is_left).abs() < 1e-9, "hinge at {handle_m}");
    }
}
