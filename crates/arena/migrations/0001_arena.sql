CREATE TABLE experiments (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    scale TEXT NOT NULL,
    file TEXT NOT NULL,
    version TEXT NOT NULL,
    created DOUBLE PRECISION NOT NULL
);

-- One row for each pair of games. A worker that plays it holds the lease: its generation must be the
-- row's, and the deadline not be over, when it stores a game.
CREATE TABLE pairs (
    experiment TEXT NOT NULL REFERENCES experiments (id),
    pair BIGINT NOT NULL,
    point BIGINT NOT NULL,
    state BIGINT NOT NULL DEFAULT 0,        -- 0 open, 1 done, 2 not needed
    worker TEXT NOT NULL DEFAULT '',
    generation BIGINT NOT NULL DEFAULT 0,
    deadline DOUBLE PRECISION NOT NULL DEFAULT 0,
    PRIMARY KEY (experiment, pair)
);
CREATE INDEX open_pairs ON pairs (experiment, pair) WHERE state = 0;

CREATE TABLE games (
    experiment TEXT NOT NULL REFERENCES experiments (id),
    pair BIGINT NOT NULL,
    colour BIGINT NOT NULL,
    point BIGINT NOT NULL,
    score BIGINT NOT NULL,                  -- of the player: 2 win, 1 draw, 0 loss
    reason TEXT NOT NULL,
    fault TEXT NOT NULL,
    plies BIGINT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    worker TEXT NOT NULL,
    generation BIGINT NOT NULL,
    finished DOUBLE PRECISION NOT NULL,
    sgf TEXT NOT NULL,
    turns TEXT NOT NULL,
    PRIMARY KEY (experiment, pair, colour)
);

CREATE INDEX games_of_point ON games (experiment, point);

CREATE TABLE workers (
    id TEXT PRIMARY KEY NOT NULL,
    machine TEXT NOT NULL,
    process BIGINT NOT NULL,
    threads BIGINT NOT NULL,
    version TEXT NOT NULL,
    reference DOUBLE PRECISION NOT NULL,
    started DOUBLE PRECISION NOT NULL,
    seen DOUBLE PRECISION NOT NULL,
    stuck BIGINT NOT NULL DEFAULT 0,
    ended BIGINT NOT NULL DEFAULT 0
);
