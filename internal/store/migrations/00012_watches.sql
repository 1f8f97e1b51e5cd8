-- Commits whose CI is followed.

-- +goose Up

-- The events that wait for what CI says of a commit.
CREATE TABLE watches (
    delivery   TEXT    NOT NULL REFERENCES events (delivery) ON DELETE CASCADE,
    sha        TEXT    NOT NULL,
    repository BIGINT  NOT NULL, -- GitHub's id
    thread     TEXT    NOT NULL, -- of whose cancelling a commit that is followed is told; '' for another event
    stopped    INTEGER NOT NULL, -- 1: the commands of that thread were cancelled since
    pending    INTEGER NOT NULL, -- 1: CI reported while the event was leased
    since      BIGINT  NOT NULL,
    PRIMARY KEY (delivery, sha)
);
CREATE INDEX watches_by_commit ON watches (repository, sha);
CREATE INDEX watches_by_thread ON watches (thread) WHERE thread <> '';
CREATE INDEX watches_by_age ON watches (since);

-- The reports of CI in the last hour, for events that begin to wait only then.
CREATE TABLE reports (
    repository   BIGINT  NOT NULL,
    sha          TEXT    NOT NULL,
    installation BIGINT  NOT NULL,
    count        INTEGER NOT NULL,
    at           BIGINT  NOT NULL, -- of the last one; 0 if there was none
    PRIMARY KEY (repository, sha)
);
CREATE INDEX reports_by_age ON reports (at);
CREATE INDEX reports_by_installation ON reports (installation, at);

-- Events that follow a commit have 2 as aside: workers of their own claim them, in the order in which they are due.
CREATE INDEX events_following_by_due ON events (installation, not_before) WHERE state = 'ready' AND aside = 2;
