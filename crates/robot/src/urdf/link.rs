use std::collections::BTreeMap;
use std::path::Path;

use geometry::{Matrix3, Vector3};
use roxmltree::Node;

use super::capsule;
use super::element::{Report, child};
use super::link_label;
use crate::description::{Geometry, Inertial, Link, Shape};
use crate::mesh::MeshPath;
use crate::problem::Severity;

pub(super) type Colours = BTreeMap<String, [f64; 4]>;

/// Materials are named at the top of the file or in the first visual that uses them.
pub(super) fn named_colours(robot: Node, report: &mut Report) -> Colours {
    let mut colours = Colours::new();
    for material in robot.descendants().filter(|e| e.has_tag_name("material")) {
        let name = material.attribute("name").unwrap_or_default();
        let Some(colour) = child(material, "color") else { continue };
        if let (false, Some(rgba)) = (name.is_empty(), report.numbers::<4>(colour, "rgba", &format!("material {name}")))
        {
            colours.entry(name.to_owned()).or_insert(rgba);
        }
    }
    colours
}

pub(super) fn read(element: Node, base: &Path, colours: &Colours, report: &mut Report) -> Link {
    let name = element.attribute("name").unwrap_or_default().to_owned();
    let label = link_label(&name);
    if name.is_empty() {
        report.add(Severity::Error, element, &label, "the link has no name");
    }
    let mut shapes = |tag: &str| {
        let parts = element.children().filter(|part| part.has_tag_name(tag));
        capsule::fused(parts.filter_map(|part| shape(part, base, &label, colours, report)).collect())
    };
    let (visuals, collisions) = (shapes("visual"), shapes("collision"));
    let inertial = child(element, "inertial").and_then(|inertial| read_inertial(inertial, &label, report));
    Link { name, line: report.line(element), inertial, visuals, collisions }
}

fn read_inertial(element: Node, label: &str, report: &mut Report) -> Option<Inertial> {
    let mass_kg = child(element, "mass").and_then(|mass| report.number(mass, "value", label)).unwrap_or(0.0);
    let mut term =
        |name| child(element, "inertia").and_then(|inertia| report.number(inertia, name, label)).unwrap_or(0.0);
    let (xx, yy, zz, xy, xz, yz) = (term("ixx"), term("iyy"), term("izz"), term("ixy"), term("ixz"), term("iyz"));
    let inertia_kg_m2 = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let link_from_centre = report.origin(element, label);
    if mass_kg < 0.0 {
        report.add(Severity::Error, element, label, format!("a mass of {mass_kg} kg is not physical; left out"));
        return None;
    }
    if let Some(why) = not_physical(&inertia_kg_m2) {
        let message = format!("the inertia is not physical: {why}; that of a ball of water of its mass is taken");
        report.add(Severity::Warning, element, label, message);
        return Some(Inertial { mass_kg, link_from_centre, inertia_kg_m2: of_a_ball(mass_kg) });
    }
    if mass_kg == 0.0 && inertia_kg_m2 != Matrix3::zeros() {
        report.add(Severity::Warning, element, label, "an inertia without mass");
    } else if mass_kg > 0.0 && is_flat(&inertia_kg_m2) {
        // A point, or a rod without any width: nothing that turns is one.
        let inertia_kg_m2 = inertia_kg_m2 + of_a_ball(mass_kg);
        let message = "the inertia has a direction without any; that of a ball of water of its mass is added";
        report.add(Severity::Note, element, label, message);
        return Some(Inertial { mass_kg, link_from_centre, inertia_kg_m2 });
    }
    Some(Inertial { mass_kg, link_from_centre, inertia_kg_m2 })
}

fn of_a_ball(mass_kg: f64) -> Matrix3<f64> {
    const WATER_KG_M3: f64 = 1000.0;
    let radius_m = libm::cbrt(3.0 * mass_kg / (4.0 * std::f64::consts::PI * WATER_KG_M3));
    Matrix3::from_diagonal_element(0.4 * mass_kg * radius_m * radius_m)
}

