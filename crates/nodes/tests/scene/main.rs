//! Steps that use what is seen, on a simulated robot whose camera sees what the script puts there.

mod actions;
mod asked;
mod author;
mod by_hand;
mod conditions;
mod found;
mod preview;
mod replay;
mod thesis;
