//! Libraries of templates as teams really have them: some entries are wrong, and the others serve.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use scene::template::{Imported, Library, import_xml};

/// Written as the libraries of the Challenge are: sizes that nobody measured, numbers that tie files together, names
/// that do not agree.
const OBJECTS: &str = r#"<?xml version="1.0" ?>
<templatelibrary>
  <template template_name="hose" template_type="1" group="hose">
    <visual><geometry><mesh filename="package://lib/hose.ply"/><boundingbox min="0 0 0" max="0 0 0"/></geometry></visual>
    <usability id="0"><pose xyz="0 0 0" qx="0" qy="0" qz="0" qw="1"/></usability>
    <affordance id="0" name="insert" type="cartesian" axis="x" displacement="0.05"><pose xyz="1 0 0" qx="0" qy="0" qz="0" qw="1"/></affordance>
  </template>
  <template template_name="valve" template_type="2" group="valve">
    <visual><geometry><boundingbox min="0 0 0" max="-0.1 0.2 0.2"/></geometry></visual>
  </template>
  <template template_name="handle_left" template_type="7"><affordance id="0" name="push" type="cartesian" displacement="quick">
    <pose xyz="0 0 0" qx="0" qy="0" qz="0" qw="1"/></affordance>
    <affordance id="1" name="pull" type="cartesian" displacement="0.1"><pose xyz="0 0 0" qx="0" qy="0" qz="0" qw="1"/></affordance>
  </template>
  <template template_name="handle_right" template_type="10"/>
</templatelibrary>"#;

fn grasps(entries: &[(&str, u32, &[&str])]) -> String {
    let mut text = "<grasplibrary>\n".to_owned();
    for (name, number, ids) in entries {
        text += &format!("<grasps template_name=\"{name}\" template_type=\"{number}\">\n");
        for id in *ids {
            text += &format!(
                "<grasp id=\"{id}\"><final_pose x=\"0\" y=\"0.1\" z=\"0\" qx=\"0\" qy=\"0\" qz=\"0\" qw=\"{}\"/>\
                 <approaching_vector x=\"0\" y=\"1\" z=\"0\" desired=\"0.2\" minimal=\"0.05\"/></grasp>\n",
                if id.starts_with("bad") { 0 } else { 1 }
            );
        }
        text += "</grasps>\n";
    }
    text + "</grasplibrary>"
}

fn told(imported: &Imported) -> String {
    imported.problems.iter().map(|problem| format!("{problem}\n")).collect()
}

fn classes(imported: &Imported) -> Vec<&str> {
    imported.templates.iter().map(|template| template.class.as_str()).collect()
}

#[test]
fn one_bad_entry_is_told_and_left_out_and_the_rest_loads() {
    let imported = import_xml(&[("objects.xml", OBJECTS)]);
    assert_eq!(classes(&imported), ["hose", "handle_left", "handle_right"]);
    let hose = &imported.templates[0];
    assert!(hose.shape.is_none(), "an empty box is a size that nobody knows");
    assert!(hose.affordance("insert").is_ok());
    let told = told(&imported);
    assert_eq!(imported.problems.len(), 2, "{told}");
    assert!(told.contains("objects.xml line 9: error: boundingbox: `max` must be above `min`"), "{told}");
    assert!(
        told.contains("objects.xml line 11: error: affordance: `displacement` is `quick`: give a number"),
        "{told}"
    );
    assert!(imported.broken["valve"].contains("line 9"), "{:?}", imported.broken);
    // Nothing takes the place of what was left out, not even where none is named.
    let handle = &imported.templates[1];
    for name in ["push", ""] {
        let refused = handle.affordance(name).unwrap_err().to_string();
        assert!(refused.contains("left out") && refused.contains("line 11"), "{refused}");
    }
    assert!(handle.affordance("pull").is_ok());
}

