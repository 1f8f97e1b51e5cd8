-- The queue and the records of runs.
--
-- Times are milliseconds since 1970, UTC; 0 is "never". JSON is kept as text. All of it is read alike by SQLite and
-- PostgreSQL but for the generated key of events, which PostgreSQL spells BIGINT GENERATED ALWAYS AS IDENTITY.

-- +goose Up

-- One row for each delivery that was accepted. It stays when the work is done, so that the same delivery, sent again,
-- is known.
CREATE TABLE events (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of acceptance; never used twice
    delivery     TEXT    NOT NULL UNIQUE,           -- GitHub's GUID; a redelivery keeps it
    thread       TEXT    NOT NULL,                  -- bot.Event.ThreadKey
    installation BIGINT  NOT NULL,
    version      INTEGER NOT NULL,                  -- of the form of body
    body         TEXT    NOT NULL,                  -- bot.Event
    state        TEXT    NOT NULL CHECK (state IN ('ready', 'working', 'done', 'parked')),
    attempts     INTEGER NOT NULL,                  -- claims so far, less those that were given back
    not_before   BIGINT  NOT NULL,                  -- a retry waits until then
    lease_token  TEXT    NOT NULL,                  -- a new one for each claim; '' when nobody works on it
    lease_until  BIGINT  NOT NULL,
    error        TEXT    NOT NULL,                  -- why the last attempt failed; '' when it did not say, or did not fail
    accepted     BIGINT  NOT NULL,
    changed      BIGINT  NOT NULL
);

-- The guard of the queue's promise: of one thread, one event at most is leased.
CREATE UNIQUE INDEX events_one_in_work ON events (thread) WHERE state = 'working';

-- What a claim walks: the ready events of an installation, and those of a thread, oldest first.
CREATE INDEX events_ready_by_installation ON events (installation, seq) WHERE state = 'ready';
CREATE INDEX events_ready_by_thread ON events (thread, seq) WHERE state = 'ready';

-- Leases that ran out, and what a person should look at.
CREATE INDEX events_leases ON events (lease_until) WHERE state = 'working';
CREATE INDEX events_parked ON events (changed) WHERE state = 'parked';

-- When an installation last had its turn: a counter, not a clock. No row: it had none yet.
CREATE TABLE turns (
    installation BIGINT PRIMARY KEY,
    turn         BIGINT NOT NULL
);
CREATE INDEX turns_by_turn ON turns (turn);

-- One row for each event whose work was begun.
CREATE TABLE runs (
    id           TEXT   PRIMARY KEY,
    delivery     TEXT   NOT NULL UNIQUE REFERENCES events (delivery) ON DELETE CASCADE,
    installation BIGINT NOT NULL,
    thread       TEXT   NOT NULL,
    started      BIGINT NOT NULL
);

-- The outcome of each step of a run; written once, never changed.
CREATE TABLE run_steps (
    run      TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    step     TEXT    NOT NULL,
    version  INTEGER NOT NULL, -- of the record's form
    data     TEXT    NOT NULL,
    recorded BIGINT  NOT NULL,
    PRIMARY KEY (run, step)
);

-- One row, written to find out whether writing works.
CREATE TABLE pulse (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    beat BIGINT  NOT NULL
);
