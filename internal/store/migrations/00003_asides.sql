-- Events that do not wait for their thread, cancelling, and telling people that they wait.

-- +goose Up

ALTER TABLE events ADD COLUMN aside        INTEGER NOT NULL DEFAULT 0;  -- 1: neither waits for its thread nor holds it up
ALTER TABLE events ADD COLUMN waited       INTEGER NOT NULL DEFAULT 0;  -- 1: people were told that it waits, or nearly
ALTER TABLE events ADD COLUMN cancelled_in TEXT    NOT NULL DEFAULT ''; -- the delivery that cancelled it; '' when none did
ALTER TABLE events ADD COLUMN cancelled_by TEXT    NOT NULL DEFAULT ''; -- the login of who wrote that

DROP INDEX events_one_in_work;
CREATE UNIQUE INDEX events_one_in_work ON events (thread) WHERE state = 'working' AND aside = 0;
DROP INDEX events_ready_by_installation;
CREATE INDEX events_ready_by_installation ON events (aside, installation, seq) WHERE state = 'ready';
DROP INDEX events_ready_by_thread;
CREATE INDEX events_ready_by_thread ON events (thread, seq) WHERE state = 'ready' AND aside = 0;
CREATE INDEX events_cancelled ON events (cancelled_in) WHERE cancelled_in <> '';
CREATE INDEX runs_by_thread ON runs (thread);

-- Turns are counted apart for events aside. What is forgotten is who was served last.
DROP TABLE turns;
CREATE TABLE turns (
    installation BIGINT  NOT NULL,
    aside        INTEGER NOT NULL,
    turn         BIGINT  NOT NULL,
    PRIMARY KEY (installation, aside)
);
CREATE INDEX turns_by_turn ON turns (turn);
