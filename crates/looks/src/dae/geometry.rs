//! The triangles of a `<geometry>`, a part for each of its materials.

use roxmltree::Node;

use super::{Ids, child, children, numbers};
use crate::soup::{LookError, MOST_TRIANGLES, Part, damaged, fan};

/// Of it the symbol of its material.
pub(super) type Symbol<'a> = Option<&'a str>;

pub(super) fn parts<'a>(geometry: Node<'a, '_>, ids: &Ids<'a, '_>) -> Result<Vec<(Symbol<'a>, Part)>, LookError> {
    let Some(mesh) = child(geometry, "mesh") else { return Ok(Vec::new()) };
    mesh.children()
        .filter(|node| KINDS.contains(&node.tag_name().name()))
        .map(|node| {
            let name = geometry.attribute("id").or(geometry.attribute("name")).unwrap_or_default();
            let part = part(node, ids).map_err(|why| match why {
                Some(why) => damaged("COLLADA", format!("geometry {name}: {why}")),
                None => LookError::ManyTriangles,
            })?;
            Ok((node.attribute("material"), part))
        })
        .collect()
}

const KINDS: [&str; 5] = ["triangles", "polylist", "polygons", "tristrips", "trifans"];

/// A list of values, some numbers each.
struct Source {
    values: Vec<f32>,
    stride: usize,
}

impl Source {
    fn get<const N: usize>(&self, index: usize) -> Option<[f32; N]> {
        let at = index.checked_mul(self.stride)?;
        self.values.get(at..at.checked_add(N)?)?.try_into().ok()
    }

    fn read<'a>(node: Node<'a, '_>, ids: &Ids<'a, '_>) -> Option<Source> {
        let accessor = child(node, "technique_common").and_then(|common| child(common, "accessor"));
        let array =
            ids.of(accessor.and_then(|accessor| accessor.attribute("source"))).or(child(node, "float_array"))?;
        let stride = accessor.and_then(|accessor| accessor.attribute("stride")?.parse().ok()).unwrap_or(1);
        Some(Source { values: numbers(array)?, stride })
    }
}

struct Input {
    source: Source,
    offset: usize,
}

/// The error is what is wrong; none: there are too many triangles.
fn part<'a>(node: Node<'a, '_>, ids: &Ids<'a, '_>) -> Result<Part, Option<String>> {
    let offset = |input: &Node| input.attribute("offset").and_then(|offset| offset.parse().ok()).unwrap_or(0_usize);
    let stride = 1 + children(node, "input").map(|input| offset(&input)).max().unwrap_or(0);
    let find = |semantic: &str| {
        let input = children(node, "input").find(|input| input.attribute("semantic") == Some(semantic))?;
        let mut source = ids.of(input.attribute("source"))?;
        if source.tag_name().name() == "vertices" {
            let position = children(source, "input").find(|input| input.attribute("semantic") == Some("POSITION"))?;
            source = ids.of(position.attribute("source"))?;
        }
        Some(Input { source: Source::read(source, ids)?, offset: offset(&input) })
    };
    let Some(points) = find("VERTEX") else {
        return Err(Some("it has no points, or some that are no numbers".to_owned()));
    };
    let reading = Reading { stride, points, places: find("TEXCOORD") };
    let mut part = Part::default();
    for (corners, triangles) in polygons(node, stride).map_err(Some)? {
        if part.triangles.len() + triangles.len() > MOST_TRIANGLES {
            return Err(None);
        }
        let first = part.points.len() as u32;
        reading.corners(&corners, &mut part)?;
        part.triangles.extend(triangles.iter().map(|triangle| triangle.map(|index| index + first)));
    }
    if part.places.len() != part.points.len() {
        part.places.clear();
    }
    Ok(part)
}

/// Indices of corners, and the triangles that they make.
type Polygon = (Vec<usize>, Vec<[u32; 3]>);

fn polygons(node: Node, stride: usize) -> Result<Vec<Polygon>, String> {
    let lists = children(node, "p").map(|p| numbers::<usize>(p).ok_or("an index that is none".to_owned()));
    let lists = lists.collect::<Result<Vec<_>, _>>()?;
    let counted = |indices: &[usize]| (0..(indices.len() / stride) as u32).collect::<Vec<u32>>();
    let whole = |make: fn(&[u32]) -> Vec<[u32; 3]>| {
        lists.iter().map(|indices| (indices.clone(), make(&counted(indices)))).collect::<Vec<Polygon>>()
    };
    match node.tag_name().name() {
        "polylist" => {
            let counts = child(node, "vcount").and_then(numbers::<usize>).ok_or("no <vcount>")?;
            let indices = lists.first().cloned().unwrap_or_default();
            let mut triangles = Vec::new();
            let mut first = 0_usize;
            for count in counts {
                let end = first.checked_add(count).filter(|end| *end <= indices.len() / stride);
                let end = end.ok_or("its polygons have more corners than there are")?;
                triangles.extend(fan(&(first as u32..end as u32).collect::<Vec<_>>()));
                first = end;
            }
            Ok(vec![(indices, triangles)])
        }
        "polygons" | "trifans" => Ok(whole(|corners| fan(corners).collect())),
        "tristrips" => Ok(whole(|corners| {
            let strip = corners.windows(3).enumerate();
            strip.map(|(at, c)| if at % 2 == 0 { [c[0], c[1], c[2]] } else { [c[1], c[0], c[2]] }).collect()
        })),
        _ => Ok(whole(|corners| corners.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]).collect())),
    }
}

struct Reading {
    stride: usize,
    points: Input,
    places: Option<Input>,
}

impl Reading {
    fn corners(&self, indices: &[usize], part: &mut Part) -> Result<(), Option<String>> {
        for corner in indices.chunks_exact(self.stride) {
            let index = corner[self.points.offset];
            let point = self.points.source.get(index).ok_or(Some(format!("there is no point {index}")))?;
            part.points.push(point);
            let place = self.places.as_ref().and_then(|places| places.source.get::<2>(corner[places.offset]));
            // A picture has its first row on top.
            part.places.extend(place.map(|[u, v]| [u, 1.0 - v]));
        }
        Ok(())
    }
}
