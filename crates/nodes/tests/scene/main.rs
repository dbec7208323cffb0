//! Steps that use what is seen, on a simulated robot whose camera sees what the script puts there.

mod actions;
mod author;
mod conditions;
mod found;
mod replay;
mod thesis;
