//! Writes GLB: what a browser needs to draw, and nothing else.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::normals::{Lit, lit};
use crate::soup::{Material, Soup};

/// The name of materials that the mesh itself brings; where there is none, the URDF says the colour.
const OWN: &str = "own";

const FLOAT: u32 = 5126;
const BYTE: u32 = 5120;
const INDEX: u32 = 5125;
const SHORT_INDEX: u32 = 5123;

#[derive(Default)]
struct Writing {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    materials: Vec<Value>,
    images: Vec<Value>,
    pictures: Vec<*const crate::picture::Picture>,
}

pub(crate) fn written(soup: &Soup) -> Vec<u8> {
    let mut writing = Writing::default();
    let primitives: Vec<Value> = soup
        .parts
        .iter()
        .map(|part| {
            let mut primitive = writing.primitive(&lit(part));
            if let Some(material) = &part.material {
                primitive["material"] = writing.material(material).into();
            }
            primitive
        })
        .collect();
    writing.finish(primitives)
}

impl Writing {
    fn primitive(&mut self, lit: &Lit) -> Value {
        let position = self.positions(&lit.points);
        let normals: Vec<u8> = lit.normals.iter().flat_map(|[x, y, z]| [*x as u8, *y as u8, *z as u8, 0]).collect();
        let view = self.view(&normals, Some(4));
        let normal = self.accessor(
            json!({"bufferView": view, "componentType": BYTE, "normalized": true, "count": lit.points.len(), "type": "VEC3"}),
        );
        let mut attributes = json!({"POSITION": position, "NORMAL": normal});
        if !lit.places.is_empty() {
            let view = self.view(&floats(lit.places.iter().flatten()), None);
            let accessor =
                json!({"bufferView": view, "componentType": FLOAT, "count": lit.places.len(), "type": "VEC2"});
            attributes["TEXCOORD_0"] = self.accessor(accessor).into();
        }
        let short = lit.points.len() <= usize::from(u16::MAX);
        let indices: Vec<u8> = match short {
            true => lit.indices.iter().flat_map(|index| (*index as u16).to_le_bytes()).collect(),
            false => lit.indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
        };
        let view = self.view(&indices, None);
        let kind = if short { SHORT_INDEX } else { INDEX };
        let indices = self
            .accessor(json!({"bufferView": view, "componentType": kind, "count": lit.indices.len(), "type": "SCALAR"}));
        json!({"attributes": attributes, "indices": indices})
    }

    fn positions(&mut self, points: &[[f32; 3]]) -> usize {
        let extreme = |pick: fn(f32, f32) -> f32| {
            let first = points.first().copied().unwrap_or_default();
            points.iter().fold(first, |so_far, point| [0, 1, 2].map(|axis| pick(so_far[axis], point[axis])))
        };
        let view = self.view(&floats(points.iter().flatten()), None);
        self.accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": points.len(), "type": "VEC3",
            "min": extreme(f32::min), "max": extreme(f32::max),
        }))
    }

    fn material(&mut self, material: &Material) -> usize {
        // Many files have faces that look inward.
        let mut written = json!({
            "name": OWN, "doubleSided": true,
            "pbrMetallicRoughness": {"baseColorFactor": material.colour, "metallicFactor": 0.05, "roughnessFactor": 0.55},
        });
        if material.colour[3] < 1.0 {
            written["alphaMode"] = "BLEND".into();
        }
        if let Some(picture) = &material.picture {
            let known = self.pictures.iter().position(|known| *known == Arc::as_ptr(picture));
            let index = known.unwrap_or_else(|| {
                let view = self.view(&picture.bytes, None);
                self.images.push(json!({"bufferView": view, "mimeType": picture.kind}));
                self.pictures.push(Arc::as_ptr(picture));
                self.images.len() - 1
            });
            written["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": index});
        }
        self.materials.push(written);
        self.materials.len() - 1
    }

    fn view(&mut self, bytes: &[u8], stride: Option<usize>) -> usize {
        let mut view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        if let Some(stride) = stride {
            view["byteStride"] = stride.into();
        }
        self.bytes.extend(bytes);
        pad(&mut self.bytes, 0);
        self.views.push(view);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn finish(self, primitives: Vec<Value>) -> Vec<u8> {
        let mut scene = json!({
            "asset": {"version": "2.0"},
            "extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"],
            "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}], "meshes": [{"primitives": primitives}],
            "accessors": self.accessors, "bufferViews": self.views, "buffers": [{"byteLength": self.bytes.len()}],
        });
        if !self.materials.is_empty() {
            scene["materials"] = self.materials.into();
        }
        if !self.images.is_empty() {
            scene["textures"] = (0..self.images.len()).map(|source| json!({"source": source})).collect();
            scene["images"] = self.images.into();
        }
        let mut text = scene.to_string().into_bytes();
        pad(&mut text, b' ');
        let whole = 12 + 8 + text.len() + 8 + self.bytes.len();
        let mut file = Vec::with_capacity(whole);
        let head = |file: &mut Vec<u8>, length: usize, kind: &[u8; 4]| {
            file.extend((length as u32).to_le_bytes());
            file.extend(kind);
        };
        file.extend(b"glTF");
        file.extend(2_u32.to_le_bytes());
        file.extend((whole as u32).to_le_bytes());
        head(&mut file, text.len(), b"JSON");
        file.extend(text);
        head(&mut file, self.bytes.len(), b"BIN\0");
        file.extend(self.bytes);
        file
    }
}

fn floats<'a>(numbers: impl Iterator<Item = &'a f32>) -> Vec<u8> {
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

fn pad(bytes: &mut Vec<u8>, with: u8) {
    while !bytes.len().is_multiple_of(4) {
        bytes.push(with);
    }
}
