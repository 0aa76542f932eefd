-- What is to be done. Who does it holds the lease: the worker and the generation must be the row's, and the deadline not
-- be over, in the transaction that stores what came of it.
CREATE TABLE jobs (
    queue TEXT NOT NULL,                    -- jobs that belong together: an experiment, a run, a position
    job BIGINT NOT NULL,                    -- their order
    kind TEXT NOT NULL,                     -- what the payload is
    topic BIGINT NOT NULL DEFAULT 0,        -- jobs of a queue that can be closed together
    payload TEXT NOT NULL,                  -- JSON
    state BIGINT NOT NULL DEFAULT 0,        -- 0 open, 1 done, 2 not needed
    worker TEXT NOT NULL DEFAULT '',
    generation BIGINT NOT NULL DEFAULT 0,   -- how often it was given out
    deadline DOUBLE PRECISION NOT NULL DEFAULT 0,
    PRIMARY KEY (queue, job)
);

-- What a claim looks for, in the order of the jobs: a claim that takes n jobs reads n of them, however many there are and
-- were.
CREATE INDEX open_jobs ON jobs (queue, job, deadline) WHERE state = 0;

CREATE TABLE job_workers (
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
