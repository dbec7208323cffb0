//! Names of people, which others read in lists, logs and the audit trail.

/// Letters of a name; what is beyond them is cut off.
pub const MOST_NAME: usize = 40;

/// As it is shown to others; none: nothing is left of it. A line break in a name would begin a line of somebody else in
/// every text that is read line by line, and a turned direction would show it as another.
pub fn person_name(text: &str) -> Option<String> {
    let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = spaced.chars().filter(|letter| is_plain(*letter)).take(MOST_NAME).collect();
    let name = name.trim().to_owned();
    (!name.is_empty()).then_some(name)
}

/// Any text as one line: what would break it or turn it round is written as its number.
pub fn plain(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_plain(letter) { line.push(letter) } else { line.extend(letter.escape_unicode()) }
    }
    line
}

/// Neither a control character, nor a separator of lines, nor one that is not seen or turns others round.
fn is_plain(letter: char) -> bool {
    let unseen = matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    !letter.is_control() && !unseen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_short_line() {
        assert_eq!(person_name("  Ann\u{7} B\n "), Some("Ann B".to_owned()));
        assert_eq!(person_name("Ann\nBob: stop: done"), Some("Ann Bob: stop: done".to_owned()));
        assert_eq!(person_name("Ann\u{2028}\u{202e}boB\u{200b}"), Some("Ann boB".to_owned()));
        assert_eq!(person_name("\t\u{200b}"), None);
        assert_eq!(person_name(&"x".repeat(100)).map(|name| name.len()), Some(MOST_NAME));
    }

    #[test]
    fn a_text_stays_one_line() {
        assert_eq!(plain("a\nb\u{2028}c ü"), "a\\u{a}b\\u{2028}c ü");
    }
}
