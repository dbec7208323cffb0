//! Loops that no time passes in: the engine goes through them once a tick.

use crate::behavior::{Behavior, File};
use crate::flow::Fails;
use crate::jumps::is_jump;
use crate::kinds;
use crate::report::{Report, node};
use crate::tree::At;

const REMEDY: &str = "put a wait, or an action that takes time, into it";

pub fn check(_: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    for at in file.tree.all().filter(|at| file.tree.is(*at, kinds::LOOP)) {
        check_loop(file, at, report);
    }
    check_gotos(file, report);
}

fn check_loop(file: &File<'_>, at: At, report: &mut Report<'_>) {
    let tree = &file.tree;
    if !tree.has_children(at) {
        let message = "the loop has nothing to repeat";
        return report.warning(file, node(at), message, "put steps into it, or take it out");
    }
    if tree.number(at, "count") == Some(1.0) || file.jumps.leaves(tree.span(at)) {
        return;
    }
    let all_instant = tree.children(at).all(|child| file.flow(child).instant);
    let comes_round = tree.children(at).all(|child| file.flow(child).fails != Fails::Always);
    if all_instant && comes_round {
        let message = "no time passes in this loop, so it goes once a tick";
        report.warning(file, node(at), message, REMEDY);
    }
}

/// A goto back over steps that all end in the tick they start in.
fn check_gotos(file: &File<'_>, report: &mut Report<'_>) {
    let (tree, tracks) = (&file.tree, &file.tracks);
    for track in &tracks.tracks {
        // How many steps up to each place take time.
        let mut slow = vec![0_u32];
        for step in &track.steps {
            slow.push(slow[slow.len() - 1] + u32::from(!file.flow(*step).instant));
        }
        for (pos, step) in track.steps.iter().enumerate().filter(|(_, step)| is_jump(tree, **step)) {
            let Some(target) = tree.target(*step, "target") else { continue };
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
