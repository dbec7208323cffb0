//! Expressions for what others give on the other side. Said twice, it is the first again.

/// `-(x)`.
pub(in crate::settings) fn negated(text: &str) -> String {
    let inside = text.strip_prefix('-').map(without_brackets);
    match inside.filter(|inside| negation_of(inside) == text) {
        Some(inside) => inside.to_owned(),
        None => negation_of(text),
    }
}

fn negation_of(text: &str) -> String {
    format!("-{}", bracketed(text))
}

/// `mirrored(x)`, of a pose.
pub(super) fn mirrored(text: &str) -> String {
    let inside = text.strip_prefix("mirrored").map(without_brackets);
    match inside.filter(|inside| mirrored_of(inside) == text) {
        Some(inside) => inside.to_owned(),
        None => mirrored_of(text),
    }
}

fn mirrored_of(text: &str) -> String {
    format!("mirrored({text})")
}

/// `!(x)`.
pub fn not(text: &str) -> String {
    let inside = text.strip_prefix('!').map(without_brackets);
    match inside.filter(|inside| denial_of(inside) == text) {
        Some(inside) => inside.to_owned(),
        None => denial_of(text),
    }
}

fn denial_of(text: &str) -> String {
    format!("!{}", bracketed(text))
}

/// `x == 'a' ? 'b' : x == 'b' ? 'a' : x`; of two that change places, one is enough.
pub(in crate::settings) fn exchanged(text: &str, cases: &[(String, String)], all: usize) -> String {
    let inside = text.find(" == ").map(|end| without_brackets(&text[..end]));
    match inside.filter(|inside| exchange_of(inside, cases, all) == text) {
        Some(inside) => inside.to_owned(),
        None => exchange_of(text, cases, all),
    }
}

fn exchange_of(text: &str, cases: &[(String, String)], all: usize) -> String {
    let text = bracketed(text);
    if let ([(a, b), (c, d)], 2) = (cases, all)
        && (a, b) == (d, c)
    {
        return format!("{text} == {a} ? {b} : {a}");
    }
    let cases: String = cases.iter().map(|(from, to)| format!("{text} == {from} ? {to} : ")).collect();
    format!("{cases}{text}")
}

/// A name alone needs none.
fn bracketed(text: &str) -> String {
    let is_name = text.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '.');
    let is_name = is_name && text.starts_with(|first: char| first.is_alphabetic() || first == '_');
    if is_name { text.to_owned() } else { format!("({text})") }
}

/// Without those around the whole of it.
fn without_brackets(text: &str) -> &str {
    let Some(inside) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    let (mut depth, mut quote) = (0, None);
    for letter in inside.chars() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return text,
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn said_twice_it_is_the_first() {
        for (text, other) in [("a", "-a"), ("a + 1", "-(a + 1)"), ("-a", "a"), ("-a + b", "-(-a + b)"), ("3", "-(3)")] {
            assert_eq!(negated(text), other);
            assert_eq!(negated(other), text);
        }
        assert_eq!(negated("-(a) + (b)"), "-(-(a) + (b))");
        for (text, other) in [("open", "!open"), ("side == 'left'", "!(side == 'left')")] {
            assert_eq!(not(text), other);
            assert_eq!(not(other), text);
        }
        let sides = [("'left'".to_owned(), "'right'".to_owned()), ("'right'".to_owned(), "'left'".to_owned())];
        for (text, all, other) in [
            ("side", 2, "side == 'left' ? 'right' : 'left'"),
            ("f(x)", 2, "(f(x)) == 'left' ? 'right' : 'left'"),
            ("side", 3, "side == 'left' ? 'right' : side == 'right' ? 'left' : side"),
        ] {
            assert_eq!(exchanged(text, &sides, all), other);
            assert_eq!(exchanged(other, &sides, all), text);
        }
    }
}
