//! What the parts of a robot are, guessed from the shape of its tree, so that nobody begins with an empty file.
//!
//! The two mirrored chains that stand on the ground are legs, those of the longest reach beside them are arms; where an arm
//! divides is the hand; between the roots of legs and arms is the spine, and what moves above, in the middle, is the head.

mod body;
mod frames;
mod grips;
mod hands;
mod head;
mod hung;
mod json;
mod limbs;
mod parts;
mod points;
mod posture;
mod proposal;
mod said;
mod told;
mod walking;

use geometry::{Pose, Vector3};

use crate::{Description, Model, Problem, Severity};
use body::Body;
use hands::Palm;
use limbs::Limbs;
use said::{BY_A_PERSON, Said};

pub use proposal::{Proposal, Size};
pub use said::{Corrections, FrameName};
pub use told::{Alternative, Confidence, Guessed, Topic};

/// What could be found; the frames with a place of their own where the links of the URDF do not lie as they should.
#[derive(Clone, Debug, Default)]
pub struct Guess {
    pub pelvis: Option<Found>,
    pub chest: Option<Found>,
    pub head: Option<Found>,
    pub hands: [Option<Found>; 2],
    pub soles: [Option<Found>; 2],
    pub cameras: Vec<usize>,
    pub(crate) palm: Option<Palm>,
    /// What of the soles stands on the ground: length and width.
    pub foot_m: Option<[f64; 2]>,
    /// Why this is no robot of two legs and two arms, as far as it is none.
    pub problems: Vec<Problem>,
}

#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub link: usize,
    /// None: the frame of the link itself.
    pub link_from_frame: Option<Pose>,
}

/// A frame that was found, and what is to be told of it.
#[derive(Clone, Debug)]
pub struct Found {
    pub frame: Frame,
    pub reason: String,
    pub confidence: Confidence,
    /// Links that it might be instead, likeliest first.
    pub others: Vec<usize>,
}

impl Guess {
    /// Of robots that stand with z up; where nothing stands so, another axis may be the one that points up.
    pub fn of(description: &Description, model: &Model) -> Guess {
        Guess::corrected(description, model, &Corrections::default())
    }

    /// The same, where a person has said some of it.
    pub fn corrected(description: &Description, model: &Model, corrections: &Corrections) -> Guess {
        let (said, problems) = Said::of(corrections, description);
        let ways = [Vector3::z(), Vector3::x(), Vector3::y(), -Vector3::x(), -Vector3::y(), -Vector3::z()];
        let mut first = None;
        for up in ways {
            let (guess, stands) = Guess::upright(&Body::of(description, model, up), model, &said);
            if stands {
                first = Some(guess);
                break;
            }
            first.get_or_insert(guess);
        }
        let mut guess = first.unwrap_or_default();
        guess.problems.extend(problems);
        guess
    }

    /// And whether legs and arms were found.
    fn upright(body: &Body, model: &Model, said: &Said) -> (Guess, bool) {
        let mut guess = Guess { cameras: said.cameras.clone().unwrap_or_else(|| cameras(body)), ..Guess::default() };
        let stands = guess.limbs(body, model, said);
        for (name, found) in [
            (FrameName::Pelvis, &mut guess.pelvis),
            (FrameName::Chest, &mut guess.chest),
            (FrameName::Head, &mut guess.head),
        ] {
            if let Some(link) = said.links.get(&name) {
                let before = found.take();
                let others = before.into_iter().flat_map(|found| [vec![found.frame.link], found.others].concat());
                let others = others.filter(|other| other != link).collect();
                let reason = BY_A_PERSON.to_owned();
                let frame = frames::level(body, *link);
                *found = Some(Found { frame, reason, confidence: Confidence::Sure, others });
            }
        }
        (guess, stands)
    }

