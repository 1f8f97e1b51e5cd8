-- Limits on how many events are accepted.

-- +goose Up

-- 1 for an event that was accepted beyond a limit and is handled later: no other event waits for it.
ALTER TABLE events ADD COLUMN held INTEGER NOT NULL DEFAULT 0;

-- When the next event of a sender or an installation would come if all came at the rate of their limit. A row in the
-- past means the same as none.
CREATE TABLE arrivals (
    source TEXT   PRIMARY KEY, -- "sender:7", "installation:9", ...
    due    BIGINT NOT NULL
);
