//! Values go whole into one datagram: what is too long for it is said shorter.

use std::sync::Arc;

use protocol::talk::{Detail, Presence, SceneAt, pack};

/// None: however short, it does not fit.
pub fn fit_detail(detail: &Detail, max_bytes: usize) -> Option<Vec<u8>> {
    let mut detail = detail.clone();
    loop {
        let bytes = pack(&detail);
        let over = bytes.len().saturating_sub(max_bytes);
        if over == 0 {
            return Some(bytes);
        }
        if !shorten(&mut detail, over) {
            return None;
        }
    }
}

/// False: nothing is left that could go.
fn shorten(detail: &mut Detail, over: usize) -> bool {
    match detail {
        Detail::Variable { value: Some(value), .. } => {
            let note = serde_json::Value::String(format!("… ({} bytes)", value.len())).to_string();
            let fits = value.len() > note.len();
            *value = note;
            fits
        }
        Detail::Token { holder: Some(holder), .. } => cut(holder, over),
        // That something is held must be told; why, as far as there is room.
        Detail::Track { at: Some(at), .. } => {
            let reasons = at.held.iter_mut().map(|held| &mut held.reason);
            let shorter = std::iter::once(&mut at.waits).chain(reasons).any(|text| cut(text, over));
            shorter || cut_name(&mut at.added_by, over) || at.held.pop().is_some()
        }
        // The options are among the settings of the step, which everybody has.
        Detail::Question { asked: Some(asked), .. } => {
            cut(&mut asked.text, over) || asked.options.pop().is_some() || asked.parts.pop().is_some()
        }
        Detail::Run(run) => run.breakpoints.pop().is_some() || run.locks.pop().is_some(),
        Detail::Variable { value: None, .. }
        | Detail::Token { holder: None, .. }
        | Detail::Track { at: None, .. }
        | Detail::Question { asked: None, .. }
        | Detail::Measured { .. }
        | Detail::Late(_) => false,
    }
}

fn cut_name(name: &mut Option<std::sync::Arc<str>>, over: usize) -> bool {
    let Some(long) = name else { return false };
    let mut text = long.to_string();
    let shorter = cut(&mut text, over);
    *name = Some(text.into());
    shorter
}

fn cut(text: &mut String, over: usize) -> bool {
    const DOTS: &str = "…";
    if text.len() <= DOTS.len() {
        return false;
    }
    let keep = text.len().saturating_sub(over + DOTS.len());
    let keep = (0..=keep).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.truncate(keep);
    text.push_str(DOTS);
    true
}

fn shorter(text: &Arc<str>) -> Arc<str> {
    let count = text.chars().count();
    text.chars().take(count / 2).collect::<String>().into()
}

/// None: however short, it does not fit.
pub fn fit_thing(thing: &SceneAt, max_bytes: usize) -> Option<Vec<u8>> {
    let mut thing = thing.clone();
    loop {
        let bytes = pack(&thing);
        if bytes.len() <= max_bytes {
            return Some(bytes);
        }
        if !say_less(&mut thing) {
            return None;
        }
    }
}

/// False: nothing is left that could go.
fn say_less(thing: &mut SceneAt) -> bool {
    let half = |name: &mut Arc<str>| {
        *name = shorter(name);
        true
    };
    match thing {
        // The name is what it is found by, so it goes last.
        SceneAt::Object(object) => object.class.take().is_some() || !object.name.is_empty() && half(&mut object.name),
        SceneAt::Detection(detection) => detection
            .at
            .as_mut()
            .is_some_and(|at| at.seen_in.take().is_some() || !at.class.is_empty() && half(&mut at.class)),
        SceneAt::Solid(solid) => !solid.name.is_empty() && half(&mut solid.name),
        SceneAt::Outline(outline) => !outline.name.is_empty() && half(&mut outline.name),
    }
}

pub fn fit_presence(presence: &Presence, max_bytes: usize) -> Vec<u8> {
    let mut presence = presence.clone();
    while pack(&presence).len() > max_bytes && !presence.name.is_empty() {
        presence.name = shorter(&presence.name);
    }
    pack(&presence)
}

#[cfg(test)]
mod tests {
    use protocol::talk::{
        AnswerKind, AskedOf, Held, HeldBy, ObjectAt, OutlineAt, Question, RunDetail, TrackAt, unpack,
    };

    use super::*;

    /// Of a datagram on the narrow line.
    const ROOM: usize = 99;

    #[test]
    fn what_is_too_long_is_said_shorter_and_can_be_read() {
        let long = "überlang ".repeat(40);
        let details = [
            Detail::Variable { of: Some(0), name: "list".into(), value: Some(format!("\"{long}\"")) },
            Detail::Token { name: "door".into(), holder: Some(long.clone()) },
            Detail::Track {
                branch: 0,
                owner: None,
                at: Some(TrackAt {
                    next: Some(7),
                    automatic: true,
                    waits: long.clone(),
                    kept_next: Some(8),
                    added_by: Some(long.as_str().into()),
                    held: vec![Held { step: 7, by: HeldBy::Outcome, reason: long.clone() }],
                }),
            },
            Detail::Question {
                step: 3,
                asked: Some(Question {
                    text: long.clone(),
                    options: vec![long.clone(); 3],
                    kind: AnswerKind::Choice,
                    class: None,
                    of: AskedOf::Anybody,
                    team_role: String::new(),
                    parts: Vec::new(),
                }),
            },
            Detail::Run(RunDetail { breakpoints: (0..100).collect(), ..RunDetail::default() }),
        ];
        for detail in details {
            let bytes = fit_detail(&detail, ROOM).unwrap();
            assert!(bytes.len() <= ROOM);
            let read: Detail = unpack(&bytes).unwrap();
            assert_eq!(read.key(), detail.key());
            if let Detail::Variable { value: Some(value), .. } = &read {
                let json: serde_json::Value = serde_json::from_str(value).unwrap();
                assert!(json.as_str().unwrap().contains("bytes"), "{json}");
            }
        }
        let short = Detail::Token { name: "door".into(), holder: Some("ana".to_owned()) };
        assert_eq!(unpack::<Detail>(&fit_detail(&short, ROOM).unwrap()), Some(short));
        let name = long.as_str().into();
        assert_eq!(fit_detail(&Detail::Token { name, holder: None }, ROOM), None, "a name is not cut: it is the key");
    }

    #[test]
    fn names_of_people_and_objects_are_cut_at_last() {
        let long: Arc<str> = "n".repeat(300).into();
        let presence =
            Presence { name: Arc::clone(&long), role: protocol::Role::Operator, team_role: None, session: 1, at: None };
        assert!(fit_presence(&presence, ROOM).len() <= ROOM);
        let mug = |class: Option<Arc<str>>| {
            SceneAt::Object(ObjectAt { name: "mug".into(), pose: None, class, stale: false, frozen: false })
        };
        let fitted = fit_thing(&mug(Some(Arc::clone(&long))), ROOM).unwrap();
        assert_eq!(unpack::<SceneAt>(&fitted), Some(mug(None)));
        let corners_m = vec![[0.0; 2]; 64];
        let outline = SceneAt::Outline(OutlineAt { number: 1, world: 0, name: long, obstacle: true, corners_m });
        assert_eq!(fit_thing(&outline, ROOM), None, "half an outline would be another");
    }
}
