//! Pictures on meshes: passed on as they are, if a browser shows them and they are of sane size.

use crate::allowed::Beside;

const MOST_BYTES: usize = 8 << 20;
/// A picture of 4096 × 4096 takes 64 MB on a graphics card.
const MOST_PIXELS: u64 = 4096 * 4096;

#[derive(Debug)]
pub(crate) struct Picture {
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl Picture {
    pub fn read(name: &str, beside: &Beside) -> Option<Picture> {
        Picture::of(beside.read(name)?)
    }

    pub fn of(bytes: Vec<u8>) -> Option<Picture> {
        let (kind, (width, height)) = match () {
            () if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => ("image/png", png_size(&bytes)?),
            () if bytes.starts_with(&[0xff, 0xd8, 0xff]) => ("image/jpeg", jpeg_size(&bytes)?),
            () => return None,
        };
        let fits = bytes.len() <= MOST_BYTES && u64::from(width) * u64::from(height) <= MOST_PIXELS;
        (fits && width > 0 && height > 0).then_some(Picture { kind, bytes })
    }
}

fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    (bytes.get(12..16)? == b"IHDR").then_some((number(16)?, number(20)?))
}

/// It stands in the first frame header, behind segments that tell their length.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| Some(u32::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    let mut at = 2;
    loop {
        if *bytes.get(at)? != 0xff {
            return None;
        }
        match *bytes.get(at + 1)? {
            0xff => at += 1,
            0xc4 | 0xc8 | 0xcc => at += 2 + number(at + 2)? as usize,
            0xc0..=0xcf => return Some((number(at + 7)?, number(at + 5)?)),
            _ => at += 2 + number(at + 2)? as usize,
        }
    }
}
