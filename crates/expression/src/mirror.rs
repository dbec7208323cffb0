//! What functions ask of the robot and of what is around it, asked on the other side.

use crate::Query;
use crate::function::find;
use crate::tokens::{Shape, Token, tokens};

#[allow(missing_debug_implementations, reason = "a closure is in it")]
pub struct There<'a> {
    /// What a part or a posture of the robot is called there.
    pub named: &'a dyn Fn(&str) -> String,
    /// All objects are on the other side too.
    pub objects: bool,
}

/// Put around what is turned; what has it around already has it no longer.
type Wrap = [&'static str; 2];

const SIDE: Wrap = ["(", " == 'left' ? 'right' : 'left')"];
const POSE: Wrap = ["mirrored(", ")"];
const SIGN: Wrap = ["(-", ")"];

/// An expression whose questions are asked on the other side. `named` is what something of the robot is called there.
/// Frames are left as they are.
pub fn asked_on_the_other_side(text: &str, there: &There<'_>) -> String {
    let found = tokens(text);
    let mut out = String::with_capacity(text.len());
    let (mut done, mut at) = (0, 0);
    while at < found.len() {
        let Some(call) = Call::at(&found, at, text) else {
            at += 1;
            continue;
        };
        out.push_str(&text[done..call.begin]);
        done = push(&mut out, &call.turned(text, there), call.wrap(there), (text, call.end));
        at = call.behind;
    }
    out.push_str(&text[done..]);
    out
}

/// Gives where the text goes on.
fn push(out: &mut String, piece: &str, wrap: Option<Wrap>, (text, end): (&str, usize)) -> usize {
    let Some([before, behind]) = wrap else {
        out.push_str(piece);
        return end;
    };
    if out.ends_with(before) && text[end..].starts_with(behind) {
        out.truncate(out.len() - before.len());
        out.push_str(piece);
        return end + behind.len();
    }
    out.extend([before, piece, behind]);
    end
}

/// A call of a function that asks.
struct Call<'t> {
    query: Query,
    begin: usize,
    end: usize,
    /// The token behind it.
    behind: usize,
    /// From where to where each thing is that it takes.
    takes: Vec<[usize; 2]>,
    constants: Vec<Option<&'t str>>,
}

impl<'t> Call<'t> {
    fn at(found: &[Token<'t>], at: usize, text: &'t str) -> Option<Call<'t>> {
        let place = |token: &Token<'_>| token.text.as_ptr() as usize - text.as_ptr() as usize;
        let word = found.get(at).filter(|token| token.shape == Shape::Word)?;
        let is_member = at.checked_sub(1).and_then(|before| found.get(before)).is_some_and(|token| token.is("."));
        let query = find(word.text).and_then(crate::Function::query).filter(|_| !is_member)?;
        found.get(at + 1).filter(|token| token.is("("))?;
        let (mut depth, mut first) = (1, at + 2);
        let mut call = Call { query, begin: place(word), end: 0, behind: 0, takes: Vec::new(), constants: Vec::new() };
        for (index, token) in found.iter().enumerate().skip(first) {
            let is_symbol = token.shape == Shape::Symbol;
            match token.text {
                "(" | "[" | "{" if is_symbol => depth += 1,
                ")" | "]" | "}" if is_symbol => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && token.is(",")) {
                if index > first {
                    let last = &found[index - 1];
                    call.takes.push([place(&found[first]), place(last) + last.text.len()]);
                    let is_constant = index == first + 1 && last.shape == Shape::Text && last.text.len() >= 2;
                    call.constants.push(is_constant.then(|| &last.text[1..last.text.len() - 1]));
                }
                first = index + 1;
            }
            if depth == 0 {
                (call.end, call.behind) = (place(token) + 1, index + 1);
                return Some(call);
            }
        }
        None
    }