#[test]
fn a_class_that_a_library_has_but_badly_is_not_replaced_by_one_of_ours() {
    let mut library = Library::built_in();
    assert!(library.get("valve").is_ok(), "we have one");
    let read = |text: &str| Ok(text.to_owned());
    let files = vec![
        ("templates/ball.json".to_owned(), read("{")),
        ("templates/other.json".to_owned(), read(r#"{"version": 1, "class": "box", "mass_kg": "heavy"}"#)),
        ("templates/objects.xml".to_owned(), read(OBJECTS)),
        ("templates/drill.json".to_owned(), Err("it may not be read".to_owned())),
    ];
    assert_eq!(library.add_files(files).len(), 5);
    for (class, why) in [
        ("valve", "objects.xml line 9"),
        ("ball", "ball.json line 1"),
        ("box", "mass_kg"),
        ("drill", "it may not be read"),
    ] {
        let refused = library.get(class).unwrap_err();
        assert!(refused.contains("cannot be used") && refused.contains(why), "{class}: {refused}");
        assert!(!library.classes().any(|known| known == class));
    }
    assert!(library.get("handle_right").is_ok() && library.get("wall").is_ok());
}

#[test]
fn the_number_ties_files_together_and_a_name_that_differs_is_told() {
    let left = grasps(&[("Hose", 1, &["1010"]), ("coupling", 1, &["1011"]), ("handle_left", 10, &["1100"])]);
    let right = grasps(&[("hose", 1, &["10", "1010"]), ("handle_right", 10, &["100"]), ("handle_left", 99, &["1"])]);
    let imported = import_xml(&[("objects.xml", OBJECTS), ("l.xml", &left), ("r.xml", &right)]);
    let names = |class: &str| -> Vec<&str> {
        let template = imported.templates.iter().find(|template| template.class == class).unwrap();
        template.grasps.iter().map(|grasp| grasp.name.as_str()).collect()
    };
    assert_eq!(names("hose"), ["1010", "1011", "10"], "names in another spelling, and of nothing else, are safe");
    assert_eq!((names("handle_left"), names("handle_right")), (vec![], vec!["100"]));
    let told = told(&imported);
    assert!(told.contains("l.xml line 5: warning: grasps: type 1 is called `coupling` here and `hose` in"), "{told}");
    assert!(told.contains("l.xml line 8: error: grasps: type 10 is `handle_right` in objects.xml, and"), "{told}");
    assert!(
        told.contains("r.xml line 2: warning: grasps: `hose` has a grasp of this name from a file before"),
        "{told}"
    );
    assert!(told.contains("r.xml line 9: error: grasps: no object is type 99, and `handle_left` is type 7"), "{told}");
    assert_eq!(imported.problems.len(), 6, "those, and the two of the objects: {told}");
    assert_eq!(imported.templates.len(), 3, "no second one of a name");
    let right = imported.templates.iter().find(|template| template.class == "handle_right").unwrap();
    assert!(right.grasp("100").is_ok());
    let refused = right.grasp("").unwrap_err().to_string();
    assert!(refused.contains("may belong to either"), "what would have been the first is not replaced: {refused}");
}

#[test]
fn a_bad_grasp_and_a_file_that_is_none_keep_nobody_else_from_serving() {
    let some = grasps(&[("hose", 1, &["bad", "1010"])]);
    let cut = "<templatelibrary><template template_name=\"saw\" template_type=\"40\">";
    let imported = import_xml(&[("a.xml", cut), ("objects.xml", OBJECTS), ("g.xml", &some)]);
    assert_eq!(classes(&imported), ["hose", "handle_left", "handle_right"]);
    let hose = &imported.templates[0];
    assert!(hose.grasp("1010").is_ok());
    assert!(hose.grasp("bad").unwrap_err().to_string().contains("g.xml line 3"), "{:?}", hose.grasp("bad"));
    assert!(imported.broken["saw"].contains("a.xml line 1: error: not XML"), "{:?}", imported.broken);
}
