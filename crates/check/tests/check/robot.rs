use std::sync::Arc;

use ::robot::{PartName, Robot};
use check::Options;
use expect_test::expect;

use crate::common::{found, text};

const TREE: &str = "
    sequence Root
      joint_move Joints angles_deg={\"left_elbow_pich\":1,\"neck_yaw\":500}
      arm Preset by=preset preset=wild
      hand Grip grip=opn
      arm Frame frame=chst
      arm Object frame=mug
      arm Angles by=angles angles_deg=[1,2]
      neck Look pitch_deg=10
";

#[test]
fn what_a_robot_does_not_have() {
    assert_eq!(text(&found(TREE, &[], &Options::default())), "", "nothing is known of the robot");
    let mut robot = Robot::builtin("coact-one").expect("one of our own");
    robot.parts.retain(|part| part.name != PartName::Neck);
    let options = Options { robot: Some(Arc::new(robot)), ..Options::default() };
    expect![[r#""#]].assert_eq(&text(&found(TREE, &[], &options)));
    // An object of that name will be there.
    let options = Options { frames: vec!["chst".into()], ..options };
    assert!(!text(&found(TREE, &[], &options)).contains("chst"));
}
