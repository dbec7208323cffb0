//! Ends that are authored for previews, where they are not asked for.

use crate::behavior::{Behavior, File};
use crate::report::{Report, field};

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    let senses = |kind: &str| behavior.registry.get(kind).is_some_and(|entry| entry.info.declared.senses);
    for at in file.tree.all() {
        let kind = &file.tree.node(at).kind;
        if file.tree.common(at).preview.is_some() && !senses(kind) {
            let message = format!("how a `{kind}` ends in a preview is computed: this is never asked for");
            report.error(file, field(at, "preview"), message, "take `preview` out");
        }
    }
}
