//! Clouds and pictures in tiles, each of which fits one datagram and can be used without the others: losing some leaves
//! holes and nothing more. The key of a tile is its place, so that a newer one replaces it.

/// Longer names of cameras are cut.
const MAX_NAME: usize = 24;

const CLOUD_POINT_BYTES: usize = 9;

/// What every tile begins with.
#[derive(Clone, Debug, PartialEq)]
pub struct TileHead {
    pub camera: String,
    /// Milliseconds of the engine's time when the picture was taken; pictures of two times do not belong together.
    pub at_ms: u32,
    /// Of the whole picture, in pixels as sent.
    pub width: u16,
    pub height: u16,
    /// The top left pixel of this tile.
    pub column: u16,
    pub row: u16,
    pub columns: u8,
    pub rows: u8,
}

/// Points of an organised cloud, row by row; none where there is no depth.
#[derive(Clone, Debug, PartialEq)]
pub struct CloudTile {
    pub head: TileHead,
    /// What the points are relative to, in the world.
    pub origin_m: [f32; 3],
    /// Millimetres from the origin; then red, green and blue.
    pub points: Vec<Option<([i16; 3], [u8; 3])>>,
}

/// Pixels of a picture, row by row: red, green, blue.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageTile {
    pub head: TileHead,
    pub pixels: Vec<[u8; 3]>,
}

/// A point in the world and its colour.
pub type Pixel = (Option<[f32; 3]>, [u8; 3]);

/// A picture to be cut.
pub struct Picture<'a> {
    pub camera: &'a str,
    pub at_ms: u32,
    pub width: u16,
    pub height: u16,
    /// Points are relative to this: where the camera is.
    pub origin_m: [f32; 3],
    /// At column and row.
    pub pixel: &'a dyn Fn(u16, u16) -> Pixel,
}

impl Picture<'_> {
    /// All tiles of the cloud, each with its key, none longer than `max_bytes`. A point out of reach of 16 bits of
    /// millimetres is left out.
    pub fn cloud_tiles(&self, max_bytes: usize) -> Vec<(u32, Vec<u8>)> {
        let room = max_bytes.saturating_sub(self.head_bytes() + 12);
        let side = (1..=64).rev().find(|side| side * side * CLOUD_POINT_BYTES + (side * side).div_ceil(8) <= room);
        let cut = |head: &TileHead, out: &mut Vec<u8>| {
            self.origin_m.iter().for_each(|part| out.extend(part.to_le_bytes()));
            let mask_at = out.len();
            let count = usize::from(head.columns) * usize::from(head.rows);
            out.resize(mask_at + count.div_ceil(8), 0);
            for (index, (column, row)) in places(head).enumerate() {
                let (point, colour) = (self.pixel)(column, row);
                if let Some(mm) = point.and_then(|point| self.millimetres(point)) {
                    out[mask_at + index / 8] |= 1 << (index % 8);
                    mm.iter().for_each(|part| out.extend(part.to_le_bytes()));
                    out.extend(colour);
                }
            }
        };
        side.map_or_else(Vec::new, |side| self.tiles(side as u8, &cut))
    }

    /// All tiles of the picture: brightness of every pixel, colour of every four.
    pub fn image_tiles(&self, max_bytes: usize) -> Vec<(u32, Vec<u8>)> {
        let room = max_bytes.saturating_sub(self.head_bytes());
        let side = (1..=32).map(|half| half * 2).rev().find(|side| side * side * 3 / 2 <= room);
        let cut = |head: &TileHead, out: &mut Vec<u8>| {
            let colours: Vec<[i32; 3]> =
                places(head).map(|(column, row)| (self.pixel)(column, row).1.map(i32::from)).collect();
            out.extend(colours.iter().map(|[red, green, blue]| ((red + 2 * green + blue) / 4) as u8));
            for (column, row) in halves(head) {
                let four = four(head, column, row);
                let sum = |channel: usize| four.iter().flatten().map(|index| colours[*index][channel]).sum::<i32>();
                let count = four.iter().flatten().count() as i32;
                let (red, green, blue) = (sum(0), sum(1), sum(2));
                out.push(((red - blue) / (2 * count) + 128).clamp(0, 255) as u8);
                out.push(((2 * green - red - blue) / (4 * count) + 128).clamp(0, 255) as u8);
            }
        };
        side.map_or_else(Vec::new, |side| self.tiles(side as u8, &cut))
    }

    fn millimetres(&self, point_m: [f32; 3]) -> Option<[i16; 3]> {
        let mut mm = [0; 3];
        for axis in 0..3 {
            let distance = ((point_m[axis] - self.origin_m[axis]) * 1000.0).round();
            if distance.is_nan() || distance.abs() > f32::from(i16::MAX) {
                return None;
            }
            mm[axis] = distance as i16;
        }
        Some(mm)
    }

    fn head_bytes(&self) -> usize {
        1 + cut_name(self.camera).len() + 4 + 2 * 4 + 2
    }

    fn tiles(&self, side: u8, cut: &dyn Fn(&TileHead, &mut Vec<u8>)) -> Vec<(u32, Vec<u8>)> {
        let across = u32::from(self.width.div_ceil(side.into()));
        let down = u32::from(self.height.div_ceil(side.into()));
        let camera = cut_name(self.camera);
        let of_camera = camera.bytes().fold(0x9d_u8, |hash, byte| hash.rotate_left(3) ^ byte);
        let tile = |index: u32| {
            let (column, row) = ((index % across) as u16 * u16::from(side), (index / across) as u16 * u16::from(side));
            let head = TileHead {
                camera: camera.to_owned(),
                at_ms: self.at_ms,
                width: self.width,
                height: self.height,
                column,
                row,
                columns: (self.width - column).min(side.into()) as u8,
                rows: (self.height - row).min(side.into()) as u8,
            };
            let mut bytes = head.to_bytes();
            cut(&head, &mut bytes);
            (u32::from(of_camera) << 24 | index, bytes)
        };
        (0..across * down).map(tile).collect()
    }
}

