package store

import (
	"context"
	"fmt"
	"time"
)

// auditBatch is how many entries one transaction deletes.
const auditBatch = 500

// deleteAudit deletes the entries of the audit that are too old. The database refuses to delete others.
func (k *Keeper) deleteAudit(ctx context.Context) (deleted int64, err error) {
	for more := true; more; {
		var n int64
		err := k.batch(ctx, "deleting old entries of the audit", func(tx tx) error {
			if _, err := tx.ExecContext(ctx, moveAuditHorizon, tx.after(-k.Audit)); err != nil {
				return err
			}
			res, err := tx.ExecContext(ctx, deleteAudit, auditBatch)
			if err != nil {
				return err
			}
			if n, err = res.RowsAffected(); err != nil {
				return err
			}
			oldest, yesterday := tx.now.Add(-k.Audit).UTC(), tx.now.Add(-24*time.Hour).UTC()
			_, err = tx.ExecContext(ctx, deleteAuditCounts, oldest.Format(time.DateOnly), yesterday.Format(time.DateOnly))
			return err
		})
		if err != nil {
			return deleted, fmt.Errorf("audit: %w", err)
		}
		deleted, more = deleted+n, n == auditBatch
	}
	return deleted, nil
}
