//! Texts cut and filled to a number of terminal columns.

/// How many columns a text takes: most letters one, those of East Asian scripts and pictures two.
pub fn width_of(text: &str) -> usize {
    text.chars().map(width).sum()
}

fn width(letter: char) -> usize {
    match letter as u32 {
        0x0300..=0x036f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Cut to `columns`, with a mark where something was cut off.
pub(crate) fn cut(text: &str, columns: usize, ascii: bool) -> String {
    let clean = |letter: char| match letter {
        letter if letter.is_control() => ' ',
        letter if ascii && !letter.is_ascii() => '?',
        letter => letter,
    };
    let text: String = text.chars().map(clean).collect();
    if width_of(&text) <= columns {
        return text;
    }
    let mark = if ascii { "~" } else { "…" };
    let mut kept = String::new();
    let mut left = columns.saturating_sub(1);
    for letter in text.chars() {
        let Some(rest) = left.checked_sub(width(letter)) else { break };
        left = rest;
        kept.push(letter);
    }
    if columns > 0 {
        kept.push_str(mark);
    }
    kept
}

/// Cut and filled with blanks to exactly `columns`.
pub(crate) fn left(text: &str, columns: usize, ascii: bool) -> String {
    let mut text = cut(text, columns, ascii);
    let blanks = columns.saturating_sub(width_of(&text));
    text.extend(std::iter::repeat_n(' ', blanks));
    text
}

/// `1234567` as `1,234,567`.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
