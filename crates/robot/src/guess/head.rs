//! The head: what a neck moves, in the middle, above the arms.

use super::Found;
use super::body::Body;
use super::frames::level;
use super::limbs::Limbs;
use super::told::Confidence;

/// A longer chain is no neck.
const MOST_NECK_JOINTS: usize = 4;
const BEYOND: [&str; 8] = ["eye", "jaw", "brow", "lid", "cam", "mouth", "ear", "tongue"];

pub(super) fn head(body: &Body, arms: &Limbs) -> Found {
    let in_arms = |link: usize| arms.roots.iter().any(|shoulder| body.is_below(link, *shoulder));
    let above: Vec<usize> = body.subtree(arms.trunk).into_iter().filter(|link| !in_arms(*link)).collect();
    let aside_m = 0.04 * body.height_m() + 0.01;
    let in_the_middle = |link: &usize| (body.at_m(*link).y - body.middle_y_m).abs() < aside_m;
    let joints = |link: usize| body.moving_between(arms.trunk, link).len();
    let is_called = |link: &usize| body.is_called(*link, &["head"]);
    // A neck goes up, in the middle, and is no eye.
    let is_neck = |link: &usize| {
        (1..=MOST_NECK_JOINTS).contains(&joints(*link))
            && body.moves(*link) == 1
            && in_the_middle(link)
            && body.at_m(*link).z > body.at_m(arms.roots[0]).z - 0.1 * body.height_m()
            && !body.is_called(*link, &BEYOND)
    };
    let necks: Vec<usize> = above.iter().copied().filter(is_neck).collect();
    let named = necks.iter().copied().filter(is_called).max_by_key(|link| joints(*link));
    let others: Vec<usize> = necks.iter().copied().chain(above.iter().copied().filter(is_called)).take(8).collect();
    let found = |link: usize, reason: String, confidence| Found {
        frame: level(body, link),
        reason,
        confidence,
        others: others.iter().copied().filter(|other| *other != link).collect(),
    };
    if let Some(head) = named {
        return found(head, "a neck moves it, and it is called so".to_owned(), Confidence::Sure);
    }
    // A link of that name may be fixed to what the neck moves.
    let piece = above.iter().find(|link| is_called(link) && necks.contains(&body.piece_of(**link)));
    if let Some(head) = piece.map(|link| body.piece_of(*link)) {
        return found(head, "a neck moves it, and what is fixed to it is called so".to_owned(), Confidence::Sure);
    }
    if let Some(head) = necks.iter().copied().max_by_key(|link| joints(*link)) {
        return found(
            head,
            "what the longest chain in the middle moves; nothing is called a head".to_owned(),
            Confidence::Likely,
        );
    }
    let fixed = above.iter().copied().find(|link| is_called(link) && joints(*link) == 0);
    if let Some(head) = fixed {
        return found(head, "called so, and fixed to the chest: there is no neck".to_owned(), Confidence::Likely);
    }
    found(
        arms.trunk,
        "nothing above the arms moves or is called a head: the chest stands for it".to_owned(),
        Confidence::Doubtful,
    )
}
