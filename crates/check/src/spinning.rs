//! Jumps back in no time: the engine makes them once a tick.

use crate::behavior::{Behavior, File};
use crate::report::{Report, node};

/// A goto back over steps that all end in the tick they start in.
pub fn check(_: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    let (tree, tracks) = (&file.tree, &file.tracks);
    for track in &tracks.tracks {
        // How many steps up to each place take time.
        let mut slow = vec![0_u32];
        for step in &track.steps {
            slow.push(slow[slow.len() - 1] + u32::from(!file.flow(*step).instant));
        }
        for (pos, step) in track.steps.iter().enumerate() {
            let Some(Some(target)) = tree.jumps_to(*step) else { continue };
            let to = tracks.pos(target);
            let same_track = tracks.track_of(target) == tracks.track_of(*step);
            if same_track && to <= pos && slow[pos + 1] == slow[to] {
                let message =
                    format!("no time passes between `{}` and this goto, so it goes once a tick", tree.label(target));
                report.warning(file, node(*step), message, "put a wait, or an action that takes time, before the goto");
            }
        }
    }
}
