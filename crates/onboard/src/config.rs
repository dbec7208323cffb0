//! The settings of a robot process, as JSON. All that is wrong with them is told at once.

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::settings::WhenLost;

/// How the link is paced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkMode {
    #[default]
    Wide,
    Narrow,
    /// A narrow channel and bursts of a fast one.
    Finals,
}

impl LinkMode {
    pub fn from_word(word: &str) -> Option<LinkMode> {
        match word {
            "wide" => Some(LinkMode::Wide),
            "narrow" => Some(LinkMode::Narrow),
            "finals" => Some(LinkMode::Finals),
            _ => None,
        }
    }
}

/// What a file or the command line says; what is left out has its default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    pub name: Option<String>,
    pub robot: Option<String>,
    pub world: Option<String>,
    pub behavior: Option<String>,
    /// Files that say what the robot is able to do.
    pub capabilities: Option<Vec<String>>,
    pub listen: Option<String>,
    pub mode: Option<LinkMode>,
    /// Of the fast channel: where it is here, and where the operator has it.
    pub bursts_from: Option<String>,
    pub bursts_to: Option<String>,
    pub keys: Option<PathBuf>,
    pub state: Option<PathBuf>,
    pub rate_hz: Option<f64>,
    pub when_operator_lost: Option<WhenLost>,
    pub hold_manual_after_s: Option<f64>,
    pub free_control_after_s: Option<f64>,
}

impl Config {
    /// Every problem, each with the name of its setting.
    pub fn from_json(text: &str) -> Result<Config, Vec<String>> {
        let json: Value = serde_json::from_str(text).map_err(|error| vec![format!("this is not JSON: {error}")])?;
        let Value::Object(settings) = json else { return Err(vec!["the settings are one JSON object".to_owned()]) };
        let mut reader = Reader { settings, problems: Vec::new() };
        let config = Config {
            name: reader.text("name"),
            robot: reader.text("robot"),
            world: reader.text("world"),
            behavior: reader.text("behavior"),
            capabilities: reader.texts("capabilities"),
            listen: reader.text("listen"),
            mode: reader.word("mode", "wide, narrow or finals", LinkMode::from_word),
            bursts_from: reader.text("bursts_from"),
            bursts_to: reader.text("bursts_to"),
            keys: reader.text("keys").map(PathBuf::from),
            state: reader.text("state").map(PathBuf::from),
            rate_hz: reader.number("rate_hz", 10.0, 1000.0, "Hz"),
            when_operator_lost: reader.word("when_operator_lost", "go_on or stop", |word| match word {
                "go_on" => Some(WhenLost::GoOn),
                "stop" => Some(WhenLost::Stop),
                _ => None,
            }),
            hold_manual_after_s: reader.number("hold_manual_after_s", 0.0, 3600.0, "s"),
            free_control_after_s: reader.number("free_control_after_s", 0.0, 86_400.0, "s"),
        };
        for name in reader.settings.keys() {
            let near = model::file::nearest(name, NAMES.iter().copied());
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            reader.problems.push(format!("`{name}` is no setting of a robot process{near}"));
        }
        if reader.problems.is_empty() { Ok(config) } else { Err(reader.problems) }
    }

    /// What is said here counts more than what the other says.
    pub fn over(self, other: Config) -> Config {
        Config {
            name: self.name.or(other.name),
            robot: self.robot.or(other.robot),
            world: self.world.or(other.world),
            behavior: self.behavior.or(other.behavior),
            capabilities: self.capabilities.or(other.capabilities),
            listen: self.listen.or(other.listen),
            mode: self.mode.or(other.mode),
            bursts_from: self.bursts_from.or(other.bursts_from),
            bursts_to: self.bursts_to.or(other.bursts_to),
            keys: self.keys.or(other.keys),
            state: self.state.or(other.state),
            rate_hz: self.rate_hz.or(other.rate_hz),
            when_operator_lost: self.when_operator_lost.or(other.when_operator_lost),
            hold_manual_after_s: self.hold_manual_after_s.or(other.hold_manual_after_s),
            free_control_after_s: self.free_control_after_s.or(other.free_control_after_s),
        }
    }
}

const NAMES: [&str; 15] = [
    "name",
    "robot",
    "world",
    "behavior",
    "capabilities",
    "listen",
    "mode",
    "bursts_from",
    "bursts_to",
    "keys",
    "state",
    "rate_hz",
    "when_operator_lost",
    "hold_manual_after_s",
    "free_control_after_s",
];

struct Reader {
    /// Not asked for yet.
    settings: Map<String, Value>,
    problems: Vec<String>,
}

impl Reader {
    fn text(&mut self, name: &str) -> Option<String> {
        match self.settings.remove(name)? {
            Value::String(text) if !text.is_empty() => Some(text),
            _ => {
                self.problems.push(format!("`{name}` is a text, and not an empty one"));
                None
            }
        }
    }

    fn texts(&mut self, name: &str) -> Option<Vec<String>> {
        let texts = serde_json::from_value(self.settings.remove(name)?).ok();
        if texts.is_none() {
            self.problems.push(format!("`{name}` is a list of texts"));
        }
        texts
    }

    fn word<T>(&mut self, name: &str, known: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let value = self.settings.remove(name)?;
        let word = value.as_str().and_then(read);
        if word.is_none() {
            self.problems.push(format!("`{name}` is {known}, not {value}"));
        }
        word
    }

    fn number(&mut self, name: &str, least: f64, most: f64, unit: &str) -> Option<f64> {
        let value = self.settings.remove(name)?;
        let number = value.as_f64().filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.problems.push(format!("`{name}` is a number from {least} to {most} {unit}, not {value}"));
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_read_and_the_command_line_counts_more() {
        let text = r#"{"name": "one", "robot": "coact-one", "world": "w", "behavior": "b.json", "capabilities": ["c.json"], "listen": "127.0.0.1:0",
            "mode": "finals", "bursts_from": "127.0.0.1:1", "bursts_to": "127.0.0.1:2", "keys": "k", "state": "s",
            "rate_hz": 500, "when_operator_lost": "stop", "hold_manual_after_s": 1.5, "free_control_after_s": 20}"#;
        let config = Config::from_json(text).unwrap();
        assert_eq!(config.mode, Some(LinkMode::Finals));
        assert_eq!(config.when_operator_lost, Some(WhenLost::Stop));
        assert_eq!((config.rate_hz, config.hold_manual_after_s), (Some(500.0), Some(1.5)));
        let known: Map<String, Value> = serde_json::from_str(text).unwrap();
        assert_eq!(known.len(), NAMES.len());
        let said = Config { name: Some("two".to_owned()), ..Config::default() };
        let both = said.over(config.clone());
        assert_eq!(both, Config { name: Some("two".to_owned()), ..config });
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let text = r#"{"name": 3, "mode": "slow", "rate_hz": 5, "when_operator_lost": true, "behaviour": "x"}"#;
        let problems = Config::from_json(text).unwrap_err();
        assert_eq!(
            problems,
            [
                "`name` is a text, and not an empty one",
                "`mode` is wide, narrow or finals, not \"slow\"",
                "`rate_hz` is a number from 10 to 1000 Hz, not 5",
                "`when_operator_lost` is go_on or stop, not true",
                "`behaviour` is no setting of a robot process; did you mean `behavior`?",
            ]
        );
        assert_eq!(Config::from_json("[]").unwrap_err(), ["the settings are one JSON object"]);
        assert!(Config::from_json("{").unwrap_err()[0].starts_with("this is not JSON"));
    }
}
