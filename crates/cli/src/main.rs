//! The binary: streams, signals and the exit code around [`theorycheck::main_with`].

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use theorycheck::{Exit, Streams, main_with};

fn main() -> ExitCode {
    let cancel = Arc::new(AtomicBool::new(false));
    let heeding = Arc::new(AtomicBool::new(false));
    let (flag, heeded) = (Arc::clone(&cancel), Arc::clone(&heeding));
    // A command that heeds an interrupt ends by itself, with what it has; a second interrupt, or one that nobody heeds, ends at once. Without a handler the system's default holds, which is no reason to stop here.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) || !heeded.load(Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    // A panic is a bug of ours: one line, and exit code 70.
    std::panic::set_hook(Box::new(|panic| eprintln!("internal error: {panic}")));
    let arguments: Vec<String> = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let output = std::io::stdout();
    let width = output.is_terminal().then(|| console::Term::stdout().size().1);
    let mut streams = Streams {
        input: &mut std::io::stdin().lock(),
        output: &mut output.lock(),
        messages: &mut std::io::stderr(),
        width,
        // A terminal, and NO_COLOR is not set.
        colour: width.is_some() && console::colors_enabled(),
        cancel: &cancel,
        heeding: &heeding,
    };
    let exit = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| main_with(&arguments, &mut streams))).unwrap_or(Exit::Internal);
    ExitCode::from(exit.code())
}
