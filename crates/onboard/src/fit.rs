//! Values go whole into one datagram: what is too long for it is said shorter.

use std::sync::Arc;

use protocol::talk::{Detail, ObjectAt, Presence, pack};

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
        Detail::Track { at: Some(at), .. } => cut(&mut at.waits, over),
        // The options are among the settings of the step, which everybody has.
        Detail::Question { asked: Some(asked), .. } => cut(&mut asked.text, over) || asked.options.pop().is_some(),
        Detail::Run(run) => run.breakpoints.pop().is_some() || run.locks.pop().is_some(),
        Detail::Variable { value: None, .. }
        | Detail::Token { holder: None, .. }
        | Detail::Track { at: None, .. }
        | Detail::Question { asked: None, .. }
        | Detail::Measured { .. } => false,
    }
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

pub fn fit_object(object: &ObjectAt, max_bytes: usize) -> Vec<u8> {
    let mut object = object.clone();
    while pack(&object).len() > max_bytes && (object.class.take().is_some() || !object.name.is_empty()) {
        if object.class.is_none() {
            object.name = shorter(&object.name);
        }
    }
    pack(&object)
}

pub fn fit_presence(presence: &Presence, max_bytes: usize) -> Vec<u8> {
    let mut presence = presence.clone();
    while pack(&presence).len() > max_bytes && !presence.name.is_empty() {
        presence.name = shorter(&presence.name);
    }
    pack(&presence)
}
