//! GLB: triangles, base colours and pictures of its scene.
//!
//! As in RViz and other readers of URDFs, its coordinates are taken as they are: no axis is turned up.

use std::sync::Arc;

use nalgebra::{Matrix4, Quaternion, Translation3, UnitQuaternion, Vector3};
use serde::Deserialize;

use crate::allowed::Beside;
use crate::picture::Picture;
use crate::soup::{LookError, MOST_TRIANGLES, Material, Part, Soup, damaged};

/// The part in JSON becomes many times its size in memory.
const MOST_JSON: usize = 8 << 20;
const DEEPEST: usize = 64;
/// Nodes that are gone through, also those that stand in several places.
const MOST_NODES: usize = 100_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct File {
    scene: usize,
    scenes: Vec<Scene>,
    nodes: Vec<Node>,
    meshes: Vec<Mesh>,
    accessors: Vec<Accessor>,
    buffer_views: Vec<View>,
    materials: Vec<Look>,
    textures: Vec<Texture>,
    images: Vec<Image>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Scene {
    nodes: Vec<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Node {
    children: Vec<usize>,
    mesh: Option<usize>,
    matrix: Option<[f32; 16]>,
    translation: Option<[f32; 3]>,
    rotation: Option<[f32; 4]>,
    scale: Option<[f32; 3]>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Mesh {
    primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
struct Primitive {
    attributes: Attributes,
    indices: Option<usize>,
    material: Option<usize>,
    mode: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", default)]
struct Attributes {
    position: Option<usize>,
    texcoord_0: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Accessor {
    buffer_view: Option<usize>,
    byte_offset: usize,
    component_type: u32,
    count: usize,
    normalized: bool,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct View {
    buffer: usize,
    byte_offset: usize,
    byte_length: usize,
    byte_stride: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Look {
    pbr_metallic_roughness: Base,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Base {
    base_color_factor: Option<[f32; 4]>,
    base_color_texture: Option<Link>,
}

#[derive(Deserialize)]
struct Link {
    index: usize,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Texture {
    source: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Image {
    buffer_view: Option<usize>,
    uri: Option<String>,
}

fn wrong(why: impl Into<String>) -> LookError {
    damaged("GLB", why)
}

pub(crate) fn read(bytes: &[u8], beside: &Beside) -> Result<Soup, LookError> {
    let (json, data) = chunks(bytes)?;
    let file: File = serde_json::from_slice(json).map_err(|error| wrong(error.to_string()))?;
    let reading = Reading { materials: file.materials(data, beside), file: &file, data };
    let mut soup = Soup::default();
    let roots = match file.scenes.get(file.scene) {
        Some(scene) => scene.nodes.clone(),
        None => (0..file.nodes.len()).collect(),
    };
    let mut open: Vec<(usize, Matrix4<f32>, usize)> =
        roots.iter().map(|root| (*root, Matrix4::identity(), 0)).collect();
    let mut gone_through = 0;
    while let Some((index, above, depth)) = open.pop() {
        gone_through += 1;
        if depth > DEEPEST || gone_through > MOST_NODES {
            return Err(wrong("its nodes are in each other without end"));
        }
        let node = file.nodes.get(index).ok_or_else(|| wrong(format!("there is no node {index}")))?;
        let whole = above * node.transform();
        open.extend(node.children.iter().map(|child| (*child, whole, depth + 1)));
        let Some(mesh) = node.mesh else { continue };
        let mesh = file.meshes.get(mesh).ok_or_else(|| wrong(format!("there is no mesh {mesh}")))?;
        for primitive in &mesh.primitives {
            soup.add(reading.part(primitive)?.transformed(&whole))?;
        }
    }
    Ok(soup)
}

/// The JSON and the data behind it.
fn chunks(bytes: &[u8]) -> Result<(&[u8], &[u8]), LookError> {
    let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?) as usize);
    if !bytes.starts_with(b"glTF") {
        return Err(wrong("it does not begin as one"));
    }
    let chunk = |at: usize, kind: &[u8]| {
        let length = number(at)?;
        (bytes.get(at + 4..at + 8)? == kind).then_some(())?;
        bytes.get(at + 8..at.checked_add(8)?.checked_add(length)?)
    };
    let json = chunk(12, b"JSON").ok_or_else(|| wrong("it is cut off, or has no JSON"))?;
    if json.len() > MOST_JSON {
        return Err(wrong(format!("more than {} MB of JSON", MOST_JSON >> 20)));
    }
    let behind = 20 + json.len();
    match number(behind) {
        None => Ok((json, &[])),
        Some(_) => Ok((json, chunk(behind, b"BIN\0").ok_or_else(|| wrong("it is cut off"))?)),
    }
}

impl Node {
    fn transform(&self) -> Matrix4<f32> {
        if let Some(matrix) = &self.matrix {
            return Matrix4::from_column_slice(matrix);
        }
        let [x, y, z, w] = self.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let turned = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)).to_homogeneous();
        let moved = Translation3::from(Vector3::from(self.translation.unwrap_or_default())).to_homogeneous();
        moved * turned * Matrix4::new_nonuniform_scaling(&Vector3::from(self.scale.unwrap_or([1.0; 3])))
    }
}

impl File {
    fn materials(&self, data: &[u8], beside: &Beside) -> Vec<Material> {
        let picture = |image: &Image| match (&image.uri, image.buffer_view) {
            (Some(uri), _) => Picture::read(uri, beside),
            (None, Some(view)) => Picture::of(self.view(view, data)?.to_vec()),
            (None, None) => None,
        };
        let pictures: Vec<_> = self.images.iter().take(64).map(|image| picture(image).map(Arc::new)).collect();
        let material = |look: &Look| {
            let base = &look.pbr_metallic_roughness;
            let source = base.base_color_texture.as_ref().and_then(|link| self.textures.get(link.index)?.source);
            let [red, green, blue, opacity] =
                base.base_color_factor.unwrap_or([1.0; 4]).map(|part| part.clamp(0.0, 1.0));
            let colour = [red, green, blue, if opacity < 0.02 { 1.0 } else { opacity }];
            Material { colour, picture: source.and_then(|source| pictures.get(source)?.clone()) }
        };
        self.materials.iter().map(material).collect()
    }

    fn view<'a>(&self, view: usize, data: &'a [u8]) -> Option<&'a [u8]> {
        let view = self.buffer_views.get(view).filter(|view| view.buffer == 0)?;
        data.get(view.byte_offset..view.byte_offset.checked_add(view.byte_length)?)
    }
}

struct Reading<'a> {
    file: &'a File,
    data: &'a [u8],
    materials: Vec<Material>,
}

impl Reading<'_> {
    fn part(&self, primitive: &Primitive) -> Result<Part, LookError> {
        // Lines and points are not drawn.
        let (Some(position), 4) = (primitive.attributes.position, primitive.mode.unwrap_or(4)) else {
            return Ok(Part::default());
        };
        let points = self.numbers::<3>(position)?;
        let indices: Vec<u32> = match primitive.indices {
            None => (0..points.len() as u32).collect(),
            Some(indices) => self.indices(indices)?,
        };
        if indices.len() / 3 > MOST_TRIANGLES {
            return Err(LookError::ManyTriangles);
        }
        let triangles = indices.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]]).collect();
        let material = primitive.material.and_then(|index| self.materials.get(index)).cloned();
        let has_picture = material.as_ref().is_some_and(|material| material.picture.is_some());
        let places = match primitive.attributes.texcoord_0.filter(|_| has_picture) {
            Some(accessor) => self.numbers::<2>(accessor)?,
            None => Vec::new(),
        };
        let places = if places.len() == points.len() { places } else { Vec::new() };
        Ok(Part { points, places, triangles, material })
    }

    /// The bytes of each element: as many as the file has, whatever it tells.
    fn elements(&self, accessor: usize, size: usize) -> Result<impl Iterator<Item = &[u8]>, LookError> {
        let missing = || wrong(format!("there is nothing where accessor {accessor} leads"));
        let written = self.file.accessors.get(accessor).ok_or_else(missing)?;
        let view = written.buffer_view.ok_or_else(missing)?;
        let bytes =
            self.file.view(view, self.data).and_then(|bytes| bytes.get(written.byte_offset..)).ok_or_else(missing)?;
        let stride = self.file.buffer_views[view].byte_stride.unwrap_or(size).max(size).max(1);
        let there = if bytes.len() < size { 0 } else { (bytes.len() - size) / stride + 1 };
        if there < written.count {
            return Err(wrong(format!("accessor {accessor} tells {} elements, {there} are there", written.count)));
        }
        Ok((0..written.count).map(move |index| &bytes[index * stride..index * stride + size]))
    }

    fn numbers<const N: usize>(&self, accessor: usize) -> Result<Vec<[f32; N]>, LookError> {
        let (kind, normalized) =
            self.file.accessors.get(accessor).map_or((0, false), |a| (a.component_type, a.normalized));
        let (size, full) = match kind {
            5126 => (4, 1.0),
            5120 => (1, 127.0),
            5121 => (1, 255.0),
            5122 => (2, 32767.0),
            5123 => (2, 65535.0),
            _ => return Err(wrong(format!("accessor {accessor} has no kind of number that is known"))),
        };
        let full = if normalized { full } else { 1.0 };
        let number = |bytes: &[u8]| match (kind, bytes) {
            (5126, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            (5120, &[a]) => f32::from(a as i8) / full,
            (5121, &[a]) => f32::from(a) / full,
            (5122, &[a, b]) => f32::from(i16::from_le_bytes([a, b])) / full,
            (_, &[a, b]) => f32::from(u16::from_le_bytes([a, b])) / full,
            _ => f32::NAN,
        };
        let element = |bytes: &[u8]| std::array::from_fn(|at| number(&bytes[at * size..(at + 1) * size]));
        Ok(self.elements(accessor, N * size)?.map(element).collect())
    }

    fn indices(&self, accessor: usize) -> Result<Vec<u32>, LookError> {
        let size = match self.file.accessors.get(accessor).map(|accessor| accessor.component_type) {
            Some(5121) => 1,
            Some(5123) => 2,
            Some(5125) => 4,
            _ => return Err(wrong(format!("accessor {accessor} is no list of indices"))),
        };
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u32, |number, byte| (number << 8) | u32::from(*byte));
        Ok(self.elements(accessor, size)?.map(number).collect())
    }
}
