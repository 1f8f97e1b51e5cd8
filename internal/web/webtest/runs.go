package webtest

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
)

// Mixed is a run that has ended, with something of everything: the id is "r-mixed".
func Mixed(repo port.RepoRef, at time.Time) view.Run {
	diff := view.Diff{Added: 1, Removed: 1, Hunks: []view.Hunk{{Old: 3, New: 3, Lines: []view.Line{
		{Kind: view.Context, Old: 3, New: 3, Text: "func total(items []Item) int {"},
		{Kind: view.Removed, Old: 4, Text: "\treturn 0 // wrong", Marks: [][2]int{{8, 9}}},
		{Kind: view.Added, New: 4, Text: "\treturn sum(items) // wrong", Marks: [][2]int{{8, 18}}},
		{Kind: view.Context, Old: 5, New: 5, Text: "}"},
	}}}}
	github := "https://github.com/" + repo.String()
	applied := func(n int, path string) view.Block {
		return view.Block{Number: n, Badge: view.BadgeApplied, Path: path, Line: 3, Level: "exact", Diff: diff,
			Purpose: "Add what the cart has.", FileURL: github + "/blob/c0ffee/" + path,
			LineURL: github + "/blob/c0ffee/" + path + "#L3-L5"}
	}
	return view.Run{
		ID: "r-mixed", Delivery: "d-1", State: view.Ended, Outcome: port.EndCommitted,
		Request: view.Request{Person: "ann", Repo: repo, Verb: "fix", Text: "/tenon fix the total of the cart",
			Thread: port.Thread{Number: 12, Pull: true, Title: "Count what is in the cart", URL: github + "/pull/12"},
			URL:    github + "/pull/12#issuecomment-1", AnswerURL: github + "/pull/12#issuecomment-2",
			Received: at.Add(-20 * time.Second), Started: at.Add(-14 * time.Second), Ended: at},
		Counts: view.Counts{Applied: 3, Failed: 1, Skipped: 1},
		Replies: []view.Reply{{Call: 1, Kind: "the task", Model: "gpt-large",
			Text:  "I add the items.\n\n<script>alert(\"hi\")</script>\n" + strings.Repeat("More of it.\n", 20),
			Usage: port.Usage{In: 12345, Cached: 1000, Out: 678}}},
		Blocks: []view.Block{
			applied(1, "cart/total.go"), applied(2, "cart/total.go"), applied(3, "web/cart.ts"),
			{Number: 4, Badge: view.BadgeFailed, Reason: "no_match", Words: "the edit did not match", Path: "cart/item.go",
				Diff: diff, Left: true, Searched: &view.Searched{Line: 8, Differs: 9, Want: "\treturn a", Have: "\treturn b",
					Lines: []string{"func f() int {", "\treturn b", "}"}}},
			{Number: 5, Badge: view.BadgeSkipped, Words: "the file is protected", Path: ".github/workflows/ci.yml", Diff: diff,
				Left: true},
		},
		Suggestions: []string{"go test ./..."},
		Problems:    []string{"The reply has a block without a path."},
		Saw: []view.File{{Path: "main.go", Why: "mentioned in the issue", Parts: "12–40, 80–90"},
			{Path: "cart/total.go"}},
		LeftOut: []view.File{{Path: "big.json", Why: "too long"}},
		Commit: &view.Commit{SHA: "c0ffee0123456789", URL: github + "/commit/c0ffee0123456789", Branch: "fix-cart",
			Subject: "fix: add what the cart has"},
		Costs: view.Costs{Took: 14 * time.Second, Models: []port.ModelUse{{Model: "gpt-large", Calls: 1, In: 12345,
			Cached: 1000, Out: 678, Nanos: 12_300_000}}},
		Timeline: []view.Moment{{What: "started", Step: "started", At: at.Add(-14 * time.Second)},
			{What: "asked the model", Step: "turn1", At: at.Add(-2 * time.Second), Since: 12 * time.Second},
			{What: "committed", Step: "committed", At: at, Since: 2 * time.Second}},
		Acts: []view.Act{view.ActUndo, view.ActRetry, view.ActApply},
	}
}

// Many is a run that has ended with so many blocks, each of which changes some lines: the id is "r-many".
func Many(repo port.RepoRef, at time.Time, blocks int) view.Run {
	run := Mixed(repo, at)
	run.ID = "r-many"
	run.Counts = view.Counts{Applied: blocks}
	one := run.Blocks[0]
	run.Blocks = nil
	for n := range blocks {
		b := one
		b.Number = n + 1
		b.Path = fmt.Sprintf("internal/cart/part%d/total_of_items.go", n)
		b.LineURL = "https://github.com/" + repo.String() + "/blob/c0ffee/" + b.Path + "#L3-L5"
		b.FileURL = "https://github.com/" + repo.String() + "/blob/c0ffee/" + b.Path
		hunk := view.Hunk{Old: 1, New: 1}
		for i := range 24 {
			l := view.Line{Kind: view.Context, Old: i + 1, New: i + 1,
				Text: fmt.Sprintf("\tif err := check(items[%d], order); err != nil {", i)}
			if i%4 == 1 {
				l.Kind, l.New = view.Removed, 0
			}
			if i%4 == 2 {
				l.Kind, l.Old, l.Marks = view.Added, 0, [][2]int{{4, 7}}
			}
			hunk.Lines = append(hunk.Lines, l)
		}
		b.Diff = view.Diff{Added: 6, Removed: 6, Hunks: []view.Hunk{hunk, hunk}}
		run.Blocks = append(run.Blocks, b)
	}
	return run
}

// Hostile is a run of which every text is evil: the id is "r-hostile".
func Hostile(repo port.RepoRef, at time.Time, evil string) view.Run {
	run := Mixed(repo, at)
	run.ID = "r-hostile"
	run.Why = evil
	run.Request.Person, run.Request.Verb, run.Request.Text, run.Request.Thread.Title = evil, evil, evil, evil
	run.Request.URL, run.Request.AnswerURL = "javascript:alert(1)", "javascript:alert(1)"
	run.Replies = []view.Reply{{Call: 1, Kind: evil, Model: evil, Text: evil, Fault: evil}}
	for i := range run.Blocks {
		b := &run.Blocks[i]
		b.Words, b.Path, b.Level, b.Purpose, b.Problems = evil, evil, evil, evil, []string{evil}
		b.LineURL, b.FileURL = "javascript:alert(1)", "javascript:alert(1)"
		b.Diff = view.Diff{Hunks: []view.Hunk{{Lines: []view.Line{{Kind: view.Added, New: 1, Text: evil}}}}}
	}
	run.Blocks[3].Searched = &view.Searched{Lines: []string{evil}, Line: 1, Differs: 1, Want: evil, Have: evil}
	run.Suggestions, run.Problems = []string{evil}, []string{evil}
	run.Saw, run.LeftOut = []view.File{{Path: evil, Why: evil, Parts: evil}}, []view.File{{Path: evil, Why: evil}}
	run.Commit = &view.Commit{SHA: evil, URL: "javascript:alert(1)", Branch: evil, Subject: evil}
	run.Costs.Models[0].Model = evil
	run.Timeline = []view.Moment{{What: evil, At: at}}
	return run
}
