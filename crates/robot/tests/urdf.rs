use std::path::{Path, PathBuf};

use robot::{Description, Geometry, Motion, Severity, UrdfError};

/// The problems as people read them.
fn told(inner: &str) -> (Description, Vec<String>) {
    let text = format!("<robot name=\"r\">\n{inner}\n</robot>");
    let (description, problems) = Description::from_urdf(&text, Path::new("/robots/r/urdf")).expect("a robot");
    (description, problems.iter().map(ToString::to_string).collect())
}

fn joint(name: &str, parent: &str, child: &str) -> String {
    format!("<joint name='{name}' type='fixed'><parent link='{parent}'/><child link='{child}'/></joint>\n")
}

#[test]
fn what_others_write_is_accepted() {
    let (description, problems) = told(
        "<link name='b'><visual><geometry><mesh filename='package://r/meshes/b.stl'/></geometry>
         <material name=''><color rgba='1 0 0 1'/></material></visual></link><link name='c'/><link name='d'/>
         <joint name='turn' type='continuous'><parent link='b'/><child link='c'/></joint>
         <joint name='curl' type='revolute'><axis xyz='0 0 2'/><limit lower='-1' upper='1'/>
         <mimic joint='turn' multiplier='0.5'/><parent link='c'/><child link='d'/></joint>",
    );
    assert_eq!(problems, [""; 0]);
    let Motion::Moving(curl) = &description.joints[description.joint("curl").unwrap()].motion else { panic!() };
    assert_eq!((curl.axis.z, curl.limits.effort, curl.mimic.as_ref().unwrap().multiplier), (1.0, f64::INFINITY, 0.5));
    let visual = &description.root().visuals[0];
    assert_eq!(visual.colour, Some([1.0, 0.0, 0.0, 1.0]));
    let Geometry::Mesh { path, .. } = &visual.geometry else { panic!() };
    assert_eq!(path.candidates[0], PathBuf::from("/robots/r/meshes/b.stl"));
}

#[test]
fn mesh_paths() {
    let first = |uri: &str| robot::MeshPath::new(uri, Path::new("/ws/arm/urdf")).candidates[0].clone();
    assert_eq!(first("package://arm/m.stl"), PathBuf::from("/ws/arm/m.stl"));
    assert_eq!(first("package:///arm/m.stl"), PathBuf::from("/ws/arm/m.stl"));
    assert_eq!(first("model://arm/m.stl"), PathBuf::from("/ws/arm/m.stl"));
    assert_eq!(first("file:///abs/m.stl"), PathBuf::from("/abs/m.stl"));
    assert_eq!(first("../m.stl"), PathBuf::from("/ws/arm/urdf/../m.stl"));
    let others = robot::MeshPath::new("package://hand/m.stl", Path::new("/ws/arm/urdf")).candidates;
    assert!(others.contains(&PathBuf::from("/ws/hand/m.stl")));
}

#[test]
fn two_parents() {
    let links = "<link name='a'/><link name='b'/><link name='c'/>\n";
    let (description, problems) =
        told(&(links.to_owned() + &joint("j1", "a", "b") + &joint("j2", "b", "c") + &joint("j3", "a", "c")));
    assert_eq!(problems, ["line 5: error: joint j3: link `c` has a parent already, by joint `j2`; left out"]);
    assert_eq!(description.links.len(), 3);
}

#[test]
fn loops_and_several_roots() {
    let links = "<link name='a'/>\n<link name='b'/>\n<link name='c'/>\n<link name='d'/>\n<link name='e'/>\n";
    let (description, problems) =
        told(&(links.to_owned() + &joint("j1", "a", "b") + &joint("j2", "c", "d") + &joint("j3", "d", "c")));
    assert_eq!(
        problems,
        [
            "line 4: error: link c: in a loop of joints, or below one; left out",
            "line 5: error: link d: in a loop of joints, or below one; left out",
            "line 6: error: link e: not connected to the root `a`; left out",
        ]
    );
    assert_eq!(description.links.len(), 2);
}

#[test]
fn dangling_links_and_bad_numbers() {
    let (_, problems) = told(&("<link name='a'/>\n".to_owned() + &joint("j", "a", "gone")));
    assert_eq!(problems, ["line 3: error: joint j: its child link `gone` does not exist; left out"]);
    let (_, problems) = told(
        "<link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent link='a'/><child link='b'/>\n\
         <origin xyz='0 1 zwei'/></joint>",
    );
    assert_eq!(problems, ["line 4: error: joint j: xyz=\"0 1 zwei\" of <origin> is not 3 numbers; ignored"]);
}

