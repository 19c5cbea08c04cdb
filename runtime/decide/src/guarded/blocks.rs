//! The commands of a text in their order, with the folders that subshells, loops and functions lead to.

use alloc::string::String;
use alloc::vec::Vec;

use policyc_shell::{Block, BlockKind, Script, SimpleCommand};

use super::folders::Folder;
use super::setting::Setting;
use super::{Answer, Judge};

/// The most rounds in which the commands of a loop are judged to find out where it leads.
const MOST_ROUNDS: usize = 4;

/// What commands have left for those that follow, but for parameters.
pub(super) struct State {
    moved: Vec<Folder>,
    assigned: Vec<String>,
    aliases: Vec<(String, String)>,
    mark: (usize, usize),
}

impl Judge<'_, '_> {
    /// Judges the commands of a text in their order; those of loops and functions with all folders that these lead to.
    pub(super) fn commands(&mut self, script: &Script<'_>, setting: &Setting<'_>) -> Answer {
        let runs_again = |block: &Block| block.kind != BlockKind::Apart;
        if script.problem.is_some() || !script.blocks.iter().any(runs_again) {
            return self.round(script, &mut Vec::new(), setting);
        }
        let mut led: Vec<Folder> = Vec::new();
        for round in 1.. {
            let known = led.len();
            let before = self.state();
            let answer = self.round(script, &mut led, setting);
            if led.len() == known || self.is_exhausted() {
                return answer;
            }
            if round >= MOST_ROUNDS {
                led.push(Folder::anywhere());
            }
            self.restore(before);
        }
        Answer::Prompt
    }

    /// What commands so far have left for those that follow.
    pub(super) fn state(&self) -> State {
        State {
            moved: self.moved.clone(),
            assigned: self.assigned.clone(),
            aliases: self.aliases.clone(),
            mark: self.mark(),
        }
    }

    /// Takes back what was left since, and what was recorded.
    pub(super) fn restore(&mut self, state: State) {
        (self.moved, self.assigned, self.aliases) = (state.moved, state.assigned, state.aliases);
        self.forget(state.mark);
    }

    /// The same once, with `led` being where loops and functions led so far.
    fn round(&mut self, script: &Script<'_>, led: &mut Vec<Folder>, setting: &Setting<'_>) -> Answer {
        let mut answer = Answer::Allow;
        let mut blocks = script.blocks.iter().filter(|_| script.problem.is_none()).peekable();
        let calls = script.blocks.iter().any(|block| block.kind == BlockKind::Function);
        // The blocks around a command, with the number of folders before each.
        let mut open: Vec<(&Block, usize)> = Vec::new();
        for command in &script.commands {
            while let Some((block, moved)) = open.pop_if(|(block, _)| block.span.end <= command.span.start) {
                self.end_block(block.kind, moved, calls, led);
            }
            while let Some(block) = blocks.next_if(|block| block.span.start <= command.span.start) {
                open.push((block, self.moved.len()));
                if block.kind != BlockKind::Apart {
                    self.add_folders(led);
                }
            }
            answer = answer.max(self.command(command, feeders(script, command), setting));
        }
        while let Some((block, moved)) = open.pop() {
            self.end_block(block.kind, moved, calls, led);
        }
        if calls {
            self.end_block(BlockKind::Function, 0, calls, led);
        }
        answer
    }

    /// Ends a block, before which so many folders were known. Functions may be called wherever commands have led.
    fn end_block(&mut self, kind: BlockKind, moved: usize, calls: bool, led: &mut Vec<Folder>) {
        if self.moved.is_empty() {
            return;
        }
        if kind == BlockKind::Loop || calls {
            led.extend(self.moved.iter().filter(|folder| !led.contains(folder)).cloned().collect::<Vec<_>>());
        }
        if kind == BlockKind::Apart {
            self.moved.truncate(moved);
        }
    }

    fn add_folders(&mut self, folders: &[Folder]) {
        for folder in folders {
            if !self.moved.contains(folder) {
                self.moved.push(folder.clone());
            }
        }
    }
}

/// How many pipelines in one another are followed.
const MOST_PIPELINES: usize = 64;

/// The commands whose output a command may read.
fn feeders<'s, 't>(script: &'s Script<'t>, command: &SimpleCommand<'t>) -> &'s [SimpleCommand<'t>] {
    let Some(last) = command.fed_by else { return &[] };
    let mut first = command.fed_from.unwrap_or(last);
    for _ in 0..MOST_PIPELINES {
        let Some(fed) = script.commands.get(first) else { break };
        match fed.fed_from.or(fed.fed_by) {
            Some(earlier) if earlier < first => first = earlier,
            _ => break,
        }
    }
    script.commands.get(first..=last).unwrap_or_default()
}
