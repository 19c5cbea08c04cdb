//! Grants in a file that several hosts share: SQLite, which writes ahead and syncs every commit.

use std::fmt;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::types::Type;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use super::{
    Decider, Filed, GrantQueue, GrantRequest, GrantRules, GrantState, GrantStore, Kept, RequestState, StoreProblem,
    Tell, Verdict,
};
use crate::trace::event::GrantData;

/// The version of the tables in schema.sql, and the mark of a file that has them.
const VERSION: i32 = 1;
const MARK: i32 = i32::from_be_bytes(*b"plcy");

/// How long one host waits for another.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many grants a host is told of at once.
const MOST: u32 = 64;

const GRANT: &str = "id, requester, request, capability, target, parameters, writes, expires, uses, remaining, ended";
const REQUEST: &str = "id, ifnull(batch, id), filed, request, state, decider, reason, again";

/// Grants in one file.
pub struct Sqlite {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl Sqlite {
    /// Opens a store, or makes one, for its owner alone.
    ///
    /// # Errors
    /// When the file cannot be used, is something else, or was written by a newer program.
    pub fn open(path: &Path) -> Result<Self, StoreProblem> {
        OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)
            .map_err(|error| StoreProblem::Unusable(error.to_string()))?;
        let connection = Connection::open(path).map_err(unusable)?;
        connection.busy_timeout(PATIENCE).map_err(unusable)?;
        let store = Self { path: path.to_owned(), connection: Mutex::new(connection) };
        store.prepare()?;
        Ok(store)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn prepare(&self) -> Result<(), StoreProblem> {
        let mut connection = self.connection();
        connection.pragma_update(None, "foreign_keys", true).map_err(unusable)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(unusable)?;
        let number = |name: &str| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let (mark, version) = (number("application_id").map_err(unusable)?, number("user_version").map_err(unusable)?);
        let tables = "SELECT count(*) FROM sqlite_schema";
        let empty = transaction.query_row(tables, [], |row| row.get::<_, u32>(0)).map_err(unusable)? == 0;
        match (mark, version) {
            (MARK, VERSION) => {}
            (0, 0) if empty => {
                transaction.execute_batch(include_str!("schema.sql")).map_err(unusable)?;
                transaction.pragma_update(None, "application_id", MARK).map_err(unusable)?;
                transaction.pragma_update(None, "user_version", VERSION).map_err(unusable)?;
            }
            (MARK, version) if version > VERSION => {
                return Err(StoreProblem::Unusable(format!(
                    "it has version {version}, this program reads version {VERSION}; update it"
                )));
            }
            _ => return Err(StoreProblem::Unusable("it is a database of something else; name another file".into())),
        }
        transaction.commit().map_err(unusable)?;
        let mode: String =
            connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0)).map_err(unusable)?;
        if mode != "wal" {
            return Err(StoreProblem::Unusable(format!("it cannot be written ahead here, only in mode `{mode}`")));
        }
        connection.pragma_update(None, "synchronous", "full").map_err(unusable)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // What a panic left undone was rolled back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the store all at once or not at all, at a time that is no earlier than any before.
    fn change<T>(
        &self,
        now: u64,
        work: impl FnOnce(&Transaction<'_>, u64) -> Result<T, StoreProblem>,
    ) -> Result<T, StoreProblem> {
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(unusable)?;
        let moved = "UPDATE clock SET latest = ?1 WHERE latest < ?1";
        transaction.prepare_cached(moved).and_then(|mut moved| moved.execute([seconds(now)])).map_err(unusable)?;
        let now = latest(&transaction, now).map_err(unusable)?;
        let done = work(&transaction, now)?;
        transaction.commit().map_err(unusable)?;
        Ok(done)
    }
}

impl GrantStore for Sqlite {
    fn applicable(&self, requester: &str, now: u64) -> Result<Vec<GrantData>, StoreProblem> {
        let connection = self.connection();
        let now = latest(&connection, now).map_err(unusable)?;
        let query = format!(
            "SELECT {GRANT} FROM grants WHERE requester = ?1 AND ended IS NULL AND expires > ?2 \
             AND (remaining IS NULL OR remaining > 0) ORDER BY expires, id LIMIT {MOST}"
        );
        let found = all(&connection, &query, params![requester, seconds(now)], |row| kept(row, now));
        Ok(found?.into_iter().map(|kept| kept.grant).collect())
    }

