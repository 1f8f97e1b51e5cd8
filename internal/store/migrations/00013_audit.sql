-- Who asked for what, what was changed where, and what it cost.
--
-- +goose Up

-- One row for each end of a run, and one for each run that was about to commit. Rows are added and never changed, and
-- deleted when they are older than audit_horizon says: triggers refuse all else. They outlive the events, and the
-- installations, that they are about.
CREATE TABLE audit (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    run          TEXT    NOT NULL,
    ending       INTEGER NOT NULL, -- 0: the run was about to commit; from 1: the ends of the run, a dead letter may have several
    at           BIGINT  NOT NULL,
    installation BIGINT  NOT NULL,
    owner        TEXT    NOT NULL, -- in lower case, as are the next two
    repo         TEXT    NOT NULL,
    person       TEXT    NOT NULL,
    command      TEXT    NOT NULL,
    outcome      TEXT    NOT NULL,
    version      INTEGER NOT NULL, -- of the form of body
    body         TEXT    NOT NULL, -- port.Ended
    UNIQUE (run, ending)
);
CREATE INDEX audit_by_time ON audit (at);

-- Since when rows of the audit are kept: older ones may be deleted.
CREATE TABLE audit_horizon (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    kept_since BIGINT  NOT NULL
);
INSERT INTO audit_horizon (id, kept_since) VALUES (1, 0);

-- How many commands that came to nothing each day had, of people without write permission: all of them, and those that
-- are in the audit.
CREATE TABLE audit_counts (
    day    TEXT   NOT NULL, -- "2026-11-20"
    source TEXT   NOT NULL, -- "all", "installation:9", "person:7"
    seen   BIGINT NOT NULL,
    listed BIGINT NOT NULL,
    PRIMARY KEY (day, source)
);

-- What each attempt at a call took, and of which model.
ALTER TABLE bookings ADD COLUMN model         TEXT    NOT NULL DEFAULT ''; -- '' where that is not known
ALTER TABLE bookings ADD COLUMN tokens_in     BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE bookings ADD COLUMN tokens_cached BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE bookings ADD COLUMN tokens_out    BIGINT  NOT NULL DEFAULT 0;
ALTER TABLE bookings ADD COLUMN nanos         BIGINT  NOT NULL DEFAULT 0;  -- billionths of a US dollar
ALTER TABLE bookings ADD COLUMN unpriced      INTEGER NOT NULL DEFAULT 0;  -- 1: the price is not known

-- What follows is in the dialect of one database, and left out for the other.

-- +sqlite
-- REPLACE deletes rows without their triggers.
-- +goose StatementBegin
CREATE TRIGGER audit_replaces_nothing BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE seq = NEW.seq OR run = NEW.run AND ending = NEW.ending)
BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_changes_nothing BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_keeps_everything BEFORE DELETE ON audit
WHEN OLD.at >= (SELECT kept_since FROM audit_horizon)
BEGIN SELECT RAISE(ABORT, 'the audit is only added to, until its retention is over'); END;
-- +goose StatementEnd

-- +postgres
-- +goose StatementBegin
CREATE FUNCTION audit_is_only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.at < (SELECT kept_since FROM audit_horizon) THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION 'the audit is only added to, until its retention is over';
    END IF;
    RAISE EXCEPTION 'the audit is only added to';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER audit_keeps_rows BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_is_only_added_to();
CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_only_added_to();

-- +both
