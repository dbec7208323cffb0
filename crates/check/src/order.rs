//! Execute-after settings that cannot be meant.

use crate::behavior::{Behavior, File};
use crate::report::{Report, field};
use crate::tracks::Standing;

pub fn check(_: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    let (tree, tracks) = (&file.tree, &file.tracks);
    for at in tree.all() {
        // What has no steps waits for nothing.
        if tracks.steps(tree, at).is_empty() {
            continue;
        }
        let Some(target) = tree.target(at, "after") else { continue };
        let label = tree.label(target);
        let seen = if target == at { Standing::Itself } else { tracks.see(tree, at, target) };
        let (what, remedy) = match seen {
            Standing::Before(_) => continue,
            Standing::Itself if target == at => {
                ("it executes after itself".to_owned(), "name a step before it, or leave `after` out".to_owned())
            }
            Standing::Itself => (
                format!("it executes after `{label}`, which lies inside it"),
                "name a step before it, or leave `after` out".to_owned(),
            ),
            Standing::Later => (
                format!("it executes after `{label}`, which comes later"),
                format!("move it behind `{label}`, or name a step before it"),
            ),
            Standing::Around => (
                format!("it executes after `{label}`, which runs outside of what this belongs to"),
                "name a step beside it, or set `after` where the outer steps are".to_owned(),
            ),
            Standing::Elsewhere => (
                format!("it executes after `{label}`, which runs in another branch"),
                format!("name a step of its own branch, or wait for `result('{label}')` in a wait_until"),
            ),
        };
        report.error(file, field(at, "after"), format!("{what}; it runs as if it said Previous"), remedy);
    }
}
