use std::sync::Arc;

use expression::{Expression, ExpressionError, Names, Slot};
use model::{Field, NodeId, NodeRef};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A setting that names a variable of the own scope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variable {
    name: Arc<str>,
    slot: Option<Slot>,
}

/// A setting that names a token.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Token {
    name: Arc<str>,
    number: Option<u32>,
}

/// A setting that refers to a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    text: Arc<str>,
    found: Option<(u32, NodeId)>,
}

impl Variable {
    pub fn named(name: &str) -> Variable {
        Variable { name: name.into(), slot: None }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn slot(&self) -> Option<Slot> {
        self.slot
    }
}

impl Token {
    pub fn named(name: &str) -> Token {
        Token { name: name.into(), number: None }
    }

    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    pub(crate) fn number(&self) -> Option<u32> {
        self.number
    }
}

impl Target {
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn found(&self) -> Option<(u32, NodeId)> {
        self.found
    }
}

macro_rules! text_setting {
    ($type:ident, $field:ident, $format:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.$field)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let text = String::deserialize(deserializer)?;
                Ok($type { $field: text.into(), ..$type::default() })
            }
        }

        impl JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({"type": "string", "format": $format})
            }
        }
    };
}

text_setting!(Variable, name, "variable");
text_setting!(Token, name, "token");
text_setting!(Target, text, "node");

/// Receives everything in a node's settings that has a meaning outside of them. The engine answers by resolving it,
/// the checker by noting it.
pub trait Resolver: Names {
    fn writes(&mut self, name: &str) -> Option<Slot>;
    /// A reference written at the node in `field`.
    fn target(&mut self, field: &str, text: &str) -> Option<(u32, NodeId)>;
    fn expression_error(&mut self, field: &str, text: &str, error: ExpressionError);
    /// Binds, sharing the parse of equal texts.
    fn bind(&mut self, expression: &mut Expression) -> Result<(), ExpressionError>;
}

/// Handed to a node type so that it can name each expression, variable, token and reference among its settings.
pub struct Binder<'a> {
    resolver: &'a mut dyn Resolver,
}

impl<'a> Binder<'a> {
    pub fn new(resolver: &'a mut dyn Resolver) -> Binder<'a> {
        Binder { resolver }
    }

    /// An empty expression stays unbound: the type treats it as left out.
    pub fn expression(&mut self, field: &str, expression: &mut Expression) {
        if expression.is_empty() {
            return;
        }
        if let Err(error) = self.resolver.bind(expression) {
            self.resolver.expression_error(field, expression.text(), error);
        }
    }

    pub fn writes(&mut self, variable: &mut Variable) {
        if !variable.name.is_empty() {
            variable.slot = self.resolver.writes(&variable.name);
        }
    }

    pub fn token(&mut self, token: &mut Token) {
        token.number = Some(self.resolver.token(&token.name));
    }

    pub fn target(&mut self, field: &str, target: &mut Target) {
        if !target.text.is_empty() {
            target.found = self.resolver.target(field, &target.text);
        }
    }
}

/// The reference a node's field holds, if it holds one.
pub fn reference_in<'a>(node: &'a model::Node, field: &str) -> Option<&'a NodeRef> {
    match node.fields.get(field)? {
        Field::Ref(reference) => Some(reference),
        _ => None,
    }
}