    fn consume(&self, requester: &str, ids: &[String], now: u64) -> Result<(), StoreProblem> {
        self.change(now, |transaction, now| {
            let mut spend = transaction
                .prepare_cached(
                    "UPDATE grants SET remaining = remaining - 1 WHERE id = ?1 AND requester = ?2 AND ended IS NULL \
                     AND expires > ?3 AND (remaining IS NULL OR remaining > 0)",
                )
                .map_err(unusable)?;
            for id in ids {
                let spent = spend.execute(params![number(id, 'g'), requester, seconds(now)]).map_err(unusable)?;
                if spent != 1 {
                    return Err(StoreProblem::Lapsed(id.clone()));
                }
            }
            Ok(())
        })
    }

    fn lapse(&self, now: u64, tell: &mut Tell<'_, Kept>) -> Result<(), StoreProblem> {
        const OVER: &str = "FROM grants WHERE ended IS NULL AND (expires <= ?1 OR remaining = 0)";
        let any = format!("SELECT 1 {OVER} LIMIT 1");
        {
            let connection = self.connection();
            let now = latest(&connection, now).map_err(unusable)?;
            let over =
                connection.prepare_cached(&any).and_then(|mut any| any.exists([seconds(now)])).map_err(unusable)?;
            if !over {
                return Ok(());
            }
        }
        self.change(now, |transaction, now| {
            let over = all(transaction, &format!("SELECT {GRANT} {OVER}"), [seconds(now)], |row| kept(row, now))?;
            if over.is_empty() {
                return Ok(());
            }
            tell(&over)?;
            for grant in &over {
                end(transaction, grant)?;
            }
            Ok(())
        })
    }
}

impl GrantQueue for Sqlite {
    fn file(
        &self,
        request: &GrantRequest,
        rules: &GrantRules,
        now: u64,
        tell: &mut Tell<'_, Filed>,
    ) -> Result<Filed, StoreProblem> {
        request.check()?;
        rules.check(request)?;
        let body = serde_json::to_string(request).map_err(|error| StoreProblem::Refused(error.to_string()))?;
        self.change(now, |transaction, now| {
            let GrantRequest { requester, capability, intention, .. } = request;
            let open = "SELECT count(*) FROM requests WHERE requester = ?1 AND state = 'open'";
            let open: u32 = transaction.query_row(open, [requester], |row| row.get(0)).map_err(unusable)?;
            if open >= rules.most_open() {
                return Err(StoreProblem::Refused(format!(
                    "`{}` has {open} requests that nobody has decided over, and may have no more",
                    requester.escape_debug()
                )));
            }
            let wait = "SELECT max(again) FROM requests WHERE requester = ?1 AND capability = ?2 AND state = 'denied'";
            let again: Option<i64> =
                transaction.query_row(wait, [requester, capability], |row| row.get(0)).map_err(unusable)?;
            if let Some(left) = again.and_then(|again| again.checked_sub(seconds(now))).filter(|left| *left > 0) {
                return Err(StoreProblem::Refused(format!(
                    "`{}` was denied; it can be asked for again in {left} seconds",
                    capability.escape_debug()
                )));
            }
            let batch = "SELECT min(ifnull(batch, id)) FROM requests \
                         WHERE requester = ?1 AND intention = ?2 AND state = 'open'";
            let batch: Option<i64> =
                transaction.query_row(batch, params![requester, intention], |row| row.get(0)).map_err(unusable)?;
            let filed = "INSERT INTO requests (batch, requester, intention, capability, filed, request) \
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            transaction
                .execute(filed, params![batch, requester, intention, capability, seconds(now), body])
                .map_err(unusable)?;
            let query = format!("SELECT {REQUEST} FROM requests WHERE id = ?1");
            let id = transaction.last_insert_rowid();
            let filed = transaction.query_row(&query, [id], |row| self::filed(row, None)).map_err(unusable)?;
            tell(std::slice::from_ref(&filed))?;
            Ok(filed)
        })
    }

    fn requests(&self, everything: bool) -> Result<Vec<Filed>, StoreProblem> {
        let connection = self.connection();
        let query = format!("SELECT {REQUEST} FROM requests WHERE state = 'open' OR ?1 ORDER BY id");
        let granted = |row: &Row<'_>| {
            let id: i64 = row.get(0)?;
            let query = format!("SELECT {GRANT} FROM grants WHERE request = ?1");
            let grant = connection.query_row(&query, [id], |row| kept(row, 0)).optional()?;
            filed(row, grant.map(|kept| kept.grant))
        };
        all(&connection, &query, [everything], granted)
    }

