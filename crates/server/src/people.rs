//! Who may be here: tokens with names and roles, and what each role may do.

use std::path::{Path, PathBuf};

use engine::Control;
use protocol::Role;
use protocol::api::{Ask, Failure, FailureCode};
pub use protocol::person_name;
use sha2::{Digest, Sha256};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum TokensError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{path}, line {line}: {problem}")]
    Line { path: PathBuf, line: usize, problem: String },
}

/// The people who may connect. A line each: the SHA-256 of their token in hexadecimal digits, their role, their name.
#[derive(Clone, Debug, Default)]
pub struct Tokens(Vec<Token>);

#[derive(Clone, Debug)]
struct Token {
    hash: [u8; 32],
    role: Role,
    name: String,
}

impl Tokens {
    pub fn load(path: &Path) -> Result<Tokens, TokensError> {
        let text = std::fs::read_to_string(path).map_err(|source| TokensError::Io { path: path.to_owned(), source })?;
        Tokens::parse(&text).map_err(|(line, problem)| TokensError::Line { path: path.to_owned(), line, problem })
    }

    /// The error has the number of the line.
    pub fn parse(text: &str) -> Result<Tokens, (usize, String)> {
        let mut tokens: Vec<Token> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let wrong = |problem: &str| (index + 1, problem.to_owned());
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(hash) = words.next() else { continue };
            let hash =
                unhex(hash).ok_or_else(|| wrong("it begins with the SHA-256 of a token, 64 hexadecimal digits"))?;
            let role = match words.next() {
                Some("observer") => Role::Observer,
                Some("operator") => Role::Operator,
                Some("supervisor") => Role::Supervisor,
                _ => return Err(wrong("after the hash comes a role: observer, operator or supervisor")),
            };
            let name = person_name(&words.collect::<Vec<_>>().join(" "))
                .ok_or_else(|| wrong("after the role comes a name of up to 40 letters"))?;
            if tokens.iter().any(|token| token.hash == hash || token.name == name) {
                return Err(wrong("a token and a name stand there once"));
            }
            tokens.push(Token { hash, role, name });
        }
        Ok(Tokens(tokens))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Looks at every line whatever the first ones say, so that the time tells nothing.
    pub fn find(&self, token: &str) -> Option<(String, Role)> {
        let hash: [u8; 32] = Sha256::digest(token.as_bytes()).into();
        let same = |token: &&Token| token.hash.iter().zip(&hash).fold(0, |all, (one, other)| all | (one ^ other)) == 0;
        let found: Vec<&Token> = self.0.iter().filter(same).collect();
        found.first().map(|token| (token.name.clone(), token.role))
    }
}

/// The line of a tokens file for a token.
pub fn token_line(token: &str, role: Role, name: &str) -> String {
    let hash = hex::encode(Sha256::digest(token.as_bytes()));
    let role = match role {
        Role::Observer => "observer",
        Role::Operator => "operator",
        Role::Supervisor => "supervisor",
    };
    format!("{hash} {role} {name}\n")
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).ok().map(|()| bytes)
}

/// What a role may ask for. Run control is the robot's to judge.
pub fn may(role: Role, ask: &Ask) -> Result<(), Failure> {
    let least = match ask {
        Ask::Hello { .. }
        | Ask::Files
        | Ask::Copy { .. }
        | Ask::Document
        | Ask::Check
        | Ask::History { .. }
        | Ask::NodeTypes
        | Ask::Evaluate { .. }
        | Ask::Robot
        | Ask::Capabilities { .. }
        | Ask::RobotGuess { .. }
        | Ask::Stop
        | Ask::Watch { .. }
        | Ask::Look { .. }
        | Ask::Preview { .. }
        | Ask::Expected
        | Ask::StartPreview { .. }
        | Ask::PreviewRun { .. }
        | Ask::PreviewSpeed { .. }
        | Ask::EndPreview
        | Ask::Recordings { .. }
        | Ask::OpenRecording { .. }
        | Ask::Moment { .. }
        | Ask::Range { .. }
        | Ask::RecordedPicture { .. }
        | Ask::RecordedCloud { .. }
        | Ask::Compare { .. }
        | Ask::Replay { .. }
        | Ask::WhatIf { .. }
        | Ask::Suites
        | Ask::Trial
        | Ask::Ack
        // Somebody may be asked who else only looks: the robot knows.
        | Ask::Run { control: Control::Answer { .. }, .. }
        | Ask::Presence { .. } => Role::Observer,
        Ask::Open { .. }
        | Ask::New { .. }
        | Ask::Save { .. }
        | Ask::SaveAs { .. }
        | Ask::RenameFile { .. }
        | Ask::DeleteFile { .. }
        | Ask::NewFolder { .. }
        | Ask::WriteRobot { .. }
        | Ask::UseRobot { .. }
        | Ask::Edit { .. }
        | Ask::Undo
        | Ask::Redo
        | Ask::Run { .. }
        | Ask::TakeControl
        | Ask::ResetWorld { .. }
        | Ask::Mark { .. }
        | Ask::Keep { .. }
        | Ask::Synthesize { .. }
        | Ask::StartTrial { .. }
        | Ask::StopTrial
        | Ask::GiveControl { .. } => Role::Operator,
    };
    if role >= least {
        return Ok(());
    }
    let text = "an observer looks and stops, nothing else: ask for a token with the role operator".to_owned();
    Err(Failure { code: FailureCode::NotAllowed, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_gives_a_name_and_a_role() {
        let text = format!("# people\n\n{}", token_line("secret words", Role::Observer, "Ann B"));
        let tokens = Tokens::parse(&text).unwrap();
        assert_eq!(tokens.find("secret words"), Some(("Ann B".to_owned(), Role::Observer)));
        assert_eq!(tokens.find("secret word"), None);
        assert_eq!(tokens.find(""), None);
    }

    #[test]
    fn a_bad_line_is_named() {
        let good = token_line("a", Role::Operator, "Ann");
        let bad = |line: &str| Tokens::parse(&format!("{good}{line}")).unwrap_err();
        assert_eq!(bad("12 operator Bob").0, 2);
        assert!(bad(&good).1.contains("once"));
        assert!(bad(&token_line("b", Role::Operator, "Ann")).1.contains("once"));
        assert!(bad(&token_line("b", Role::Operator, "")).1.contains("name"));
        assert!(bad(&"0".repeat(64)).1.contains("role"));
    }
}
