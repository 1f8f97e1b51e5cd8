-- Lists of runs that have ended, newest first.
--
-- +goose Up

CREATE INDEX audit_by_owner ON audit (owner, seq);
CREATE INDEX audit_by_repository ON audit (owner, repo, seq);
CREATE INDEX audit_by_person ON audit (person, seq);
CREATE INDEX audit_by_outcome ON audit (outcome, seq);
