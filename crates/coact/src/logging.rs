//! What the long-lived processes log, for whoever looks after their machine: lines on standard error. A library says an
//! event; this decides whether and how it is written.

use std::fmt::{self, Write as _};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, anyhow};
use clap::ValueEnum;
use serde_json::{Map, Value as Json};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::out::complain;

#[derive(clap::Args, Clone, Debug)]
pub struct LogArgs {
    /// How events are logged on standard error. Which: the environment variable COACT_LOG, else RUST_LOG, as
    /// `info,link=debug`; without them `info`.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log_format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A line that reads.
    Text,
    /// A line of JSON each.
    Json,
}

impl LogArgs {
    /// Once, before the first event.
    pub fn begin(&self) -> Result<()> {
        let filter = filter(|name| std::env::var(name).ok())?;
        let lines = Lines { format: self.log_format, write: complain };
        let subscriber = tracing_subscriber::registry().with(lines.with_filter(filter));
        // Tests of this program start it several times in one process.
        let _ = tracing::subscriber::set_global_default(subscriber);
        Ok(())
    }
}

fn filter(variable: impl Fn(&str) -> Option<String>) -> Result<Targets> {
    let given = ["COACT_LOG", "RUST_LOG"].into_iter().find_map(|name| Some((name, variable(name)?)));
    let Some((name, text)) = given.filter(|(_, text)| !text.trim().is_empty()) else { return Ok(ours()) };
    text.parse().map_err(|error| anyhow!("{name}: {error}: write levels as `info,link=debug`"))
}

/// What libraries say is asked for by name.
fn ours() -> Targets {
    ["robot", "operator"].into_iter().fold(Targets::new(), |all, target| all.with_target(target, tracing::Level::INFO))
}

struct Lines<W> {
    format: Format,
    write: W,
}

impl<S: Subscriber, W: Fn(&str) + 'static> Layer<S> for Lines<W> {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let metadata = event.metadata();
        let line = match self.format {
            Format::Text => {
                let rest = fields.rest.iter().fold(String::new(), |mut rest, (name, value)| {
                    let _ = write!(rest, " {name}={value}");
                    rest
                });
                format!("{}: {}{rest}", metadata.target(), fields.message)
            }
            Format::Json => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let mut line = Map::new();
                line.insert("time_unix_ms".into(), Json::from(u64::try_from(since.as_millis()).unwrap_or(u64::MAX)));
                line.insert("level".into(), metadata.level().as_str().to_lowercase().into());
                line.insert("target".into(), metadata.target().into());
                line.insert("message".into(), fields.message.into());
                line.extend(fields.rest);
                Json::Object(line).to_string()
            }
        };
        (self.write)(&line);
    }
}

#[derive(Default)]
struct Fields {
    message: String,
    rest: Map<String, Json>,
}

impl Fields {
    fn put(&mut self, field: &Field, value: Json) {
        self.rest.insert(field.name().to_owned(), value);
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let text = format!("{value:?}");
        if field.name() == "message" {
            self.message = text;
        } else {
            self.put(field, text.into());
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    fn logged(format: Format, filter: Targets, say: impl FnOnce()) -> Vec<String> {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&lines);
        let write = move |line: &str| kept.lock().unwrap().push(line.to_owned());
        let subscriber = tracing_subscriber::registry().with(Lines { format, write }.with_filter(filter));
        tracing::subscriber::with_default(subscriber, say);
        lines.lock().unwrap().clone()
    }

    fn say() {
        tracing::info!(target: "operator", count = 3, "somebody \"came\"\nand went");
        tracing::debug!(target: "robot", "detail");
        tracing::warn!(target: "loro", "of a library");
    }

    #[test]
    fn text_is_what_it_always_was_with_the_fields_behind() {
        let lines = logged(Format::Text, ours(), say);
        assert_eq!(lines, ["operator: somebody \"came\"\nand went count=3"]);
    }

    #[test]
    fn each_event_is_one_line_of_json() {
        let lines = logged(Format::Json, "debug".parse().unwrap(), say);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| !line.contains('\n')));
        let mut first: Json = serde_json::from_str(&lines[0]).unwrap();
        assert!(first["time_unix_ms"].take().as_u64().is_some());
        let message = "somebody \"came\"\nand went";
        let wanted = serde_json::json!({
            "time_unix_ms": null, "level": "info", "target": "operator", "message": message, "count": 3,
        });
        assert_eq!(first, wanted);
    }

    #[test]
    fn which_events_is_said_by_the_environment() {
        let of = |coact: Option<&str>, rust: Option<&str>| {
            let values =
                [("COACT_LOG", coact), ("RUST_LOG", rust)].map(|(name, value)| (name, value.map(str::to_owned)));
            filter(|name| values.iter().find(|(own, _)| *own == name)?.1.clone())
        };
        assert_eq!(logged(Format::Text, of(None, None).unwrap(), say).len(), 1);
        assert_eq!(logged(Format::Text, of(None, Some("robot=debug")).unwrap(), say), ["robot: detail"]);
        assert_eq!(logged(Format::Text, of(Some("error"), Some("debug")).unwrap(), say).len(), 0);
        assert!(of(Some("robot=loud"), None).unwrap_err().to_string().contains("COACT_LOG"));
    }
}
