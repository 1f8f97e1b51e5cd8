-- Which events end the process, and which only were there when it died.

-- +goose Up

ALTER TABLE events ADD COLUMN process TEXT    NOT NULL DEFAULT ''; -- that claimed the event last
ALTER TABLE events ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0;  -- deaths in a row during the event's trial
ALTER TABLE events ADD COLUMN tried   BIGINT  NOT NULL DEFAULT 0;  -- when the trial began; 0 if it is over, or there is none
CREATE INDEX events_died ON events (process) WHERE state IN ('ready', 'working') AND deaths > 0;

-- turns.calm is not used any more. Processes of the previous version read and write it.
