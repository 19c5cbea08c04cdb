//! What comes from the editor, message by message. What is no message is answered as such: the protocol's crate would take it
//! for the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tokio::io::{self, AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

use crate::protocol::{Error, Request, Response, Result};

/// The longest line of a header.
const LONGEST_LINE: u64 = 8 << 10;

/// The largest message: more than any document that is looked at takes, however it is escaped.
const LARGEST: u64 = 256 << 20;

/// Stands for what is no message.
pub(crate) const UNREADABLE: &str = "policyc/unreadable";

/// Why a message cannot be read: it is not JSON. What else may be wrong with it is told by another error.
const JSON: &str = "json";

/// Stands for a request by a name that is nobody's: requests `$/…` the protocol's crate leaves unanswered.
pub(crate) const UNKNOWN: &str = "policyc/unknown";

/// What the editor is told of what is no message.
pub(crate) fn unreadable(reason: &Value) -> Result<Value> {
    Err(if *reason == json!([JSON]) { Error::parse_error() } else { Error::invalid_request() })
}

/// Passes on what the editor says, up to `exit` or its end. `orderly` tells whether it said `shutdown` and `exit`.
pub(crate) async fn pass(input: impl AsyncRead + Unpin, mut output: impl AsyncWrite + Unpin, orderly: Arc<AtomicBool>) {
    let mut input = BufReader::new(input);
    let mut shutdown = false;
    while let Ok(Some(body)) = next(&mut input).await {
        let message = message(&body);
        let method = message.get("method").and_then(Value::as_str);
        shutdown |= method == Some("shutdown");
        let exit = method == Some("exit");
        orderly.store(shutdown && exit, Ordering::Relaxed);
        let body = message.to_string();
        let header = format!("Content-Length: {}\r\n\r\n", body.len());
        let passed = output.write_all(header.as_bytes()).await.and(output.write_all(body.as_bytes()).await);
        if passed.is_err() || exit {
            return;
        }
    }
}

/// The body of the next message, empty if it cannot be told where it ends; nothing at the end.
async fn next(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let (mut length, mut lines) = (None, 0);
    loop {
        let mut line = Vec::new();
        if (&mut *input).take(LONGEST_LINE).read_until(b'\n', &mut line).await? == 0 {
            return Ok(None);
        }
        let line = line.trim_ascii();
        match (line.is_empty(), lines) {
            // A blank line too many ends nothing.
            (true, 0) => continue,
            (true, _) => break,
            _ => lines += 1,
        }
        let field = line.split(|byte| *byte == b':').next().unwrap_or_default();
        if field.eq_ignore_ascii_case(b"content-length") {
            let value = line.get(field.len() + 1..).unwrap_or_default().trim_ascii();
            length = std::str::from_utf8(value).ok().and_then(|value| value.parse::<u64>().ok());
        }
    }
    let Some(length) = length else { return Ok(Some(Vec::new())) };
    let mut body = (&mut *input).take(length);
    if length > LARGEST {
        let passed_over = io::copy(&mut body, &mut io::sink()).await?;
        return Ok((passed_over == length).then(Vec::new));
    }
    let mut read = Vec::new();
    body.read_to_end(&mut read).await?;
    Ok(u64::try_from(read.len()).is_ok_and(|read| read == length).then_some(read))
}

/// The message in a body, or what stands for it.
fn message(body: &[u8]) -> Value {
    let Ok(message) = serde_json::from_slice::<Value>(body) else { return stand_in(UNREADABLE, JSON, &Value::Null) };
    let id = message.get("id").cloned();
    let asked = id.as_ref().filter(|id| id.is_string() || id.is_i64()).unwrap_or(&Value::Null);
    let sound = match message.get("method") {
        Some(method) => method.is_string() && serde_json::from_value::<Request>(message.clone()).is_ok(),
        None => serde_json::from_value::<Response>(message.clone()).is_ok(),
    };
    if !sound {
        return stand_in(UNREADABLE, "message", asked);
    }
    let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
    if id.is_some() && method.starts_with("$/") {
        return stand_in(UNKNOWN, "method", asked);
    }
    message
}

fn stand_in(method: &str, reason: &str, id: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": [reason] })
}
