//! One client's socket.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use protocol::api::{Failure, FailureCode, Outcome, Reply};
use tokio::sync::{mpsc, oneshot};

use super::core::{Core, Input, ToClient};
use super::door::Ticket;
use super::inbox::MOST_OF_ONE;
use crate::operator::{Frame, NOT_ALLOWED};
use crate::session::SessionId;

/// How long a full inbox is waited for before it is asked again.
const PATIENCE: Duration = Duration::from_millis(5);
/// A client that takes nothing for this long has gone.
const SLOWEST: Duration = Duration::from_secs(30);
/// A client that says nothing is asked whether it is there.
const PING: Duration = Duration::from_secs(20);

/// Whoever connects says who they are within this time.
const HELLO: Duration = Duration::from_secs(5);

const TRY_LATER: u16 = 1013;

pub async fn run(core: Arc<Core>, mut socket: WebSocket, ticket: Arc<Ticket>, (loopback, bulk): (bool, bool)) {
    let (to, mut from_core) = mpsc::unbounded_channel();
    let (id, joined) = oneshot::channel();
    give(&core, Input::Join { loopback, bulk, to, id }).await;
    let Ok(Some(session)) = joined.await else {
        close(&mut socket, TRY_LATER, "too many clients are connected").await;
        return;
    };
    serve(&core, &mut socket, (session, &ticket), &mut from_core).await;
    give(&core, Input::Leave(session)).await;
}

async fn serve(
    core: &Core,
    socket: &mut WebSocket,
    (session, ticket): (SessionId, &Ticket),
    from_core: &mut mpsc::UnboundedReceiver<ToClient>,
) {
    let mut pending = None;
    let mut welcome = false;
    let mut heard = false;
    let late = tokio::time::sleep(HELLO);
    tokio::pin!(late);
    loop {
        tokio::select! {
            // What a client wants is taken up only when what it wanted before was.
            read = socket.recv(), if pending.is_none() => match read {
                Some(Ok(Message::Text(text))) => {
                    if welcome && is_stop(&text) {
                        core.stop_robot();
                    }
                    if !std::mem::replace(&mut heard, true) {
                        // Whoever guesses tokens guesses slowly.
                        tokio::time::sleep(ticket.door().wait_of(ticket.from())).await;
                        late.as_mut().reset(tokio::time::Instant::now() + HELLO);
                    }
                    let text = text.to_string();
                    let order = welcome && overtakes(&text);
                    let input = if order { Input::Order(session, text) } else { Input::Text(session, text) };
                    match core.give(input) {
                        Ok(()) => {}
                        // It is read on, so that a stop behind a flood of its own is heard.
                        Err(Input::Text(_, text)) if welcome => {
                            if !send(socket, Message::Text(too_many(&text).into())).await {
                                return;
                            }
                        }
                        Err(input) => pending = Some(input),
                    }
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => {
                    return close(socket, NOT_ALLOWED, "requests are text").await;
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            () = tokio::time::sleep(PATIENCE), if pending.is_some() => {
                pending = pending.take().and_then(|input| core.give(input).err());
            }
            () = &mut late, if !welcome => {
                return close(socket, NOT_ALLOWED, "say hello within 5 s of connecting").await;
            }
            () = ticket.sent_away(), if !welcome => {
                return close(socket, TRY_LATER, "too many connections have not said who they are").await;
            }
            wanted = from_core.recv() => match wanted {
                None => return,
                Some(ToClient::Welcome) => {
                    welcome = true;
                    ticket.let_in();
                }
                Some(ToClient::WrongToken) => {
                    wrong_token(ticket);
                    return close(socket, NOT_ALLOWED, "this token is not known here").await;
                }
                Some(ToClient::Close(code, why)) => return close(socket, code, why).await,
                Some(ToClient::Frame(frame)) => {
                    let bytes = frame.len();
                    let message = match frame {
                        Frame::Text(text) => Message::Text(text.into()),
                        Frame::Binary(bytes) => Message::Binary(bytes.into()),
                    };
                    match tokio::time::timeout(SLOWEST, socket.send(message)).await {
                        Ok(Ok(())) => give(core, Input::Sent(session, bytes)).await,
                        Ok(Err(_)) | Err(_) => return,
                    }
                }
            },
            () = tokio::time::sleep(PING) => {
                let ping = tokio::time::timeout(SLOWEST, socket.send(Message::Ping(Vec::new().into()))).await;
                if !matches!(ping, Ok(Ok(()))) {
                    return;
                }
            }
        }
    }
}

/// Told for the first, the second, the fourth and so on of an address: a flood does not fill the log.
pub fn wrong_token(ticket: &Ticket) {
    let from = ticket.from();
    let count = ticket.door().wrong_token(from);
    if count.is_power_of_two() {
        tracing::warn!(target: "operator", "a wrong token from {from}, {count} by now");
    }
}

async fn give(core: &Core, input: Input) {
    let mut input = Some(input);
    while let Some(waiting) = input.take() {
        input = core.give(waiting).err();
        if input.is_some() {
            tokio::time::sleep(PATIENCE).await;
        }
    }
}

/// False: it takes nothing any more.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(tokio::time::timeout(SLOWEST, socket.send(message)).await, Ok(Ok(())))
}

/// What somebody is told whose requests do not fit the queue.
fn too_many(text: &str) -> String {
    #[derive(serde::Deserialize)]
    struct Numbered {
        id: u32,
    }
    let id = serde_json::from_str::<Numbered>(text).map_or(0, |numbered| numbered.id);
    let text = format!("{MOST_OF_ONE} requests of yours wait already: wait for answers, then do it again");
    let outcome = Outcome::Error(Failure { code: FailureCode::TooMany, text });
    serde_json::to_string(&Reply { reply: id, outcome }).expect("replies have text as keys")
}

async fn close(socket: &mut WebSocket, code: u16, why: &'static str) {
    let frame = CloseFrame { code, reason: why.into() };
    let _ = tokio::time::timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
}

/// Whoever is let in may stop, and a stop waits for nothing else that was asked.
fn is_stop(text: &str) -> bool {
    text.len() < 256 && asks(text).is_some_and(|ask| ask == "stop")
}

/// Orders to the robot do not wait for edits, here as on the link.
fn overtakes(text: &str) -> bool {
    const LONGEST: usize = 16 << 10;
    let is_order = |ask| matches!(ask, "stop" | "run" | "take_control" | "give_control");
    text.len() < LONGEST && asks(text).is_some_and(is_order)
}

fn asks(text: &str) -> Option<&str> {
    #[derive(serde::Deserialize)]
    struct Asks<'a> {
        ask: &'a str,
    }
    serde_json::from_str::<Asks<'_>>(text).ok().map(|asks| asks.ask)
}
