-- In which formats models write edits, and how many of these were applied.
--
-- +goose Up

CREATE TABLE formats (
    day     TEXT   NOT NULL, -- "2026-11-20"
    model   TEXT   NOT NULL, -- its name in the settings of the server
    format  TEXT   NOT NULL, -- of engine.Format
    blocks  BIGINT NOT NULL,
    applied BIGINT NOT NULL,
    PRIMARY KEY (day, model, format)
);
