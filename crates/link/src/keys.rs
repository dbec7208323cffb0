//! Keys, and the file they live in: one line a key, written by us, added to by hand.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::secure::{Security, public_of};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PublicKey(pub [u8; 32]);

#[derive(Clone)]
pub struct SecretKey([u8; 32]);

impl SecretKey {
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn public(&self) -> PublicKey {
        public_of(&self.0)
    }

    pub(crate) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Secrets end up in logs by being printed.
impl std::fmt::Debug for SecretKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("SecretKey(…)")
    }
}

impl std::fmt::Display for PublicKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&hex::encode(self.0))
    }
}

impl std::fmt::Debug for PublicKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "PublicKey({self})")
    }
}

impl std::str::FromStr for PublicKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        unhex(text).map(Self).ok_or("a key is 64 hexadecimal digits")
    }
}

#[derive(Debug, Error)]
pub enum KeyFileError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("{path}, line {line}: {problem}")]
    Line { path: PathBuf, line: usize, problem: &'static str },
    #[error("{path}: no `secret` line; make a new file, or add the line of the old one")]
    NoSecret { path: PathBuf },
    #[error("{path}: others can read this secret: chmod 600 {path}")]
    Readable { path: PathBuf },
    #[error("the operating system gives no randomness: {0}")]
    Randomness(getrandom::Error),
}

/// How much whoever has a key may do, whatever the people behind it are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    Observer,
    Operator,
    Supervisor,
}

impl Rank {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "observer" => Some(Self::Observer),
            "operator" => Some(Self::Operator),
            "supervisor" => Some(Self::Supervisor),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    pub key: PublicKey,
    pub name: String,
    pub rank: Rank,
}

/// `secret <hex>` and any number of `allow <hex> <name> <rank>`; `#` begins a comment.
#[derive(Debug, Clone)]
pub struct KeyFile {
    pub secret: SecretKey,
    pub allowed: Vec<Allowed>,
}

impl KeyFile {
    /// A new secret in a new file that only its owner can read. A file that is there stays as it is.
    pub fn generate(path: &Path) -> Result<Self, KeyFileError> {
        let secret = SecretKey(random().map_err(KeyFileError::Randomness)?);
        let text = format!(
            "# Keys of a Coact link. Keep the secret; give the public key to the other side.\n\
             # public {}\nsecret {}\n# Who may connect: allow <public key> <name> observer|operator|supervisor\n",
            secret.public(),
            hex::encode(secret.0)
        );
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let io = |source| KeyFileError::Io { path: path.to_owned(), source };
        let mut file = options.open(path).map_err(io)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(io)?;
        Ok(Self { secret, allowed: Vec::new() })
    }

    pub fn load(path: &Path) -> Result<Self, KeyFileError> {
        let io = |source| KeyFileError::Io { path: path.to_owned(), source };
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).map_err(io)?.permissions());
            if mode & 0o077 != 0 {
                return Err(KeyFileError::Readable { path: path.to_owned() });
            }
        }
        Self::parse(&std::fs::read_to_string(path).map_err(io)?, path)
    }

    /// As [`KeyFile::load`], from a text.
    pub fn parse(text: &str, path: &Path) -> Result<Self, KeyFileError> {
        let mut secret = None;
        let mut allowed = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let mut words = line.split_whitespace();
            let Some(verb) = words.next() else { continue };
            let error = |problem| KeyFileError::Line { path: path.to_owned(), line: index + 1, problem };
            let key = words.next().and_then(unhex).ok_or_else(|| error("a key is 64 hexadecimal digits"))?;
            match verb {
                "secret" if secret.is_some() => return Err(error("a second secret; keep one")),
                "secret" => secret = Some(SecretKey(key)),
                "allow" => allowed.push(allow(PublicKey(key), words.collect()).map_err(error)?),
                _ => return Err(error("a line begins with `secret` or `allow`")),
            }
        }
        let secret = secret.ok_or_else(|| KeyFileError::NoSecret { path: path.to_owned() })?;
        Ok(Self { secret, allowed })
    }

    pub fn security(&self) -> Security {
        Security::Sealed {
            secret: self.secret.clone(),
            peers: self.allowed.iter().map(|allowed| allowed.key).collect(),
        }
    }

    /// For the side that connects: this robot and no other.
    pub fn security_towards(&self, robot: PublicKey) -> Security {
        Security::Sealed { secret: self.secret.clone(), peers: vec![robot] }
    }
}

/// A slip in the rank must not give more than was meant, so it cannot be left out.
fn allow(key: PublicKey, mut words: Vec<&str>) -> Result<Allowed, &'static str> {
    let rank = words.pop().and_then(Rank::from_word);
    let rank = rank.ok_or("end the line with what the key may do: observer, operator or supervisor")?;
    Ok(Allowed { key, name: words.join(" "), rank })
}

/// From the operating system, for keys and seeds.
pub fn random() -> Result<[u8; 32], getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).ok().map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_once_and_read_again() {
        let folder = std::env::temp_dir().join(format!("coact-link-keys-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("keys");
        let made = KeyFile::generate(&path).unwrap();
        assert_eq!(KeyFile::load(&path).unwrap().secret.public(), made.secret.public());
        assert!(matches!(KeyFile::generate(&path), Err(KeyFileError::Io { .. })), "an old secret must survive");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
            assert!(matches!(KeyFile::load(&path), Err(KeyFileError::Readable { .. })));
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_bad_line_is_named() {
        let parse = |text: &str| KeyFile::parse(text, Path::new("keys")).map(|file| file.allowed.len());
        let secret = format!("secret {}\n", "07".repeat(32));
        let friend = SecretKey([9; 32]).public();
        let lines = format!("{secret}allow {friend} the bench supervisor\nallow {friend} observer # nameless\n");
        let allowed = KeyFile::parse(&lines, Path::new("keys")).unwrap().allowed;
        let read: Vec<(&str, Rank)> = allowed.iter().map(|each| (each.name.as_str(), each.rank)).collect();
        assert_eq!(read, [("the bench", Rank::Supervisor), ("", Rank::Observer)]);
        for slip in ["", " the bench", " the bench obsever"] {
            let told = parse(&format!("{secret}allow {friend}{slip}\n")).unwrap_err().to_string();
            assert!(told.contains("line 2: end the line with what the key may do"), "{told}");
        }
        assert_eq!(
            parse(&format!("{secret}allow 12\n")).unwrap_err().to_string(),
            "keys, line 2: a key is 64 hexadecimal digits"
        );
        assert!(parse("# nothing\n").unwrap_err().to_string().contains("no `secret` line"));
    }

    #[test]
    fn a_secret_does_not_print_itself() {
        assert_eq!(format!("{:?}", SecretKey([7; 32])), "SecretKey(…)");
    }
}
