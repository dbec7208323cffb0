//! A narrow line and bursts of a fast one between real processes, as at the DRC Finals.
#![cfg(feature = "mujoco")]

use std::net::{SocketAddr, UdpSocket};

use serde_json::json;

use super::client::Client;
use super::process::{Operator, Robot, folder};
use super::relay::{Bursts, Relay};

/// What a narrow line carries.
const BYTES_S: u64 = 1_200;

/// A place nobody has now.
fn free() -> SocketAddr {
    UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

#[test]
fn clouds_and_pictures_come_in_bursts_beside_a_narrow_line() {
    let folder = folder("finals");
    let (robots_end, operators_end) = (free(), free());
    let bursts = Bursts::to(operators_end);
    let settings = json!({
        "name": "one", "world": "table-balls", "behavior": "behavior.json", "listen": "127.0.0.1:0", "mode": "finals",
        "bursts_from": robots_end.to_string(), "bursts_to": bursts.address.to_string(),
    });
    std::fs::write(folder.join("robot.json"), settings.to_string()).unwrap();
    let robot = Robot::with(&folder, &["--config", "robot.json"]);
    let line = Relay::shaped(robot.address, BYTES_S);
    let (from, to) = (bursts.address.to_string(), operators_end.to_string());
    let finals = ["--mode", "finals", "--bursts-from", &from, "--bursts-to", &to, "--budget", "100"];
    let operator = Operator::with(&folder, line.address, &finals);

    let mut ann = Client::hello(operator.address, "Ann");
    let mut eyes = Client::bulk(operator.address, "Ann");
    eyes.ok(json!({"ask": "watch", "topics": {"clouds": true, "pictures": true}}));
    eyes.until_frame(protocol::api::CLOUD);
    eyes.until_frame(protocol::api::PICTURE);
    ann.ok(json!({"ask": "take_control"}));
    ann.ok(json!({"ask": "run", "control": {"do": "automatic", "on": true}, "valid_for_s": 20}));
    ann.until_running("first");
    ann.ok(json!({"ask": "stop"}));
    ann.until("bytes of both channels", |client| {
        let channels = &client.link["channels"];
        channels[0]["sent_bytes"].as_f64() > Some(0.0) && channels[1]["received_bytes"].as_f64() > Some(50_000.0)
    });
    assert_eq!(line.dropped(), 0, "the link keeps below what the line carries");
    let channel = &ann.link["channels"][0];
    assert!(channel["received_bytes_s"].as_f64() <= Some(BYTES_S as f64), "{channel}");
    let left = ann.link["budget_left_bytes"].as_f64().unwrap();
    assert!(left > 0.0 && left < 100e6 - 50_000.0, "{left}");
}

#[test]
fn a_narrow_line_brings_one_picture_when_asked() {
    let folder = folder("narrow");
    let arguments = ["--name", "one", "--listen", "127.0.0.1:0", "--behavior", "behavior.json"];
    let robot = Robot::with(&folder, &[&arguments[..], &["--world", "table-balls", "--mode", "narrow"]].concat());
    let line = Relay::shaped(robot.address, BYTES_S);
    let operator = Operator::with(&folder, line.address, &["--mode", "narrow"]);
    let mut ann = Client::hello(operator.address, "Ann");
    let mut eyes = Client::bulk(operator.address, "Ann");
    let refused = eyes.ask(json!({"ask": "watch", "topics": {"clouds": true, "pictures": true}}));
    assert!(refused["error"]["text"].as_str().is_some_and(|text| text.contains("look")), "{refused}");
    eyes.ok(json!({"ask": "look", "what": "picture"}));
    eyes.until_frame(protocol::api::PICTURE);
    ann.ok(json!({"ask": "stop"}));
    assert_eq!(line.dropped(), 0, "the link keeps below what the line carries");
}
