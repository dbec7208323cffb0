/// A piece of an expression's text, for messages only: what is accepted is decided by the parser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Token<'t> {
    pub shape: Shape,
    pub text: &'t str,
    /// In characters from 1.
    pub column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Word,
    Number,
    Text,
    /// A text whose closing quote is missing.
    OpenText,
    Symbol,
}

impl Token<'_> {
    /// The column of its last character.
    pub fn last_column(&self) -> usize {
        self.column + self.text.chars().count().saturating_sub(1)
    }

    pub fn is(&self, text: &str) -> bool {
        self.shape != Shape::Text && self.text == text
    }

    /// Can stand before an operator: ends an operand.
    pub fn ends_operand(&self) -> bool {
        match self.shape {
            Shape::Word => self.text != "in",
            Shape::Number | Shape::Text | Shape::OpenText => true,
            Shape::Symbol => matches!(self.text, ")" | "]" | "}"),
        }
    }

    /// Can stand after an operator: begins an operand, and nothing but an operand.
    pub fn begins_operand(&self) -> bool {
        match self.shape {
            Shape::Word => self.text != "in",
            Shape::Number | Shape::Text | Shape::OpenText => true,
            Shape::Symbol => self.text == "!",
        }
    }
}

const SYMBOLS: &[&str] = &["&&", "||", "==", "!=", "<=", ">=", "<>", "**"];

pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut column = 1;
    while let Some(first) = rest.chars().next() {
        let (shape, length) = piece(rest, first);
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if let Some(shape) = shape {
            found.push(Token { shape, text: piece, column });
        }
        column += piece.chars().count();
        rest = after;
    }
    found
}

/// The shape of the piece that `rest` begins with (None: nothing of meaning) and its length in bytes.
fn piece(rest: &str, first: char) -> (Option<Shape>, usize) {
    if first.is_whitespace() {
        return (None, first.len_utf8());
    }
    if rest.starts_with("//") {
        return (None, rest.find('\n').unwrap_or(rest.len()));
    }
    if first == '\'' || first == '"' {
        return quoted(rest, 0, true);
    }
    if first.is_ascii_digit() {
        return (Some(Shape::Number), number_length(rest));
    }
    if is_word(first) {
        let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let prefix = rest[..length].to_ascii_lowercase();
        if matches!(prefix.as_str(), "r" | "b" | "rb" | "br") && rest[length..].starts_with(['\'', '"']) {
            return quoted(rest, length, !prefix.contains('r'));
        }
        return (Some(Shape::Word), length);
    }
    let length = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)).map_or(first.len_utf8(), |s| s.len());
    (Some(Shape::Symbol), length)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let sign_of_exponent = matches!(byte, b'+' | b'-')
            && matches!(bytes[length - 1], b'e' | b'E')
            && !rest.starts_with("0x")
            && bytes.get(length + 1).is_some_and(u8::is_ascii_digit);
        let point = byte == b'.' && bytes.get(length + 1).is_some_and(u8::is_ascii_digit);
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || point || sign_of_exponent) {
            break;
        }
        length += 1;
    }
    length
}

fn quoted(rest: &str, prefix: usize, escapes: bool) -> (Option<Shape>, usize) {
    let body = &rest[prefix..];
    let quote = &body[..1];
    let triple = quote.repeat(3);
    let end = if body.starts_with(&triple) { triple.as_str() } else { quote };
    let mut at = end.len();
    while at < body.len() {
        let Some(here) = body.get(at..) else { break };
        if here.starts_with(end) {
            return (Some(Shape::Text), prefix + at + end.len());
        }
        let mut characters = here.chars();
        let first = characters.next();
        at += first.map_or(1, char::len_utf8);
        if escapes && first == Some('\\') {
            at += characters.next().map_or(0, char::len_utf8);
        }
    }
    (Some(Shape::OpenText), rest.len())
}
