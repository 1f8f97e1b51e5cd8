package view

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
)

// saw returns what the model was shown in all calls, and what was left out: files, checks that failed, and the results
// of its searches.
func saw(rec record.Record) (shown, leftOut []File) {
	if rec.Prompt == nil {
		return nil, nil
	}
	all := conversation.Replies(rec).ExtendPrompt(*rec.Prompt)
	for _, f := range all.Files[:min(len(all.Files), maxListed)] {
		why := f.Why
		if secrets := all.ReadOnly[f.Path]; secrets != "" {
			why += fmt.Sprintf("; without the secrets in it (%s), and not to be edited", secrets)
		}
		shown = append(shown, File{Path: plain(f.Path), Why: plain(why), Parts: partsOf(f.Parts)})
	}
	for _, l := range all.LeftOut[:min(len(all.LeftOut), maxListed)] {
		leftOut = append(leftOut, File{Path: plain(l.Path), Why: plain(l.Why)})
	}
	return append(append(shown, checks(rec.Prompt.CI)...), searches(rec.Turns)...), leftOut
}

func partsOf(spans []retrieve.Span) string {
	parts := make([]string, 0, len(spans))
	for _, p := range spans {
		parts = append(parts, fmt.Sprintf("%d–%d", p.From, p.To))
	}
	return plain(strings.Join(parts, ", "))
}

// checks returns the checks that failed and that the model was told of.
func checks(ci *record.CI) (out []File) {
	if ci == nil {
		return nil
	}
	for _, c := range ci.Failed[:min(len(ci.Failed), maxListed)] {
		why := "a check that failed"
		if c.Lines > 0 {
			why += fmt.Sprintf(", with %s of what it says", english.Plural(c.Lines, "line", ""))
		}
		out = append(out, File{Path: plain(c.Name), Why: why, words: true})
	}
	return out
}

// searches returns the texts that the model asked to be found.
func searches(turns []record.Turn) (out []File) {
	for _, turn := range turns {
		for _, g := range turn.Given {
			if !strings.HasPrefix(g.Ask, retrieve.FindPrefix) || len(out) == maxListed {
				continue
			}
			why := fmt.Sprintf("found in %s, of which %d were shown", english.Plural(g.All, "line", ""), g.Hits)
			if g.Hits == 0 {
				why = g.Why
			}
			out = append(out, File{Path: plain(secret.Redacted(g.Ask)), Why: plain(why), words: true})
		}
	}
	return out
}

// pathsOf returns files without why they were shown, or were not: that may quote the task.
func pathsOf(files []File) (out []File) {
	for _, f := range files {
		if !f.words {
			out = append(out, File{Path: f.Path, Parts: f.Parts})
		}
	}
	return out
}
