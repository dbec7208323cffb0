//! What is served where, and to whom.
#![allow(clippy::result_large_err, reason = "a refusal is the response itself, once a connection")]

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path as InPath, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Extension, Router};
use looks::{Gallery, LookError};
use protocol::Role;

use super::core::{Core, Input};
use super::door::Ticket;
use super::page;
use super::socket;
use crate::MOST_MESSAGE;
use crate::people::Tokens;

#[derive(Clone)]
struct Served {
    core: Arc<Core>,
    /// Empty: only this machine is let in, and nothing that comes through a proxy.
    tokens: Arc<Tokens>,
    /// The meshes of the robot; none: it has none.
    gallery: Option<Arc<Gallery>>,
}

pub fn router(core: Arc<Core>, tokens: Tokens, gallery: Option<Gallery>) -> Router {
    let gallery = gallery.map(Arc::new);
    Router::new()
        .route("/api/v1", any(main_socket))
        .route("/api/v1/bulk", any(bulk_socket))
        .route("/api/v1/stop", axum::routing::post(stop))
        .route("/robot/mesh/{uri}", axum::routing::get(mesh))
        .fallback(axum::routing::get(any_page))
        .with_state(Served { core, tokens: Arc::new(tokens), gallery })
}

async fn any_page(State(served): State<Served>, ticket: At, uri: Uri, headers: HeaderMap) -> Response {
    match served.may_come(&ticket, &headers) {
        Err(refused) => refused,
        Ok(_) => page::file(uri.path()),
    }
}

type At = Extension<Arc<Ticket>>;

async fn main_socket(State(served): State<Served>, ticket: At, headers: HeaderMap, up: WebSocketUpgrade) -> Response {
    upgrade(&served, ticket, &headers, up, false)
}

async fn bulk_socket(State(served): State<Served>, ticket: At, headers: HeaderMap, up: WebSocketUpgrade) -> Response {
    upgrade(&served, ticket, &headers, up, true)
}

fn upgrade(served: &Served, ticket: At, headers: &HeaderMap, up: WebSocketUpgrade, bulk: bool) -> Response {
    let loopback = match served.may_come(&ticket, headers).and_then(|loopback| same_origin(headers).map(|()| loopback))
    {
        Ok(loopback) => loopback,
        Err(refused) => return refused,
    };
    let core = Arc::clone(&served.core);
    up.max_message_size(MOST_MESSAGE)
        .max_frame_size(MOST_MESSAGE)
        .on_upgrade(move |client| socket::run(core, client, ticket.0, (loopback, bulk)))
}

/// Stop without a socket: for a button of its own, a script, and for when all places are taken.
async fn stop(State(served): State<Served>, ticket: At, headers: HeaderMap) -> Response {
    let loopback =
        match served.may_come(&ticket, &headers).and_then(|loopback| same_origin(&headers).map(|()| loopback)) {
            Ok(loopback) => loopback,
            Err(refused) => return refused,
        };
    let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let known = token.and_then(|token| served.tokens.find(token));
    let open = || (loopback && served.tokens.is_empty()).then(|| ("this machine".to_owned(), Role::Observer));
    let Some((name, role)) = known.or_else(open) else {
        if token.is_some() {
            tokio::time::sleep(ticket.door().wait_of(ticket.from())).await;
            socket::wrong_token(&ticket);
        }
        return (StatusCode::UNAUTHORIZED, "stop needs your token: Authorization: Bearer TOKEN").into_response();
    };
    if !served.core.stop_robot() {
        return (StatusCode::SERVICE_UNAVAILABLE, "there is no robot here to stop").into_response();
    }
    // The stop is on its way; who pressed it follows when there is room.
    let _ = served.core.give(Input::Stopped(name, role));
    (StatusCode::ACCEPTED, "the stop is on its way, and is repeated until the robot has it").into_response()
}

impl Served {
    /// Whether it comes from this machine itself; or why it may not come at all.
    fn may_come(&self, ticket: &Ticket, headers: &HeaderMap) -> Result<bool, Response> {
        let loopback = ticket.from().to_canonical().is_loopback();
        let proxy = FORWARDED.iter().any(|name| headers.contains_key(*name));
        known_way(headers, proxy, self.tokens.is_empty())?;
        if loopback && let Some(address) = headers.get("x-forwarded-for").and_then(forwarded_for) {
            ticket.is_from(address);
        }
        Ok(loopback && !proxy)
    }
}

/// What proxies add.
const FORWARDED: [&str; 6] =
    ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via"];

