//! Expressions that are none, and conditions that are neither true nor false.

use model::Value;

use crate::behavior::{Behavior, File};
use crate::report::{Report, field, node};

pub fn check(_: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    for wrong in &file.facts.wrong {
        let message = format!(
            "the expression `{}` is wrong at column {}: {}",
            shown(&wrong.text),
            wrong.error.column,
            wrong.error.message
        );
        report.error(file, field(wrong.at, &wrong.field), message, "mend the expression there");
    }
    for (at, name, message) in &file.facts.wrong_values {
        report.error(file, field(*at, name), message.clone(), "mend the expression there");
    }
    for (at, name, message) in &file.facts.unfit {
        report.error(
            file,
            field(*at, name),
            message.clone(),
            "give it what it needs: see the units at the end of names",
        );
    }
    for (at, text, message) in &file.facts.unanswered {
        let place = file.tree.field_saying(*at, text).unwrap_or("condition");
        report.error(file, field(*at, place), message.clone(), "name another, or take another robot");
    }
    for (at, name, text) in &file.facts.not_conditions {
        not_a_condition(file, *at, name, text, report);
    }
    for at in file.tree.all() {
        for name in file.tree.entry(at).into_iter().flat_map(|entry| entry.conditions) {
            let Some(condition) = file.tree.expression(at, name) else { continue };
            if condition.constant().is_some_and(|value| !matches!(value, Value::Bool(_))) {
                not_a_condition(file, at, name, condition.text(), report);
            }
        }
    }
    let mut unreadable: Vec<_> = file.facts.unreadable.iter().collect();
    unreadable.sort_unstable();
    for (at, why) in unreadable {
        // A value of the wrong form is reported by loading, in better words.
        if !report.is_broken(file, *at) {
            report.error(
                file,
                node(*at),
                format!("its settings cannot be read: {why}"),
                "mend or leave out what is wrong",
            );
        }
    }
}

fn not_a_condition(file: &File<'_>, at: u32, name: &str, text: &str, report: &mut Report<'_>) {
    let message = format!("the condition `{}` is a value that is neither true nor false", shown(text));
    report.error(file, field(at, name), message, "write a comparison, such as `count < 3`");
}

fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
