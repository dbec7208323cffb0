/// A command as it is typed, with quotes where a shell needs them.
pub fn shell_line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted = |word: &str| {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
        if !word.is_empty() && word.chars().all(is_plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_read_otherwise_is_quoted() {
        let line = shell_line(["coact", "run", "a b.json", "--set", r#"name="it's""#, ""]);
        assert_eq!(line, r#"coact run 'a b.json' --set 'name="it'\''s"' ''"#);
    }
}
