//! Kinematics against Pinocchio; `fixtures/make_reference.py` says how the numbers were made.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use geometry::Vector3;
use robot::{Description, Model};
use serde::Deserialize;

const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Reference {
    robots: Vec<Robot>,
}

#[derive(Deserialize)]
struct Robot {
    urdf: String,
    joints: Vec<String>,
    configurations: Vec<Configuration>,
}

#[derive(Deserialize)]
struct Configuration {
    positions: Vec<f64>,
    base_from_link: BTreeMap<String, [[f64; 4]; 3]>,
    jacobians: BTreeMap<String, Vec<Vec<f64>>>,
    centre_of_mass_m: [f64; 3],
    gravity_efforts: Vec<f64>,
}

fn assert_near(ours: f64, theirs: f64, what: &str) {
    assert!((ours - theirs).abs() < TOLERANCE, "{what}: {ours}, reference {theirs}");
}

#[test]
fn agrees_with_pinocchio() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let reference = fs::read_to_string(root.join("crates/robot/tests/fixtures/reference.json")).unwrap();
    let reference: Reference = serde_json::from_str(&reference).unwrap();
    for robot in &reference.robots {
        let text = fs::read_to_string(root.join(&robot.urdf)).unwrap();
        let (description, problems) = Description::from_urdf(&text, &root).unwrap();
        assert_eq!(problems, [], "{}", robot.urdf);
        let model = Model::new(&description);
        let columns: Vec<usize> = robot.joints.iter().map(|joint| model.coordinate(joint).unwrap()).collect();
        assert_eq!(columns.len(), model.coordinates().len());
        for configuration in &robot.configurations {
            compare(&model, &columns, configuration);
        }
    }
}

fn compare(model: &Model, columns: &[usize], reference: &Configuration) {
    let mut positions = model.neutral();
    for (column, position) in columns.iter().zip(&reference.positions) {
        positions[*column] = *position;
    }
    let mut poses = model.new_poses();
    model.forward(&positions, &mut poses);
    assert_eq!(reference.base_from_link.len(), model.link_count());
    for (name, rows) in &reference.base_from_link {
        let base_from_link = &poses.base_from_links()[model.link(name).expect("a link of the reference")];
        for (row, numbers) in rows.iter().enumerate() {
            for (column, number) in numbers[..3].iter().enumerate() {
                assert_near(base_from_link.rotation[(row, column)], *number, name);
            }
            assert_near(base_from_link.translation_m[row], numbers[3], name);
        }
    }
    let mut jacobian = model.new_jacobian();
    for (name, rows) in &reference.jacobians {
        model.jacobian(&poses, model.link(name).expect("a link of the reference"), &mut jacobian);
        for (row, numbers) in rows.iter().enumerate() {
            for (column, number) in columns.iter().zip(numbers) {
                assert_near(jacobian[(row, *column)], *number, name);
            }
        }
    }
    let centre_m = model.centre_of_mass_m(&poses).expect("a robot with mass");
    for (ours, theirs) in centre_m.iter().zip(reference.centre_of_mass_m) {
        assert_near(*ours, theirs, "centre of mass");
    }
    let mut efforts = model.neutral();
    model.gravity_efforts(&poses, &Vector3::new(0.0, 0.0, -9.81), &mut efforts);
    for (column, theirs) in columns.iter().zip(&reference.gravity_efforts) {
        assert_near(efforts[*column], *theirs, &model.coordinates()[*column].name);
    }
}
