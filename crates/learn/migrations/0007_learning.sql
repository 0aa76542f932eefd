-- Learning runs whose games are shared. What is made of a run, and of each of its games, is in the folder of the process
-- that leads it: here is what workers need, and what they have made and the folder does not have yet.
CREATE TABLE learn_runs (
    run TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,                     -- of its folder
    plan TEXT NOT NULL,                     -- the TOML file
    version TEXT NOT NULL,                  -- of the program: another one may play other games
    created DOUBLE PRECISION NOT NULL,
    finished BIGINT NOT NULL DEFAULT 0
);

-- The journal of a run, for those who watch it.
CREATE TABLE learn_steps (
    run TEXT NOT NULL,
    step BIGINT NOT NULL,                   -- its place in the journal
    line TEXT NOT NULL,                     -- JSON
    PRIMARY KEY (run, step)
);

CREATE TABLE learn_weights (
    run TEXT NOT NULL,
    hash TEXT NOT NULL,                     -- SHA-256 of the file
    file TEXT NOT NULL,                     -- in base64
    PRIMARY KEY (run, hash)
);

CREATE TABLE learn_records (
    run TEXT NOT NULL,
    job BIGINT NOT NULL,
    record TEXT NOT NULL,                   -- in base64
    PRIMARY KEY (run, job)
);
