//! From the numbers of a YOLO model with masks (the form of YOLOv8 and later) to things with masks. No model is needed.

use std::cmp::Ordering;

use crate::letterbox::{Letterbox, around};

/// What a model says of one picture.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// One row of all anchors for each of: middle x and y, width and height in pixels of the field, the confidences of
    /// the classes, the coefficients of the mask.
    pub rows: &'a [f32],
    pub anchors: usize,
    pub classes: usize,
    /// None: the model knows boxes only.
    pub prototypes: Option<Prototypes<'a>>,
}

/// Small pictures that a mask is mixed from, row by row, one behind the other.
#[derive(Clone, Copy, Debug)]
pub struct Prototypes<'a> {
    pub values: &'a [f32],
    pub count: usize,
    pub width: u32,
    pub height: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The least confidence of each class.
    pub confidence: Vec<f32>,
    /// Of two boxes of a class that overlap by more, only the surer one counts.
    pub overlap: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub class: usize,
    pub confidence: f32,
    /// Left, top, right, bottom in pixels of the field.
    pub edges_px: [f32; 4],
    /// As many as prototypes.
    pub coefficients: Vec<f32>,
}

/// A model gone wild shall not stall the robot.
const MOST_HITS: usize = 300;

impl Answer<'_> {
    /// The surest first; of equals the earlier anchor.
    pub fn hits(&self, limits: &Limits) -> Vec<Hit> {
        let mut hits: Vec<Hit> = (0..self.anchors).filter_map(|anchor| self.hit(anchor, limits)).collect();
        hits.sort_by(|one, other| other.confidence.total_cmp(&one.confidence));
        let mut kept: Vec<Hit> = Vec::new();
        for hit in hits {
            let is_same =
                |other: &Hit| other.class == hit.class && overlap(&other.edges_px, &hit.edges_px) > limits.overlap;
            if kept.len() < MOST_HITS && !kept.iter().any(is_same) {
                kept.push(hit);
            }
        }
        kept
    }

    fn hit(&self, anchor: usize, limits: &Limits) -> Option<Hit> {
        let value = |row: usize| self.rows[row * self.anchors + anchor];
        let sure = |class: &usize| value(4 + class);
        let of_classes = (0..self.classes).filter(|class| sure(class) >= limits.confidence[*class]);
        // The first of equals, so that the order of the classes decides and not that of comparing.
        let class = of_classes.reduce(|best, class| match sure(&class).total_cmp(&sure(&best)) {
            Ordering::Greater => class,
            Ordering::Less | Ordering::Equal => best,
        })?;
        let [x, y, width, height] = [value(0), value(1), value(2), value(3)];
        let edges_px = [x - width / 2.0, y - height / 2.0, x + width / 2.0, y + height / 2.0];
        let is_box = edges_px.iter().all(|edge| edge.is_finite()) && width > 0.0 && height > 0.0;
        let count = self.prototypes.map_or(0, |prototypes| prototypes.count);
        let coefficients = (0..count).map(|index| value(4 + self.classes + index)).collect();
        is_box.then(|| Hit { class, confidence: sure(&class).min(1.0), edges_px, coefficients })
    }

    /// The places in the picture (width and height) where the hit is, rising: all of its box where there are no masks.
    pub fn mask(&self, hit: &Hit, letterbox: Letterbox, field: [u32; 2], picture: [u32; 2]) -> Vec<u32> {
        let [left, top] = letterbox.to_picture([hit.edges_px[0], hit.edges_px[1]]);
        let [right, bottom] = letterbox.to_picture([hit.edges_px[2], hit.edges_px[3]]);
        let columns = pixels(left, right, picture[0]);
        let mut mask = Vec::new();
        for row in pixels(top, bottom, picture[1]) {
            let inside = columns.clone().filter(|column| {
                let place = letterbox.to_field([*column as f32 + 0.5, row as f32 + 0.5]);
                let share = [place[0] / field[0] as f32, place[1] / field[1] as f32];
                self.prototypes.is_none_or(|prototypes| prototypes.mixed(&hit.coefficients, share) > 0.0)
            });
            mask.extend(inside.map(|column| row * picture[0] + column));
        }
        mask
    }
}

impl Prototypes<'_> {
    /// Above zero where the mask is. `share` of the width and of the height.
    fn mixed(&self, coefficients: &[f32], share: [f32; 2]) -> f32 {
        let ([left, right], share_x) = around(share[0] * self.width as f32, self.width);
        let ([top, bottom], share_y) = around(share[1] * self.height as f32, self.height);
        let area = self.width as usize * self.height as usize;
        let mut sum = 0.0;
        for (index, coefficient) in coefficients.iter().enumerate() {
            let plane = &self.values[index * area..(index + 1) * area];
            let at = |column: u32, row: u32| plane[row as usize * self.width as usize + column as usize];
            let above = at(left, top) + (at(right, top) - at(left, top)) * share_x;
            let below = at(left, bottom) + (at(right, bottom) - at(left, bottom)) * share_x;
            sum += coefficient * (above + (below - above) * share_y);
        }
        sum
    }
}

/// Those whose middles are between two edges.
fn pixels(from: f32, to: f32, count: u32) -> std::ops::Range<u32> {
    let edge = |place: f32| (place - 0.5).ceil().clamp(0.0, count as f32) as u32;
    edge(from)..edge(to)
}

