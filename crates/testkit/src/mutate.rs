//! Damages the bytes of files, for fuzzing without more than stable Rust.

use std::time::{Duration, Instant};

use model::Random;

/// Numbers that differ by seed only.
pub struct Dice(Random);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Random::new(seed))
    }

    pub fn roll(&mut self, below: usize) -> usize {
        self.0.below(below as u64) as usize
    }

    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.roll(items.len())]
    }
}

/// Pieces that JSON readers, number readers and this file format trip over.
const FRAGMENTS: &[&str] = &[
    "1e999",
    "-1e999",
    "-0",
    "NaN",
    "Infinity",
    "1e-999",
    "18446744073709551616",
    "-9223372036854775809",
    "0.1e+",
    "01",
    "null",
    "true",
    "\"\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\u{feff}",
    "[]",
    "{}",
    "[[[[[[[[",
    "]]]]]]]]",
    "{\"type\": \"wait\"}",
    "{\"type\": \"gosub\", \"target\": \"/\"}",
    "{\"type\": \"goto\", \"target\": \"Previous\"}",
    "{\"type\": \"skill\", \"file\": \"main.json\"}",
    "{\"type\": \"skill\", \"file\": \"../../../\"}",
    "{\"type\": \"parallel\", \"children\": [{\"type\": \"always_fail\"}, {\"type\": \"wait\"}]}",
    "{\"type\": \"loop\", \"children\": [{\"type\": \"checkpoint\"}]}",
    "{\"type\": \"sequence\", \"retry\": 4294967295, \"children\": [{\"type\": \"always_fail\"}]}",
    "\"children\": [1, null, \"x\", []]",
    "\"children\": {}",
    "\"id\": \"0000000000000000\"",
    "\"id\": \"ffffffffffffffff\"",
    "\"type\": 5",
    "\"name\": \"/~2[1]\"",
    "\"after\": \"Beginning\"",
    "\"after\": \"\"",
    "\"until\": [[[[\"true\"]]]]",
    "\"while\": {\"condition\": \"\"}",
    "\"timeout_s\": 1e308",
    "\"timeout_s\": -1",
    "\"retry\": 4294967296",
    "\"claims\": [\"\", \"\"]",
    "\"variables\": {\"\": null, \"a.b\": {\"c\": []}}",
    "\"inputs\": {\"x\": 5}",
    "\"version\": 2",
    "\"values\": {\"x\": \"x + 1\"}",
    "\"duration_s\": 1e300",
    ",",
    ":",
    "\"",
    "\\",
    "\n",
];

/// The text with some damage. What is no longer UTF-8 is mended, as whoever reads a file would refuse it before.
pub fn mutate(text: &str, dice: &mut Dice) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.roll(4) {
        if bytes.is_empty() {
            break;
        }
        let at = dice.roll(bytes.len());
        let length = 1 + dice.roll(40.min(bytes.len() - at));
        match dice.roll(9) {
            0 => bytes[at] ^= 1 << dice.roll(8),
            1 => bytes.truncate(at),
            2 => drop(bytes.drain(at..at + length)),
            3 => {
                let piece = bytes[at..at + length].to_vec();
                let to = dice.roll(bytes.len());
                drop(bytes.splice(to..to, piece));
            }
            4 => {
                let depth = *dice.pick(&[3, 200, 520, 20_000]);
                drop(bytes.splice(at..at, "[".repeat(depth).into_bytes()));
            }
            5 => replace_value(&mut bytes, at, dice),
            _ => {
                let fragment = dice.pick(FRAGMENTS).as_bytes().to_vec();
                drop(bytes.splice(at..at, fragment));
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Puts a fragment where a value stands: such damage more often leaves a file that opens.
fn replace_value(bytes: &mut Vec<u8>, near: usize, dice: &mut Dice) {
    let Some(start) = bytes[near..].iter().position(|byte| *byte == b':').map(|offset| near + offset + 1) else {
        return;
    };
    let end = bytes[start..].iter().position(|byte| matches!(byte, b',' | b'}' | b']' | b'\n'));
    let end = end.map_or(bytes.len(), |offset| start + offset);
    let fragment = dice.pick(FRAGMENTS).as_bytes().to_vec();
    drop(bytes.splice(start..end, fragment));
}

/// Runs `case` with seeds that are always the same, or for `COACT_FUZZ_SECONDS` with ever new ones.
pub fn fuzz(cases: u64, mut case: impl FnMut(&mut Dice)) {
    let seconds = std::env::var("COACT_FUZZ_SECONDS").ok().and_then(|text| text.parse::<u64>().ok());
    let Some(seconds) = seconds else {
        for seed in 0..cases {
            case(&mut Dice::new(seed));
        }
        return;
    };
    let start = Instant::now();
    let mut seed =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64);
    while start.elapsed() < Duration::from_secs(seconds) {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case(&mut Dice::new(seed))));
        if let Err(panic) = result {
            eprintln!("the seed was {seed}");
            std::panic::resume_unwind(panic);
        }
        seed = seed.wrapping_add(1);
    }
}