    /// False: one pair of them is missing.
    fn limbs(&mut self, body: &Body, model: &Model, said: &Said) -> bool {
        let all = Limbs::all(body);
        let said_feet = self.pair(body, said, [FrameName::LeftSole, FrameName::RightSole]);
        let found = limbs::legs(body, &all).map(|(legs, others)| (legs.clone(), others.len()));
        let said_legs = said_feet.and_then(|feet| Limbs::between(body, feet)).map(|legs| (legs, 0));
        let Some((legs, others)) = said_legs.or(found) else {
            self.tell(
                body,
                0,
                "no legs were found: two mirrored chains of three joints or more that go down are looked for",
            );
            return false;
        };
        if others > 0 {
            let message = format!("it stands on {} legs: what walks here has two", 2 + 2 * others);
            self.tell(body, legs.trunk, &message);
        }
        if let Some(wheel) = limbs::wheel(body, &legs) {
            self.tell(body, wheel, "it stands on wheels: what walks here has feet, and what rolls is not driven");
        }
        let feet = said_feet.map_or_else(|| limbs::feet(body, &legs), |feet| feet.map(|foot| body.piece_of(foot)));
        self.pelvis = Some(Found {
            frame: frames::level(body, legs.trunk),
            reason: format!("both legs hang on it, of {} joints each", legs.joints),
            confidence: if legs.joints >= 5 && others == 0 { Confidence::Sure } else { Confidence::Doubtful },
            others: body.upward(legs.trunk).skip(1).take(4).collect(),
        });
        self.soles = frames::soles(body, feet, said_feet).map(Some);
        self.foot_m = frames::footprint(body, feet[0]).map(|print| [print.size_m().x, print.size_m().y]);
        let said_hands = self.pair(body, said, [FrameName::LeftHand, FrameName::RightHand]);
        let said_arms = said_hands.and_then(|hands| Limbs::between(body, hands));
        let Some(arms) = said_arms.or_else(|| limbs::arms(body, &all, &legs).cloned()) else {
            self.tell(
                body,
                legs.trunk,
                "no arms were found: two mirrored chains of three joints or more beside the legs are looked for",
            );
            return false;
        };
        self.chest = Some(Found {
            frame: frames::level(body, arms.trunk),
            reason: format!("both arms hang on it, of {} joints each with their fingers", arms.joints),
            confidence: if arms.joints >= 4 { Confidence::Sure } else { Confidence::Likely },
            others: body.upward(arms.trunk).skip(1).take(4).collect(),
        });
        let wrists = match said_hands {
            Some(hands) => hands.map(|hand| body.piece_of(hand)),
            None => arms.roots.map(|shoulder| hands::wrist(body, shoulder)),
        };
        let (hands, palm) = hands::hands(body, model, wrists, (said_hands, said.palm_turn_rad));
        self.hands = hands.map(Some);
        self.palm = Some(palm);
        self.head = Some(head::head(body, &arms));
        true
    }

    /// What was said of left and right, as links that can be the ends of two limbs.
    fn pair(&mut self, body: &Body, said: &Said, names: [FrameName; 2]) -> Option<[usize; 2]> {
        let pair = said.pair(body, names).unwrap_or_else(|problem| {
            self.problems.push(problem);
            None
        })?;
        if Limbs::between(body, pair).is_none() {
            let [left, right] = pair.map(|link| body.name(link).to_owned());
            self.tell(
                body,
                pair[0],
                &format!("`{left}` and `{right}` are no ends of two limbs: joints move each of them"),
            );
            return None;
        }
        Some(pair)
    }

    fn tell(&mut self, body: &Body, link: usize, message: &str) {
        self.problems.push(Problem {
            severity: Severity::Error,
            file: String::new(),
            line: body.description.links[link].line,
            element: format!("link {}", body.name(link)),
            message: message.to_owned(),
        });
    }

    pub fn frame(&self, name: FrameName) -> Option<&Found> {
        let [left, right] = [0, 1];
        match name {
            FrameName::Pelvis => self.pelvis.as_ref(),
            FrameName::Chest => self.chest.as_ref(),
            FrameName::Head => self.head.as_ref(),
            FrameName::LeftHand => self.hands[left].as_ref(),
            FrameName::RightHand => self.hands[right].as_ref(),
            FrameName::LeftSole => self.soles[left].as_ref(),
            FrameName::RightSole => self.soles[right].as_ref(),
        }
    }
}

/// What makers call theirs.
const CAMERAS: [&str; 8] = ["rgbd", "realsense", "d435", "d455", "kinect", "xtion", "zed_", "stereo"];

/// By name: nothing in the tree tells a camera from a bracket. Optical frames look along z, so others come first.
fn cameras(body: &Body) -> Vec<usize> {
    let all = 0..body.description.links.len();
    let of_a_maker = |link: usize| CAMERAS.iter().any(|word| body.name(link).to_lowercase().contains(word));
    let is_camera = |link: &usize| body.is_called(*link, &["cam"]) || of_a_maker(*link);
    let found = all.filter(|link| is_camera(link) && !body.is_called(*link, &["optical"]));
    let mut ends: Vec<usize> = Vec::new();
    for link in found {
        // A camera is often a bracket, a body and a frame, one on the other.
        if !ends.iter().any(|end| body.is_below(link, *end)) {
            ends.push(link);
        }
    }
    ends
}
