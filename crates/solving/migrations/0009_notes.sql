-- How the numbers of the children of a node are combined: the largest, plus one for each further child if this is 0, plus one
-- part in so many of the sum of the others otherwise. Runs from before go on as they began.
ALTER TABLE solve_runs ADD COLUMN part BIGINT NOT NULL DEFAULT 0;

-- The newest entries of tables that workers tell each other.
CREATE TABLE solve_notes (
    tree TEXT NOT NULL,
    place BIGINT NOT NULL,                  -- among those of the tree
    worker TEXT NOT NULL,
    entries TEXT NOT NULL,                  -- in base64
    PRIMARY KEY (tree, place)
);
