//! The same wedge in every format: what it is does not depend on how it was written.

use crate::support::{bytes, converted, json, read, triangles};

const ALL: [&str; 6] = ["wedge.stl", "text.stl", "wedge.obj", "wedge.dae", "picture.dae", "wedge.glb"];

#[test]
fn a_mesh_is_the_same_in_every_format() {
    for name in ALL {
        let (low, high) = read(name, &bytes(name)).expect("a test's own").extent().expect("a test's own");
        // The unit of an OBJ is in the URDF alone.
        let metre = if name == "wedge.obj" { 1000.0 } else { 1.0 };
        for (found, wanted) in low.iter().chain(&high).zip([0.0, 0.0, 0.0, 0.2, 0.1, 0.1]) {
            assert!((found / metre - wanted).abs() < 1e-5, "{name}: {low:?} to {high:?}");
        }
        let glb = converted(name, &bytes(name), 1000).expect("a test's own");
        assert_eq!(triangles(&glb), 8, "{name}");
        // Five flat faces, whose corners look each its own way: 6 corners of 3 faces each.
        let json = json(&glb);
        let position = &json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
        assert_eq!(json["accessors"][position.as_u64().expect("a test's own") as usize]["count"], 18, "{name}");
    }
}

#[test]
fn colours_are_those_of_the_file_or_left_to_the_urdf() {
    let colour = |name: &str| {
        let json = json(&converted(name, &bytes(name), 1000).expect("a test's own"));
        json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"].as_array().map(|colour| {
            colour.iter().map(|part| (part.as_f64().expect("a test's own") * 100.0).round() as i64).collect::<Vec<_>>()
        })
    };
    assert_eq!(colour("wedge.stl"), None);
    assert_eq!(colour("wedge.obj"), Some(vec![0, 100, 0, 100]));
    assert_eq!(colour("wedge.dae"), Some(vec![0, 0, 100, 100]), "an opacity of 0 is an exporter's slip");
    assert_eq!(colour("wedge.glb"), Some(vec![100, 20, 0, 100]));
    let with_picture = json(&converted("picture.dae", &bytes("picture.dae"), 1000).expect("a test's own"));
    assert_eq!(with_picture["images"][0]["mimeType"], "image/png", "found by its name beside the mesh");
    assert!(with_picture["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"].is_u64());
}

/// A ball of many triangles as STL.
fn ball(rings: usize) -> Vec<u8> {
    let point = |ring: usize, at: usize| {
        let (polar, turn) =
            (ring as f32 / rings as f32 * std::f32::consts::PI, at as f32 / rings as f32 * std::f32::consts::TAU);
        [polar.sin() * turn.cos(), polar.sin() * turn.sin(), polar.cos()]
    };
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for at in 0..rings {
            let [a, b, c, d] = [point(ring, at), point(ring + 1, at), point(ring + 1, at + 1), point(ring, at + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let mut bytes = vec![b' '; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flatten().flat_map(|number| number.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn many_triangles_become_few_of_the_same_form() {
    let many = ball(300);
    for budget in [500, 3000, 20_000] {
        let glb = converted("wedge.stl", &many, budget).expect("a test's own");
        let count = triangles(&glb);
        assert!(count <= budget && count > budget / 3, "{count} of {budget}");
        // Read again as any GLB: every point on the ball, and none of its six ends is missing.
        let (low, high) = read("wedge.glb", &glb).expect("a test's own").extent().expect("a test's own");
        let worst = low.iter().chain(&high).map(|at| (at.abs() - 1.0).abs()).fold(0.0, f32::max);
        assert!(worst < 2.0 / (budget as f32).sqrt(), "off by {worst} with {budget}");
    }
}
