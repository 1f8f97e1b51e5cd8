package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// auditFlags are the flags that select entries of the audit.
type auditFlags struct {
	since, until, owner, repo, person, command, outcome, run string
}

// addTo adds the flags that every command has that reads the audit.
func (f *auditFlags) addTo(cmd *cobra.Command) {
	const when = "a date such as 2026-11-01, a time in RFC 3339, or so long ago: 12h, 30d"
	cmd.Flags().StringVar(&f.since, "since", "", "from this `time` on: "+when)
	cmd.Flags().StringVar(&f.until, "until", "", "before this `time`")
	cmd.Flags().StringVar(&f.owner, "owner", "", "of the repositories of this `login`")
	cmd.Flags().StringVar(&f.repo, "repo", "", "of one `repository`: owner/name, or the name alone")
	cmd.Flags().StringVar(&f.person, "person", "", "asked for by the person with this `login`")
}

// filter returns what the flags select. A flag without a value would select everything, and nobody who gives one means
// that.
func (f *auditFlags) filter(flags *pflag.FlagSet, now time.Time) (out store.AuditFilter, err error) {
	flags.Visit(func(flag *pflag.Flag) {
		if flag.Name != "data" && flag.Value.String() == "" {
			err = usageError{fmt.Errorf("--%s has no value; leave it out to select everything", flag.Name)}
		}
	})
	if err != nil {
		return out, err
	}
	out = store.AuditFilter{Owner: f.owner, Repo: f.repo, Person: strings.TrimPrefix(f.person, "@"),
		Command: strings.ToLower(strings.TrimPrefix(f.command, "/")), Outcome: port.EndOutcome(f.outcome), Run: f.run}
	if owner, name, ok := strings.Cut(f.repo, "/"); ok {
		if f.owner != "" && !strings.EqualFold(f.owner, owner) {
			return out, usageError{fmt.Errorf("--repo %s is not a repository of --owner %s", f.repo, f.owner)}
		}
		if owner == "" || name == "" {
			return out, usageError{fmt.Errorf("--repo %q is not a repository; write owner/name, or the name alone", f.repo)}
		}
		out.Owner, out.Repo = owner, name
	}
	if out.Since, err = parseTime("since", f.since, now); err != nil {
		return out, err
	}
	if out.Until, err = parseTime("until", f.until, now); err != nil {
		return out, err
	}
	if !out.Until.IsZero() && !out.Since.Before(out.Until) {
		return out, usageError{fmt.Errorf("--since %s is not before --until %s", f.since, f.until)}
	}
	var outcomes []string
	for _, o := range append(port.EndOutcomes(), port.EndCommitting) {
		outcomes = append(outcomes, string(o))
	}
	if f.outcome != "" && !slices.Contains(outcomes, f.outcome) {
		return out, usageError{fmt.Errorf("--outcome %q is none of %s", f.outcome, strings.Join(outcomes, ", "))}
	}
	if _, ok := command.Lookup(out.Command); f.command != "" && !ok {
		return out, usageError{fmt.Errorf("--command %q is not a command; docs/commands.md lists them",
			f.command)}
	}
	if f.run != "" && !port.IsRunID(f.run) {
		return out, usageError{fmt.Errorf("--run %q is not a run; it is the 12 letters and digits at the end of an answer",
			f.run)}
	}
	return out, nil
}

// parseTime reads a time, or how long ago it was; the zero time for an empty text. A date begins at midnight, UTC.
func parseTime(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return t, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	if n, err := strconv.ParseUint(strings.TrimSuffix(text, "d"), 10, 16); err == nil && strings.HasSuffix(text, "d") {
		return now.AddDate(0, 0, -int(n)), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, usageError{fmt.Errorf("--%s %q is not a time; write a date such as 2026-11-01, a time such as "+
		"2026-11-01T15:04:05Z, or how long ago: 12h, 30d", flag, text)}
}