fn is_flat(inertia_kg_m2: &Matrix3<f64>) -> bool {
    let moments = inertia_kg_m2.symmetric_eigenvalues();
    moments.min() <= 1e-9 * moments.max().max(1e-3)
}

/// Principal moments are sums of squares: none negative, none above the sum of the two others.
fn not_physical(inertia_kg_m2: &Matrix3<f64>) -> Option<String> {
    // Their squares would overflow, and the search for principal moments would not end.
    if inertia_kg_m2.iter().any(|number| number.abs() > 1e12) {
        return Some("larger than that of anything on Earth".to_owned());
    }
    let mut moments = inertia_kg_m2.symmetric_eigenvalues();
    moments.as_mut_slice().sort_by(f64::total_cmp);
    let [small, middle, large] = [moments[0], moments[1], moments[2]];
    // Files are written with few digits: a thin rod may miss the rule by its last one.
    let slack = 1e-3 * large.abs() + 1e-12;
    if small < -slack {
        Some(format!("a principal moment of {small:.3e} kg·m² is negative"))
    } else if large > small + middle + slack {
        Some(format!(
            "the principal moment {large:.3e} kg·m² is above the sum of the two others, {small:.3e} and {middle:.3e}"
        ))
    } else {
        None
    }
}

fn shape(element: Node, base: &Path, label: &str, colours: &Colours, report: &mut Report) -> Option<Shape> {
    let link_from_shape = report.origin(element, label);
    let Some(inner) = child(element, "geometry").and_then(|g| g.children().find(Node::is_element)) else {
        report.add(Severity::Warning, element, label, "a shape without geometry; left out");
        return None;
    };
    let geometry = geometry(inner, base, label, report)?;
    let colour = child(element, "material").and_then(|material| {
        let own = child(material, "color").and_then(|colour| report.numbers::<4>(colour, "rgba", label));
        own.or_else(|| colours.get(material.attribute("name")?).copied())
    });
    Some(Shape { link_from_shape, geometry, colour })
}

fn geometry(element: Node, base: &Path, label: &str, report: &mut Report) -> Option<Geometry> {
    let tag = element.tag_name().name();
    let mut length = |attribute| report.number(element, attribute, label).filter(|length| *length >= 0.0);
    let read = match tag {
        "box" => {
            report.numbers::<3>(element, "size", label).map(|size| Geometry::Box { size_m: Vector3::from(size).abs() })
        }
        "sphere" => length("radius").map(|radius_m| Geometry::Sphere { radius_m }),
        "cylinder" => {
            length("radius").zip(length("length")).map(|(radius_m, length_m)| Geometry::Cylinder { radius_m, length_m })
        }
        "capsule" => {
            length("radius").zip(length("length")).map(|(radius_m, length_m)| Geometry::Capsule { radius_m, length_m })
        }
        "mesh" => element.attribute("filename").map(|uri| Geometry::Mesh {
            path: MeshPath::new(uri, base),
            scale: Vector3::from(report.numbers::<3>(element, "scale", label).unwrap_or([1.0; 3])),
        }),
        _ => None,
    };
    if read.as_ref().is_some_and(|geometry| !has_extent(geometry)) {
        report.add(Severity::Warning, element, label, format!("a <{tag}> without extent; left out"));
        return None;
    }
    if read.is_none() {
        report.add(Severity::Warning, element, label, format!("cannot use this <{tag}> as a shape; left out"));
    }
    read
}

fn has_extent(geometry: &Geometry) -> bool {
    let some = |length_m: f64| length_m.is_finite() && length_m > 1e-9;
    match geometry {
        Geometry::Box { size_m } => size_m.iter().all(|side_m| some(*side_m)),
        Geometry::Cylinder { radius_m, length_m } => some(*radius_m) && some(*length_m),
        Geometry::Capsule { radius_m, .. } | Geometry::Sphere { radius_m } => some(*radius_m),
        Geometry::Mesh { scale, .. } => scale.iter().all(|part| part.is_finite() && part.abs() > 1e-9),
    }
}
