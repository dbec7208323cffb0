use schemars::JsonSchema;
use serde_json::Value as Json;

use crate::FieldInfo;

/// The schema of a settings type and its fields in order.
pub(crate) fn fields_of<T: JsonSchema>() -> (Json, Vec<FieldInfo>) {
    let schema = schemars::schema_for!(T).to_value();
    (schema, Vec::new())
}
