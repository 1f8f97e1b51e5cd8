-- The pace of writes to GitHub, and commands that were acknowledged.

-- +goose Up

ALTER TABLE events ADD COLUMN acknowledged INTEGER NOT NULL DEFAULT 0; -- 1: begun by who tells waiting people; 2: done

-- One row for each installation: until when GitHub wants no request of it. Its lock serialises the writes below.
CREATE TABLE paces (
    installation  BIGINT PRIMARY KEY,
    blocked_until BIGINT NOT NULL
);

-- The content writes of about the last hour.
CREATE TABLE writes (
    installation BIGINT  NOT NULL,
    sent         BIGINT  NOT NULL,
    acknowledges INTEGER NOT NULL -- 1: it told somebody that their command was received
);
CREATE INDEX writes_by_installation ON writes (installation, sent);
