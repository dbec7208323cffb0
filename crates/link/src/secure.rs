//! Who may speak, and keeping everyone else from listening: Noise IK, with packet numbers as nonces.

use snow::params::{CipherChoice, DHChoice, HashChoice, NoiseParams};
use snow::resolvers::{CryptoResolver, DefaultResolver};
use snow::types::{Cipher, Dh, Hash, Random};
use snow::{Builder, HandshakeState, StatelessTransportState};
use thiserror::Error;

pub use crate::keys::PublicKey;
use crate::keys::SecretKey;

const PATTERN: &str = "Noise_IK_25519_ChaChaPoly_BLAKE2s";

/// Both ends must agree on it, or no handshake succeeds.
const PROLOGUE: &[u8] = b"coact link 1";

pub const TAG_BYTES: usize = 16;

/// How a link is protected.
#[derive(Debug, Clone)]
pub enum Security {
    /// Nothing at all. Only for the loopback interface, which the driver sees to.
    Open,
    /// `peers`: who may connect; on the side that connects, the one it connects to.
    Sealed { secret: SecretKey, peers: Vec<PublicKey> },
}

#[derive(Debug, Error)]
pub enum SecurityError {
    #[error("the side that connects needs exactly one key, that of the robot, but has {0}")]
    OnePeer(usize),
    #[error("nobody may connect: the list of allowed keys is empty")]
    NoPeers,
    #[error("the handshake cannot be made: {0}")]
    Noise(#[from] snow::Error),
}

/// Seals and opens with the keys of one session.
pub enum Session {
    Open,
    Sealed(Box<StatelessTransportState>),
}

impl Session {
    /// None: the nonces are used up, which takes longer than any machine lasts.
    pub fn seal(&self, nonce: u64, payload: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Open => Some(payload.to_vec()),
            Self::Sealed(state) => {
                let mut sealed = vec![0; payload.len() + TAG_BYTES];
                let length = state.write_message(nonce, payload, &mut sealed).ok()?;
                sealed.truncate(length);
                Some(sealed)
            }
        }
    }

    pub fn open(&self, nonce: u64, sealed: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Open => Some(sealed.to_vec()),
            Self::Sealed(state) => {
                let mut payload = vec![0; sealed.len()];
                let length = state.read_message(nonce, sealed, &mut payload).ok()?;
                payload.truncate(length);
                Some(payload)
            }
        }
    }
}

/// The half of a handshake that waits for its answer.
pub enum Opening {
    Open,
    Sealed(Box<HandshakeState>),
}

pub struct Accepted {
    pub session: Session,
    pub reply: Vec<u8>,
    pub payload: Vec<u8>,
    pub peer: Option<PublicKey>,
}

pub struct Secure {
    security: Security,
    seed: [u8; 32],
    used: u64,
}

impl Secure {
    pub fn new(security: Security, seed: [u8; 32], connects: bool) -> Result<Self, SecurityError> {
        if let Security::Sealed { peers, .. } = &security {
            if connects && peers.len() != 1 {
                return Err(SecurityError::OnePeer(peers.len()));
            }
            if peers.is_empty() {
                return Err(SecurityError::NoPeers);
            }
        }
        Ok(Self { security, seed, used: 0 })
    }

    /// A number that tells this process from the one before it.
    pub fn instance(&mut self) -> u32 {
        let [a, b, c, d, ..] = self.fresh();
        u32::from_le_bytes([a, b, c, d])
    }

    pub fn is_sealed(&self) -> bool {
        matches!(self.security, Security::Sealed { .. })
    }

    fn fresh(&mut self) -> [u8; 32] {
        self.used += 1;
        blake2s(&self.seed, self.used)
    }

    pub fn open(&mut self, payload: &[u8]) -> Result<(Opening, Vec<u8>), SecurityError> {
        let once = self.fresh();
        match &self.security {
            Security::Open => Ok((Opening::Open, payload.to_vec())),
            Security::Sealed { secret, peers } => {
                let robot = peers.first().ok_or(SecurityError::OnePeer(0))?;
                let mut state = builder(once)?
                    .local_private_key(secret.bytes())?
                    .prologue(PROLOGUE)?
                    .remote_public_key(&robot.0)?
                    .build_initiator()?;
                let mut message = vec![0; payload.len() + 128];
                let length = state.write_message(payload, &mut message)?;
                message.truncate(length);
                Ok((Opening::Sealed(Box::new(state)), message))
            }
        }
    }

