use robot::reader::Fields;

/// As seen by a camera: red, green, blue from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour(pub [f64; 3]);

const WORDS: [(&str, [f64; 3]); 10] = [
    ("grey", [0.55, 0.55, 0.55]),
    ("white", [0.93, 0.93, 0.93]),
    ("black", [0.06, 0.06, 0.06]),
    ("red", [0.8, 0.1, 0.1]),
    ("green", [0.1, 0.6, 0.15]),
    ("blue", [0.1, 0.25, 0.8]),
    ("yellow", [0.9, 0.8, 0.1]),
    ("orange", [0.95, 0.5, 0.1]),
    ("purple", [0.5, 0.15, 0.6]),
    ("brown", [0.5, 0.33, 0.18]),
];

impl Colour {
    pub const GREY: Colour = Colour(WORDS[0].1);

    pub fn from_word(word: &str) -> Option<Colour> {
        if let Some((_, rgb)) = WORDS.iter().find(|(name, _)| *name == word) {
            return Some(Colour(*rgb));
        }
        let hex = word.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.is_ascii())?;
        let part = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).ok().map(|byte| f64::from(byte) / 255.0);
        Some(Colour([part(0)?, part(2)?, part(4)?]))
    }

    pub(super) fn read(fields: &mut Fields, key: &'static str, default: &str) -> Colour {
        let text = fields.text(key).unwrap_or(default);
        Colour::from_word(text).unwrap_or_else(|| {
            fields.error(key, format!("`{text}` is no colour: {} or #rrggbb", Colour::words().join(", ")));
            Colour::GREY
        })
    }

    pub fn words() -> Vec<&'static str> {
        WORDS.iter().map(|(word, _)| *word).collect()
    }
}
