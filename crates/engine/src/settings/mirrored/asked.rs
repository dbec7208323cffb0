//! What an expression asks of the robot and of what is around it, written so that it asks on the other side.

use expression::{FUNCTIONS, Query};
use model::Value;

use super::super::rework::Mirror;
use super::said;
use crate::world::mirrored::turns_answer;

const SIDES: [(&str, &str); 2] = [("'left'", "'right'"), ("'right'", "'left'")];
/// Behind a side that is the other one.
const OTHER: &str = " == 'left' ? 'right' : 'left'";

/// Frames that are written out are left to who knows them.
pub(super) fn turned(text: &str, mirror: &Mirror<'_>) -> String {
    once(walk(text, mirror))
}

fn walk(text: &str, mirror: &Mirror<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match first {
            '"' | '\'' => quoted(rest, first),
            letter if letter.is_alphabetic() || letter == '_' => word(rest),
            other => other.len_utf8(),
        };
        let (piece, behind) = rest.split_at(length);
        let query = FUNCTIONS.iter().find(|function| function.name == piece).and_then(|function| function.query());
        let inside = query.filter(|_| behind.starts_with('(')).and_then(|query| Some((query, closing(behind)?)));
        match inside {
            Some((query, end)) if !out.trim_end().ends_with('.') => {
                out.push_str(&call((query, piece), &behind[1..end], mirror));
                at += length + end + 1;
            }
            _ => {
                out.push_str(piece);
                at += length;
            }
        }
    }
    out
}

fn call((query, name): (Query, &str), inside: &str, mirror: &Mirror<'_>) -> String {
    let about: Vec<String> = parts(inside).into_iter().map(|part| walk(part, mirror)).collect();
    let known: Vec<Value> = about.iter().map(|part| Value::text(literal(part).unwrap_or_default())).collect();
    let there: Vec<String> =
        about.iter().enumerate().map(|(place, part)| turned_part(query, (place, part), about.len(), mirror)).collect();
    let call = format!("{name}({})", there.join(","));
    match query {
        _ if !turns_answer(query, &known) => call,
        Query::InFrame => format!("mirrored({call})"),
        Query::Hinge => format!("({call}{OTHER})"),
        _ => format!("(-{call})"),
    }
}

fn turned_part(query: Query, (place, part): (usize, &str), count: usize, mirror: &Mirror<'_>) -> String {
    let (blank, bare) = part.split_at(part.len() - part.trim_start().len());
    let side = || SIDES.iter().find(|(from, _)| literal(from) == literal(bare)).map(|(_, to)| (*to).to_owned());
    match (query, literal(bare)) {
        (Query::Has, Some(what)) => format!("{blank}'{}'", mirror.claim(what)),
        (_, Some(_)) if query.takes_side() && place == 0 => format!("{blank}{}", side().unwrap_or(bare.to_owned())),
        (_, None) if query.takes_side() && place == 0 => {
            let cases = SIDES.map(|(from, to)| (from.to_owned(), to.to_owned()));
            format!("{blank}{}", said::exchanged(bare, &cases, 2))
        }
        (Query::InFrame, None) if place == 0 && count == 3 => format!("{blank}mirrored({bare})"),
        _ => part.to_owned(),
    }
}

/// The text that is written out.
fn literal(part: &str) -> Option<&str> {
    let part = part.trim();
    let quote = part.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    (quoted(part, quote) == part.len() && part.len() > 1).then(|| &part[1..part.len() - 1])
}

/// What was turned before is turned back.
fn once(mut text: String) -> String {
    // Where in it the inner bracket opens, and where what it is about begins.
    for (opening, inner, content) in [("mirrored(mirrored(", 17, 18), ("(-(-", 2, 4)] {
        let mut from = 0;
        while let Some(start) = text[from..].find(opening).map(|at| from + at) {
            let end = closing(&text[start + inner..]).map(|end| start + inner + end);
            match end.filter(|end| text[end + 1..].starts_with(')')) {
                Some(end) => {
                    let content = text[start + content..end].to_owned();
                    text.replace_range(start..end + 2, &content);
                }
                None => from = start + 1,
            }
        }
    }
    while let Some(start) = text.find(&format!("{OTHER}){OTHER})")) {
        let end = start + 2 * OTHER.len() + 2;
        let opening = (1..start).rev().find(|at| {
            text[..*at].ends_with('(')
                && text[*at..].starts_with('(')
                && closing(&text[*at..]) == Some(start + OTHER.len() - at)
        });
        let Some(opening) = opening else { break };
        let content = text[opening + 1..start].to_owned();
        text.replace_range(opening - 1..end, &content);
    }
    text
}

/// At the commas between brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    pieces(text, &mut |at, depth| {
        if depth == 0 && text[at..].starts_with(',') {
            parts.push(&text[from..at]);
            from = at + 1;
        }
        true
    });
    if !text.trim().is_empty() {
        parts.push(&text[from..]);
    }
    parts
}

/// Where the bracket that the text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut found = None;
    pieces(text, &mut |at, depth| {
        if depth == 1 && text[at..].starts_with([')', ']', '}']) {
            found = Some(at);
        }
        found.is_none()
    });
    found
}

/// Every letter outside of texts, with how many brackets are open before it, until it is enough.
fn pieces(text: &str, see: &mut dyn FnMut(usize, usize) -> bool) {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(first) = text[at..].chars().next() {
        if !see(at, depth) {
            return;
        }
        match first {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += if matches!(first, '"' | '\'') { quoted(&text[at..], first) } else { first.len_utf8() };
    }
}

fn word(text: &str) -> usize {
    text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len())
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            letter if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use robot::Robot;

    use super::*;
    use crate::Plane;

    #[test]
    fn asked_twice_it_is_the_first() {
        let robot = Robot::builtin("coact-one").expect("our own");
        let mirror = Mirror { robot: &robot, plane: Plane::World, body: None };
        for (text, other) in [
            ("reach_m('right') - 0.1", "reach_m('left') - 0.1"),
            ("effort(side, 'elbow') > 3", "effort(side == 'left' ? 'right' : 'left', 'elbow') > 3"),
            ("joint_deg('neck', 'yaw') * 2", "(-joint_deg('neck', 'yaw')) * 2"),
            ("joint_deg('neck', 'pitch')", "joint_deg('neck', 'pitch')"),
            ("hinge('door') == 'left'", "(hinge('door') == 'left' ? 'right' : 'left') == 'left'"),
            ("in_frame('handle', 'door').y_m", "mirrored(in_frame('handle', 'door')).y_m"),
            ("angle_deg('a', 'b') + angle_deg('a')", "(-angle_deg('a', 'b')) + angle_deg('a')"),
            ("has('left_arm') && has('neck')", "has('right_arm') && has('neck')"),
            ("'reach_m(' + text(1)", "'reach_m(' + text(1)"),
        ] {
            assert_eq!(turned(text, &mirror), other);
            assert_eq!(turned(other, &mirror), text);
        }
    }
}
