//! The same sights give the same run, also after they were written and read.

use std::sync::Arc;

use engine::{Command, Control, Engine, Options, TickInput, TickOutput};
use geometry::{Point3, Pose, RollPitchYaw, Vector3};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use scene::{Cloud, Detection, Sight};
use testkit::Stage;

const OUTLINE: &str = "parallel All
  sequence One
    setup_object Ball class=ball search_s=0.3
    define_frame Stand object=stand a=walking b=ball
    freeze_object Freeze object=stand
    proximity Near a=stand b=ball max_m=1 within_s=0.2
  sequence Two
    setup_object Box class=box search_s=0.3 minimum_history=2
    shape_contains Inside shape={\"shape\":\"box\",\"size_m\":[1,1,1]} frame=box contains=points within_s=0.2
    clear_scene Clear";

fn sight(time_ns: i64, detections: Vec<(usize, [f64; 3], f64)>) -> Sight {
    let mut cloud =
        Cloud::new(time_ns, Pose::from_rpy(Vector3::new(0.1, 0.2, 1.3), RollPitchYaw::new(0.1, 0.7, -0.3)), 4, 2);
    let detections: Vec<Detection> = detections
        .into_iter()
        .enumerate()
        .map(|(place, (class, at, confidence))| {
            if place < cloud.len() {
                cloud.set(place, Some(at.map(|number| number as f32)), [10, 200, 30]);
            }
            let turned = Pose::from_rpy(Vector3::from(at), RollPitchYaw::new(at[0], at[1], at[2]));
            Detection {
                detector: "yolo".into(),
                class: ["ball", "box"][class].into(),
                confidence,
                world_position: Point3::from(at),
                world_from_object: (class == 1).then_some(turned),
                pixels: Some([1, 2, 3, 4]),
            }
        })
        .collect();
    Sight { camera: "head".into(), time_ns, cloud: Some(Arc::new(cloud)), detections }
}

fn inputs() -> impl Strategy<Value = Vec<TickInput>> {
    let detection = (0..2_usize, prop::array::uniform3(-1.5..1.5_f64), 0.0..1.0_f64);
    let picture = prop::option::weighted(0.7, prop::collection::vec(detection, 0..5));
    prop::collection::vec(picture, 5..40).prop_map(|pictures| {
        let mut inputs: Vec<TickInput> = Vec::new();
        for (tick, picture) in pictures.into_iter().enumerate() {
            let time_ns = tick as i64 * 50_000_000;
            let sights = picture.map(|detections| Arc::new(sight(time_ns, detections))).into_iter().collect();
            inputs.push(TickInput { time_ns, sights, ..TickInput::default() });
        }
        inputs[0].commands.push(Command { id: 1, what: Control::Automatic { on: true } });
        inputs
    })
}

fn engine() -> Engine {
    let body = Stage::new("coact-mini", "wait W", "").body();
    testkit::load(OUTLINE, &Options { body: Some(body), ..Options::default() })
}

fn outputs(inputs: &[TickInput]) -> (Vec<TickOutput>, String) {
    let mut engine = engine();
    let outputs = inputs.iter().map(|input| engine.tick(input).clone()).collect();
    engine.check_invariants().expect("everything fits together");
    (outputs, testkit::trace(&engine, &[]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

    #[test]
    fn the_same_sights_give_the_same_outputs(inputs in inputs()) {
        let text = serde_json::to_string(&inputs).unwrap();
        let read: Vec<TickInput> = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&read, &inputs);
        prop_assert_eq!(outputs(&inputs), outputs(&read));
    }
}

#[test]
fn an_input_without_sights_says_nothing_of_them() {
    let text = serde_json::to_string(&TickInput::default()).unwrap();
    assert!(!text.contains("sights"), "{text}");
}