    /// None: it is not for us, or from somebody who may not connect.
    pub fn accept(&mut self, message: &[u8], own_payload: &[u8]) -> Option<Accepted> {
        let once = self.fresh();
        match &self.security {
            Security::Open => Some(Accepted {
                session: Session::Open,
                reply: own_payload.to_vec(),
                payload: message.to_vec(),
                peer: None,
            }),
            Security::Sealed { secret, peers } => {
                let builder = builder(once).ok()?.local_private_key(secret.bytes()).ok()?.prologue(PROLOGUE).ok()?;
                let mut state = builder.build_responder().ok()?;
                let mut payload = vec![0; message.len()];
                let length = state.read_message(message, &mut payload).ok()?;
                payload.truncate(length);
                let peer = PublicKey(state.get_remote_static()?.try_into().ok()?);
                if !peers.contains(&peer) {
                    return None;
                }
                let mut reply = vec![0; own_payload.len() + 128];
                let length = state.write_message(own_payload, &mut reply).ok()?;
                reply.truncate(length);
                let session = Session::Sealed(Box::new(state.into_stateless_transport_mode().ok()?));
                Some(Accepted { session, reply, payload, peer: Some(peer) })
            }
        }
    }

    /// The answer to `opening`; a false one leaves it waiting.
    pub fn finish(&self, opening: &mut Option<Opening>, message: &[u8]) -> Option<(Session, Vec<u8>)> {
        match opening.as_mut()? {
            Opening::Open => {
                *opening = None;
                Some((Session::Open, message.to_vec()))
            }
            Opening::Sealed(state) => {
                let mut payload = vec![0; message.len()];
                let length = state.read_message(message, &mut payload).ok()?;
                payload.truncate(length);
                let Some(Opening::Sealed(state)) = opening.take() else { return None };
                Some((Session::Sealed(Box::new(state.into_stateless_transport_mode().ok()?)), payload))
            }
        }
    }

    /// Who the connecting side speaks with once the handshake is through.
    pub fn expected_peer(&self) -> Option<PublicKey> {
        match &self.security {
            Security::Open => None,
            Security::Sealed { peers, .. } => peers.first().copied(),
        }
    }
}

fn builder(once: [u8; 32]) -> Result<Builder<'static>, SecurityError> {
    let params: NoiseParams = PATTERN.parse()?;
    Ok(Builder::with_resolver(params, Box::new(Resolver { once })))
}

/// The published primitives, with randomness from the seed: a core without a source of its own can be repeated.
struct Resolver {
    once: [u8; 32],
}

impl CryptoResolver for Resolver {
    fn resolve_rng(&self) -> Option<Box<dyn Random>> {
        Some(Box::new(Expanded { once: self.once, used: 0 }))
    }

    fn resolve_dh(&self, choice: &DHChoice) -> Option<Box<dyn Dh>> {
        DefaultResolver.resolve_dh(choice)
    }

    fn resolve_hash(&self, choice: &HashChoice) -> Option<Box<dyn Hash>> {
        DefaultResolver.resolve_hash(choice)
    }

    fn resolve_cipher(&self, choice: &CipherChoice) -> Option<Box<dyn Cipher>> {
        DefaultResolver.resolve_cipher(choice)
    }
}

struct Expanded {
    once: [u8; 32],
    used: u64,
}

impl Random for Expanded {
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), snow::Error> {
        for part in out.chunks_mut(32) {
            self.used += 1;
            part.copy_from_slice(&blake2s(&self.once, self.used)[..part.len()]);
        }
        Ok(())
    }
}

fn blake2s(seed: &[u8; 32], number: u64) -> [u8; 32] {
    let mut hash = DefaultResolver.resolve_hash(&HashChoice::Blake2s).expect("BLAKE2s is among the features of snow");
    hash.reset();
    hash.input(seed);
    hash.input(&number.to_le_bytes());
    let mut out = [0; 32];
    hash.result(&mut out);
    out
}

/// The public half of a secret key.
pub fn public_of(secret: &[u8; 32]) -> PublicKey {
    let mut dh = DefaultResolver.resolve_dh(&DHChoice::Curve25519).expect("Curve25519 is among the features of snow");
    dh.set(secret);
    let mut public = [0; 32];
    public.copy_from_slice(&dh.pubkey()[..32]);
    PublicKey(public)
}
