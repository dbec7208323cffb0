//! Who is not in control starts nothing by an edit.

mod by_hand;
mod comes_to_rest;
mod freed;
mod what_is_held;
