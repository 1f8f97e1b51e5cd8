package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/store"
)

func newBackupCmd() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the SQLite database of a server, which may be running, to a new file",
		Long: `backup copies the SQLite database of a server to a new file. The server may be running: the copy is
a snapshot, and nobody waits for it. When the command ends, it is verified and on the disk.

To restore: stop the server, put the copy into the data folder as tenon.db, remove tenon.db-wal and
tenon.db-shm there, and start the server. A PostgreSQL database has its own tools, such as pg_dump.`,
		Example: `  tenon backup /backup/tenon-$(date +%F).db`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts, err := databaseOf(dir)
			if err != nil {
				return err
			}
			file, err := filepath.Abs(args[0])
			if err != nil {
				return fmt.Errorf("finding %s: %w", args[0], err)
			}
			if err := store.Backup(cmd.Context(), opts, file); err != nil {
				return err
			}
			info, err := os.Stat(file)
			if err != nil {
				return fmt.Errorf("reading the backup: %w", err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", file, humanize.IBytes(uint64(info.Size())))
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "data", "", "the server's data `folder` (default $TENON_DATA_DIR, else ./data)")
	return cmd
}
