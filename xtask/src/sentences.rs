//! Nothing decides by reading a sentence: what a program must know of what happened is a type, and words are for people.
//!
//! Looked for is text of two words or more in `==`, in the patterns of a `match`, and in what asks whether a text has
//! another in it. Tests may read sentences.

use std::path::Path;

use anyhow::{Context, Result};
use syn::visit::{self, Visit};

use crate::words::tracked_files;

/// Where others give nothing but sentences, or names of two words.
const ALLOWED: &[(&str, &str)] = &[
    ("crates/expression/src/diagnose.rs", "the parser of `cel` tells its errors as sentences only"),
    ("crates/nodes/src/thesis.rs", "names of frames in the files of others have spaces"),
];

const ASKING: &[&str] = &[
    "contains",
    "ends_with",
    "eq",
    "find",
    "matches",
    "rfind",
    "split",
    "split_once",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
    "trim_start_matches",
];

pub fn run(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in tracked_files(root)?.into_iter().filter(|path| is_shipped(path)) {
        let Ok(text) = std::fs::read_to_string(root.join(&path)) else { continue };
        let found = sentences_in(&text).with_context(|| format!("{path} cannot be read as Rust"))?;
        problems.extend(found.into_iter().map(|(line, literal)| {
            format!("{path}:{line}: decides by the words {literal:?}: make what it asks for a type")
        }));
    }
    Ok(problems)
}

fn is_shipped(path: &str) -> bool {
    let is_source = path.ends_with(".rs") && path.contains("/src/") && !path.ends_with("_tests.rs");
    is_source && !ALLOWED.iter().any(|(allowed, _)| path == *allowed)
}

/// Line and text of each.
fn sentences_in(text: &str) -> Result<Vec<(usize, String)>> {
    let mut seen = Seen(Vec::new());
    seen.visit_file(&syn::parse_file(text)?);
    Ok(seen.0)
}

struct Seen(Vec<(usize, String)>);

impl Seen {
    fn judge(&mut self, literal: &syn::LitStr) {
        let text = literal.value();
        if text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count() > 1 {
            self.0.push((literal.span().start().line, text));
        }
    }

    fn judge_expression(&mut self, expression: &syn::Expr) {
        match expression {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(literal), .. }) => self.judge(literal),
            syn::Expr::Reference(inner) => self.judge_expression(&inner.expr),
            syn::Expr::Unary(inner) => self.judge_expression(&inner.expr),
            syn::Expr::Paren(inner) => self.judge_expression(&inner.expr),
            syn::Expr::Array(list) => list.elems.iter().for_each(|element| self.judge_expression(element)),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Seen {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if ASKING.iter().any(|name| call.method == name) {
            call.args.iter().for_each(|argument| self.judge_expression(argument));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if matches!(binary.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_)) {
            self.judge_expression(&binary.left);
            self.judge_expression(&binary.right);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_pat(&mut self, pattern: &'ast syn::Pat) {
        if let syn::Pat::Lit(syn::ExprLit { lit: syn::Lit::Str(literal), .. }) = pattern {
            self.judge(literal);
        }
        visit::visit_pat(self, pattern);
    }

    /// `matches!(text, "a b")` is a match too, though only the compiler knows what a macro means.
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        if called.path.is_ident("matches") {
            let parse = |input: syn::parse::ParseStream<'_>| {
                input.parse::<syn::Expr>()?;
                input.parse::<syn::Token![,]>()?;
                let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
                input.parse::<proc_macro2::TokenStream>()?;
                Ok(pattern)
            };
            if let Ok(pattern) = called.parse_body_with(parse) {
                self.visit_pat(&pattern);
            }
        }
        visit::visit_macro(self, called);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        syn::Meta::NameValue(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        sentences_in(text).expect("it is Rust").into_iter().map(|(_, literal)| literal).collect()
    }

    #[test]
    fn every_way_to_read_a_sentence_is_found() {
        for code in [
            r#"text.starts_with("the run ended")"#,
            r#"text == "the run ended""#,
            r#""the run ended" != &*text"#,
            r#"match text { "one" | "the run ended" => 1, _ => 2 }"#,
            r#"matches!(text, "the run ended")"#,
            r#"list.contains(&"the run ended")"#,
            r#"if let Some("the run ended") = text {}"#,
        ] {
            assert_eq!(found(&format!("fn a() {{ {code}; }}")), ["the run ended"], "{code}");
        }
    }

    #[test]
    fn words_symbols_and_tests_pass() {
        let code = r#"fn a() { text.strip_prefix("Bearer "); text == "stopped"; text.find(". "); say("the run ended"); }
            #[test] fn b() { text == "the run ended"; }
            #[cfg(test)] mod tests { fn c() { text == "the run ended"; } }"#;
        assert_eq!(found(code), Vec::<String>::new());
    }
}
