use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use cel::common::ast::IdedExpr;
use cel::parser::PrattParser;

use crate::ExpressionError;
use crate::diagnose::diagnose;
use crate::tokens::{Shape, tokens};

/// Longer texts are refused before they are parsed: this bounds time and stack on any input.
pub const MAX_CHARACTERS: usize = 2000;

pub(crate) fn parse(text: &str) -> Result<IdedExpr, ExpressionError> {
    // Bytes first, so that a huge text is not counted.
    if text.len() > 4 * MAX_CHARACTERS || text.chars().count() > MAX_CHARACTERS {
        return Err(ExpressionError::new(
            MAX_CHARACTERS + 1,
            format!("the expression is longer than {MAX_CHARACTERS} characters: split it over variables"),
        ));
    }
    PrattParser::new().parse(&with_own_has(text)).map_err(|errors| diagnose(text, &errors.errors))
}

const HAS: &str = "has";
/// As long as the word it stands for, so that columns stay.
const NO_MACRO: &str = "__h";

/// `has` is a macro of the parser, which takes nothing but a key of a map. Ours asks the robot.
fn with_own_has(text: &str) -> Cow<'_, str> {
    if !text.contains(HAS) {
        return Cow::Borrowed(text);
    }
    let pieces = tokens(text);
    let mut changed = String::with_capacity(text.len());
    let mut rest = text;
    for pair in pieces.windows(2) {
        let [word, bracket] = pair else { continue };
        if word.shape != Shape::Word || word.text != HAS || !bracket.is("(") {
            continue;
        }
        let behind = text.char_indices().nth(word.last_column()).map_or("", |(at, _)| &text[at..]);
        let Some(before) = rest.get(..rest.len() - behind.len() - HAS.len()) else { continue };
        changed.push_str(before);
        changed.push_str(NO_MACRO);
        rest = behind;
    }
    changed.push_str(rest);
    Cow::Owned(changed)
}

/// The name of a function as its author wrote it.
pub(crate) fn as_written(name: &str) -> &str {
    if name == NO_MACRO { HAS } else { name }
}

/// Parsed texts, so that binding one text many times parses it once.
#[derive(Debug, Default)]
pub struct Cache {
    parsed: BTreeMap<Arc<str>, Result<Arc<IdedExpr>, ExpressionError>>,
}

impl Cache {
    pub fn new() -> Cache {
        Cache::default()
    }

    pub(crate) fn parse(&mut self, text: &Arc<str>) -> Result<Arc<IdedExpr>, ExpressionError> {
        if let Some(known) = self.parsed.get(text) {
            return known.clone();
        }
        let parsed = parse(text).map(Arc::new);
        self.parsed.insert(text.clone(), parsed.clone());
        parsed
    }
}

#[cfg(test)]
mod tests {
    use cel::parser::Parser;
    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use crate::compile::compile;
    use crate::{Names, Slot};

    struct Any;

    impl Names for Any {
        fn variable(&mut self, name: &str) -> Option<Slot> {
            (!name.contains('.')).then_some(Slot(0))
        }

        fn token(&mut self, _: &str) -> u32 {
            0
        }

        fn node(&mut self, _: &str) -> Option<u32> {
            Some(0)
        }
    }

    const OPERANDS: &[&str] =
        &["a", "b.c", "1", "2.5", "'t'", "[a, 1]", "{'k': a}", "(a", "(", "a)", "1)", "abs(a)", "a[0].k", "size(", ""];
    const OPERATORS: &[&str] =
        &["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||", "in", "? a :", "?", ":", "+ -", "&& !", ", ", ""];

    /// Mostly well-formed, with few brackets, so that precedence decides.
    fn texts() -> impl Strategy<Value = String> {
        let usual = |list: &'static [&'static str], often: usize| prop_oneof![9 => prop::sample::select(&list[..often]), 1 => prop::sample::select(list)];
        prop::collection::vec((usual(OPERANDS, 7), usual(OPERATORS, 13)), 1..9)
            .prop_map(|pairs| pairs.into_iter().flat_map(|(operand, operator)| [operand, operator]).collect::<Vec<_>>())
            .prop_map(|mut pieces| {
                pieces.pop();
                pieces.join(" ")
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("proptest-regressions"))), ..ProptestConfig::default() })]

        /// The fast parser is the younger one: what it makes of a text is what the grammar of CEL makes of it.
        #[test]
        fn both_parsers_of_cel_agree(text in texts()) {
            // The fast one also takes `!-a`, which no value makes sense of.
            prop_assume!(!text.replace(' ', "").contains("!-"));
            let ours = super::parse(&text);
            let theirs = Parser::new().parse(&text);
            prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{}", text);
            if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
                prop_assert_eq!(compile(&text, &ours, &mut Any), compile(&text, &theirs, &mut Any), "{}", text);
            }
        }
    }
}