#[test]
fn inertia_that_cannot_be() {
    let inertial = |ixx: &str| {
        told(&format!(
            "<link name='a'>\n<inertial><mass value='1'/><inertia ixx='{ixx}' iyy='1' izz='1'/></inertial></link>"
        ))
        .1
    };
    assert_eq!(inertial("2"), [""; 0]);
    assert_eq!(inertial("3").len(), 1);
    assert_eq!(inertial("1e308").len(), 1);
    assert!(
        inertial("-1")[0].starts_with("line 3: warning: link a: the inertia is not physical"),
        "{:?}",
        inertial("-1")
    );
}

#[test]
fn mimics_of_mimics_and_of_nobody() {
    let moving = |name: &str, child: &str, leader: &str| {
        format!(
            "<link name='{child}'/><joint name='{name}' type='continuous'><parent link='a'/><child link='{child}'/>\
             <mimic joint='{leader}' multiplier='2' offset='1'/></joint>\n"
        )
    };
    let free = "<link name='a'/><link name='f'/><joint name='free' type='continuous'><parent link='a'/><child link='f'/></joint>\n";
    let (description, problems) = told(&(free.to_owned() + &moving("m1", "b", "free") + &moving("m2", "c", "m1")));
    assert_eq!(problems, [""; 0]);
    let mimic = description.joints[description.joint("m2").unwrap()].mimic().unwrap();
    assert_eq!((mimic.leader.as_str(), mimic.multiplier, mimic.offset), ("free", 4.0, 3.0));
    let (_, problems) = told(&(free.to_owned() + &moving("m1", "b", "m2") + &moving("m2", "c", "m1")));
    assert_eq!(problems.len(), 2);
    let (_, problems) = told(&(free.to_owned() + &moving("m1", "b", "nobody")));
    assert_eq!(
        problems,
        ["line 3: warning: joint m1: it mimics `nobody`, a joint that does not exist; it moves by itself"]
    );
}

#[test]
fn a_floating_base_is_noted() {
    let text = "<robot><link name='world'/><link name='p'/>\
                <joint name='j' type='floating'><parent link='world'/><child link='p'/></joint></robot>";
    let (_, problems) = Description::from_urdf(text, Path::new("")).unwrap();
    assert_eq!(problems[0].severity, Severity::Note);
}

#[test]
fn not_a_robot() {
    let read = |text| Description::from_urdf(text, Path::new(""));
    assert!(matches!(read("<robot"), Err(UrdfError::Xml(_))));
    assert!(matches!(read("<sdf/>"), Err(UrdfError::NotARobot(_))));
    assert!(matches!(read("<robot/>"), Err(UrdfError::NoLinks { .. })));
}

#[test]
fn elements_in_each_other_without_end() {
    let deep = format!("<robot>{}{}</robot>", "<link name='a'>".repeat(20_000), "</link>".repeat(20_000));
    assert!(Description::from_urdf(&deep, Path::new("")).is_ok_and(|(description, _)| description.links.len() == 1));
}

#[test]
fn line_ends_marks_and_comments_of_other_systems() {
    let text = "\u{feff}<?xml version='1.0'?>\r\n<!-- made -->\r\n<robot name='r'>\r\n<!-- a --><link name='a'/>\r\n\
                <joint name='j' type='fixed'><parent link='a'/><child link='gone'/></joint>\r\n</robot>\r\n";
    let (description, problems) = Description::from_urdf(text, Path::new("")).unwrap();
    assert_eq!((description.links.len(), problems.len(), problems[0].line), (1, 1, 5));
}

#[test]
fn names_twice_and_none() {
    let (description, problems) = told(
        "<link name='a'/><link name='b'/><link name='c'/>\n<link name='a'/>\n\
         <joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>\n\
         <joint name='j' type='fixed'><parent link='b'/><child link='c'/></joint>\n\
         <joint type='fixed'><parent link='b'/><child link='c'/></joint>\n<link/>",
    );
    assert_eq!(description.links.len(), 3);
    assert_eq!(
        problems,
        [
            "line 3: error: link a: there is a link of this name above; left out",
            "line 5: error: joint j: there is a joint of this name above; left out",
            "line 6: error: joint : the joint has no name",
            "line 7: error: link : the link has no name",
            "line 7: error: link : not connected to the root `a`; left out",
        ]
    );
}

