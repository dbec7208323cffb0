//! One client's socket.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use tokio::sync::{mpsc, oneshot};

use super::core::{Core, Input, ToClient};
use crate::operator::Frame;
use crate::session::SessionId;

/// How long a full inbox is waited for before it is asked again.
const PATIENCE: Duration = Duration::from_millis(5);
/// A client that takes nothing for this long has gone.
const SLOWEST: Duration = Duration::from_secs(30);
/// A client that says nothing is asked whether it is there.
const PING: Duration = Duration::from_secs(20);

const POLICY: u16 = 1008;
const TRY_LATER: u16 = 1013;

pub async fn run(core: Arc<Core>, mut socket: WebSocket, loopback: bool, bulk: bool) {
    let (to, mut from_core) = mpsc::unbounded_channel();
    let (id, joined) = oneshot::channel();
    give(&core, Input::Join { loopback, bulk, to, id }).await;
    let Ok(Some(session)) = joined.await else {
        close(&mut socket, TRY_LATER, "too many clients are connected").await;
        return;
    };
    serve(&core, &mut socket, session, &mut from_core).await;
    give(&core, Input::Leave(session)).await;
}

async fn serve(
    core: &Core,
    socket: &mut WebSocket,
    session: SessionId,
    from_core: &mut mpsc::UnboundedReceiver<ToClient>,
) {
    let mut pending = None;
    let mut welcome = false;
    loop {
        tokio::select! {
            // What a client wants is taken up only when what it wanted before was.
            read = socket.recv(), if pending.is_none() => match read {
                Some(Ok(Message::Text(text))) => {
                    if welcome && is_stop(&text) {
                        core.stop_robot();
                    }
                    pending = core.give(Input::Text(session, text.to_string())).err();
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_))) => {
                    return close(socket, POLICY, "requests are text").await;
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            () = tokio::time::sleep(PATIENCE), if pending.is_some() => {
                pending = pending.take().and_then(|input| core.give(input).err());
            }
            wanted = from_core.recv() => match wanted {
                None => return,
                Some(ToClient::Welcome) => welcome = true,
                Some(ToClient::Close(why)) => return close(socket, POLICY, why).await,
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

async fn give(core: &Core, input: Input) {
    let mut input = Some(input);
    while let Some(waiting) = input.take() {
        input = core.give(waiting).err();
        if input.is_some() {
            tokio::time::sleep(PATIENCE).await;
        }
    }
}

async fn close(socket: &mut WebSocket, code: u16, why: &'static str) {
    let frame = CloseFrame { code, reason: why.into() };
    let _ = tokio::time::timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
}

/// Whoever is let in may stop, and a stop waits for nothing else that was asked.
fn is_stop(text: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Asks<'a> {
        ask: &'a str,
    }
    text.len() < 256 && serde_json::from_str::<Asks<'_>>(text).is_ok_and(|asks| asks.ask == "stop")
}
