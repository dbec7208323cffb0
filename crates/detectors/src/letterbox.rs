//! A picture as a model wants it: scaled to fit, in the middle of a grey field.

use scene::Cloud;

/// How a picture lies in a model's field. Places are in pixels from the top left corner, so that the middle of the first
/// pixel is at a half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Letterbox {
    pub scale: f32,
    pub left_px: f32,
    pub top_px: f32,
}

/// What models of the YOLO family were trained with around the picture.
const GREY: f32 = 114.0 / 255.0;

impl Letterbox {
    /// `picture` and `field` are widths and heights.
    pub fn fit(picture: [u32; 2], field: [u32; 2]) -> Letterbox {
        let [width, height] = picture.map(|size| size.max(1) as f32);
        let scale = (field[0] as f32 / width).min(field[1] as f32 / height);
        let left_px = ((field[0] as f32 - width * scale) / 2.0).round();
        let top_px = ((field[1] as f32 - height * scale) / 2.0).round();
        Letterbox { scale, left_px, top_px }
    }

    pub fn to_field(self, [x, y]: [f32; 2]) -> [f32; 2] {
        [x * self.scale + self.left_px, y * self.scale + self.top_px]
    }

    pub fn to_picture(self, [x, y]: [f32; 2]) -> [f32; 2] {
        [(x - self.left_px) / self.scale, (y - self.top_px) / self.scale]
    }

    /// Red, green and blue plane behind one another, 0 to 1, each row by row.
    pub fn planes(self, cloud: &Cloud, field: [u32; 2]) -> Vec<f32> {
        let area = field[0] as usize * field[1] as usize;
        let mut planes = vec![GREY; 3 * area];
        for row in 0..field[1] {
            for column in 0..field[0] {
                let place = self.to_picture([column as f32 + 0.5, row as f32 + 0.5]);
                let Some(colour) = colour_at(cloud, place) else { continue };
                let index = row as usize * field[0] as usize + column as usize;
                for (plane, part) in colour.into_iter().enumerate() {
                    planes[plane * area + index] = part / 255.0;
                }
            }
        }
        planes
    }
}

/// Between the middles of the four pixels around a place; None outside the picture.
fn colour_at(cloud: &Cloud, [x, y]: [f32; 2]) -> Option<[f32; 3]> {
    let (width, height) = (cloud.width(), cloud.height());
    if x < 0.0 || y < 0.0 || x >= width as f32 || y >= height as f32 {
        return None;
    }
    let ([left, right], share_x) = around(x, width);
    let ([top, bottom], share_y) = around(y, height);
    let colour = |column, row| cloud.colour(cloud.index(column, row)).map(f32::from);
    let corners = [colour(left, top), colour(right, top), colour(left, bottom), colour(right, bottom)];
    Some([0, 1, 2].map(|part| {
        let [above_left, above_right, below_left, below_right] = corners.map(|corner| corner[part]);
        let above = above_left + (above_right - above_left) * share_x;
        let below = below_left + (below_right - below_left) * share_x;
        above + (below - above) * share_y
    }))
}

/// The cells with their middles around a place, and how far it is from the first to the second.
pub(crate) fn around(place: f32, count: u32) -> ([u32; 2], f32) {
    let last = count.saturating_sub(1);
    let place = (place - 0.5).clamp(0.0, last as f32);
    let first = place as u32;
    ([first, (first + 1).min(last)], place - first as f32)
}

#[cfg(test)]
mod tests {
    use geometry::Pose;

    use super::*;

    #[test]
    fn a_wide_picture_lies_between_two_grey_bars() {
        let mut cloud = Cloud::new(0, Pose::identity(), 4, 2);
        for index in 0..8 {
            cloud.set(index, None, [255, 0, 51]);
        }
        let letterbox = Letterbox::fit([4, 2], [2, 4]);
        assert_eq!(letterbox, Letterbox { scale: 0.5, left_px: 0.0, top_px: 2.0 });
        let planes = letterbox.planes(&cloud, [2, 4]);
        assert_eq!(planes[..4], [GREY; 4]);
        assert_eq!(planes[4..8], [1.0, 1.0, GREY, GREY]);
        assert_eq!(planes[12..14], [0.0, 0.0]);
        assert_eq!(planes[20..22], [0.2, 0.2]);
        assert_eq!(letterbox.to_picture(letterbox.to_field([3.0, 1.0])), [3.0, 1.0]);
    }

    #[test]
    fn colours_between_pixels_are_mixed() {
        let mut cloud = Cloud::new(0, Pose::identity(), 2, 1);
        cloud.set(1, None, [200, 100, 0]);
        assert_eq!(colour_at(&cloud, [1.0, 0.5]), Some([100.0, 50.0, 0.0]));
        assert_eq!(colour_at(&cloud, [0.1, 0.9]), Some([0.0; 3]));
        assert_eq!(colour_at(&cloud, [1.9, 0.5]), Some([200.0, 100.0, 0.0]));
        assert_eq!(colour_at(&cloud, [2.0, 0.5]), None);
    }
}
