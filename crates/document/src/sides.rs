//! Left and right in the names that people give.

/// A name with its `left` and `right` swapped, as whole words in any of the usual ways to write them: `Left hand`,
/// `left_hand`, `leftHand`, `LEFT`. `upright` and `leftover` stay.
pub(crate) fn swapped(name: &str) -> String {
    const WORDS: [(&str, &str); 3] = [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT")];
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let pairs = WORDS.into_iter().flat_map(|(left, right)| [(left, right), (right, left)]);
        let found = pairs.into_iter().find(|(word, _)| rest.starts_with(word) && is_word(&out, word, rest));
        match found {
            Some((word, other)) => {
                out.push_str(other);
                rest = &rest[word.len()..];
            }
            None => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    out
}

/// `word` begins `rest` and neither goes on nor began before.
fn is_word(before: &str, word: &str, rest: &str) -> bool {
    let is_capital = |letter: Option<char>| letter.is_some_and(char::is_uppercase);
    let last = before.chars().next_back();
    let next = rest[word.len()..].chars().next();
    let all_capitals = is_capital(word.chars().nth(1));
    let begins = match last {
        Some(letter) if letter.is_alphabetic() => {
            is_capital(word.chars().next()) && !all_capitals && letter.is_lowercase()
        }
        _ => true,
    };
    let ends = match next {
        Some(letter) if letter.is_alphabetic() => !all_capitals && letter.is_uppercase(),
        _ => true,
    };
    begins && ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_change_sides() {
        for (name, other) in [
            ("Left hand", "Right hand"),
            ("open the left_hand", "open the right_hand"),
            ("leftHand, HandLeft", "rightHand, HandRight"),
            ("LEFT/Right", "RIGHT/Left"),
            ("left2", "right2"),
            ("upright leftover copyright Bright rights", "upright leftover copyright Bright rights"),
            ("LEFTY aLEFT LeFt", "LEFTY aLEFT LeFt"),
            ("nach links, über left", "nach links, über right"),
            ("", ""),
        ] {
            assert_eq!(swapped(name), other);
            assert_eq!(swapped(other), name);
        }
    }
}
