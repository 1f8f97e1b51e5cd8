package backport

import (
	"regexp"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
)

var (
	// picked matches how git says where a commit was picked from, reverts how git and tenon say which one it reverts.
	picked  = regexp.MustCompile(`\(cherry picked from commit ([0-9a-f]{40})\)`)
	reverts = regexp.MustCompile(`(?i)\breverts (?:commit )?([0-9a-f]{40})\b`)
	// run matches the run that made a commit, undo that of which it reverts all commits.
	run  = regexp.MustCompile(`(?m)^Tenon-Run: ([a-z0-9]{12})\s*$`)
	undo = regexp.MustCompile(`(?m)^Tenon-Undo: ([a-z0-9]{12})\s*$`)
)

// In returns the commit among the newest of a branch, newest first, by which it has a commit already: that one itself,
// or one that says that it was picked from it. What a newer one reverts does not count. It is empty if there is none.
// Of several commits that are made as one, the branch must have each.
func (c Commit) In(log []port.LoggedCommit) (sha string) {
	wanted := []string{c.SHA}
	if c.First != "" {
		wanted = c.Picked // ends with c.SHA
	}
	undone := undoneIn(log)
	for _, one := range wanted {
		i := slices.IndexFunc(log, func(l port.LoggedCommit) bool {
			return !undone[l.SHA] && slices.Contains(namesOf(l), one)
		})
		if i < 0 {
			return ""
		}
		sha = log[i].SHA
	}
	return sha
}

// namesOf returns the SHA of a commit, those of the commits that it says it was picked from, and the run that made it.
func namesOf(c port.LoggedCommit) []string {
	return append(append(named(picked, c), named(run, c)...), c.SHA)
}

// revertedBy returns which commits one reverts, by names that they have.
func revertedBy(c port.LoggedCommit) []string { return append(named(reverts, c), named(undo, c)...) }

func named(by *regexp.Regexp, c port.LoggedCommit) (shas []string) {
	for _, m := range by.FindAllStringSubmatch(c.Message, -1) {
		shas = append(shas, m[1])
	}
	return shas
}

// undoneIn returns the commits of a log, newest first, that newer ones revert, which nothing reverts in turn.
func undoneIn(log []port.LoggedCommit) map[string]bool {
	undone, reverted := map[string]bool{}, map[string]bool{}
	for _, c := range log {
		if !slices.ContainsFunc(namesOf(c), func(name string) bool { return reverted[name] }) {
			for _, name := range revertedBy(c) {
				reverted[name] = true
			}
			continue
		}
		undone[c.SHA] = true
		for _, sha := range broughtBy(c, log) {
			reverted[sha] = true
		}
	}
	return undone
}

// broughtBy returns the commits of a log that a merge brought into the branch; none for any other commit.
func broughtBy(merge port.LoggedCommit, log []port.LoggedCommit) (shas []string) {
	if len(merge.Parents) < 2 {
		return nil
	}
	before, brought := map[string]bool{merge.Parents[0]: true}, map[string]bool{}
	for _, sha := range merge.Parents[1:] {
		brought[sha] = true
	}
	for _, c := range log {
		for _, set := range []map[string]bool{before, brought} {
			for _, parent := range c.Parents {
				set[parent] = set[parent] || set[c.SHA]
			}
		}
		if brought[c.SHA] && !before[c.SHA] {
			shas = append(shas, c.SHA)
		}
	}
	return shas
}