    fn decide(
        &self,
        id: &str,
        verdict: &Verdict,
        decider: &Decider<'_>,
        now: u64,
        tell: &mut Tell<'_, Filed>,
    ) -> Result<Vec<Filed>, StoreProblem> {
        decider.check()?;
        self.change(now, |transaction, now| {
            let query = format!(
                "SELECT {REQUEST} FROM requests WHERE state = 'open' AND (id = ?1 OR ifnull(batch, id) = ?2) ORDER BY id"
            );
            let names = params![number(id, 'r'), number(id, 'b')];
            let open = all(transaction, &query, names, |row| filed(row, None))?;
            if open.is_empty() {
                let id = id.escape_debug();
                return Err(StoreProblem::Refused(format!("no request or batch `{id}` waits for a decision")));
            }
            let decided = open.into_iter().map(|request| decide(transaction, request, verdict, decider, now));
            let decided: Vec<_> = decided.collect::<Result<_, _>>()?;
            tell(&decided)?;
            Ok(decided)
        })
    }

    fn grants(&self, everything: bool, now: u64) -> Result<Vec<Kept>, StoreProblem> {
        let connection = self.connection();
        let now = latest(&connection, now).map_err(unusable)?;
        let query = format!("SELECT {GRANT} FROM grants ORDER BY id");
        let mut grants = all(&connection, &query, [], |row| kept(row, now))?;
        grants.retain(|grant| everything || grant.state == GrantState::Holds);
        Ok(grants)
    }

    fn revoke(
        &self,
        id: &str,
        decider: &Decider<'_>,
        now: u64,
        tell: &mut Tell<'_, Kept>,
    ) -> Result<Kept, StoreProblem> {
        decider.check()?;
        self.change(now, |transaction, now| {
            let query = format!("SELECT {GRANT} FROM grants WHERE id = ?1 AND ended IS NULL");
            let found = transaction.query_row(&query, [number(id, 'g')], |row| kept(row, now)).optional();
            let found = found.map_err(unusable)?.filter(|grant| grant.state == GrantState::Holds);
            let found = found.ok_or_else(|| StoreProblem::Lapsed(id.to_owned()))?;
            let revoked = Kept { state: GrantState::Revoked, ..found };
            end(transaction, &revoked)?;
            tell(std::slice::from_ref(&revoked))?;
            Ok(revoked)
        })
    }
}

/// Decides over one request.
fn decide(
    transaction: &Transaction<'_>,
    filed: Filed,
    verdict: &Verdict,
    decider: &Decider<'_>,
    now: u64,
) -> Result<Filed, StoreProblem> {
    decider.check_over(&filed.request.requester)?;
    let (by, reason) = (decider.by.to_owned(), decider.reason.to_owned());
    let request = number(&filed.id, 'r');
    let (name, again, state) = match *verdict {
        Verdict::Deny { wait } => {
            let again = now.saturating_add(wait);
            ("denied", Some(seconds(again)), RequestState::Denied { by, reason, again })
        }
        Verdict::Grant { seconds: longest, uses } => {
            decider.rules.check(&filed.request)?;
            let grant = granted(transaction, request, &filed.request, (longest, uses), now)?;
            ("granted", None, RequestState::Granted { by, reason, grant })
        }
    };
    let decided = "UPDATE requests SET state = ?2, decider = ?3, reason = ?4, again = ?5 WHERE id = ?1";
    transaction.execute(decided, params![request, name, decider.by, decider.reason, again]).map_err(unusable)?;
    Ok(Filed { state, ..filed })
}

/// Makes the grant that was asked for, or less than that.
fn granted(
    transaction: &Transaction<'_>,
    id: Option<i64>,
    request: &GrantRequest,
    (longest, most): (Option<u64>, Option<u32>),
    now: u64,
) -> Result<GrantData, StoreProblem> {
    let (longest, uses) = (longest.unwrap_or(request.asked.seconds), most.or(request.asked.uses));
    let more = longest > request.asked.seconds
        || request.asked.uses.is_some_and(|asked| most.is_some_and(|most| most > asked));
    if more || longest == 0 || uses == Some(0) {
        return Err(StoreProblem::Refused("what is granted is at most what was asked for, and something".to_owned()));
    }
    let parameters =
        serde_json::to_string(&request.parameters).map_err(|error| StoreProblem::Refused(error.to_string()))?;
    let expires = now.saturating_add(longest);
    let made = "INSERT INTO grants (request, requester, capability, target, parameters, writes, expires, uses, remaining) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)";
    let GrantRequest { requester, capability, target, writes, .. } = request;
    transaction
        .execute(made, params![id, requester, capability, target, parameters, writes, seconds(expires), uses])
        .map_err(unusable)?;
    Ok(GrantData {
        id: format!("g{}", transaction.last_insert_rowid()),
        capability: capability.clone(),
        target: target.clone(),
        parameters: request.parameters.clone(),
        writes: *writes,
        expires,
        remaining: uses,
    })
}

