//! Progress, for people: one line on a terminal once the work has taken a second, gone when it ends.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::escape;

/// Work shorter than this is not worth a line.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN_UPDATES: Duration = Duration::from_millis(200);

/// Takes what is done and the file it is done with.
type Told = dyn Fn(&str, &str);

/// What is being done; told to whoever watches.
pub(super) struct Progress {
    stage: Arc<Mutex<String>>,
    /// Called at each new stage: how a watched child says where it is.
    told: Option<Box<Told>>,
    /// Dropping the sender ends the thread.
    watcher: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Shown on standard error if that is a terminal, else nowhere.
    pub(super) fn on_terminal() -> Self {
        let stage = Arc::new(Mutex::new(String::from("reading")));
        let able = io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let watcher = able.then(|| {
            let (sender, receiver) = mpsc::channel::<()>();
            let stage = Arc::clone(&stage);
            let watch = move || {
                let start = Instant::now();
                let mut wait = PATIENCE;
                let mut drawn = false;
                while receiver.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    let stage = stage.lock().map(|stage| stage.clone()).unwrap_or_default();
                    draw(&format!("policyc: {stage} ({} s)", start.elapsed().as_secs()));
                    drawn = true;
                    wait = BETWEEN_UPDATES;
                }
                if drawn {
                    draw("");
                }
            };
            (sender, thread::spawn(watch))
        });
        Self { stage, told: None, watcher }
    }

    /// Told to a function, not shown.
    pub(super) fn told(told: impl Fn(&str, &str) + 'static) -> Self {
        Self { stage: Arc::default(), told: Some(Box::new(told)), watcher: None }
    }

    /// Says what is done from here on, and with which file.
    pub(super) fn stage(&self, doing: &str, label: &str) {
        if let Some(told) = &self.told {
            told(doing, label);
        }
        if self.watcher.is_some()
            && let Ok(mut current) = self.stage.lock()
        {
            *current = format!("{doing} {label}").trim_end().to_owned();
        }
    }
}

impl Drop for Progress {
    /// Takes the line away, before anything else is printed.
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.watcher.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

/// Replaces the line. It must not wrap, or taking it away would leave a part of it.
fn draw(text: &str) {
    let text = escape::line(text);
    let text = escape::shortened(&text, 76);
    let _ = io::stderr().write_all(format!("\r\x1b[K{text}").as_bytes());
}
