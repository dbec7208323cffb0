//! Robot and operator over networks that fail.
//!
//! An [`Endpoint`] is one end of a link. It takes messages and datagrams and gives events and datagrams; it has no
//! clock, no sockets and no threads, so that hours of bad network are tested in seconds. [`udp`] drives it over real
//! sockets.

mod clock;
mod commands;
mod config;
mod endpoint;
mod keyed;
mod keys;
mod latest;
mod ledger;
mod message;
mod pacer;
mod ranges;
mod secure;
mod status;
mod stream;
pub mod udp;
pub mod wire;

pub use config::{Carries, ChannelConfig, IP_UDP_BYTES, Limits, LinkConfig, Side, Timing};
pub use endpoint::{Datagram, Endpoint, LinkError, OfferError};
pub use keys::{Allowed, KeyFile, KeyFileError, PublicKey, Rank, SecretKey, random};
pub use latest::Packing;
pub use message::{CommandId, DocumentNumber, Event, Keyed, Latest, Message, Outcome, Receipt, Refusal, Stream};
pub use secure::{Security, SecurityError};
pub use status::{ByteCounts, ByteKind, ChannelTraffic, DocumentStatus, Ignored, LinkStatus, Quality};
