-- The queue's clock, and the share of each installation in the workers.

-- +goose Up

-- The latest time that the queue has seen, and what is added to the server's clock because that was set back.
CREATE TABLE clock (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    seen  BIGINT  NOT NULL,
    shift BIGINT  NOT NULL -- milliseconds; 0 in SQLite, where the process that has the database keeps the time
);
INSERT INTO clock (id, seen, shift) VALUES (1, 0, 0);

CREATE INDEX events_leased_by_installation ON events (aside, installation) WHERE state = 'working';
