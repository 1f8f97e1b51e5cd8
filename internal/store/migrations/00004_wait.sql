-- Events that sleep until something outside is possible again.

-- +goose Up

ALTER TABLE events ADD COLUMN waits_for   TEXT   NOT NULL DEFAULT ''; -- port.WaitReason of the last sleep; '' after a failure
ALTER TABLE events ADD COLUMN waits_since BIGINT NOT NULL DEFAULT 0;  -- when the event first had to wait; 0 when it had not
ALTER TABLE events ADD COLUMN gave_up     TEXT   NOT NULL DEFAULT ''; -- port.WaitReason that outlasted the patience
