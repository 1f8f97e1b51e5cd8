-- The same command under two delivery ids, and deliveries that never arrived.

-- +goose Up

-- What a person did, where an event tells it (port.Event.Origin); '' where it does not, and for older events.
ALTER TABLE events ADD COLUMN origin TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX events_by_origin ON events (origin) WHERE origin <> '';

-- The search for failed deliveries, which one process at a time does. One row.
CREATE TABLE sweep (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    token    TEXT    NOT NULL,  -- of the process that does it; '' when none does
    until    BIGINT  NOT NULL,  -- when that process has lost it
    due      BIGINT  NOT NULL,  -- when the next one begins
    seen     BIGINT  NOT NULL   -- the newest attempt that the last one saw, in milliseconds by GitHub's clock; 0 if none
);
INSERT INTO sweep (id, token, until, due, seen) VALUES (1, '', 0, 0, 0);

-- The deliveries that GitHub was asked to send again.
CREATE TABLE redeliveries (
    delivery    TEXT   PRIMARY KEY,
    first_asked BIGINT NOT NULL,
    last_asked  BIGINT NOT NULL
);
CREATE INDEX redeliveries_by_last_asked ON redeliveries (last_asked);
