//! What is served where, and to whom.
#![allow(clippy::result_large_err, reason = "a refusal is the response itself, once a connection")]

use std::net::{IpAddr, SocketAddr};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Path as InPath, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use robot::Robot;

use super::core::Core;
use super::page;
use super::socket;
use crate::MOST_MESSAGE;

#[derive(Clone)]
struct Served {
    core: Arc<Core>,
    /// Where the meshes of the robot are; none: it has none.
    meshes: Option<PathBuf>,
}

pub fn router(core: Arc<Core>, robot: Option<Arc<Robot>>) -> Router {
    let meshes = robot
        .filter(|robot| robot.urdf.contains("<mesh"))
        .and_then(|robot| robot.urdf_file.parent().and_then(|folder| folder.canonicalize().ok()));
    Router::new()
        .route("/api/v1", any(main_socket))
        .route("/api/v1/bulk", any(bulk_socket))
        .route("/robot/{*path}", axum::routing::get(mesh))
        .fallback(axum::routing::get(any_page))
        .with_state(Served { core, meshes })
}

async fn any_page(uri: Uri, headers: HeaderMap) -> Response {
    if let Err(refused) = same_machine_name(&headers) {
        return refused;
    }
    page::file(uri.path())
}

type Info = ConnectInfo<SocketAddr>;

async fn main_socket(State(served): State<Served>, info: Info, headers: HeaderMap, up: WebSocketUpgrade) -> Response {
    upgrade(served, info.0, &headers, up, false)
}

async fn bulk_socket(State(served): State<Served>, info: Info, headers: HeaderMap, up: WebSocketUpgrade) -> Response {
    upgrade(served, info.0, &headers, up, true)
}

fn upgrade(served: Served, from: SocketAddr, headers: &HeaderMap, up: WebSocketUpgrade, bulk: bool) -> Response {
    if let Err(refused) = same_machine_name(headers).and_then(|()| same_origin(headers)) {
        return refused;
    }
    let loopback = from.ip().to_canonical().is_loopback();
    up.max_message_size(MOST_MESSAGE)
        .max_frame_size(MOST_MESSAGE)
        .on_upgrade(move |client| socket::run(served.core, client, loopback, bulk))
}

/// A name that a stranger lets lead to this machine is none of ours: a page of theirs must not reach us by it. Who
/// comes by an address or as localhost, or has a token to show, does not come that way.
fn same_machine_name(headers: &HeaderMap) -> Result<(), Response> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if is_address(name_of(host)) {
        return Ok(());
    }
    let text = "reach this server by its address, as http://127.0.0.1:8420: names are not trusted";
    Err((StatusCode::FORBIDDEN, text).into_response())
}

fn name_of(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

fn is_address(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

/// A page from elsewhere must not speak with us in the name of whoever looks at it. Scripts send no origin.
fn same_origin(headers: &HeaderMap) -> Result<(), Response> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let of_page = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    // A page that is being written is served by another port of this machine.
    let is_local = |host: &str| matches!(name_of(host), "localhost" | "127.0.0.1" | "::1");
    let fits = of_page.is_some_and(|page| page.eq_ignore_ascii_case(host) || is_local(page) && is_local(host));
    if fits { Ok(()) } else { Err((StatusCode::FORBIDDEN, "pages from elsewhere are not let in").into_response()) }
}

async fn mesh(State(served): State<Served>, InPath(path): InPath<String>) -> Response {
    let missing = || (StatusCode::NOT_FOUND, "there is no such file of the robot").into_response();
    let plain = Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
    let Some(folder) = served.meshes.filter(|_| plain) else { return missing() };
    let whole = folder.join(&path);
    let inside = whole.canonicalize().is_ok_and(|whole| whole.starts_with(&folder));
    let shown = ["stl", "dae", "obj", "glb", "png", "jpg", "jpeg"];
    let is_shown = whole
        .extension()
        .and_then(|end| end.to_str())
        .is_some_and(|end| shown.contains(&end.to_ascii_lowercase().as_str()));
    if !(inside && is_shown) {
        return missing();
    }
    match std::fs::read(&whole) {
        Ok(bytes) => ([(header::CONTENT_TYPE, page::kind(&path))], bytes).into_response(),
        Err(_) => missing(),
    }
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
        for host in ["127.0.0.1:8420", "localhost:8420", "[::1]:8420", "192.168.1.4"] {
            assert!(same_machine_name(&headers(host, None)).is_ok(), "{host}");
        }
        for host in ["evil.example:8420", "127.0.0.1.evil.example", ""] {
            assert!(same_machine_name(&headers(host, None)).is_err(), "{host}");
        }
    }

    #[test]
    fn pages_of_strangers_are_refused() {
        let fits = |host, origin| same_origin(&headers(host, Some(origin))).is_ok();
        assert!(fits("127.0.0.1:8420", "http://127.0.0.1:8420"));
        assert!(fits("127.0.0.1:8420", "http://localhost:5173"));
        assert!(fits("192.168.1.4:8420", "http://192.168.1.4:8420"));
        assert!(!fits("127.0.0.1:8420", "http://evil.example"));
        assert!(!fits("127.0.0.1:8420", "null"));
        assert!(!fits("192.168.1.4:8420", "http://localhost:8420"));
        assert!(same_origin(&headers("127.0.0.1:8420", None)).is_ok(), "scripts send none");
    }
}
