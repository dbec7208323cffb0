//! Who comes: their token, their name, and which of their windows this is.

use protocol::Role;
use protocol::api::{Answer, Failure, FailureCode, Push, VERSION, Welcome};
use protocol::talk::SessionNumber;
use sha2::{Digest, Sha256};

use crate::operator::{Effect, Operator, TAKEN_UP, failure};
use crate::people::person_name;
use crate::session::SessionId;

/// People in this process, a window each; so many places more are for supervisors alone.
pub const MOST_SESSIONS: usize = 64;
pub const FOR_SUPERVISORS: usize = 8;
/// Windows of one person: nobody fills the house alone.
pub const MOST_WINDOWS: usize = 16;

/// Secrets of sessions: nobody guesses 16 letters.
const LEAST_SECRET: usize = 16;
const MOST_SECRET: usize = 128;

pub(crate) struct Hello {
    pub version: u32,
    pub token: Option<String>,
    pub name: Option<String>,
    pub team_role: Option<String>,
    pub session: Option<String>,
}

impl Operator {
    /// Makes the secrets of sessions unguessable: at random, once a process.
    pub fn seed_sessions(&mut self, seed: [u8; 32]) {
        self.session_seed = seed;
    }

    pub(crate) fn hello(&mut self, from: SessionId, hello: Hello) -> Result<Answer, Failure> {
        if hello.version != VERSION {
            return Err(failure(FailureCode::OtherVersion, other_version(hello.version)));
        }
        let Some(session) = self.sessions.get(&from) else { return Ok(Answer::Done) };
        if session.person.is_some() {
            return Err(failure(FailureCode::BadRequest, "hello was said already: connect anew to be somebody else"));
        }
        let bulk = session.bulk;
        let (name, role) = self.who_is(from, hello.token.as_deref(), hello.name.as_deref())?;
        let secret = match hello.session {
            None => self.new_secret(),
            Some(secret) if (LEAST_SECRET..=MOST_SECRET).contains(&secret.len()) => secret,
            Some(_) => return Err(failure(FailureCode::BadRequest, "this is no secret of a session: leave it out")),
        };
        let number = session_number(&name, &secret);
        if !bulk {
            self.take_up(from, number);
        }
        self.has_place(&name, role, bulk)?;
        if let Some(session) = self.sessions.get_mut(&from) {
            session.team_role = hello.team_role.as_deref().and_then(person_name).map(Into::into);
        }
        self.comes(from, (&name, role), number);
        let robot = self.overview.as_ref().map(|overview| overview.name.to_string());
        let robot = robot.or_else(|| self.robot.as_ref().map(|robot| robot.robot.name.clone()));
        let simulated = self.overview.as_ref().map(|overview| overview.simulated);
        let simulated = simulated.or(self.setup.simulated.then_some(true));
        Ok(Answer::Welcome(Welcome {
            version: VERSION,
            name,
            role,
            robot,
            simulated,
            session: secret,
            process: self.process(),
            resets: self.overview.as_ref().is_some_and(|overview| overview.resets),
            scenes: self.setup.scenes.clone(),
            workshop: self.setup.workshop.as_ref().map(|workshop| workshop.state).unwrap_or_default(),
        }))
    }

    fn who_is(&mut self, from: SessionId, token: Option<&str>, name: Option<&str>) -> Result<(String, Role), Failure> {
        let loopback = self.sessions.get(&from).is_some_and(|session| session.loopback);
        match token.map(|token| self.setup.tokens.find(token)) {
            Some(Some(known)) => Ok(known),
            Some(None) => {
                if let Some(session) = self.sessions.get_mut(&from) {
                    session.wrong_token = true;
                }
                Err(failure(FailureCode::NotAllowed, "this token is not known here"))
            }
            None if loopback && self.setup.tokens.is_empty() => {
                let wanted = name.and_then(person_name);
                Ok((wanted.unwrap_or_else(|| "operator".to_owned()), Role::Supervisor))
            }
            None => Err(failure(FailureCode::NotAllowed, "a token is needed: hello with the token you were given")),
        }
    }

