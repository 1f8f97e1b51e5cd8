package main

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/store"
)

// errNoTarget is the error for migrate-data without a target.
var errNoTarget = errors.New("TENON_DATABASE_URL is not set: it names the PostgreSQL database to move the data to, " +
	"as postgres://user:password@host:port/database")

func newMigrateDataCmd() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "migrate-data",
		Short: "Copy the SQLite database of a stopped server to an empty PostgreSQL database",
		Long: `migrate-data copies the SQLite database of a data folder to the PostgreSQL database that
TENON_DATABASE_URL names: waiting events, the records of runs, the budgets, everything. Stop the
server first; deliveries that arrive in the meantime are requested again when it starts.

All of it is copied in one transaction, or nothing. The PostgreSQL database must be empty, or have
tenon's tables without any events. The folder is not changed: keep it until you trust the copy, but
never start a server with it again, as that would run the unfinished commands a second time.`,
		Example: `  TENON_DATABASE_URL=postgres://tenon:...@db/tenon tenon migrate-data --data /var/lib/tenon`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			database, err := config.LoadDatabase(config.Source{})
			if err != nil {
				return err
			}
			if !database.DatabaseURL.IsSet() {
				return errNoTarget
			}
			if dir == "" {
				dir = database.DataDir
			}
			to := store.Options{DatabaseURL: database.DatabaseURL.Reveal()}
			moved, err := store.MoveToPostgres(cmd.Context(), store.Options{Dir: dir}, to)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s and %s were copied to %s.\n"+
				"Start the server with the same TENON_DATABASE_URL, and no other with %s.\n",
				english.Plural(int(moved["events"]), "event", ""), english.Plural(int(moved["runs"]), "run", ""), to.Place(), dir)
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "data", "", "the server's data `folder` (default $TENON_DATA_DIR, else ./data)")
	return cmd
}