    fn constant(&self, at: usize) -> Option<&'t str> {
        self.constants.get(at).copied().flatten()
    }

    fn is_of_the_middle(&self) -> bool {
        matches!(self.constant(0), Some("spine" | "neck"))
    }

    /// The name of the function and all it takes.
    fn turned(&self, text: &str, there: &There<'_>) -> String {
        let mut out = String::new();
        let mut done = self.begin;
        for (index, [begin, end]) in self.takes.iter().copied().enumerate() {
            out.push_str(&text[done..begin]);
            let taken = &text[begin..end];
            let is_side = index == 0 && self.query.takes_side() && !self.is_of_the_middle();
            let is_pose = there.objects && index == 0 && self.query == Query::InFrame && self.takes.len() == 3;
            match self.constant(index) {
                Some("left") if is_side => out.push_str("'right'"),
                Some("right") if is_side => out.push_str("'left'"),
                Some(name) if self.query == Query::Has => {
                    let other = (there.named)(name);
                    out.push_str(&if other == name { taken.to_owned() } else { format!("'{other}'") });
                }
                Some(_) => out.push_str(taken),
                None => {
                    let inner = asked_on_the_other_side(taken, there);
                    let wrap = if is_side { Some(SIDE) } else { is_pose.then_some(POSE) };
                    out.push_str(&wrapped(&inner, wrap));
                }
            }
            done = end;
        }
        out.push_str(&text[done..self.end]);
        out
    }

    fn wrap(&self, there: &There<'_>) -> Option<Wrap> {
        match self.query {
            Query::Hinge if there.objects => Some(SIDE),
            Query::InFrame if there.objects => Some(POSE),
            Query::Angle if there.objects && self.takes.len() == 2 => Some(SIGN),
            Query::Effort | Query::JointAngle if self.is_of_the_middle() => {
                matches!(self.constant(1), Some("yaw" | "roll")).then_some(SIGN)
            }
            _ => None,
        }
    }
}

fn wrapped(text: &str, wrap: Option<Wrap>) -> String {
    let Some([before, behind]) = wrap else { return text.to_owned() };
    match text.strip_prefix(before).and_then(|inner| inner.strip_suffix(behind)) {
        Some(inner) if is_one(inner) => inner.to_owned(),
        _ => format!("{before}{text}{behind}"),
    }
}

/// What is open in it is closed in it.
fn is_one(text: &str) -> bool {
    let mut depth = 0_i32;
    let symbols = tokens(text).into_iter().filter(|token| token.shape == Shape::Symbol);
    for token in symbols {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(text: &str) -> String {
        let named = |name: &str| match name {
            "left_arm" => "right_arm".to_owned(),
            "right_arm" => "left_arm".to_owned(),
            other => other.to_owned(),
        };
        asked_on_the_other_side(text, &There { named: &named, objects: true })
    }

    #[test]
    fn questions_are_asked_on_the_other_side() {
        for (here, there) in [
            ("effort('right', 'elbow') > 3", "effort('left', 'elbow') > 3"),
            ("effort('spine', 'yaw') + 1", "(-effort('spine', 'yaw')) + 1"),
            ("joint_deg('neck', 'pitch')", "joint_deg('neck', 'pitch')"),
            ("hinge('door') == 'left'", "(hinge('door') == 'left' ? 'right' : 'left') == 'left'"),
            ("in_frame('hand', 'door').y_m", "mirrored(in_frame('hand', 'door')).y_m"),
            ("in_frame(goal, 'a', 'b')", "mirrored(in_frame(mirrored(goal), 'a', 'b'))"),
            ("reach_m(side) / 2", "reach_m((side == 'left' ? 'right' : 'left')) / 2"),
            ("has('left_arm') && has('neck')", "has('right_arm') && has('neck')"),
            ("angle_deg('door') + angle_deg('a', 'b')", "angle_deg('door') + (-angle_deg('a', 'b'))"),
            ("size('door').width_m * height_m('door')", "size('door').width_m * height_m('door')"),
            (
                "in_frame(pose(1, hand_force_n('left')), 'a', 'b')",
                "mirrored(in_frame(mirrored(pose(1, hand_force_n('right'))), 'a', 'b'))",
            ),
            ("text('hinge(')", "text('hinge(')"),
        ] {
            assert_eq!(turned(here), there);
            assert_eq!(turned(there), here, "twice is as it was");
        }
    }

    #[test]
    fn what_is_no_expression_is_left() {
        for text in ["hinge(", "hinge('a'", ")(", "reach_m(,)", "in_frame('é', \"", "x.hinge('a')"] {
            turned(text);
        }
    }
}
