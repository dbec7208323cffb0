//! A part of an operator process that dies ends the process: a page that looks alive over it would be worse than none.
//! The clock of one thread is made to fail, which no program expects, by a library in front of the C library.

use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;

use super::PATIENCE;
use super::client::Client;
use super::process::{Robot, folder};

const CLOCK: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static int failed;

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    if (!failed && !strcmp(name, getenv("DEAD_THREAD")) && !access(getenv("DEAD_WHEN"), F_OK)) {
        failed = 1;
        errno = EFAULT;
        return -1;
    }
    return real(clock, time);
}
"#;

fn clock(folder: &Path) -> PathBuf {
    let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
    std::fs::write(&source, CLOCK).unwrap();
    let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl").status();
    assert!(made.unwrap().success());
    library
}

/// How it ended, and what it said.
fn end_of(mut child: Child) -> (Option<i32>, String) {
    let (end, ended) = channel();
    let id = child.id();
    std::thread::spawn(move || {
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let _ = end.send((child.wait().unwrap().code(), said));
    });
    ended.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        let _ = Command::new("kill").arg("-9").arg(id.to_string()).status();
        panic!("it goes on without a part of it")
    })
}

#[test]
fn a_part_that_dies_ends_the_operator_process() {
    let folder = folder("dead-thread");
    let robot = Robot::start(&folder, "127.0.0.1:0");
    let clock = clock(&folder);
    for thread in ["operator", "link", "web"] {
        let when = folder.join(thread);
        let mut child = Command::new(env!("CARGO_BIN_EXE_coact"))
            .args(["operator", "--listen", "127.0.0.1:0", "--connect", &robot.address.to_string(), "--folder"])
            .arg(&folder)
            .env("LD_PRELOAD", &clock)
            .env("DEAD_THREAD", thread)
            .env("DEAD_WHEN", &when)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address: SocketAddr = line.trim().rsplit('/').next().unwrap().parse().unwrap();
        // The web part gives each socket a task of its own, which may fail alone: it has none.
        let ann = (thread != "web").then(|| Client::hello(address, "Ann"));
        std::fs::write(&when, "").unwrap();
        // It looks at the clock when somebody comes, the others without it.
        let comes = TcpStream::connect(address);
        let (code, said) = end_of(child);
        drop((ann, comes));
        assert_eq!(code, Some(1), "{thread}: {said}");
        assert!(said.contains("a part of the operator process failed"), "{thread}: {said}");
    }
    // The robot goes on, and so does whoever starts the operator process again.
    let again = super::process::Operator::start(&folder, robot.address);
    assert!(Client::hello(again.address, "Ann").document_has("second"));
}
