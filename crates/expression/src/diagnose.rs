use cel::parser::ParseError;

use crate::ExpressionError;
use crate::function;
use crate::tokens::{Shape, Token, tokens};

/// Turns what the parser reports into one sentence about the first mistake that people make.
pub(crate) fn diagnose(text: &str, errors: &[ParseError]) -> ExpressionError {
    let pieces = tokens(text);
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
        return ExpressionError::new(1, "the expression is empty");
    };
    if errors.iter().any(|error| error.msg.contains("recursion limit")) {
        return ExpressionError::new(first.column, "the expression is nested too deeply: split it over variables");
    }
    pieces
        .iter()
        .find_map(foreign)
        .or_else(|| unbalanced(&pieces))
        .or_else(|| missing_operand(text, &pieces, last))
        .or_else(|| missing_operator(&pieces))
        .or_else(|| pieces.windows(2).find_map(macro_call))
        .or_else(|| errors.iter().find_map(|error| reported(text, &pieces, error)))
        .unwrap_or_else(|| ExpressionError::new(first.column, format!("`{}` is not an expression", clip(text))))
}

/// Pieces that no expression contains.
fn foreign(piece: &Token) -> Option<ExpressionError> {
    let advice = match (piece.shape, piece.text) {
        (Shape::OpenText, text) => {
            let quote = if text.trim_start_matches(['r', 'R', 'b', 'B']).starts_with('"') { '"' } else { '\'' };
            return Some(ExpressionError::new(
                piece.column,
                format!("the text that begins at column {} is not closed: add `{quote}`", piece.column),
            ));
        }
        (Shape::Symbol, "=") => "`=` is not an operator: write `==` to compare".into(),
        (Shape::Symbol, "&") => "`&` is not an operator: write `&&` for and".into(),
        (Shape::Symbol, "|") => "`|` is not an operator: write `||` for or".into(),
        (Shape::Symbol, "<>" | "≠") => format!("`{}` is not an operator: write `!=`", piece.text),
        (Shape::Symbol, "≤") => "`≤` is not an operator: write `<=`".into(),
        (Shape::Symbol, "≥") => "`≥` is not an operator: write `>=`".into(),
        (Shape::Symbol, "**" | "^") => format!("`{}` is not an operator: write the product, x * x", piece.text),
        (Shape::Symbol, "“" | "”" | "„" | "‘" | "’" | "`" | "´") => {
            format!("`{}` is not a quote of expressions: write 'text' or \"text\"", piece.text)
        }
        (Shape::Word, "and" | "AND") => format!("`{}` is not an operator: write `&&`", piece.text),
        (Shape::Word, "or" | "OR") => format!("`{}` is not an operator: write `||`", piece.text),
        (Shape::Word, "not" | "NOT") => format!("`{}` is not an operator: write `!`", piece.text),
        (Shape::Word, "if" | "else") => {
            format!("`{}` is a reserved word: write `condition ? this : that`", piece.text)
        }
        (
            Shape::Word,
            "as" | "break" | "const" | "continue" | "for" | "function" | "import" | "let" | "loop" | "package"
            | "namespace" | "return" | "var" | "void" | "while",
        ) => format!("`{}` is a reserved word and cannot be a name", piece.text),
        (Shape::Word, name) if !name.is_ascii() => {
            format!("`{}` cannot be a name: names use a-z, A-Z, 0-9 and _", clip(name))
        }
        (Shape::Symbol, other) if !"+-*/%!<>?:.,()[]{}".contains(other) && other.chars().count() == 1 => {
            format!("`{other}` has no meaning in an expression")
        }
        _ => return None,
    };
    Some(ExpressionError::new(piece.column, advice))
}

/// The first bracket without its partner.
fn unbalanced(pieces: &[Token]) -> Option<ExpressionError> {
    let mut open: Vec<&Token> = Vec::new();
    for piece in pieces.iter().filter(|piece| piece.shape == Shape::Symbol) {
        let partner = match piece.text {
            "(" | "[" | "{" => {
                open.push(piece);
                continue;
            }
            ")" => "(",
            "]" => "[",
            "}" => "{",
            _ => continue,
        };
        match open.pop() {
            Some(opening) if opening.text == partner => {}
            Some(opening) => {
                let message = format!("`{}` at column {} is closed by `{}`", opening.text, opening.column, piece.text);
                return Some(ExpressionError::new(piece.column, message));
            }
            None => {
                let message = format!("`{}` at column {} closes nothing", piece.text, piece.column);
                return Some(ExpressionError::new(piece.column, message));
            }
        }
    }
    let opening = open.pop()?;
    let message = format!("`{}` at column {} is never closed", opening.text, opening.column);
    Some(ExpressionError::new(opening.column, message))
}

