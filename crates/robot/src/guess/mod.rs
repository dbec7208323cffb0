//! What the parts of a robot are, guessed from the shape of its tree, so that nobody begins with an empty file.
//!
//! The two mirrored chains that stand on the ground are legs, those of the longest reach beside them are arms; where an arm
//! divides is the hand; between the roots of legs and arms is the spine, and what moves above, in the middle, is the head.

mod body;
mod frames;
mod grips;
mod hands;
mod head;
mod json;
mod limbs;
mod points;
mod posture;
mod proposal;
mod told;
mod walking;

use geometry::{Pose, Vector3};

use crate::{Description, Model, Problem, Severity, Side};
use body::Body;
use limbs::Limbs;

pub use proposal::{Proposal, Size};
pub use told::{Alternative, Confidence, Guessed};

/// What could be found; the frames with a place of their own where the links of the URDF do not lie as they should.
#[derive(Clone, Debug, Default)]
pub struct Guess {
    pub pelvis: Option<Found>,
    pub chest: Option<Found>,
    pub head: Option<Found>,
    pub hands: [Option<Found>; 2],
    pub soles: [Option<Found>; 2],
    pub cameras: Vec<usize>,
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
        let ways = [Vector3::z(), Vector3::x(), Vector3::y(), -Vector3::x(), -Vector3::y(), -Vector3::z()];
        let mut first = None;
        for up in ways {
            let guess = Guess::upright(&Body::of(description, model, up), model);
            let stands = guess.head.is_some();
            if stands {
                return guess;
            }
            first.get_or_insert(guess);
        }
        first.unwrap_or_default()
    }

    fn upright(body: &Body, model: &Model) -> Guess {
        let mut guess = Guess { cameras: cameras(body), ..Guess::default() };
        let limbs = Limbs::all(body);
        let Some((legs, others)) = limbs::legs(body, &limbs) else {
            guess.tell(
                body,
                0,
                "no legs were found: two mirrored chains of three joints or more that go down are looked for",
            );
            return guess;
        };
        let others = others.len();
        if others > 0 {
            let message = format!("it stands on {} legs: what walks here has two", 2 + 2 * others);
            guess.tell(body, legs.trunk, &message);
        }
        if let Some(wheel) = limbs::wheel(body, legs) {
            guess.tell(body, wheel, "it stands on wheels: what walks here has feet, and what rolls is not driven");
        }
        let feet = limbs::feet(body, legs);
        guess.pelvis = Some(Found {
            frame: frames::level(body, legs.trunk),
            reason: format!("both legs hang on it, of {} joints each", legs.joints),
            confidence: if legs.joints >= 5 && others == 0 { Confidence::Sure } else { Confidence::Doubtful },
            others: body.upward(legs.trunk).skip(1).take(4).collect(),
        });
        guess.soles = frames::soles(body, feet).map(Some);
        guess.foot_m = frames::footprint(body, feet[0]).map(|print| [print.size_m().x, print.size_m().y]);
        let Some(arms) = limbs::arms(body, &limbs, legs) else {
            guess.tell(
                body,
                legs.trunk,
                "no arms were found: two mirrored chains of three joints or more beside the legs are looked for",
            );
            return guess;
        };
        guess.chest = Some(Found {
            frame: frames::level(body, arms.trunk),
            reason: format!("both arms hang on it, of {} joints each with their fingers", arms.joints),
            confidence: if arms.joints >= 4 { Confidence::Sure } else { Confidence::Likely },
            others: body.upward(arms.trunk).skip(1).take(4).collect(),
        });
        guess.hands = hands::hands(body, model, arms.roots.map(|shoulder| hands::wrist(body, shoulder))).map(Some);
        guess.head = Some(head::head(body, arms));
        guess
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

    pub fn frames(&self) -> [(&'static str, Option<&Found>); 7] {
        let [left, right] = Side::BOTH.map(Side::index);
        [
            ("pelvis", self.pelvis.as_ref()),
            ("chest", self.chest.as_ref()),
            ("head", self.head.as_ref()),
            ("left_hand", self.hands[left].as_ref()),
            ("right_hand", self.hands[right].as_ref()),
            ("left_sole", self.soles[left].as_ref()),
            ("right_sole", self.soles[right].as_ref()),
        ]
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
