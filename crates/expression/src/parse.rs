use std::collections::BTreeMap;
use std::sync::Arc;

use cel::common::ast::IdedExpr;
use cel::parser::PrattParser;

use crate::ExpressionError;
use crate::diagnose::diagnose;

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
    PrattParser::new().parse(text).map_err(|errors| diagnose(text, &errors.errors))
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
