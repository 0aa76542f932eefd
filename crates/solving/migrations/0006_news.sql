-- What workers found out below the positions of the tree, for the tables of the others: entries of a solver's table.
CREATE TABLE solve_news (
    run TEXT NOT NULL,
    news BIGINT NOT NULL,                   -- in which order they came
    worker TEXT NOT NULL,
    entries BYTEA NOT NULL,
    PRIMARY KEY (run, news)
);
