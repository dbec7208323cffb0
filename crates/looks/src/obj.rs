//! OBJ with the colours and pictures of its MTL. Lines, curves and points of it are not drawn.
//!
//! Read here and not by a library: those keep a value for each line, which makes gigabytes of a small file.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::allowed::Beside;
use crate::picture::Picture;
use crate::soup::{LookError, MOST_TRIANGLES, Material, Part, Soup, damaged, fan};

/// A corner of a face: its point and its place in the picture, as the file counts them.
type Corner = (usize, Option<usize>);

#[derive(Default)]
struct Reading {
    points: Vec<[f32; 3]>,
    places: Vec<[f32; 2]>,
    materials: BTreeMap<String, Material>,
    /// Of each material, in the order of their first use.
    faces: Vec<(String, Vec<[Corner; 3]>)>,
    now: usize,
    count: usize,
}

pub(crate) fn read(bytes: &[u8], beside: &Beside) -> Result<Soup, LookError> {
    let text = String::from_utf8_lossy(bytes);
    let mut reading = Reading { faces: vec![(String::new(), Vec::new())], ..Reading::default() };
    let mut carried = String::new();
    for (number, line) in text.lines().enumerate() {
        // A line may go on in the next.
        if let Some(start) = line.strip_suffix('\\') {
            carried.push_str(start);
            continue;
        }
        let whole = if carried.is_empty() {
            line
        } else {
            carried.push_str(line);
            carried.as_str()
        };
        reading.line(whole, beside).map_err(|why| damaged("OBJ", format!("line {}: {why}", number + 1)))?;
        carried.clear();
        if reading.count > MOST_TRIANGLES {
            return Err(LookError::ManyTriangles);
        }
    }
    reading.finish()
}

impl Reading {
    fn line(&mut self, line: &str, beside: &Beside) -> Result<(), String> {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => self.points.push(numbers(&mut words)?),
            Some("vt") => self.places.push(numbers(&mut words)?),
            Some("f") => self.face(&mut words)?,
            Some("usemtl") => self.change(words.next().unwrap_or_default()),
            Some("mtllib") => {
                if let Some(text) = beside.read(line.trim()["mtllib".len()..].trim()) {
                    self.materials.append(&mut materials(&String::from_utf8_lossy(&text), beside));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn change(&mut self, name: &str) {
        self.now = self.faces.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            // So many materials are no robot, and each is looked for among all.
            if self.faces.len() < 1000 {
                self.faces.push((name.to_owned(), Vec::new()));
            }
            self.faces.len() - 1
        });
    }

    fn face<'a>(&mut self, words: &mut impl Iterator<Item = &'a str>) -> Result<(), String> {
        let corners = words.map(|word| self.corner(word)).collect::<Result<Vec<Corner>, String>>()?;
        let indices: Vec<u32> = (0..corners.len() as u32).collect();
        let faces = &mut self.faces[self.now].1;
        for triangle in fan(&indices) {
            faces.push(triangle.map(|index| corners[index as usize]));
            self.count += 1;
        }
        Ok(())
    }

    fn corner(&self, word: &str) -> Result<Corner, String> {
        let mut parts = word.split('/');
        let index = |written: Option<&str>, count: usize| {
            let Some(written) = written.filter(|written| !written.is_empty()) else { return Ok(None) };
            let number: i64 = written.parse().map_err(|_| format!("`{word}` is no corner of a face"))?;
            // From 1; negative ones count back from the last.
            let at = if number < 0 { count as i64 + number } else { number - 1 };
            usize::try_from(at).ok().filter(|at| *at < count).map(Some).ok_or(format!("there is no point {number}"))
        };
        let point = index(parts.next(), self.points.len())?.ok_or("a corner without a point")?;
        Ok((point, index(parts.next(), self.places.len())?))
    }

    fn finish(mut self) -> Result<Soup, LookError> {
        let mut soup = Soup::default();
        for (name, faces) in std::mem::take(&mut self.faces) {
            let material = self.materials.get(&name).cloned();
            let with_places = material.as_ref().is_some_and(|material| material.picture.is_some())
                && faces.iter().flatten().all(|(_, place)| place.is_some());
            let corners = faces.iter().flatten();
            let points = corners.clone().map(|(point, _)| self.points[*point]).collect();
            // A picture has its first row on top.
            let place = |at: usize| [self.places[at][0], 1.0 - self.places[at][1]];
            let places = if with_places { corners.filter_map(|(_, at)| at.map(place)).collect() } else { Vec::new() };
            let triangles = (0..faces.len() as u32).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]).collect();
            soup.add(Part { points, places, triangles, material })?;
        }
        Ok(soup)
    }
}

fn numbers<'a, const N: usize>(words: &mut impl Iterator<Item = &'a str>) -> Result<[f32; N], String> {
    let mut found = [0.0; N];
    for number in &mut found {
        let word = words.next().ok_or(format!("fewer than {N} numbers"))?;
        *number = word.parse().map_err(|_| format!("`{word}` is no number"))?;
    }
    Ok(found)
}

/// What cannot be read of it keeps its default: a mesh in grey is better than none.
fn materials(text: &str, beside: &Beside) -> BTreeMap<String, Material> {
    let mut found: BTreeMap<String, Material> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines().map(str::trim) {
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let number = || rest.split_ascii_whitespace().next_back()?.parse::<f32>().ok();
        if key == "newmtl" {
            name = rest.trim().to_owned();
            if found.len() >= 1000 {
                break;
            }
        }
        let material = found.entry(name.clone()).or_insert_with(|| Material::of_screen([0.8; 3], 1.0));
        match key {
            "Kd" => {
                if let Ok(colour) = numbers(&mut rest.split_ascii_whitespace()) {
                    material.colour = Material::of_screen(colour, material.colour[3]).colour;
                }
            }
            "d" => material.colour[3] = opacity(number()),
            "Tr" => material.colour[3] = opacity(number().map(|through| 1.0 - through)),
            // Options stand before the name.
            "map_Kd" => {
                let file = if rest.starts_with('-') { rest.split_ascii_whitespace().next_back() } else { Some(rest) };
                material.picture = file.and_then(|file| Picture::read(file, beside)).map(Arc::new);
            }
            _ => {}
        }
    }
    found
}

fn opacity(written: Option<f32>) -> f32 {
    Material::of_screen([0.0; 3], written.unwrap_or(1.0)).colour[3]
}