fn cut_name(name: &str) -> &str {
    let end = (0..=name.len().min(MAX_NAME)).rev().find(|end| name.is_char_boundary(*end));
    &name[..end.unwrap_or(0)]
}

fn places(head: &TileHead) -> impl Iterator<Item = (u16, u16)> + use<> {
    let (column, row, columns, rows) = (head.column, head.row, head.columns, head.rows);
    (0..u16::from(rows)).flat_map(move |down| (0..u16::from(columns)).map(move |across| (column + across, row + down)))
}

/// Of blocks of two by two pixels.
fn halves(head: &TileHead) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (columns, rows) = (usize::from(head.columns).div_ceil(2), usize::from(head.rows).div_ceil(2));
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
}

/// The pixels of a block, as far as they are in the tile.
fn four(head: &TileHead, column: usize, row: usize) -> [Option<usize>; 4] {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(across, down)| {
        let (column, row) = (2 * column + across, 2 * row + down);
        let (columns, rows) = (usize::from(head.columns), usize::from(head.rows));
        (column < columns && row < rows).then_some(row * columns + column)
    })
}

impl TileHead {
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![self.camera.len() as u8];
        out.extend(self.camera.as_bytes());
        out.extend(self.at_ms.to_le_bytes());
        for number in [self.width, self.height, self.column, self.row] {
            out.extend(number.to_le_bytes());
        }
        out.extend([self.columns, self.rows]);
        out
    }

    fn read(from: &mut &[u8]) -> Option<TileHead> {
        let length = usize::from(take::<1>(from)?[0]);
        let (name, rest) = from.split_at_checked(length)?;
        *from = rest;
        let camera = std::str::from_utf8(name).ok()?.to_owned();
        let at_ms = u32::from_le_bytes(take(from)?);
        let mut number = || Some(u16::from_le_bytes(take(from)?));
        let (width, height, column, row) = (number()?, number()?, number()?, number()?);
        let [columns, rows] = take(from)?;
        let inside = |start: u16, count: u8, end: u16| count > 0 && u32::from(start) + u32::from(count) <= end.into();
        let fits = inside(column, columns, width) && inside(row, rows, height);
        fits.then_some(TileHead { camera, at_ms, width, height, column, row, columns, rows })
    }
}

fn take<const COUNT: usize>(from: &mut &[u8]) -> Option<[u8; COUNT]> {
    let (first, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(*first)
}

impl CloudTile {
    /// None: not a tile, or a damaged one.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<CloudTile> {
        let from = &mut bytes;
        let head = TileHead::read(from)?;
        let mut origin_m = [0.0; 3];
        for part in &mut origin_m {
            *part = f32::from_le_bytes(take(from)?);
        }
        let count = usize::from(head.columns) * usize::from(head.rows);
        let (mask, rest) = from.split_at_checked(count.div_ceil(8))?;
        *from = rest;
        let mut points = Vec::with_capacity(count);
        for index in 0..count {
            points.push(match mask[index / 8] & 1 << (index % 8) {
                0 => None,
                _ => {
                    let mut axis = || Some(i16::from_le_bytes(take(from)?));
                    Some(([axis()?, axis()?, axis()?], take(from)?))
                }
            });
        }
        from.is_empty().then_some(CloudTile { head, origin_m, points })
    }
}

