use std::collections::BTreeMap;

use geometry::Pose;
use robot::Side;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What is attached to the hands: it moves with them, whatever is seen of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Held {
    by_side: BTreeMap<Side, InHand>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InHand {
    /// Its name in the scene.
    pub object: String,
    #[serde(with = "geometry::exact")]
    pub hand_from_object: Pose,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HeldError {
    #[error("the {} hand has `{object}` attached already: detach it first", side.word())]
    HandFull { side: Side, object: String },
    #[error("`{object}` is attached to the {} hand already: detach it first", side.word())]
    Twice { side: Side, object: String },
    #[error("nothing is attached to the {} hand: attach an object first", side.word())]
    HandEmpty { side: Side },
}

impl Held {
    /// As the object is in the hand now, so it stays.
    pub fn attach(&mut self, side: Side, object: &str, hand_from_object: &Pose) -> Result<(), HeldError> {
        if let Some(in_hand) = self.by_side.get(&side) {
            return Err(HeldError::HandFull { side, object: in_hand.object.clone() });
        }
        if let Some((side, _)) = self.by_side.iter().find(|(_, in_hand)| in_hand.object == object) {
            return Err(HeldError::Twice { side: *side, object: object.to_owned() });
        }
        let in_hand = InHand { object: object.to_owned(), hand_from_object: *hand_from_object };
        self.by_side.insert(side, in_hand);
        Ok(())
    }

    pub fn detach(&mut self, side: Side) -> Result<InHand, HeldError> {
        self.by_side.remove(&side).ok_or(HeldError::HandEmpty { side })
    }

    pub fn in_hand(&self, side: Side) -> Result<&InHand, HeldError> {
        self.by_side.get(&side).ok_or(HeldError::HandEmpty { side })
    }

    /// The hand that has it.
    pub fn side_of(&self, object: &str) -> Option<Side> {
        self.iter().find(|(_, in_hand)| in_hand.object == object).map(|(side, _)| side)
    }

    /// The hand that has it has it otherwise from now on.
    pub fn hold_otherwise(&mut self, object: &str, hand_from_object: &Pose) {
        for in_hand in self.by_side.values_mut().filter(|in_hand| in_hand.object == object) {
            in_hand.hand_from_object = *hand_from_object;
        }
    }

    /// Whatever hand has it.
    pub fn forget(&mut self, object: &str) {
        self.by_side.retain(|_, in_hand| in_hand.object != object);
    }

    pub fn is_empty(&self) -> bool {
        self.by_side.is_empty()
    }

    /// The objects that move with a hand, left first.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &InHand)> {
        self.by_side.iter().map(|(side, in_hand)| (*side, in_hand))
    }
}
