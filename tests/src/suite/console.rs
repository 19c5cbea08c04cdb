//! Consoles: the files that they show, and what their commands print.

use std::process::Command;

use crate::policy::File;

/// The files that a console shows with `$ cat NAME` and that are not there yet, with what it shows of them.
pub(super) fn shown_files(console: &str, files: &[&File]) -> Vec<File> {
    let mut shown: Vec<File> = Vec::new();
    let mut open = false;
    for line in console.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            let name = command.strip_prefix("cat ").filter(|name| !name.contains([' ', '/']));
            open = name.is_some_and(|name| files.iter().copied().chain(&shown).all(|file| file.label != name));
            if open {
                shown.extend(name.map(|name| File::new(name, "")));
            }
        } else if let Some(file) = shown.last_mut().filter(|_| open) {
            file.text += line;
            file.text.push('\n');
        }
    }
    shown
}

/// Runs `commands` one after the other in a new folder that holds `files`: each one's exit status and what it printed.
pub(super) fn shell(files: &[&File], commands: &[&str]) -> Vec<(i32, String)> {
    let folder = tempfile::tempdir().expect("a scratch folder can be made");
    for file in files {
        let path = folder.path().join(&file.label);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .expect("a scratch folder can be filled");
        std::fs::write(path, &file.text).expect("a scratch folder can be filled");
    }
    let binary = crate::command_line::policyc().parent().expect("the binary lies in a folder");
    let mut search = binary.as_os_str().to_owned();
    search.push(":");
    search.push(std::env::var_os("PATH").unwrap_or_default());
    commands
        .iter()
        .map(|command| {
            let output = Command::new("sh")
                .args(["-c", &format!("exec 2>&1\n{command}")])
                .current_dir(folder.path())
                .env("PATH", &search)
                .env("HOME", "/home/dev")
                .env("NO_COLOR", "1")
                .env("LC_ALL", "C.UTF-8")
                .stdin(std::process::Stdio::null())
                .output()
                .expect("a shell starts");
            let text =
                String::from_utf8_lossy(&output.stdout).replace(&folder.path().display().to_string(), "/scratch");
            let mut text: String = text.lines().map(str::trim_end).fold(String::new(), |text, line| text + line + "\n");
            if text.trim().is_empty() {
                text.clear();
            }
            (output.status.code().unwrap_or(-1), text)
        })
        .collect()
}
