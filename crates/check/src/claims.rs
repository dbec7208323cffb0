//! Tokens that cannot be had, and tokens that are kept or given back for nothing.
//!
//! Who gets a token first depends on the run, so only what holds in every run is reported.

use engine::{Fails, Runs};
use model::{ConflictPolicy, Role, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::behavior::{Behavior, File};
use crate::report::{Report, field};
use crate::tree::At;

pub fn check(behavior: &Behavior<'_>, file: &File<'_>, report: &mut Report<'_>) {
    if file.facts.claims.is_empty() && file.facts.relinquishes.is_empty() {
        return;
    }
    let tokens = Tokens::of(file);
    let kept = tokens.check_branches(report);
    tokens.check_relinquished(behavior, report);
    tokens.check_unused(behavior, &kept, report);
}

struct Tokens<'t, 'a> {
    file: &'t File<'a>,
    /// Steps that need the token, in tree order.
    claims: FxHashMap<&'t str, Vec<At>>,
    /// Steps that give the token back.
    relinquished: FxHashMap<&'t str, Vec<At>>,
    reserved_in: FxHashSet<(usize, &'t str)>,
}

/// A step after whose start a token is never free again.
struct Keeper {
    at: At,
    /// Of the branches of the parallel, the one that keeps it.
    branch: At,
    /// It has the token before any step of a later branch can ask.
    at_once: bool,
    reserves: bool,
}

impl<'t, 'a> Tokens<'t, 'a> {
    fn of(file: &'t File<'a>) -> Tokens<'t, 'a> {
        let tree = &file.tree;
        let mut claims: FxHashMap<&str, Vec<At>> = FxHashMap::default();
        let mut relinquished: FxHashMap<&str, Vec<At>> = FxHashMap::default();
        let mut reserved_in = FxHashSet::default();
        for at in tree.all() {
            for token in file.facts.claims.get(&at).into_iter().flatten() {
                claims.entry(token).or_default().push(at);
                if file.facts.reserves.get(&at) == Some(token) {
                    reserved_in.insert((file.tracks.track_of(at), &**token));
                }
            }
            if let Some(token) = file.facts.relinquishes.get(&at) {
                relinquished.entry(token).or_default().push(at);
            }
        }
        Tokens { file, claims, relinquished, reserved_in }
    }

    /// A branch of a parallel that keeps a token for ever, and other branches that need it. Gives the tokens reported.
    fn check_branches(&self, report: &mut Report<'_>) -> FxHashSet<&'t str> {
        let tree = &self.file.tree;
        let mut tokens: Vec<&str> = self.claims.keys().copied().collect();
        tokens.sort_unstable();
        let mut reported = FxHashSet::default();
        for token in tokens {
            let mut told = FxHashSet::default();
            let mut keepers: FxHashMap<At, u32> = FxHashMap::default();
            for at in &self.claims[token] {
                let Some(keeper) = self.keeper(*at, token) else { continue };
                let Some(parallel) = tree.parent(keeper.branch) else { continue };
                // The second keeper tells on the first; more would say the same again.
                let known = keepers.entry(parallel).or_default();
                *known += 1;
                if *known > 2 {
                    continue;
                }
                let inside = tree.span(parallel);
                let own = tree.span(keeper.branch);
                let others = self.claims[token].iter().filter(|at| inside.contains(at) && !own.contains(at));
                for other in others {
                    // An override takes a token from a step, not from a track that has reserved it.
                    let overrides = tree.common(*other).on_conflict == ConflictPolicy::Override && !keeper.reserves;
                    if !overrides && told.insert(*other) {
                        self.report_kept(&keeper, *other, token, report);
                        reported.insert(token);
                    }
                }
            }
        }
        reported
    }

    fn keeper(&self, at: At, token: &str) -> Option<Keeper> {
        let (tree, file) = (&self.file.tree, self.file);
        let reserves = file.facts.reserves.get(&at).is_some_and(|reserved| **reserved == *token);
        if !reserves && !file.flow(at).never_ends {
            return None;
        }
        let branch =
            tree.upward(at).find(|at| tree.parent(*at).is_some_and(|parent| tree.runs(parent) == Some(Runs::All)))?;
        let track = file.tracks.track_of(at);
        // Inside another composite the reservation ends with that composite's track.
        if reserves && (track != file.tracks.track_of(branch) || !self.goes_on_behind(at)) {
            return None;
        }
        // A retry would give the token back in between; a jump may leave what holds it.
        let given_back = self.relinquished.get(token).is_some_and(|all| {
            let first = all.partition_point(|at| *at < branch);
            all.get(first).is_some_and(|at| tree.span(branch).contains(at))
        });
        if reserves && given_back || tree.common(at).retry > 0 || file.jumps.leaves(tree.span(branch)) {
            return None;
        }
        let before = file.tracks.tracks[track].steps.iter().take(file.tracks.pos(at));
        let at_once = track == file.tracks.track_of(branch) && before.into_iter().all(|step| file.flow(*step).instant);
        Some(Keeper { at, branch, at_once, reserves })
    }

    /// Once past this step its track never ends: it comes, in every run, to one that does not.
    fn goes_on_behind(&self, at: At) -> bool {
        let (tree, file) = (&self.file.tree, self.file);
        let track = &file.tracks.tracks[file.tracks.track_of(at)];
        for step in track.steps.iter().skip(file.tracks.pos(at) + 1) {
            let is_in_line = file.tracks.around(tree, *step).all(|up| tree.role(up) == Some(Role::Sequence));
            let flow = file.flow(*step);
            if !is_in_line || flow.fails != Fails::Never && !flow.never_ends || tree.jumps_to(*step).is_some() {
                return false;
            }
            if flow.never_ends {
                return !file.jumps.enters(tree.span(*step).end..tree.len());
            }
            if file.jumps.any_in(tree.span(*step)) {
                return false;
            }
        }
        false
    }

    fn report_kept(&self, keeper: &Keeper, other: At, token: &str, report: &mut Report<'_>) {
        let tree = &self.file.tree;
        let first = keeper.at_once && keeper.at < other;
        let label = tree.label(keeper.at);
        let how = if keeper.reserves {
            format!("reserved by `{label}` in a branch that never ends and never gives it back")
        } else {
            format!("claimed by `{label}`, which never ends")
        };
        let (severity, ends) = match (first, tree.common(other).on_conflict) {
            (true, ConflictPolicy::Fail) => (Severity::Error, "so this always fails"),
            (true, _) => (Severity::Error, "so this waits for ever"),
            (false, ConflictPolicy::Fail) => (Severity::Warning, "so that this then always fails"),
            (false, _) => (Severity::Warning, "so that this then waits for ever"),
        };
        let message = format!("the token `{token}` is {how}, {ends}");
        let remedy = if keeper.reserves {
            format!("relinquish `{token}` in that branch, or let the branch end")
        } else {
            format!("let `{label}` end, or let it claim `{token}` only while it needs it")
        };
        let place =
            self.file.facts.reserves.get(&other).and_then(|token| tree.field_saying(other, token)).unwrap_or("claims");
        report.add(severity, self.file, field(other, place), message, remedy);
    }

    /// Given back, but reserved neither in this track nor in one around it.
    fn check_relinquished(&self, behavior: &Behavior<'_>, report: &mut Report<'_>) {
        let tracks = &self.file.tracks;
        let mut all: Vec<(At, &str)> =
            self.relinquished.iter().flat_map(|(token, all)| all.iter().map(|at| (*at, *token))).collect();
        all.sort_unstable();
        for (at, token) in all {
            let mut track = Some(tracks.track_of(at));
            let mut found = token.is_empty();
            while let Some(index) = track.filter(|_| !found) {
                found = self.reserved_in.contains(&(index, token));
                track = tracks.tracks[index].above;
            }
            // A called node gives back what its caller has reserved, a skill what its user has, and the other way round.
            if found || self.file.jumps.calls(at..at + 1) || behavior.is_claimed_beside(self.file, token, true) {
                continue;
            }
            let message = format!("the token `{token}` is given back, but nothing around this reserves it");
            let remedy = match behavior.nearest(token, || self.reserved()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("reserve `{token}` before it in the same track, or take this out"),
            };
            report.warning(
                self.file,
                field(at, self.file.tree.field_saying(at, token).unwrap_or_default()),
                message,
                remedy,
            );
        }
    }

    fn reserved(&self) -> Vec<&'t str> {
        let mut tokens: Vec<&str> = self.reserved_in.iter().map(|(_, token)| *token).collect();
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    }

    /// Kept for ever, though nobody else wants it.
    fn check_unused(&self, behavior: &Behavior<'_>, reported: &FxHashSet<&str>, report: &mut Report<'_>) {
        let file = self.file;
        for token in self.reserved() {
            let claims = &self.claims[token];
            let [at] = claims.as_slice() else { continue };
            let is_alone = self.file.facts.reserves.contains_key(at) && !self.relinquished.contains_key(token);
            let is_kept = file.is_main() || file.tracks.tracks[file.tracks.track_of(*at)].owner.is_some();
            let goes_on = is_kept && self.goes_on_behind(*at);
            if is_alone && goes_on && !reported.contains(token) && !behavior.is_claimed_beside(file, token, false) {
                let message =
                    format!("the token `{token}` is reserved and never given back, and nothing else asks for it");
                let remedy = format!("relinquish `{token}` when it is no longer needed, or take this out");
                report.warning(file, field(*at, "token"), message, remedy);
            }
        }
    }
}
