package store

import (
	"context"
	"time"
)

const (
	// uninstalledPeriod is how often each process looks for installations whose rows are to be deleted.
	uninstalledPeriod = time.Minute
	// maxUninstalled is how many installations are looked at in one pass.
	maxUninstalled = 100
)

// Uninstalled has everything deleted that belongs to an installation whose owner removed the App, but the audit: within
// minutes, by the Keeper of some process. An event that is being handled goes when it has ended.
func (s *Store) Uninstalled(ctx context.Context, installation int64) error {
	return s.write(ctx, "noting that the App was uninstalled", func(tx tx) error {
		_, err := tx.ExecContext(ctx, insertUninstalled, installation, tx.after(0))
		return err
	})
}

// deleteUninstalled deletes the rows of installations whose owner removed the App.
func (k *Keeper) deleteUninstalled(ctx context.Context) (deleted int64, err error) {
	var all []int64
	err = k.Store.write(ctx, "looking for uninstalled Apps", func(tx tx) (err error) {
		all, err = collect(ctx, tx, scanOne[int64], findUninstalled, maxUninstalled)
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, installation := range all {
		n, err := k.deleteInstallation(ctx, installation)
		if deleted += n; err != nil {
			return deleted, err
		}
	}
	return deleted, nil
}

func (k *Keeper) deleteInstallation(ctx context.Context, installation int64) (deleted int64, err error) {
	for more := true; more; {
		var n int64
		err = k.batch(ctx, "deleting the events of an uninstalled App", func(tx tx) error {
			if n, err = k.Store.dropUnfinished(ctx, tx, installation); err != nil || n > 0 {
				more = n > 0
				return err
			}
			n, err = deleteEvents(ctx, tx, deleteInstallation, installation, deleteBatch)
			if more = n > 0; err != nil || more {
				return err
			}
			for _, statement := range []string{deleteTurns, deletePace, deleteReportsOf} {
				if _, err := tx.ExecContext(ctx, statement, installation); err != nil {
					return err
				}
			}
			_, err = tx.ExecContext(ctx, deleteUninstalled, installation, tx.after(-StrangerRetention))
			return err
		})
		if err != nil {
			return deleted, err
		}
		deleted += n
	}
	return deleted, nil
}
