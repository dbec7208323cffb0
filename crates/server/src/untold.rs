//! What people should know and nobody was there to be told: kept for those who come.

use std::collections::VecDeque;

use model::NodeId;

/// Beyond it the oldest go.
const MOST: usize = 200;

type Text = (String, Option<NodeId>);

#[derive(Debug, Default)]
pub struct Untold(VecDeque<(Option<String>, Text)>);

impl Untold {
    /// For one person, or for whoever comes first.
    pub fn keep(&mut self, who: Option<&str>, text: Text) {
        if self.0.len() >= MOST {
            self.0.pop_front();
        }
        self.0.push_back((who.map(str::to_owned), text));
    }

    /// The oldest first.
    pub fn take_for(&mut self, name: &str) -> Vec<Text> {
        let is_for = |who: &Option<String>| who.as_deref().is_none_or(|who| who == name);
        let (due, rest) = std::mem::take(&mut self.0).into_iter().partition(|(who, _)| is_for(who));
        self.0 = rest;
        let due: VecDeque<(Option<String>, Text)> = due;
        due.into_iter().map(|(_, text)| text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_told_once_to_whom_it_is_for() {
        let mut untold = Untold::default();
        untold.keep(None, ("for all".to_owned(), Some(NodeId(1))));
        untold.keep(Some("Ann"), ("for Ann".to_owned(), None));
        untold.keep(Some("Bob"), ("for Bob".to_owned(), None));
        let texts = |untold: &mut Untold, name| -> Vec<String> {
            untold.take_for(name).into_iter().map(|(text, _)| text).collect()
        };
        assert_eq!(texts(&mut untold, "Ann"), ["for all", "for Ann"]);
        assert_eq!(texts(&mut untold, "Ann"), Vec::<String>::new());
        assert_eq!(texts(&mut untold, "Bob"), ["for Bob"]);
        (0..2 * MOST).for_each(|number| untold.keep(None, (number.to_string(), None)));
        assert_eq!(texts(&mut untold, "Bob").first(), Some(&MOST.to_string()), "the newest are kept");
    }
}