    fn process(&self) -> String {
        let hash = Sha256::new().chain_update(b"name of the process").chain_update(self.session_seed).finalize();
        hex::encode(&hash[..8])
    }

    fn new_secret(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(b"secret of a session");
        hash.update(self.session_seed);
        hash.update(self.last_session.to_le_bytes());
        hex::encode(hash.finalize())
    }

    /// A page that was loaded again, or whose socket broke unnoticed, goes on as it was: the older socket goes. So does
    /// that of a window which was doubled with all that it had; it comes back as another.
    fn take_up(&mut self, from: SessionId, number: SessionNumber) {
        let is_older = |(id, session): &(&SessionId, &crate::session::Session)| {
            **id != from && session.is_here() && session.number == number
        };
        let older: Vec<SessionId> = self.sessions.iter().filter(is_older).map(|(id, _)| *id).collect();
        for id in older {
            self.close_with(id, TAKEN_UP, "this session goes on in another window");
        }
    }

    fn has_place(&self, name: &str, role: Role, bulk: bool) -> Result<(), Failure> {
        let here = self.sessions.values().filter(|session| session.bulk == bulk);
        let names: Vec<&str> = here.filter_map(|session| session.person.as_ref()).map(|(name, _)| &**name).collect();
        if names.iter().filter(|each| **each == name).count() >= MOST_WINDOWS {
            let text = format!("you are connected {MOST_WINDOWS} times: close some windows");
            return Err(failure(FailureCode::TooMany, text));
        }
        let most = if role >= Role::Supervisor { MOST_SESSIONS + FOR_SUPERVISORS } else { MOST_SESSIONS };
        if names.len() >= most {
            return Err(failure(FailureCode::TooMany, "too many people are connected: try again later"));
        }
        Ok(())
    }

    fn comes(&mut self, from: SessionId, (name, role): (&str, Role), number: SessionNumber) {
        // The same for a session that comes back, so that its last word counts; no two here share one.
        let mut presence_key = (number as u32) ^ (number >> 32) as u32;
        while self.sessions.values().any(|session| session.is_here() && session.presence_key == presence_key) {
            presence_key = presence_key.wrapping_add(1);
        }
        let Some(session) = self.sessions.get_mut(&from) else { return };
        session.person = Some((name.to_owned(), role));
        session.number = number;
        session.presence_key = presence_key;
        let bulk = session.bulk;
        if !bulk {
            session.due.people = true;
            session.due.link = true;
            session.due.run = true;
            session.due.delivery = true;
            self.present(from);
            self.everyone(|due| due.people = true);
            self.audit(format!("{name} came as {role:?}"));
        }
        self.effects.push(Effect::Welcome(from));
        if let Some(text) = self.look_only().filter(|_| !bulk) {
            self.push(from, &Push::Notice { text, node: None });
        }
        let untold = if bulk { Vec::new() } else { self.untold.take_for(name) };
        for (text, node) in untold {
            self.push(from, &Push::Notice { text, node });
        }
    }
}

/// What somebody is told whose page or program does not fit this process.
fn other_version(theirs: u32) -> String {
    let mend = if theirs < VERSION { "reload the page, or update the client" } else { "update the operator process" };
    format!("this operator process speaks version {VERSION}, the page or client version {theirs}: {mend}")
}

/// Made of name and secret: who knows neither secret cannot be that session, and it is the same in every operator process.
fn session_number(name: &str, secret: &str) -> SessionNumber {
    let mut hash = Sha256::new();
    for part in ["session of", name, secret] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let hash: [u8; 32] = hash.finalize().into();
    let (first, _) = hash.split_first_chunk::<8>().expect("32 bytes are more than 8");
    u64::from_le_bytes(*first).max(1)
}
