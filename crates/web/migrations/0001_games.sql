-- The games that people have saved.
CREATE TABLE games (
    id      INTEGER PRIMARY KEY,
    title   TEXT NOT NULL,
    -- Seconds since 1970.
    saved   INTEGER NOT NULL,
    -- The game with its variations and comments.
    sgf     TEXT NOT NULL
) STRICT;
