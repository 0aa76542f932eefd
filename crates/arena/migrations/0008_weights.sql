-- The SHA-256 of the weights of each player that has some, by its name, as JSON: '{"net":"6f68c9…"}'. It is empty until
-- the first run that notes them.
ALTER TABLE experiments ADD COLUMN weights TEXT NOT NULL DEFAULT '';
