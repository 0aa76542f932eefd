-- What is to be solved.
CREATE TABLE solve_runs (
    run TEXT PRIMARY KEY NOT NULL,
    game TEXT NOT NULL,
    board TEXT NOT NULL,                    -- as certificates name it
    moves TEXT NOT NULL,                    -- to the position in question
    budget BIGINT NOT NULL,                 -- nodes of a job
    outcome TEXT NOT NULL DEFAULT '',       -- white, black, draw; nothing as long as it is not known
    created DOUBLE PRECISION NOT NULL
);

-- The upper part of a proof: a tree of positions for each run and attacker, in which a position is one node however it
-- comes about. What is known of a position is under the name of the tree; its jobs are in the queue of that name.
CREATE TABLE solve_nodes (
    tree TEXT NOT NULL,
    node BIGINT NOT NULL,                   -- 0 is the root
    position TEXT NOT NULL,                 -- its full key
    moves TEXT NOT NULL,                    -- one way to it from the root
    attacking BIGINT NOT NULL,              -- 1 if the attacker moves
    proof BIGINT NOT NULL,
    disproof BIGINT NOT NULL,
    lost BIGINT NOT NULL,                   -- 1 if the defender is known to win
    expanded BIGINT NOT NULL,               -- 1 if its children are nodes
    nodes BIGINT NOT NULL,                  -- of the jobs at it and below
    solved BIGINT NOT NULL,                 -- in which order nodes were solved; 0 if it is not
    PRIMARY KEY (tree, node)
);
CREATE UNIQUE INDEX solve_positions ON solve_nodes (tree, position);
CREATE INDEX solve_solved ON solve_nodes (tree, solved);

CREATE TABLE solve_edges (
    tree TEXT NOT NULL,
    parent BIGINT NOT NULL,
    child BIGINT NOT NULL,
    PRIMARY KEY (tree, parent, child)
);
CREATE INDEX solve_parents ON solve_edges (tree, child);

-- Jobs that were done.
CREATE TABLE solve_results (
    tree TEXT NOT NULL,
    node BIGINT NOT NULL,
    generation BIGINT NOT NULL,             -- of the lease
    worker TEXT NOT NULL,
    nodes BIGINT NOT NULL,
    finished DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (tree, node, generation)
);
