-- One booking for each attempt at a call of a model.

-- +goose Up

CREATE TABLE bookings_of_attempts (
    run        TEXT    NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    call       INTEGER NOT NULL,      -- from 1
    attempt    INTEGER NOT NULL,      -- from 1, in each call
    tokens     BIGINT  NOT NULL,      -- reserved, or taken when settled
    settled    INTEGER NOT NULL,      -- 0 or 1
    booked     BIGINT  NOT NULL,
    PRIMARY KEY (run, call, attempt)
);
INSERT INTO bookings_of_attempts (run, call, attempt, tokens, settled, booked)
SELECT run, call, 1, tokens, settled, booked FROM bookings;
DROP TABLE bookings;
ALTER TABLE bookings_of_attempts RENAME TO bookings;
