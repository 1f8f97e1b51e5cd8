package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

// ErrNoBackup is returned for a database that is not SQLite's.
var ErrNoBackup = errors.New("PostgreSQL has its own means for backups: use pg_dump, or those of your provider")

// Backup copies the SQLite database of a server, which may be running and writing, to a new file: the state of one
// moment, checked and on the disk when Backup returns. The copy is a database that a server can be started with, as
// tenon.db of its data folder; it has no free space in it. It returns ErrNoBackup for PostgreSQL, and an error that
// says what to do if the file exists or cannot be written; then there is no file.
func Backup(ctx context.Context, opts Options, file string) (err error) {
	if opts.DatabaseURL != "" {
		return ErrNoBackup
	}
	o, err := Attach(ctx, opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s exists already: name a new file, or move that one away", file)
	}
	// An unfinished copy must not be taken for a backup.
	partial, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*") // with access for its owner alone
	if err != nil {
		return fmt.Errorf("making the backup: %w", err)
	}
	defer func() { _ = os.Remove(partial.Name()) }() // it has another name when all went well
	if err := partial.Close(); err != nil {
		return fmt.Errorf("making the backup: %w", err)
	}
	if _, err := o.s.db.ExecContext(ctx, "VACUUM INTO $1", partial.Name()); err != nil {
		return fmt.Errorf("copying the database to %s: %w", file, (&sqliteDatabase{dir: filepath.Dir(file)}).explain(err))
	}
	if err := checkCopy(ctx, partial.Name()); err != nil {
		return fmt.Errorf("checking the copy: %w", err)
	}
	if err := syncPath(partial.Name()); err != nil {
		return fmt.Errorf("writing %s to the disk: %w", file, err)
	}
	if err := os.Link(partial.Name(), file); err != nil { // unlike Rename, it never replaces a file
		return fmt.Errorf("naming the backup: %w", err)
	}
	return syncPath(filepath.Dir(file))
}

// checkCopy returns an error if a copy of a database is damaged.
func checkCopy(ctx context.Context, file string) (err error) {
	if err := quickCheck(ctx, file); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", fileURL(file, url.Values{"mode": {"ro"}}))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var id int
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil || id != applicationID {
		return errors.Join(err, errors.New("it is not a database of tenon"))
	}
	return nil
}

// syncPath writes a file or a folder to the disk.
func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
