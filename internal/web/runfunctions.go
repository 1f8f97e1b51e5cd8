package web

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/unusual"
	"github.com/tenon-bot/tenon/bot/view"
)

// tally is a part of the summary of a run.
type tally struct {
	Text  string
	Badge view.Badge
	// First means that it leads to the first block with the badge.
	First bool
}

// summary says what became of the blocks: "3 applied · 1 failed · 1 skipped".
func summary(c view.Counts) []tally {
	var parts []tally
	for _, one := range []struct {
		n     int
		badge view.Badge
		first bool
	}{{c.Applied, view.BadgeApplied, false}, {c.Failed, view.BadgeFailed, true}, {c.Skipped, view.BadgeSkipped, true},
		{c.New, view.BadgeNew, false}} {
		if one.n > 0 {
			parts = append(parts, tally{fmt.Sprintf("%d %s", one.n, one.badge), one.badge, one.first})
		}
	}
	return parts
}

// first returns the id of the element of the first block with a badge.
func first(blocks []view.Block, badge view.Badge) string {
	for _, b := range blocks {
		if b.Badge == badge {
			return fmt.Sprintf("block-%d", b.Number)
		}
	}
	return inBlocks
}

// doing says in a few words what a run does that goes on.
func doing(r view.Run) string {
	for _, reply := range r.Replies {
		if reply.Arriving {
			return "the model replies"
		}
	}
	if n := len(r.Timeline); n > 0 {
		return "last step: " + short(r.Timeline[n-1].What)
	}
	return "has started"
}

// changedFile is a file with its blocks.
type changedFile struct {
	Path           string
	Added, Removed int
	// Block is the number of its first block, Badges are those of all, each once.
	Block  int
	Badges []view.Badge
}

// filesOf returns the files of blocks, in the order of their first ones.
func filesOf(blocks []view.Block) []changedFile {
	var files []changedFile
	at := map[string]int{}
	for _, b := range blocks {
		i, ok := at[b.Path]
		if !ok {
			i = len(files)
			at[b.Path] = i
			files = append(files, changedFile{Path: b.Path, Block: b.Number})
		}
		f := &files[i]
		if b.Badge == view.BadgeApplied {
			f.Added, f.Removed = f.Added+b.Diff.Added, f.Removed+b.Diff.Removed
		}
		if !slices.Contains(f.Badges, b.Badge) {
			f.Badges = append(f.Badges, b.Badge)
		}
	}
	return files
}

// actName is the text of the button of an act.
func actName(a view.Act) string {
	switch a {
	case view.ActUndo:
		return "Undo the commit"
	case view.ActRetry:
		return "Retry"
	case view.ActApply:
		return "Apply the chosen edits"
	case view.ActCancel:
		return "Cancel"
	}
	return strings.ToUpper(string(a))
}

// shaOf returns the beginning of the id of a commit.
func shaOf(sha string) string { return short(sha[:min(len(sha), 7)]) }

// short is plain for a name or another text that is one line.
func short(text any) string {
	return unusual.Spelled(strings.Join(strings.Fields(cut(fmt.Sprint(text), maxShort)), " "))
}

const maxShort = 300

// cut returns at most so many bytes of a text, as valid UTF-8, with an ellipsis if there is more.
func cut(text string, most int) string {
	if len(text) > most {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text = text[:most] + "…"
	}
	return strings.ToValidUTF8(text, "�")
}
