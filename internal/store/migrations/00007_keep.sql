-- One booking for each attempt at a call of a model, and what is deleted when.

-- +goose Up

CREATE TABLE bookings_of_attempts (
    run        TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    call       INTEGER NOT NULL,      -- from 1
    attempt    INTEGER NOT NULL,      -- from 1, in each call
    tokens     BIGINT  NOT NULL,      -- reserved, or taken when settled
    settled    INTEGER NOT NULL,      -- 0 or 1
    booked     BIGINT  NOT NULL,
    PRIMARY KEY (run, call, attempt)
);
INSERT INTO bookings_of_attempts (run, call, attempt, tokens, settled, booked)
SELECT run, call, 1, tokens, settled, booked FROM bookings;
DROP TABLE bookings;
ALTER TABLE bookings_of_attempts RENAME TO bookings;

-- When the sources in the steps of the run were deleted; 0 if they are there.
ALTER TABLE runs ADD COLUMN forgotten BIGINT NOT NULL DEFAULT 0;
CREATE INDEX runs_with_sources ON runs (started) WHERE forgotten = 0;

-- The work that one process does for all, and when it is due next.
CREATE TABLE chores (
    name TEXT   PRIMARY KEY,
    due  BIGINT NOT NULL
);

-- The installations whose owner removed the App.
CREATE TABLE uninstalled (
    installation BIGINT PRIMARY KEY,
    since        BIGINT NOT NULL
);
CREATE INDEX events_by_installation ON events (installation);
