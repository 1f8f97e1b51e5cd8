-- Which events can be claimed, so that a claim looks at no others.
--
-- +goose Up

-- Not NULL: the event is due, and the first of its thread's queue if it is in one. Of those of an installation the lowest
-- comes first. Claims keep this; a statement that changes the state of an event, or when it is due, only sets place_at to
-- 0.
ALTER TABLE events ADD COLUMN claimable BIGINT;
-- From when on a claim finds out whether the event can be claimed, and which one of its thread can: 0 after a change, then
-- when the event's sleep or its lease is over; NULL: never. What changes after the upgrade comes before what waits now.
ALTER TABLE events ADD COLUMN place_at BIGINT;
UPDATE events SET place_at = 1 WHERE state IN ('ready', 'working');

CREATE INDEX events_to_place ON events (place_at) WHERE place_at IS NOT NULL;
CREATE INDEX events_claimable ON events (aside, installation, claimable, seq)
    WHERE state = 'ready' AND claimable IS NOT NULL;
CREATE INDEX events_claimable_by_thread ON events (thread) WHERE claimable IS NOT NULL AND aside = 0;
CREATE INDEX events_noticed ON events (thread) WHERE waited = 1 AND state IN ('ready', 'working');
DROP INDEX events_leases;
DROP INDEX events_ready_by_installation;
DROP INDEX events_ready_by_thread;
CREATE INDEX events_ready_by_thread ON events (aside, thread, held, seq) WHERE state = 'ready';

-- What a claim chooses among the installations by. Claims keep this too.
ALTER TABLE turns ADD COLUMN leased INTEGER NOT NULL DEFAULT 0; -- events
ALTER TABLE turns ADD COLUMN first  BIGINT  NOT NULL DEFAULT 0; -- the event to claim next; 0 if none can be claimed
ALTER TABLE turns ADD COLUMN calm   BIGINT  NOT NULL DEFAULT 0; -- the same, if it must be no suspect
ALTER TABLE turns ADD COLUMN fresh  INTEGER NOT NULL DEFAULT 1; -- 0: the first was interrupted by the death of a process
ALTER TABLE turns ADD COLUMN begun  BIGINT  NOT NULL DEFAULT 0; -- when the installation had its turn
CREATE INDEX turns_in_order ON turns (aside, fresh, leased, turn, first) WHERE first > 0;

-- Processes of the previous version, which may run beside those of this one for a while, do not set place_at.
-- +postgres
ALTER TABLE events ALTER COLUMN place_at SET DEFAULT 0;
-- +goose StatementBegin
CREATE FUNCTION place_at_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.place_at := 0;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER events_of_the_previous_version BEFORE UPDATE OF state, not_before ON events
    FOR EACH ROW WHEN (NEW.place_at IS NOT DISTINCT FROM OLD.place_at
        AND (NEW.state <> OLD.state OR NEW.not_before <> OLD.not_before))
    EXECUTE FUNCTION place_at_once();
-- Nor do they when they delete what others are behind.
-- +goose StatementBegin
CREATE FUNCTION place_next() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    of TEXT;
BEGIN
    FOR of IN SELECT DISTINCT thread FROM deleted
        WHERE aside = 0 AND (state = 'ready' OR place_at IS NOT NULL) ORDER BY thread
    LOOP
        UPDATE events SET place_at = 0 WHERE seq = (
            SELECT n.seq FROM (
                SELECT q.seq, q.thread, q.held FROM events q
                WHERE q.state = 'ready' AND q.aside = 0 AND q.thread >= of
                ORDER BY q.thread, q.held, q.seq LIMIT 1
            ) n WHERE n.thread = of AND n.held = 0);
    END LOOP;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER deletions_of_the_previous_version AFTER DELETE ON events REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION place_next();

-- +both