impl ImageTile {
    /// None: not a tile, or a damaged one.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<ImageTile> {
        let from = &mut bytes;
        let head = TileHead::read(from)?;
        let count = usize::from(head.columns) * usize::from(head.rows);
        let (bright, mut colour) = from.split_at_checked(count)?;
        let mut pixels = vec![[0; 3]; count];
        for (column, row) in halves(&head) {
            let [across, along] = take::<2>(&mut colour)?.map(|byte| i32::from(byte) - 128);
            for index in four(&head, column, row).into_iter().flatten() {
                let luma = i32::from(bright[index]);
                let rest = luma - along;
                pixels[index] = [rest + across, luma + along, rest - across].map(|part| part.clamp(0, 255) as u8);
            }
        }
        colour.is_empty().then_some(ImageTile { head, pixels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixel(column: u16, row: u16) -> Pixel {
        let point = (column != 5).then(|| [1.0 + f32::from(column) * 0.01, f32::from(row) * -0.02, 1.5]);
        (point, [(column * 3) as u8, (row * 5) as u8, 90])
    }

    fn picture<'a>(pixel: &'a dyn Fn(u16, u16) -> Pixel) -> Picture<'a> {
        Picture { camera: "head", at_ms: 1234, width: 45, height: 23, origin_m: [0.5, 0.0, 1.4], pixel }
    }

    #[test]
    fn every_point_comes_back_to_the_millimetre() {
        let tiles = picture(&pixel).cloud_tiles(1_100);
        let mut seen = 0;
        for (_, bytes) in &tiles {
            assert!(bytes.len() <= 1_100);
            let tile = CloudTile::from_bytes(bytes).unwrap();
            for ((column, row), got) in places(&tile.head).zip(&tile.points) {
                let (point, colour) = pixel(column, row);
                seen += 1;
                let Some((mm, got_colour)) = got else {
                    assert_eq!(point, None);
                    continue;
                };
                assert_eq!(*got_colour, colour);
                for ((origin_m, mm), wanted_m) in tile.origin_m.iter().zip(mm).zip(point.unwrap()) {
                    let got_m = origin_m + f32::from(*mm) / 1000.0;
                    assert!((got_m - wanted_m).abs() < 0.001, "{got_m}");
                }
            }
        }
        assert_eq!(seen, 45 * 23);
        let mut keys: Vec<u32> = tiles.iter().map(|(key, _)| *key).collect();
        keys.dedup();
        assert_eq!(keys.len(), tiles.len());
    }

    #[test]
    fn a_picture_comes_back_nearly() {
        for (_, bytes) in picture(&pixel).image_tiles(1_100) {
            assert!(bytes.len() <= 1_100);
            let tile = ImageTile::from_bytes(&bytes).unwrap();
            for ((column, row), got) in places(&tile.head).zip(&tile.pixels) {
                for (got, meant) in got.iter().zip(pixel(column, row).1) {
                    assert!(got.abs_diff(meant) <= 8, "{got} for {meant} at {column}, {row}");
                }
            }
        }
    }

    #[test]
    fn what_is_cut_short_or_damaged_is_no_tile() {
        let (_, cloud) = picture(&pixel).cloud_tiles(400).remove(0);
        let (_, image) = picture(&pixel).image_tiles(400).remove(0);
        for length in 0..cloud.len() {
            assert_eq!(CloudTile::from_bytes(&cloud[..length]), None);
        }
        for length in 0..image.len() {
            assert_eq!(ImageTile::from_bytes(&image[..length]), None);
        }
        let wide: Vec<u8> = (0..200).map(|_| 0xff).collect();
        assert_eq!(CloudTile::from_bytes(&wide), None);
        assert!(picture(&pixel).cloud_tiles(10).is_empty(), "no tile fits");
    }

    #[test]
    fn what_is_too_far_for_16_bits_is_left_out() {
        let far = |_: u16, _: u16| (Some([40.0, 0.0, 1.0]), [1, 2, 3]);
        let tile = CloudTile::from_bytes(&picture(&far).cloud_tiles(1_100)[0].1).unwrap();
        assert!(tile.points.iter().all(Option::is_none));
    }
}
