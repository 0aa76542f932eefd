//! Which machine and process this is, so that the next one knows whether it is still there.

use std::fs;

/// A name for this machine that no other one has at the same time: its host name, the identity of its
/// boot and of its space of process numbers.
pub fn machine() -> String {
    let read = |path: &str| {
        fs::read_to_string(path)
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let host = read("/proc/sys/kernel/hostname");
    let boot: String = read("/proc/sys/kernel/random/boot_id")
        .chars()
        .take(8)
        .collect();
    let space = fs::read_link("/proc/self/ns/pid").ok();
    let space: String = space.map_or(String::new(), |space| {
        space
            .to_string_lossy()
            .chars()
            .filter(char::is_ascii_digit)
            .collect()
    });
    let host = if host.is_empty() {
        "machine".to_owned()
    } else {
        host
    };
    format!("{host}-{boot}-{space}")
}

/// A name for this process that no other one of the machine has, before or after it.
pub fn worker(machine: &str) -> String {
    let process = std::process::id();
    format!(
        "{machine}:{process}:{}",
        started(process).unwrap_or_default()
    )
}

/// Whether the process of a worker of this machine is still there. Where that cannot be found out, it is.
pub fn is_alive(worker: &str) -> bool {
    if started(std::process::id()).is_none() {
        return true;
    }
    let mut parts = worker.rsplitn(3, ':');
    let (Some(start), Some(process)) = (parts.next(), parts.next()) else {
        return true;
    };
    let Ok(process) = process.parse() else {
        return true;
    };
    started(process).is_some_and(|started| started == start)
}

/// When a process began, in ticks since the boot; `None` if there is none, or it has ended and only waits
/// to be noticed.
fn started(process: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may contain anything; the state and 18 numbers follow before the start.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    if state == "Z" || state == "X" {
        return None;
    }
    fields.nth(18).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_alive_and_others_are_not() {
        let own = worker(&machine());
        assert!(is_alive(&own));
        assert!(
            !is_alive(&format!("{own}1")),
            "a process of the same number that began later"
        );
        let mut child = std::process::Command::new("true")
            .spawn()
            .expect("a process");
        let process = child.id();
        let of_child = format!("m:{process}:{}", started(process).unwrap_or("0".to_owned()));
        child.wait().expect("its end");
        assert!(!is_alive(&of_child));
    }
}
