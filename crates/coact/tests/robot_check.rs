use crate::common;

use std::fs;

use common::{coact, root};
use serde_json::Value;

fn robot(path: &str) -> String {
    root().join("robots").join(path).display().to_string()
}

#[test]
fn own_robots_have_no_problems() {
    for name in
        ["coact-one".to_owned(), robot("coact-mini"), robot("coact-mini/robot.json"), robot("coact-one/robot.urdf")]
    {
        let ran = coact(&["robot-check", &name]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("no problems\n"), "{}", ran.out);
        assert!(ran.out.contains("left arm "), "{}", ran.out);
    }
}

#[test]
fn the_proposal_is_written_once_and_loads() {
    let folder = std::env::temp_dir().join(format!("coact-robot-check-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let place = |file: &str| folder.join(file).display().to_string();
    fs::copy(robot("coact-one/robot.urdf"), place("one.urdf")).unwrap();
    let write = || coact(&["robot-check", &place("one.urdf"), "--write", &place("robot.json")]);
    let ran = write();
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let ran = coact(&["robot-check", &folder.display().to_string()]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let before = fs::read(place("robot.json")).unwrap();
    let again = write();
    assert_eq!(again.code, 2, "what is there is not touched");
    assert!(again.err.contains("robot.json"), "{}", again.err);
    assert_eq!(fs::read(place("robot.json")).unwrap(), before);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn as_json() {
    let ran = coact(&["robot-check", "--json", &robot("coact-mini/robot.urdf")]);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((said["errors"].as_u64(), said["joints"]["mimic"].as_u64()), (Some(0), Some(10)), "{said}");
    assert_eq!(said["parts"]["spine"]["joints"], serde_json::json!(["waist_yaw", "waist_pitch"]));
    assert_eq!(said["proposal"]["frames"]["pelvis"], "hips");
}

#[test]
fn what_cannot_be_used() {
    let folder = std::env::temp_dir().join(format!("coact-robot-bad-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let check = |text: &str| {
        let path = folder.join("bad.urdf");
        fs::write(&path, text).unwrap();
        coact(&["robot-check", &path.display().to_string()])
    };
    for (text, part) in [
        ("", "not XML"),
        ("<sdf/>", "<sdf>, not <robot>"),
        ("<robot><xacro:x/></robot>", "run `xacro`"),
        ("<robot/>", "no usable link"),
    ] {
        let ran = check(text);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    let ran = check("<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n</robot>");
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("line 3: error: link b: not connected to the root `a`"), "{}", ran.out);
    assert!(ran.out.contains("`pelvis` is missing"), "{}", ran.out);
    let ran = coact(&["robot-check", "no-such-robot"]);
    assert!(ran.code == 2 && ran.err.contains("coact-one, coact-mini"), "{}", ran.err);
    fs::remove_dir_all(&folder).unwrap();
}
