//! Where the geometries stand in the scene, and of which material they are there.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use nalgebra::{Matrix4, Rotation3, Translation3, Unit, Vector3};
use roxmltree::Node;

use super::geometry::{Symbol, parts};
use super::material::Materials;
use super::{Ids, child, children, numbers};
use crate::allowed::Beside;
use crate::soup::{LookError, Part, Soup, damaged};

const DEEPEST: usize = 64;
/// Nodes that are gone through, also those that stand in several places.
const MOST_NODES: usize = 100_000;

pub(super) fn gathered<'a>(root: Node<'a, '_>, ids: &Ids<'a, '_>, beside: &Beside) -> Result<Soup, LookError> {
    let unit = child(root, "asset").and_then(|asset| child(asset, "unit")?.attribute("meter")?.parse::<f32>().ok());
    let whole = Matrix4::new_scaling(unit.filter(|unit| unit.is_finite() && *unit > 0.0).unwrap_or(1.0));
    let mut gathering =
        Gathering { ids, beside, soup: Soup::default(), materials: Materials::default(), read: BTreeMap::new() };
    let shown = child(root, "scene").and_then(|scene| child(scene, "instance_visual_scene"));
    let scene = ids
        .of(shown.and_then(|shown| shown.attribute("url")))
        .or_else(|| child(root, "library_visual_scenes").and_then(|library| child(library, "visual_scene")));
    match scene {
        Some(scene) => gathering.nodes(scene, whole)?,
        None => {
            for geometry in children(root, "library_geometries").flat_map(|library| children(library, "geometry")) {
                gathering.geometry(geometry, None, &whole)?;
            }
        }
    }
    Ok(gathering.soup)
}

struct Gathering<'s, 'a, 'i> {
    ids: &'s Ids<'a, 'i>,
    beside: &'s Beside<'s>,
    soup: Soup,
    materials: Materials<'a>,
    /// A geometry may stand in many places.
    read: BTreeMap<usize, Vec<(Symbol<'a>, Part)>>,
}

impl<'a, 'i> Gathering<'_, 'a, 'i> {
    fn nodes(&mut self, scene: Node<'a, 'i>, whole: Matrix4<f32>) -> Result<(), LookError> {
        let mut open: Vec<(Node<'a, 'i>, Matrix4<f32>, usize)> =
            children(scene, "node").map(|node| (node, whole, 0)).collect();
        let mut gone_through = 0;
        while let Some((node, above, depth)) = open.pop() {
            gone_through += 1;
            if depth > DEEPEST || gone_through > MOST_NODES {
                return Err(damaged("COLLADA", "its nodes are in each other without end"));
            }
            let whole = above * transform(node);
            open.extend(children(node, "node").map(|inner| (inner, whole, depth + 1)));
            let used = children(node, "instance_node").filter_map(|used| self.ids.of(used.attribute("url")));
            open.extend(used.map(|used| (used, whole, depth + 1)));
            for instance in node.children().filter(Node::is_element) {
                let of = self.ids.of(instance.attribute("url"));
                let geometry = match instance.tag_name().name() {
                    "instance_geometry" => of,
                    // A skin stands as it was modelled.
                    "instance_controller" => of
                        .and_then(|controller| child(controller, "skin"))
                        .and_then(|skin| self.ids.of(skin.attribute("source"))),
                    _ => None,
                };
                if let Some(geometry) = geometry {
                    self.geometry(geometry, Some(instance), &whole)?;
                }
            }
        }
        Ok(())
    }

    fn geometry(
        &mut self,
        geometry: Node<'a, 'i>,
        instance: Option<Node<'a, 'i>>,
        whole: &Matrix4<f32>,
    ) -> Result<(), LookError> {
        let bound: BTreeMap<&str, &str> = instance
            .into_iter()
            .flat_map(|instance| instance.descendants())
            .filter(|node| node.tag_name().name() == "instance_material")
            .filter_map(|node| Some((node.attribute("symbol")?, node.attribute("target")?)))
            .collect();
        let read = match self.read.entry(geometry.id().get_usize()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(parts(geometry, self.ids)?),
        };
        for (symbol, part) in read.iter() {
            let mut part = part.clone();
            let target = symbol.map(|symbol| bound.get(symbol).copied().unwrap_or(symbol));
            part.material = target.and_then(|target| self.materials.of(target, self.ids, self.beside));
            if part.material.as_ref().is_none_or(|material| material.picture.is_none()) {
                part.places.clear();
            }
            self.soup.add(part.transformed(whole))?;
        }
        Ok(())
    }
}

/// What stands in a node, one after the other.
fn transform(node: Node) -> Matrix4<f32> {
    let mut whole = Matrix4::identity();
    for step in node.children().filter(Node::is_element) {
        let name = step.tag_name().name();
        if !["matrix", "translate", "rotate", "scale"].contains(&name) {
            continue;
        }
        let Some(written) = numbers::<f32>(step) else { continue };
        whole *= match (name, written.as_slice()) {
            ("matrix", written) if written.len() == 16 => Matrix4::from_row_slice(written),
            ("translate", &[x, y, z]) => Translation3::new(x, y, z).to_homogeneous(),
            ("scale", &[x, y, z]) => Matrix4::new_nonuniform_scaling(&Vector3::new(x, y, z)),
            ("rotate", &[x, y, z, degrees]) => match Unit::try_new(Vector3::new(x, y, z), 1e-12) {
                Some(axis) => Rotation3::from_axis_angle(&axis, degrees.to_radians()).to_homogeneous(),
                None => Matrix4::identity(),
            },
            _ => Matrix4::identity(),
        };
    }
    whole
}
