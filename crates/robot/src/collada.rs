//! The points of a COLLADA file, where its scene puts them. Which axis it calls up does not count: a URDF takes the numbers
//! as they are.

use nalgebra::{Matrix4, Point3, Rotation3, Unit};
use roxmltree::{Document, Node};

use geometry::Vector3;

/// Nodes in each other, at most.
const DEEPEST: usize = 50;

pub(crate) fn points(bytes: &[u8]) -> Result<Vec<Vector3<f64>>, String> {
    let text = String::from_utf8_lossy(bytes);
    let document = Document::parse(text.trim_start_matches('\u{feff}')).map_err(|error| format!("not XML: {error}"))?;
    let root = document.root_element();
    let metres = named(root, "unit").and_then(|unit| unit.attribute("meter")?.parse::<f64>().ok());
    let metres = metres.filter(|metres| metres.is_finite() && *metres > 0.0).unwrap_or(1.0);
    let mut points = Vec::new();
    if let Some(scene) = named(root, "visual_scene") {
        for node in scene.children().filter(|node| node.has_tag_name("node")) {
            place(root, node, &Matrix4::identity(), 0, &mut points);
        }
    }
    if points.is_empty() {
        // Without a scene, all there is.
        points = root.descendants().filter(|node| node.has_tag_name("mesh")).flat_map(positions).collect();
    }
    Ok(points.into_iter().map(|point| point * metres).collect())
}

fn named<'a, 'i>(root: Node<'a, 'i>, tag: &str) -> Option<Node<'a, 'i>> {
    root.descendants().find(|node| node.has_tag_name(tag))
}

fn by_id<'a, 'i>(root: Node<'a, 'i>, url: &str) -> Option<Node<'a, 'i>> {
    let id = url.strip_prefix('#')?;
    root.descendants().find(|node| node.attribute("id") == Some(id))
}

fn place(root: Node, node: Node, above: &Matrix4<f64>, depth: usize, points: &mut Vec<Vector3<f64>>) {
    let at = node.children().filter_map(step).fold(*above, |at, step| at * step);
    for child in node.children() {
        let target = || child.attribute("url").and_then(|url| by_id(root, url));
        match child.tag_name().name() {
            "instance_geometry" => {
                let meshes = target().into_iter().flat_map(|geometry| geometry.children());
                let meshes = meshes.filter(|mesh| mesh.has_tag_name("mesh"));
                points.extend(meshes.flat_map(positions).map(|point| at.transform_point(&Point3::from(point)).coords));
            }
            "node" if depth < DEEPEST => place(root, child, &at, depth + 1, points),
            "instance_node" if depth < DEEPEST => {
                if let Some(node) = target() {
                    place(root, node, &at, depth + 1, points);
                }
            }
            _ => {}
        }
    }
}

/// What one element of a node does to all that is in it.
fn step(element: Node) -> Option<Matrix4<f64>> {
    let numbers = numbers(element);
    match (element.tag_name().name(), numbers.as_slice()) {
        ("matrix", all) if all.len() == 16 => Some(Matrix4::from_row_slice(all)),
        ("translate", [x, y, z]) => Some(Matrix4::new_translation(&Vector3::new(*x, *y, *z))),
        ("scale", [x, y, z]) => Some(Matrix4::new_nonuniform_scaling(&Vector3::new(*x, *y, *z))),
        ("rotate", [x, y, z, angle_deg]) => {
            let axis = Unit::try_new(Vector3::new(*x, *y, *z), 1e-9)?;
            Some(Rotation3::from_axis_angle(&axis, angle_deg.to_radians()).to_homogeneous())
        }
        _ => None,
    }
}

/// Of the vertices of a mesh.
fn positions(mesh: Node) -> Vec<Vector3<f64>> {
    let inputs = mesh.children().filter(|node| node.has_tag_name("vertices")).flat_map(|vertices| vertices.children());
    let sources = inputs
        .filter(|input| input.attribute("semantic") == Some("POSITION"))
        .filter_map(|input| input.attribute("source")?.strip_prefix('#'));
    let arrays = sources
        .filter_map(|id| mesh.children().find(|source| source.attribute("id") == Some(id)))
        .filter_map(|source| source.children().find(|array| array.has_tag_name("float_array")));
    let points = |array: Node| numbers(array).chunks_exact(3).map(Vector3::from_column_slice).collect::<Vec<_>>();
    arrays.flat_map(points).collect()
}

fn numbers(element: Node) -> Vec<f64> {
    element.text().unwrap_or_default().split_ascii_whitespace().map(|word| word.parse().unwrap_or(f64::NAN)).collect()
}