/// The one that the proxy itself has seen stands last: the others anybody can write.
fn forwarded_for(value: &HeaderValue) -> Option<IpAddr> {
    value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

/// Without tokens whoever is on this machine is let in: then neither a proxy may lead others here, nor a name that a
/// stranger lets lead to this machine, by which a page of theirs would reach us. With tokens it is those that count.
fn known_way(headers: &HeaderMap, proxy: bool, open: bool) -> Result<(), Response> {
    let refused = |text: &'static str| Err((StatusCode::FORBIDDEN, text).into_response());
    if !open {
        return Ok(());
    }
    if proxy {
        return refused(
            "this came through a proxy, and nobody here has a token: anybody who reaches the proxy would be let in. Start \
             the operator with --tokens FILE",
        );
    }
    if !is_this_machine(name_of(host_of(headers))) {
        return refused(
            "without tokens this server is reached as http://localhost or http://127.0.0.1 only. For another name, or \
             through a proxy, start it with --tokens FILE",
        );
    }
    Ok(())
}

fn host_of(headers: &HeaderMap) -> &str {
    headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default()
}

fn name_of(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

fn is_this_machine(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A page from elsewhere, and be it from another port of this machine, must not speak with us in the name of whoever
/// looks at it. Scripts send no origin.
fn same_origin(headers: &HeaderMap) -> Result<(), Response> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let of_page = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    let fits = of_page.is_some_and(|(scheme, page)| {
        // A port that goes without saying may be said.
        let usual = match scheme {
            "https" => ":443",
            _ => ":80",
        };
        let plain = |host: &str| host.strip_suffix(usual).unwrap_or(host).to_ascii_lowercase();
        plain(page) == plain(host_of(headers))
    });
    if fits { Ok(()) } else { Err((StatusCode::FORBIDDEN, "pages from elsewhere are not let in").into_response()) }
}

/// A mesh of the robot as GLB, by the URI that the URDF has. Made on a thread of its own: it may take a second, and sockets wait for nobody.
async fn mesh(State(served): State<Served>, ticket: At, headers: HeaderMap, InPath(uri): InPath<String>) -> Response {
    if let Err(refused) = served.may_come(&ticket, &headers) {
        return refused;
    }
    let Some(gallery) = served.gallery else { return not_shown(&LookError::Unknown) };
    let made = tokio::task::spawn_blocking(move || gallery.show(&uri)).await;
    let shown = match made {
        Ok(Ok(shown)) => shown,
        Ok(Err(why)) => return not_shown(&why),
        Err(_) => {
            return (StatusCode::INTERNAL_SERVER_ERROR, "this mesh cannot be made, by a fault of ours").into_response();
        }
    };
    let tag = format!("\"{:016x}\"", shown.tag);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let head = [
        (header::CONTENT_TYPE, "model/gltf-binary".to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag),
    ];
    match known {
        true => (StatusCode::NOT_MODIFIED, head).into_response(),
        false => (head, Bytes::from_owner(shown.glb)).into_response(),
    }
}

fn not_shown(why: &LookError) -> Response {
    let status = match why {
        LookError::Unknown | LookError::Missing(_) => StatusCode::NOT_FOUND,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    (status, why.to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &'static str, origin: Option<&'static str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn names_of_strangers_are_refused() {
        let way = |host, open| known_way(&headers(host, None), false, open).is_ok();
        for host in ["127.0.0.1:8420", "localhost:8420", "[::1]:8420", "LOCALHOST"] {
            assert!(way(host, true), "{host}");
        }
        for host in ["evil.example:8420", "127.0.0.1.evil.example", "192.168.1.4:8420", ""] {
            assert!(!way(host, true), "{host}");
            assert!(way(host, false), "with tokens a name is as good as another: {host}");
        }
    }

    #[test]
    fn a_proxy_needs_tokens() {
        let host = headers("127.0.0.1:8420", None);
        assert!(known_way(&host, true, true).is_err());
        assert!(known_way(&host, true, false).is_ok());
        assert_eq!(forwarded_for(&"6.6.6.6, 192.0.2.7".parse().unwrap()), Some(IpAddr::from([192, 0, 2, 7])));
        assert_eq!(forwarded_for(&"unknown".parse().unwrap()), None);
    }

    #[test]
    fn pages_of_strangers_are_refused() {
        let fits = |host, origin| same_origin(&headers(host, Some(origin))).is_ok();
        assert!(fits("127.0.0.1:8420", "http://127.0.0.1:8420"));
        assert!(fits("192.168.1.4:8420", "http://192.168.1.4:8420"));
        assert!(fits("robot.example", "https://robot.example"));
        assert!(fits("robot.example:443", "https://Robot.example"));
        assert!(!fits("robot.example", "https://robot.example:8443"));
        assert!(!fits("127.0.0.1:8420", "http://localhost:8420"), "another name is another origin");
        assert!(!fits("127.0.0.1:8420", "http://127.0.0.1:5173"), "another port too");
        assert!(!fits("127.0.0.1:8420", "http://evil.example"));
        assert!(!fits("127.0.0.1:8420", "null"));
        assert!(!fits("192.168.1.4:8420", "http://localhost:8420"));
        assert!(same_origin(&headers("127.0.0.1:8420", None)).is_ok(), "scripts send none");
    }
}
