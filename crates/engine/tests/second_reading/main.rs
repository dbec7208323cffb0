//! Cases written from the rules of edits, gates and results alone.

mod edits;
mod gates;
mod results;