fn is_operator(piece: &Token) -> bool {
    match piece.shape {
        Shape::Symbol => !matches!(piece.text, "(" | ")" | "[" | "]" | "{" | "}"),
        Shape::Word => piece.text == "in",
        _ => false,
    }
}

/// An operator, dot or comma with nothing on one side.
fn missing_operand(text: &str, pieces: &[Token], last: &Token) -> Option<ExpressionError> {
    if is_operator(last) {
        let column = last.last_column();
        let message =
            format!("`{}` is not complete: something is missing after column {column}", clip(text.trim_end()));
        return Some(ExpressionError::new(column, message));
    }
    let needs_left = |piece: &Token| is_operator(piece) && !matches!(piece.text, "!" | "-");
    if let Some(first) = pieces.first().filter(|piece| needs_left(piece)) {
        return Some(ExpressionError::new(first.column, format!("something is missing before `{}`", first.text)));
    }
    pieces.windows(2).find_map(|pair| {
        let [left, right] = pair else { return None };
        let between = (is_operator(left) || matches!(left.text, "(" | "[" | "{")) && needs_left(right)
            || is_operator(left) && left.text != "," && matches!(right.text, ")" | "]" | "}");
        let optional = left.is(".") && right.is("?") || left.is("[") && right.is("?");
        if !between || optional || left.shape == Shape::Text || right.shape == Shape::Text {
            return None;
        }
        let message = format!("something is missing between `{}` and `{}`", left.text, right.text);
        Some(ExpressionError::new(right.column, message))
    })
}

/// Two operands side by side.
fn missing_operator(pieces: &[Token]) -> Option<ExpressionError> {
    pieces.windows(2).find_map(|pair| {
        let [left, right] = pair else { return None };
        if !(left.ends_operand() && right.begins_operand()) {
            return None;
        }
        let message = format!("an operator is missing between `{}` and `{}`", clip(left.text), clip(right.text));
        Some(ExpressionError::new(right.column, message))
    })
}

/// Macros of CEL, which the parser expands and may reject before the compiler sees them.
fn macro_call(pair: &[Token]) -> Option<ExpressionError> {
    let [name, bracket] = pair else { return None };
    let known = matches!(name.text, "all" | "exists" | "exists_one" | "map" | "filter");
    (known && name.shape == Shape::Word && bracket.is("("))
        .then(|| ExpressionError::new(name.column, function::unknown(name.text)))
}

/// What the parser says, where only the parser knows.
fn reported(text: &str, pieces: &[Token], error: &ParseError) -> Option<ExpressionError> {
    let column = column_of(text, error.pos)?;
    let piece = pieces.iter().rev().find(|piece| piece.column <= column)?;
    let quoted = clip(piece.text);
    let message = match error.msg.as_str() {
        "invalid int literal" | "invalid uint literal" if piece.text.starts_with("0x") => {
            format!("the number `{quoted}` is too large")
        }
        "invalid int literal" | "invalid uint literal" => {
            format!("the number `{quoted}` is too large: write it with a point or an exponent, as in 1e19")
        }
        "invalid double literal" => format!("the number `{quoted}` is too large"),
        "expected ':' in conditional expression" => {
            "`?` has no `:`; a choice is written `condition ? this : that`".to_string()
        }
        "expected ':' in map entry" => "a map is written {'key': value}: a `:` is missing".to_string(),
        message if message.contains("unescape") || message.contains("code point") => {
            format!("the text {quoted} has a `\\` that begins nothing: write `\\\\` for a backslash")
        }
        message if message.contains("literal") => format!("`{quoted}` is not a number"),
        _ => format!("`{quoted}` at column {column} does not fit there"),
    };
    Some(ExpressionError::new(column, message))
}

/// The parser counts lines and bytes from 1.
fn column_of(text: &str, (line, byte): (isize, isize)) -> Option<usize> {
    let line = usize::try_from(line).ok()?.checked_sub(1)?;
    let byte = usize::try_from(byte).ok()?.checked_sub(1)?;
    let before: usize = text.split_inclusive('\n').take(line).map(|line| line.chars().count()).sum();
    let within = text.split_inclusive('\n').nth(line)?.char_indices().take_while(|(at, _)| *at < byte).count();
    Some(before + within + 1)
}

/// Long texts are shortened where a message quotes them.
fn clip(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}
