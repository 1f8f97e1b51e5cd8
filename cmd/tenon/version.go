package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// The linker sets these for a release (see the Makefile). Otherwise the build information is used.
var version, commit string

func newVersionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit it was built from, and the Go version",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), thisVersion())
			return err
		},
	}
}

// versionLine returns the version line. What the linker set is preferred to the build information, which may be nil.
func versionLine(version, commit string, info *debug.BuildInfo) string {
	dirty := ""
	if info != nil {
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		version = cmp.Or(version, info.Main.Version)
		if commit == "" && settings["vcs.modified"] == "true" {
			dirty = ", modified"
		}
		commit = cmp.Or(commit, settings["vcs.revision"])
	}
	return fmt.Sprintf("tenon %s (commit %.12s%s) %s %s/%s",
		cmp.Or(version, "(devel)"), cmp.Or(commit, "unknown"), dirty, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// shortVersion returns the version of this program alone, such as "v1.2.0".
func shortVersion() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		info = &debug.BuildInfo{}
	}
	return cmp.Or(version, info.Main.Version, "(devel)")
}

// thisVersion returns the version line of this program.
func thisVersion() string {
	info, _ := debug.ReadBuildInfo()
	return versionLine(version, commit, info)
}
