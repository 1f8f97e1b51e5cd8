package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate upgrades the schema to this program's version by the migrations in all, in the database's dialect. The caller
// has locked the database against other processes.
func migrate(ctx context.Context, db *sql.DB, dialect goose.Dialect, all fs.FS) error {
	files, err := fs.Sub(all, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(dialect, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	have, know, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("reading the schema's version: %w", err)
	}
	if have > know {
		return fmt.Errorf("the database was written by a newer tenon (schema %d, this program knows %d): "+
			"run that version or a later one, or restore the backup made before the upgrade", have, know)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("upgrading the schema: %w", err)
	}
	return nil
}

// requireSchema returns an error if the schema is not this program's version.
func requireSchema(ctx context.Context, db *sql.DB, dialect goose.Dialect, all fs.FS) error {
	files, err := fs.Sub(all, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(dialect, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	sources := p.ListSources()
	know := sources[len(sources)-1].Version
	var have int64
	err = db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&have)
	if err != nil {
		return fmt.Errorf("reading the schema's version: %w", err)
	}
	if have != know {
		return fmt.Errorf("the database has schema %d, and this program knows %d: "+
			"use the same version of tenon as the server", have, know)
	}
	return nil
}
