//! The real bash, asked which words it passes to programs.
//!
//! No program is ever found: `PATH` names no folder, every builtin is disabled, and what is not found is recorded.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const BASH: &str = "/usr/bin/bash";

/// Runs every text of the file that the first argument names, each in a shell of its own.
const DRIVER: &str = r#"
exec 200>&1 201<"$1" 1>/dev/null
W_ALL=()
while read -r -u 202 W_NAME; do [[ $W_NAME == enable ]] || W_ALL+=("$W_NAME"); done 202<<< "$(compgen -b)"
command_not_found_handle() {
    enable printf read
    W_INPUT=
    if [[ -n $W_READS ]]; then IFS= read -r -d '' W_INPUT; fi
    # A newline would be written apart from what follows it, and others write too.
    printf '%s\0' "C" "$W_INDEX" "$#" "${@//$'\n'/$'\002'}" "${W_INPUT//$'\n'/$'\002'}" >&200
    # An endless loop ends here.
    if (( SECONDS > W_START + 1 )); then
        enable kill
        read -r _ _ _ W_PARENT _ < "/proc/$BASHPID/stat"
        read -r W_NAME < "/proc/$W_PARENT/comm"
        [[ $W_NAME == bash && $W_PARENT != "$$" ]] && kill -9 "$W_PARENT"
    fi
    [[ $1 != n* ]]
}
set -f -- 
set +f
FUNCNEST=10
W_INDEX=0
while IFS= read -r -d '' -u 201 W_TEXT; do
    printf 'T %s\n' "$W_INDEX" >&2
    W_START=$SECONDS
    # Only texts with here-documents and the like are asked what their commands read.
    W_READS=
    [[ $W_TEXT == *'<<'* && $W_TEXT != *coproc* ]] && W_READS=1
    ( ulimit -t 2; W_RUN="enable -n ${W_ALL[*]}"$'\n'"$W_TEXT"; unset W_NAME W_TEXT x y z; exec 201<&-; eval "$W_RUN" )
    W_INDEX=$((W_INDEX + 1))
done
printf 'T end\n' >&2
"#;

/// What a program would have got.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed {
    pub(crate) words: Vec<Vec<u8>>,
    /// What stood in its standard input.
    pub(crate) input: Vec<u8>,
}

/// What became of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Witnessed {
    /// Each command that was run, in the order in which they were recorded; `\x02` stands for a newline.
    pub(crate) commands: Vec<Passed>,
    /// What the shell said.
    pub(crate) said: String,
}

impl Witnessed {
    pub(crate) fn is_syntax_error(&self) -> bool {
        // Inside a substitution that is only expanded, a syntax error is found when it is run.
        let faults = ["syntax error near", "unexpected EOF", "unexpected end of file", "in conditional expression"];
        faults.iter().any(|fault| self.said.contains(fault))
    }
}

/// Whether there is a bash to ask; says so if not.
pub(crate) fn is_there() -> bool {
    let there = Path::new(BASH).exists();
    if !there {
        println!("SKIPPED: there is no {BASH}, so no text was compared with it");
    }
    there
}

/// A folder for the files that texts write.
pub(crate) struct Scratch(PathBuf, AtomicUsize);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("work")).expect("a scratch folder can be made");
        std::fs::write(folder.join("driver"), DRIVER).expect("the driver can be written");
        Self(folder, AtomicUsize::new(0))
    }

    fn bash(&self) -> Command {
        let mut command = Command::new(BASH);
        command.env_clear().env("PATH", "/nowhere").env("LC_ALL", "C.UTF-8").env("HOME", self.0.join("work"));
        command.current_dir(self.0.join("work")).stdin(Stdio::null()).arg("--norc");
        command
    }

    /// Runs the texts one after the other; none if that takes too long or ends early.
    pub(crate) fn run(&self, texts: &[&str], patience: Duration) -> Option<Vec<Witnessed>> {
        // What an earlier run left in the background must not write into the files of this one.
        let turn = self.1.fetch_add(1, Ordering::Relaxed);
        let input = self.0.join("texts");
        let (output, errors) = (self.0.join(format!("records-{turn}")), self.0.join(format!("errors-{turn}")));
        let mut file = std::fs::File::create(&input).expect("texts can be written");
        for text in texts {
            file.write_all(text.as_bytes()).expect("a text can be written");
            file.write_all(b"\0").expect("a text can be ended");
        }
        drop(file);
        let mut child = self
            .bash()
            .arg("../driver")
            .arg("../texts")
            .stdout(std::fs::File::create(&output).expect("a file for records"))
            .stderr(std::fs::File::create(&errors).expect("a file for errors"))
            .spawn()
            .expect("bash can be started");
        let started = Instant::now();
        loop {
            if child.try_wait().expect("bash can be waited for").is_some() {
                break;
            }
            if started.elapsed() > patience {
                child.kill().expect("bash can be ended");
                child.wait().expect("bash has ended");
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        // What runs in the background may end a little later.
        std::thread::sleep(Duration::from_millis(if texts.len() > 1 { 60 } else { 10 }));
        let mut witnessed = vec![Witnessed::default(); texts.len()];
        let errors = std::fs::read(&errors).expect("errors can be read");
        let errors = String::from_utf8_lossy(&errors);
        let mut current = None;
        for line in errors.lines() {
            match line.strip_prefix("T ") {
                Some("end") => current = Some(texts.len()),
                Some(index) if index.parse::<usize>().is_ok() => current = index.parse().ok(),
                _ => {
                    if let Some(witnessed) = current.and_then(|index: usize| witnessed.get_mut(index)) {
                        witnessed.said.push_str(line);
                        witnessed.said.push('\n');
                    }
                }
            }
        }
        if current != Some(texts.len()) {
            return None;
        }
        let records = std::fs::read(&output).expect("records can be read");
        let mut fields = records.split(|&byte| byte == 0);
        while let Some(field) = fields.next() {
            if field != b"C" {
                continue;
            }
            let mut number = || std::str::from_utf8(fields.next()?).ok()?.parse::<usize>().ok();
            let (index, count) = (number()?, number()?);
            let words = fields.by_ref().take(count).map(<[u8]>::to_vec).collect();
            let input = fields.next()?.to_vec();
            witnessed.get_mut(index)?.commands.push(Passed { words, input });
        }
        Some(witnessed)
    }

    /// Whether bash finds no fault with a text that it only reads.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        let file = self.0.join("syntax");
        std::fs::write(&file, text).expect("a text can be written");
        let output = self.bash().arg("-n").arg(&file).output().expect("bash can be started");
        output.status.success()
    }

    /// Empties the folder of what texts wrote.
    pub(crate) fn clean(&self) {
        let _ = std::fs::remove_dir_all(self.0.join("work"));
        std::fs::create_dir_all(self.0.join("work")).expect("a scratch folder can be made");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
