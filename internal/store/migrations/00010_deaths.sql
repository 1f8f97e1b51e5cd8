-- Processes that died while they handled an event.

-- +goose Up

ALTER TABLE events ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0; -- since the event's run recorded a step
