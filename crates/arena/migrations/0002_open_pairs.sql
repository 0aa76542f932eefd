-- What a claim looks for, in the order in which pairs are played: a claim that takes n pairs reads n of them, however
-- many there are and were.
DROP INDEX open_pairs;
CREATE INDEX open_pairs ON pairs (experiment, pair, deadline) WHERE state = 0;