/// The shared area over the area of both.
fn overlap(one: &[f32; 4], other: &[f32; 4]) -> f32 {
    let area = |edges: &[f32; 4]| (edges[2] - edges[0]) * (edges[3] - edges[1]);
    let width = one[2].min(other[2]) - one[0].max(other[0]);
    let height = one[3].min(other[3]) - one[1].max(other[1]);
    let shared = width.max(0.0) * height.max(0.0);
    shared / (area(one) + area(other) - shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns are anchors: box, then confidences of two classes.
    fn answer(rows: &[f32], anchors: usize) -> Answer<'_> {
        Answer { rows, anchors, classes: rows.len() / anchors - 4, prototypes: None }
    }

    fn rows(anchors: &[[f32; 6]]) -> Vec<f32> {
        (0..6).flat_map(|row| anchors.iter().map(move |anchor| anchor[row])).collect()
    }

    fn told(hits: &[Hit]) -> Vec<(usize, f32)> {
        hits.iter().map(|hit| (hit.class, hit.confidence)).collect()
    }

    #[test]
    fn each_class_has_its_own_limit_and_the_surest_comes_first() {
        let rows = rows(&[
            [10.0, 10.0, 4.0, 4.0, 0.5, 0.0],
            [30.0, 10.0, 4.0, 4.0, 0.0, 0.5],
            [50.0, 10.0, 4.0, 4.0, 0.4, 0.9],
            [70.0, 10.0, 4.0, 4.0, 0.7, 0.75],
        ]);
        let limits = Limits { confidence: vec![0.3, 0.8], overlap: 0.5 };
        let hits = answer(&rows, 4).hits(&limits);
        assert_eq!(told(&hits), [(1, 0.9), (0, 0.7), (0, 0.5)]);
        assert_eq!(hits[2].edges_px, [8.0, 8.0, 12.0, 12.0]);
    }

    #[test]
    fn of_overlapping_boxes_of_a_class_the_surest_stays() {
        let rows = rows(&[
            [10.0, 10.0, 8.0, 8.0, 0.6, 0.0],
            [11.0, 10.0, 8.0, 8.0, 0.9, 0.0],
            [10.0, 10.0, 8.0, 8.0, 0.0, 0.7],
            [18.0, 10.0, 8.0, 8.0, 0.5, 0.0],
        ]);
        let limits = Limits { confidence: vec![0.25; 2], overlap: 0.5 };
        assert_eq!(told(&answer(&rows, 4).hits(&limits)), [(0, 0.9), (1, 0.7), (0, 0.5)]);
        let all = Limits { overlap: 1.0, ..limits };
        assert_eq!(answer(&rows, 4).hits(&all).len(), 4);
    }

    #[test]
    fn what_is_no_number_is_no_hit() {
        let rows = rows(&[
            [10.0, 10.0, 8.0, 8.0, f32::NAN, 0.0],
            [f32::NAN, 10.0, 8.0, 8.0, 0.9, 0.0],
            [10.0, 10.0, f32::INFINITY, 8.0, 0.9, 0.0],
            [10.0, 10.0, -8.0, 8.0, 0.9, 0.0],
        ]);
        let limits = Limits { confidence: vec![0.25; 2], overlap: 0.5 };
        assert!(answer(&rows, 4).hits(&limits).is_empty());
    }

    #[test]
    fn a_model_gone_wild_is_cut_off() {
        let anchors: Vec<[f32; 6]> = (0..1000).map(|index| [index as f32 * 10.0, 5.0, 4.0, 4.0, 0.9, 0.0]).collect();
        let rows = rows(&anchors);
        let limits = Limits { confidence: vec![0.25; 2], overlap: 0.5 };
        assert_eq!(answer(&rows, 1000).hits(&limits).len(), MOST_HITS);
    }

    #[test]
    fn a_mask_is_mixed_and_stays_in_its_box() {
        // Left half and upper half of the field.
        let values: Vec<f32> = (0..2)
            .flat_map(|plane| (0..16).map(move |cell| if [cell % 4 < 2, cell / 4 < 2][plane] { 1.0 } else { -1.0 }))
            .collect();
        let prototypes = Prototypes { values: &values, count: 2, width: 4, height: 4 };
        let answer = Answer { rows: &[], anchors: 0, classes: 1, prototypes: Some(prototypes) };
        let letterbox = Letterbox::fit([8, 4], [16, 16]);
        let mask = |edges_px: [f32; 4], coefficients: [f32; 2]| {
            let hit = Hit { class: 0, confidence: 1.0, edges_px, coefficients: coefficients.to_vec() };
            answer.mask(&hit, letterbox, [16, 16], [8, 4])
        };
        assert_eq!(mask([0.0, 0.0, 16.0, 16.0], [1.0, 0.0]).len(), 16);
        assert_eq!(mask([0.0, 4.0, 16.0, 6.0], [1.0, 0.0]), [0, 1, 2, 3]);
        assert_eq!(mask([0.0, 4.0, 16.0, 6.0], [-1.0, 0.0]), [4, 5, 6, 7]);
        assert_eq!(mask([4.0, 0.0, 10.0, 16.0], [0.0, -1.0]), [18, 19, 20, 26, 27, 28]);
        // Of both: the edge runs from the upper right to the lower left, so 5, 4 and 3 of the rows.
        assert_eq!(mask([-50.0, -50.0, 99.0, 99.0], [1.0, 1.0]), [0, 1, 2, 3, 4, 8, 9, 10, 11, 16, 17, 18]);
    }

    #[test]
    fn without_prototypes_the_mask_is_the_box() {
        let answer = Answer { rows: &[], anchors: 0, classes: 1, prototypes: None };
        let hit = Hit { class: 0, confidence: 1.0, edges_px: [1.0, 0.0, 3.0, 2.0], coefficients: vec![] };
        assert_eq!(answer.mask(&hit, Letterbox::fit([4, 4], [4, 4]), [4, 4], [4, 4]), [1, 2, 5, 6]);
    }
}
