-- Pairs are jobs of the queue of their experiment; the tables that they had of their own go.
INSERT INTO jobs (queue, job, kind, topic, payload, state, worker, generation, deadline)
    SELECT experiment, pair, 'arena/pair', point, '{"point":' || point || '}', state, worker, generation, deadline
    FROM pairs;
DROP TABLE pairs;

INSERT INTO job_workers (id, machine, process, threads, version, reference, started, seen, stuck, ended)
    SELECT id, machine, process, threads, version, reference, started, seen, stuck, ended FROM workers;
DROP TABLE workers;
