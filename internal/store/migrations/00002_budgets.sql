-- What commands cost.
--
-- +goose Up

-- One row for each call of a model: what was reserved for it, then what it took.
CREATE TABLE bookings (
    run        TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    call       INTEGER NOT NULL,      -- from 1
    tokens     BIGINT  NOT NULL,      -- reserved, or taken when settled
    settled    INTEGER NOT NULL,      -- 0 or 1
    booked     BIGINT  NOT NULL,
    PRIMARY KEY (run, call)
);

-- The sum of the bookings of each budget in each period, kept in the transaction that books.
CREATE TABLE budgets (
    budget TEXT   NOT NULL,           -- "user-commands:7", "repository-tokens:42", "owner-tokens:9" (an installation), ...
    period TEXT   NOT NULL,           -- "2026-11-20" or "2026-11"
    used   BIGINT NOT NULL,
    PRIMARY KEY (budget, period)
);
