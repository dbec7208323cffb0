#![cfg(feature = "mujoco")]
//! Doors, valves and buttons behave as their file says.

use crate::physics_common;

use physics_common::*;
use sim::PhysicsRobot;

fn door(rest: &str) -> PhysicsRobot {
    open(&format!(r#"{{"version": 1, "objects": [{{"type": "door", "at": {{"x_m": 2.5}}, {rest}}}]}}"#))
}

fn angle_deg(sim: &PhysicsRobot) -> f64 {
    sim.world_joint("door/hinge").expect("a hinge").to_degrees()
}

#[test]
fn a_latch_holds_until_the_handle_is_past_its_angle() {
    for (opens, hinge) in [("push", "left"), ("push", "right"), ("pull", "left"), ("pull", "right")] {
        let mut sim = door(&format!(
            r#""opens": "{opens}", "hinge": "{hinge}", "handle": "lever", "latch_deg": 30,
               "closer": {{"torque_nm": 4, "stiffness_nm_per_rad": 2, "damping_nm_s": 4}}"#
        ));
        sim.work_joint("door/hinge", 25.0);
        sim.work_joint("door/handle", 0.35);
        run(&mut sim, 1.0);
        let handle_deg = sim.world_joint("door/handle").expect("a handle").to_degrees();
        assert!((15.0..29.0).contains(&handle_deg), "{handle_deg}°");
        assert!(angle_deg(&sim) < 0.3, "{}° though latched", angle_deg(&sim));
        assert_eq!(sim.is_latched("door"), Some(true));
        sim.work_joint("door/handle", 0.8);
        run(&mut sim, 1.0);
        assert_eq!(sim.is_latched("door"), Some(false));
        assert!(angle_deg(&sim) > 30.0, "{}° though pushed", angle_deg(&sim));
        let panel = sim.world_from_body("door/handle").expect("a handle").translation_m();
        assert_eq!(panel.x > 2.5, opens == "push", "{opens} {hinge}: the handle is at {panel}");
        sim.work_joint("door/hinge", 0.0);
        sim.work_joint("door/handle", 0.0);
        run(&mut sim, 8.0);
        assert!(angle_deg(&sim) < 0.5, "{}° though the closer closes it", angle_deg(&sim));
        assert_eq!(sim.is_latched("door"), Some(true));
        sim.work_joint("door/hinge", 25.0);
        run(&mut sim, 0.5);
        assert!(angle_deg(&sim) < 0.3, "it is latched again");
    }
}

#[test]
fn knobs_turn_both_ways_and_bars_are_pressed() {
    for (handle, effort) in [("knob", 1.0), ("knob", -1.0), ("push_bar", 40.0)] {
        let mut sim = door(&format!(r#""handle": "{handle}""#));
        sim.work_joint("door/hinge", 10.0);
        run(&mut sim, 0.5);
        assert!(angle_deg(&sim) < 0.3);
        sim.work_joint("door/handle", effort);
        run(&mut sim, 1.0);
        assert!(angle_deg(&sim) > 10.0, "{handle}: {}°", angle_deg(&sim));
    }
    let mut fixed = door(r#""handle": "fixed", "friction_nm": 2"#);
    fixed.work_joint("door/hinge", 1.5);
    run(&mut fixed, 1.0);
    assert!(angle_deg(&fixed) < 0.1, "friction holds it");
    fixed.work_joint("door/hinge", 4.0);
    run(&mut fixed, 2.0);
    assert!(angle_deg(&fixed) > 10.0);
}

#[test]
fn a_valve_on_its_seat_goes_no_further() {
    let mut sim = open(
        r#"{"version": 1, "objects": [{"type": "valve", "at": {"x_m": 2}, "friction_nm": 1, "rise_nm_per_rad": 2, "tight_nm": 5}]}"#,
    );
    let mut turn = |effort_nm: f64| {
        sim.work_joint("valve/wheel", effort_nm);
        run(&mut sim, 4.0);
        sim.world_joint("valve/wheel").expect("a wheel")
    };
    let short_rad = turn(3.0);
    assert!((0.9..1.9).contains(&short_rad), "{short_rad}");
    let tight_rad = turn(30.0);
    assert!((tight_rad - 2.0).abs() < 0.05, "{tight_rad}");
}

#[test]
fn a_valve_gets_harder_to_turn() {
    let mut sim = open(
        r#"{"version": 1, "objects": [{"type": "valve", "at": {"x_m": 2}, "friction_nm": 1, "rise_nm_per_rad": 2}]}"#,
    );
    let mut turn = |effort_nm: f64| {
        sim.work_joint("valve/wheel", effort_nm);
        run(&mut sim, 3.0);
        sim.world_joint("valve/wheel").expect("a wheel")
    };
    assert!(turn(0.9) < 0.02);
    let loose = turn(3.0);
    assert!(loose > 1.0, "{loose}");
    // It has come further than to where friction is as strong: what turned it once does not turn it on.
    assert!((turn(3.0) - loose).abs() < 0.02);
    assert!((turn(0.0) - loose).abs() < 0.02, "it does not spring back");
    let tight = turn(6.0);
    assert!(tight > 2.5, "{tight}");
    assert!((turn(-4.0) - tight).abs() < 0.02, "nor is it loosened by less than it was tightened with");
}

#[test]
fn a_button_goes_in_and_comes_back() {
    let mut sim = open(r#"{"version": 1, "objects": [{"type": "button", "at": {"x_m": 2}, "force_n": 10}]}"#);
    let pressed_mm = |sim: &PhysicsRobot| sim.world_joint("button/cap").expect("a cap") * 1e3;
    sim.work_joint("button/cap", 5.0);
    run(&mut sim, 0.5);
    assert!((2.0..6.0).contains(&pressed_mm(&sim)), "{} mm", pressed_mm(&sim));
    sim.work_joint("button/cap", 12.0);
    run(&mut sim, 0.5);
    assert!(pressed_mm(&sim) > 9.5, "{} mm", pressed_mm(&sim));
    sim.work_joint("button/cap", 0.0);
    run(&mut sim, 0.5);
    assert!(pressed_mm(&sim) < 0.3, "{} mm", pressed_mm(&sim));
}

#[test]
fn all_of_the_world_but_the_robot_is_shown_where_it_is() {
    let mut sim = door(r#""handle": "fixed""#);
    let before = sim.solids();
    assert!(before.iter().all(|solid| !solid.name.starts_with("robot/")), "{before:?}");
    let of =
        |all: &[site::Solid], name: &str| all.iter().filter(|solid| &*solid.name == name).cloned().collect::<Vec<_>>();
    assert!(matches!(of(&before, "floor")[0].form, site::SolidForm::Plane { .. }));
    assert!(before.iter().any(|solid| solid.name.starts_with("door/")));
    sim.work_joint("door/hinge", 25.0);
    run(&mut sim, 1.0);
    let after = sim.solids();
    assert_eq!(of(&after, "floor"), of(&before, "floor"), "what stands still");
    let handle = |all: &[site::Solid]| of(all, "door/handle")[0].world_from_solid;
    let moved = handle(&before).distance(&handle(&after));
    assert!(moved.position_m > 0.1 && moved.angle_rad.to_degrees() > 10.0, "{moved:?}");
}
