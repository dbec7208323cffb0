//! What each kind of message is, for whoever reads the file without us.

use serde_json::json;

use crate::container::Schema;
use crate::depth;
use crate::foxglove;
use crate::topic;

/// The schema, and the encoding of the messages.
pub fn of(topic: &str) -> (Schema, &'static str) {
    let published = match topic {
        topic::JOINTS => Some("foxglove.JointStates"),
        topic::BASE => Some("foxglove.PoseInFrame"),
        topic::SCENE => Some("foxglove.SceneUpdate"),
        topic::LOG => Some("foxglove.Log"),
        _ if topic.starts_with(topic::PICTURES) => Some("foxglove.CompressedImage"),
        _ if topic.starts_with(topic::CLOUDS) || topic.starts_with(topic::WHOLE_CLOUDS) => Some("foxglove.PointCloud"),
        _ => None,
    };
    if let Some(name) = published {
        let data = foxglove::descriptor(name).to_vec();
        return (Schema { name: name.to_owned(), encoding: "protobuf".to_owned(), data }, "protobuf");
    }
    if topic.starts_with(topic::DEPTHS) {
        let data = depth::DESCRIPTION.as_bytes().to_vec();
        return (Schema { name: "coact.Depth".to_owned(), encoding: "x-text".to_owned(), data }, "x-coact-depth");
    }
    let (name, schema) = own(topic);
    let data = serde_json::to_vec(&schema).unwrap_or_default();
    (Schema { name: name.to_owned(), encoding: "jsonschema".to_owned(), data }, "json")
}

fn own(topic: &str) -> (&'static str, serde_json::Value) {
    let tick = json!({"type": "integer", "minimum": 0, "description": "Of the engine, from 1."});
    let time = json!({"type": "integer", "description": "Nanoseconds of the engine's clock."});
    let list = || json!({"type": "array", "items": {"type": "object"}});
    let object = |title: &str, properties: serde_json::Value, required: &[&str]| {
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, "type": "object",
            "properties": properties, "required": required})
    };
    match topic {
        topic::BEGIN => (
            "coact.Begin",
            object(
                "All that an engine begins with",
                json!({"form": {"type": "integer"}, "program": {"type": "string"}, "seed": {"type": "integer"},
                    "rate_hz": {"type": "number"}, "files": list(), "began_unix_ms": {"type": "integer"}}),
                &["form", "program", "seed", "rate_hz", "files", "began_unix_ms"],
            ),
        ),
        topic::INPUT => (
            "coact.Input",
            object(
                "All that reached a tick; joints are in the message of /joints of the same time",
                json!({"tick": tick, "input": {"type": "object", "properties": {"time_ns": time}, "required": ["time_ns"]},
                    "clouds": list(), "idle": {"type": "integer", "minimum": 0}}),
                &["tick", "input"],
            ),
        ),
        topic::TRACE => (
            "coact.Trace",
            object(
                "What a tick did",
                json!({"tick": tick, "time_ns": time, "did": {"type": "array",
                    "items": {"type": "object", "properties": {"is": {"type": "string"}}, "required": ["is"]}}}),
                &["tick", "time_ns", "did"],
            ),
        ),
        topic::SEEN | topic::KEYFRAME => (
            "coact.Seen",
            object(
                "What people are told of the run, as far as it is new; in /coact/keyframe all of it",
                json!({"tick": tick, "time_ns": time, "happenings": list(), "run": {"type": "object"},
                    "details": list(), "variables": list(), "objects": list(), "detections": list(),
                    "solids": list(), "outlines": list(), "marks": {"type": "object"}}),
                &["tick", "time_ns"],
            ),
        ),
        topic::MARK => (
            "coact.Mark",
            object(
                "A moment that somebody marked",
                json!({"at_s": {"type": "number"}, "by": {"type": "string"}, "text": {"type": "string"}}),
                &["at_s", "by", "text"],
            ),
        ),
        _ => (
            "coact.Aside",
            object(
                "What somebody did beside the run: commands with who gave them, the link, warnings",
                json!({"is": {"type": "string"}}),
                &["is"],
            ),
        ),
    }
}
