//! Depths and colours of a cloud, packed: what the engine saw follows from them bit for bit.

use scene::{Cloud, Depths, Pinhole};

use crate::rice::{Learned, Packer, Unpacker};

/// What a message of it is, for whoever reads the file without us.
pub const DESCRIPTION: &str = "Little endian. u8: 1, the form. u32: width, height. f64: focal lengths in pixels, middle of \
the picture in pixels, x y z in metres and quaternion x y z w of world_from_camera (x forward, y left, z up). Then \
Golomb-Rice codes, highest bit first: a number n as (n >> k) ones and a zero, then the k low bits; 24 ones: 32 bits follow. \
k is the least with count << k >= sum; both begin as 1 and 4 for each kind of number, and are halved (sum rounded up) when \
count gets 32. A difference d is 2d, or -2d-1 below zero. Depths row by row: alternately the count of pixels without and with \
one, and for each with one its difference in millimetres along the axis to the mean (rounded down) of those to the left and \
above, else to the one of both that has one, else to the last (0 at first). Colours row by row: the count of pixels of the \
same colour as the one before (black at first), then the next one: green less green, red less red less that of green, blue \
likewise, each modulo 256 from -128 to 127.";

const FORM: u8 = 1;
const HEAD: usize = 1 + 8 + 11 * 8;

/// None: nobody knows the depths of this cloud.
pub fn packed(cloud: &Cloud) -> Option<Vec<u8>> {
    let Depths { pinhole, along_mm } = cloud.depths()?;
    let mut head = vec![FORM];
    [cloud.width(), cloud.height()].iter().for_each(|number| head.extend(number.to_le_bytes()));
    let pose = geometry::exact::numbers(&cloud.world_from_camera);
    pinhole.focal_px.iter().chain(&pinhole.middle_px).chain(&pose).for_each(|number| head.extend(number.to_le_bytes()));
    let mut packer = Packer::default();
    pack_depths(&mut packer, along_mm, cloud.width() as usize);
    pack_colours(&mut packer, cloud);
    head.extend(packer.packed());
    Some(head)
}

/// The cloud again, of this time. None: the bytes are damaged.
pub fn unpacked(time_ns: i64, bytes: &[u8]) -> Option<Cloud> {
    let (head, codes) = bytes.split_at_checked(HEAD)?;
    let (form, head) = head.split_first()?;
    let (sizes, numbers) = head.split_at_checked(8)?;
    let size = |at: usize| Some(u32::from_le_bytes(sizes[at..at + 4].try_into().ok()?));
    let (width, height) = (size(0)?, size(4)?);
    let numbers: Vec<f64> =
        numbers.chunks_exact(8).map(|bytes| bytes.try_into().map(f64::from_le_bytes).unwrap_or_default()).collect();
    let [focal_x, focal_y, middle_x, middle_y, x, y, z, i, j, k, w] = *numbers.as_slice() else { return None };
    let pinhole = Pinhole { focal_px: [focal_x, focal_y], middle_px: [middle_x, middle_y] };
    const MOST_PIXELS: u64 = 1 << 24;
    let pixels = u64::from(width) * u64::from(height);
    let finite = numbers.iter().all(|number| number.is_finite());
    if *form != FORM || pixels > MOST_PIXELS || pixels == 0 || !finite || !pinhole.is_sound() {
        return None;
    }
    let world_from_camera = geometry::exact::pose([x, y, z, i, j, k, w])?;
    let mut unpacker = Unpacker::new(codes);
    let along_mm = unpack_depths(&mut unpacker, pixels as usize, width as usize)?;
    let colours = unpack_colours(&mut unpacker, pixels as usize)?;
    Cloud::of_depths(time_ns, world_from_camera, (width, height), Depths { pinhole, along_mm }, &colours)
}

/// What a depth will be about: those beside and above, else the last.
fn expected_mm(along_mm: &[u16], pixel: usize, width: usize, last: i32) -> i32 {
    let left = if pixel.is_multiple_of(width) { 0 } else { i32::from(along_mm[pixel - 1]) };
    let above = pixel.checked_sub(width).map_or(0, |above| i32::from(along_mm[above]));
    match (left, above) {
        (0, 0) => last,
        (0, one) | (one, 0) => one,
        (left, above) => (left + above) >> 1,
    }
}

fn pack_depths(packer: &mut Packer, along_mm: &[u16], width: usize) {
    let (mut runs, mut differences) = ([Learned::default(); 2], Learned::default());
    let (mut pixel, mut last, mut with) = (0, 0, false);
    while pixel < along_mm.len() {
        let run = along_mm[pixel..].iter().take_while(|mm| (**mm > 0) == with).count();
        packer.number(&mut runs[usize::from(with)], run as u32);
        for pixel in (pixel..pixel + run).filter(|_| with) {
            let is = i32::from(along_mm[pixel]);
            packer.difference(&mut differences, is - expected_mm(along_mm, pixel, width, last));
            last = is;
        }
        pixel += run;
        with = !with;
    }
}