#[test]
fn macros_and_entities() {
    let read = |text: &str| Description::from_urdf(text, Path::new("")).unwrap_err().to_string();
    let unbound = "<robot name='r'><xacro:arm side='left'/><link name='a'/></robot>";
    assert!(read(unbound).contains("run `xacro`"), "{}", read(unbound));
    let bound = "<robot xmlns:xacro='http://ros.org/wiki/xacro'><xacro:arm/></robot>";
    assert!(read(bound).contains("run `xacro`"), "{}", read(bound));
    let entity = "<!DOCTYPE r [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><robot><link name='&b;'/></robot>";
    assert!(read(entity).contains("DTD"), "{}", read(entity));
}

#[test]
fn planar_joints_and_limits_that_are_left_out() {
    let (description, problems) = told(
        "<link name='a'/><link name='b'/><link name='c'/><link name='d'/>\n\
         <joint name='p' type='planar'><parent link='a'/><child link='b'/></joint>\n\
         <joint name='r' type='revolute'><parent link='b'/><child link='c'/></joint>\n\
         <joint name='s' type='prismatic'><parent link='c'/><child link='d'/><limit upper='0.1' effort='0'/></joint>",
    );
    assert_eq!(
        problems,
        [
            "line 3: note: joint p: a planar joint is taken as fixed: the base moves by itself",
            "line 4: warning: joint r: no <limit>: it may move without end",
        ]
    );
    let Motion::Moving(slide) = &description.joints[description.joint("s").unwrap()].motion else { panic!() };
    assert_eq!((slide.limits.lower, slide.limits.upper, slide.limits.effort), (0.0, 0.1, f64::INFINITY));
}

#[test]
fn a_file_too_large_to_be_a_robot() {
    let links: String = (0..10_001).map(|index| format!("<link name='l{index}'/>")).collect();
    let read = Description::from_urdf(&format!("<robot>{links}</robot>"), Path::new(""));
    assert!(matches!(read, Err(UrdfError::TooLarge)));
}

/// A capsule as URDF 1.0 can say it, about an axis that is turned.
#[test]
fn a_cylinder_between_two_balls_is_a_capsule() {
    let shape = |form: &str, at: &str| {
        format!("<visual><origin xyz='{at}' rpy='1.5708 0 0'/><geometry>{form}</geometry></visual>")
    };
    let cylinder = shape("<cylinder radius='0.05' length='0.2'/>", "0.3 0 0.1");
    let ball = |radius: f64, y: f64| shape(&format!("<sphere radius='{radius}'/>"), &format!("0.3 {y} 0.1"));
    let shapes = |inner: String| {
        let (description, problems) = told(&format!("<link name='b'>{inner}</link>"));
        assert_eq!(problems, [""; 0]);
        description.links[0].visuals.iter().map(|shape| format!("{:?}", shape.geometry)).collect::<Vec<_>>()
    };
    let capsule = ["Capsule { radius_m: 0.05, length_m: 0.2 }"];
    assert_eq!(shapes(cylinder.clone() + &ball(0.05, 0.1) + &ball(0.05, -0.1)), capsule);
    assert_eq!(shapes(cylinder.clone() + &ball(0.05, -0.1) + &ball(0.05, 0.1)), capsule);
    // A ball of another size or in another place, or one alone, is a ball.
    assert_eq!(shapes(cylinder.clone() + &ball(0.06, 0.1) + &ball(0.05, -0.1)).len(), 3);
    assert_eq!(shapes(cylinder.clone() + &ball(0.05, 0.1) + &ball(0.05, 0.1)).len(), 3);
    assert_eq!(shapes(cylinder + &ball(0.05, 0.1)).len(), 2);
}

/// Other programs read our robots, too: URDF 1.0 has these four shapes.
#[test]
fn our_own_robots_are_standard() {
    for name in robot::Robot::names() {
        let robot = robot::Robot::builtin(name).unwrap();
        let text = roxmltree::Document::parse(&robot.urdf).unwrap();
        let shapes = text.descendants().filter(|e| e.has_tag_name("geometry")).filter_map(|e| e.first_element_child());
        for shape in shapes {
            let tag = shape.tag_name().name();
            assert!(["box", "cylinder", "sphere", "mesh"].contains(&tag), "{name}: <{tag}>");
        }
        let capsules = robot.description.links.iter().flat_map(|link| link.visuals.iter().chain(&link.collisions));
        let capsules = capsules.filter(|shape| matches!(shape.geometry, Geometry::Capsule { .. })).count();
        assert!(capsules > 70, "{name}: {capsules} are still read as one");
    }
}