/// Keeps that a grant has ended.
fn end(transaction: &Transaction<'_>, grant: &Kept) -> Result<(), StoreProblem> {
    let ended = "UPDATE grants SET ended = ?2 WHERE id = ?1";
    let state = grant.state.to_string();
    transaction.execute(ended, params![number(&grant.grant.id, 'g'), state]).map(drop).map_err(unusable)
}

/// The time, or the latest that was ever told if that is later.
fn latest(connection: &Connection, now: u64) -> rusqlite::Result<u64> {
    let mut latest = connection.prepare_cached("SELECT latest FROM clock")?;
    let latest: i64 = latest.query_row([], |row| row.get(0))?;
    Ok(now.max(latest.unsigned_abs()))
}

fn all<T>(
    connection: &Connection,
    query: &str,
    parameters: impl rusqlite::Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreProblem> {
    let found = connection.prepare_cached(query).and_then(|mut query| query.query_map(parameters, read)?.collect());
    found.map_err(unusable)
}

/// The grant in a row of [`GRANT`].
fn kept(row: &Row<'_>, now: u64) -> rusqlite::Result<Kept> {
    let grant = GrantData {
        id: format!("g{}", row.get::<_, i64>(0)?),
        capability: row.get(3)?,
        target: row.get(4)?,
        parameters: json(row, 5)?,
        writes: row.get(6)?,
        expires: row.get::<_, i64>(7)?.unsigned_abs(),
        remaining: row.get(9)?,
    };
    let state = match row.get::<_, Option<String>>(10)?.as_deref() {
        Some("revoked") => GrantState::Revoked,
        _ if grant.remaining == Some(0) => GrantState::Spent,
        _ if grant.expires <= now => GrantState::Expired,
        _ => GrantState::Holds,
    };
    let request = format!("r{}", row.get::<_, i64>(2)?);
    Ok(Kept { grant, requester: row.get(1)?, request, uses: row.get(8)?, state })
}

/// The request in a row of [`REQUEST`], with the grant that came of it.
fn filed(row: &Row<'_>, grant: Option<GrantData>) -> rusqlite::Result<Filed> {
    let decision = || Ok::<_, rusqlite::Error>((row.get(5)?, row.get(6)?));
    let state = match (row.get::<_, String>(4)?.as_str(), grant) {
        ("granted", Some(grant)) => {
            let (by, reason) = decision()?;
            RequestState::Granted { by, reason, grant }
        }
        ("denied", _) => {
            let (by, reason) = decision()?;
            RequestState::Denied { by, reason, again: row.get::<_, i64>(7)?.unsigned_abs() }
        }
        _ => RequestState::Open,
    };
    Ok(Filed {
        id: format!("r{}", row.get::<_, i64>(0)?),
        batch: format!("b{}", row.get::<_, i64>(1)?),
        filed: row.get::<_, i64>(2)?.unsigned_abs(),
        request: json(row, 3)?,
        state,
    })
}

fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

/// The number in a name that begins with `letter`.
fn number(name: &str, letter: char) -> Option<i64> {
    name.strip_prefix(letter)?.parse().ok()
}

fn seconds(time: u64) -> i64 {
    i64::try_from(time).unwrap_or(i64::MAX)
}

fn unusable(error: rusqlite::Error) -> StoreProblem {
    StoreProblem::Unusable(match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "it is no database; name another file".to_owned(),
        Some(ErrorCode::DatabaseCorrupt) => "it is damaged; put back a copy, or begin with another file".to_owned(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "others hold it for too long".to_owned(),
        Some(ErrorCode::DiskFull) => "there is no room left on the disk".to_owned(),
        _ => error.to_string(),
    })
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").field("path", &self.path).finish_non_exhaustive()
    }
}