fn unpack_depths(unpacker: &mut Unpacker<'_>, count: usize, width: usize) -> Option<Vec<u16>> {
    let (mut runs, mut differences) = ([Learned::default(); 2], Learned::default());
    let mut along_mm = vec![0; count];
    let (mut pixel, mut last, mut with) = (0, 0, false);
    while pixel < count {
        let run = unpacker.number(&mut runs[usize::from(with)])? as usize;
        let end = pixel.checked_add(run).filter(|end| *end <= count && (run > 0 || pixel == 0))?;
        for pixel in (pixel..end).filter(|_| with) {
            last = expected_mm(&along_mm, pixel, width, last).checked_add(unpacker.difference(&mut differences)?)?;
            along_mm[pixel] = u16::try_from(last).ok()?;
        }
        pixel = end;
        with = !with;
    }
    Some(along_mm)
}

fn pack_colours(packer: &mut Packer, cloud: &Cloud) {
    let (mut runs, mut greens, mut others) = (Learned::default(), Learned::default(), Learned::default());
    let (mut last, mut run) = ([0; 3], 0);
    for pixel in 0..cloud.len() {
        let colour = cloud.colour(pixel);
        if colour == last {
            run += 1;
            continue;
        }
        packer.number(&mut runs, std::mem::take(&mut run));
        let [red, green, blue] = [0, 1, 2].map(|part| colour[part].wrapping_sub(last[part]));
        packer.difference(&mut greens, i32::from(green as i8));
        packer.difference(&mut others, i32::from(red.wrapping_sub(green) as i8));
        packer.difference(&mut others, i32::from(blue.wrapping_sub(green) as i8));
        last = colour;
    }
    packer.number(&mut runs, run);
}

fn unpack_colours(unpacker: &mut Unpacker<'_>, count: usize) -> Option<Vec<[u8; 3]>> {
    let (mut runs, mut greens, mut others) = (Learned::default(), Learned::default(), Learned::default());
    let (mut colours, mut last) = (Vec::new(), [0_u8; 3]);
    loop {
        let run = unpacker.number(&mut runs)? as usize;
        if run > count - colours.len() {
            return None;
        }
        colours.resize(colours.len() + run, last);
        if colours.len() == count {
            return Some(colours);
        }
        let green = unpacker.difference(&mut greens)? as u8;
        let red = (unpacker.difference(&mut others)? as u8).wrapping_add(green);
        let blue = (unpacker.difference(&mut others)? as u8).wrapping_add(green);
        last = [last[0].wrapping_add(red), last[1].wrapping_add(green), last[2].wrapping_add(blue)];
        colours.push(last);
    }
}

#[cfg(test)]
mod tests {
    use geometry::{Pose, Vector3};
    use model::Random;

    use super::*;

    /// A floor and a wall with the noise of a camera, and holes.
    fn cloud(width: u32, height: u32, seed: u64) -> Cloud {
        let mut random = Random::of_stream(seed, "cloud");
        let mut pixel = |at: u32| {
            let (column, row) = (at % width, at / width);
            let along_m = if column * 3 > width { 1.5 } else { 0.8 + 0.01 * f64::from(row) };
            let noisy_m = along_m + 0.01 * along_m * along_m * random.normal();
            let hole = random.share() < 0.05 || row * 5 < height;
            (
                if hole { 0 } else { Depths::delivered_mm(noisy_m) },
                [(row / 2) as u8, 40, 200_u8.wrapping_add(column as u8 / 16)],
            )
        };
        let (along_mm, colours): (Vec<u16>, Vec<[u8; 3]>) = (0..width * height).map(&mut pixel).unzip();
        let at = Pose::from_axis_angle(Vector3::new(0.3, -0.2, 1.4), Vector3::new(0.1, 0.5, -0.2));
        let pinhole = Pinhole { focal_px: [95.5, 95.25], middle_px: [80.0, 60.0] };
        Cloud::of_depths(7, at, (width, height), Depths { pinhole, along_mm }, &colours).expect("it fits")
    }

    #[test]
    fn clouds_come_back_bit_for_bit_and_small() {
        for (width, height) in [(160, 120), (1, 1), (7, 3), (320, 2)] {
            let cloud = cloud(width, height, u64::from(width));
            let packed = packed(&cloud).expect("it has depths");
            let again = unpacked(7, &packed).expect("it is sound");
            assert_eq!((&again, again.depths()), (&cloud, cloud.depths()));
            for pixel in 0..cloud.len() {
                let bits = |cloud: &Cloud| cloud.point(pixel).map(|point| point.map(f32::to_bits));
                assert_eq!(bits(&again), bits(&cloud));
            }
            if width == 160 {
                assert!(packed.len() < 20_000, "{} bytes", packed.len());
            }
        }
    }

    #[test]
    fn damage_gives_no_panic() {
        let whole = packed(&cloud(40, 30, 1)).expect("it has depths");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x41;
            let _ = unpacked(0, &damaged);
            assert!(at < HEAD || unpacked(0, &whole[..at]).is_none(), "cut at {at}");
        }
    }
}
