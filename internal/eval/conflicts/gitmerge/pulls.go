package gitmerge

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Pull is a merged pull request: the commit that it became, and the first parent of that.
type Pull struct{ ID, Before, Subject string }

// ofPull matches the subject of a commit that a merged pull request became, ofBot the signs that no person wrote it.
var (
	ofPull = regexp.MustCompile(`\(#[0-9]+\)$|^Merge pull request #[0-9]+`)
	ofBot  = regexp.MustCompile(`\[bot\]|[Dd]ependabot|(?i)renovate|pre-commit-ci|github-actions|weblate`)
)

// Pulls returns the newest pull requests of people that were merged into the default branch, at most so many. An
// application that is named in the author or the subject is no person.
func (r *Repository) Pulls(ctx context.Context, most int) (pulls []Pull, err error) {
	out, err := r.run(ctx, "log", "--first-parent", "--max-count="+strconv.Itoa(20*most),
		"--format=%H%x09%P%x09%an%x09%s", "HEAD")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.SplitN(strings.TrimSpace(line), "\t", 4)
		if len(pulls) == most {
			break
		}
		if len(fields) < 4 || fields[1] == "" || !ofPull.MatchString(fields[3]) ||
			ofBot.MatchString(fields[2]+" "+fields[3]) {
			continue
		}
		before, _, _ := strings.Cut(fields[1], " ")
		pulls = append(pulls, Pull{fields[0], before, fields[3]})
	}
	return pulls, nil
}

// Version is a file that two commits have in different versions: its modes, such as "100644", and the ids of its blobs;
// of zeros where a commit has none.
type Version struct{ Path, ModeBefore, ModeAfter, Before, After string }

// Versions returns the paths at which two commits differ, in order. A renamed file is two of them.
func (r *Repository) Versions(ctx context.Context, before, after string) (out []Version, err error) {
	said, err := r.run(ctx, "diff-tree", "-r", "-z", "--raw", "--no-renames", before, after)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(strings.TrimSuffix(string(said), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		about := strings.Fields(fields[i]) // :100644 100644 ID ID M
		if len(about) != 5 {
			return nil, fmt.Errorf("git diff-tree names no change: %q", fields[i])
		}
		out = append(out, Version{fields[i+1], strings.TrimPrefix(about[0], ":"), about[1], about[2], about[3]})
	}
	return out, nil
}
