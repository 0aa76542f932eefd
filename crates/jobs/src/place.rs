//! Where a store is: a path, or the address of a database.

use std::path::Path;

pub(crate) fn is_postgres(place: &str) -> bool {
    place.starts_with("postgres://") || place.starts_with("postgresql://")
}

/// Whether it is the address of a web server, and so no place of a store.
pub fn is_web(place: &str) -> bool {
    place.starts_with("http://") || place.starts_with("https://")
}

/// The address of a database that is made if it is not there.
pub(crate) fn url(place: &str) -> String {
    if is_postgres(place) {
        place.to_owned()
    } else {
        sqlite_url(place)
    }
}

/// The addresses at which a database may be readable, the best one first.
pub(crate) fn urls_to_read(place: &str) -> Vec<String> {
    if is_postgres(place) || place.contains("?mode=") {
        return vec![url(place)];
    }
    let path = sqlite_path(place);
    let address = |how: &str| format!("sqlite://{}?mode=ro{how}", escaped(path));
    let mut urls = vec![address("")];
    // Where the files of the log cannot be made, one that nobody writes can be read without them.
    let log = std::fs::metadata(format!("{path}-wal"));
    if !log.is_ok_and(|log| log.is_file() && log.len() > 0) {
        urls.push(address("&immutable=true"));
    }
    urls
}

/// A path as the address of a database that is made if it is not there.
fn sqlite_url(place: &str) -> String {
    let path = sqlite_path(place);
    if path.contains("?mode=") {
        return format!("sqlite://{path}");
    }
    if let Some(folder) = Path::new(path).parent() {
        // If it cannot be made, opening the file says so.
        let _ = std::fs::create_dir_all(folder);
    }
    format!("sqlite://{}?mode=rwc", escaped(path))
}

/// The path of a file that may be given as an address.
fn sqlite_path(place: &str) -> &str {
    let path = place.strip_prefix("sqlite://");
    path.or_else(|| place.strip_prefix("sqlite:"))
        .unwrap_or(place)
}

fn escaped(path: &str) -> String {
    path.replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23")
}

/// A place without the password that it may have.
pub(crate) fn shown(place: &str) -> String {
    let Some((scheme, rest)) = place.split_once("://") else {
        return place.to_owned();
    };
    match rest.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{host}")
        }
        None => place.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(
            shown("postgres://me:secret@host/db"),
            "postgres://me@host/db"
        );
        assert_eq!(shown("postgres://host/db"), "postgres://host/db");
        assert_eq!(shown("a.db"), "a.db");
    }

    #[test]
    fn paths_become_addresses() {
        assert_eq!(sqlite_url("a b?.db"), "sqlite://a b%3f.db?mode=rwc");
        assert_eq!(sqlite_url("sqlite://x.db"), "sqlite://x.db?mode=rwc");
        assert_eq!(sqlite_url("x.db?mode=ro"), "sqlite://x.db?mode=ro");
    }
}
