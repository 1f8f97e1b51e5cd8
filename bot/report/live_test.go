package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/markdowntest"
)

// answers are all that tenon posts, with s wherever a model, a file, a person, a setting or GitHub has a say.
var answers = map[string]func(s string) string{
	"a fix": func(s string) string { return hostileSummary(s, 3).Body() },
	"a fix whose edits did not fit": func(s string) string {
		r := hostileSummary(s, 3)
		r.SHA, r.Held, r.Offers = "", true, anyCommand
		return r.Body()
	},
	"a fix that was not pushed": func(s string) string {
		r := hostileSummary(s, 1)
		r.SHA, r.Unpushed = "", s
		r.Patch = record.Patch{Text: s, LeftOut: []retrieve.LeftOut{{Path: s, Why: "named"}}}
		return r.Body()
	},
	"a fix that failed its test": func(s string) string {
		r := hostileSummary(s, 1)
		r.SHA, r.Unpushed = "", sentence.TestFailed
		r.Test = record.Verification{State: record.VerifyFailed, Workflow: s, WorkflowRun: 7, Failed: []string{s, s}}
		return r.Body()
	},
	"a fix that GitHub did not test": func(s string) string {
		r := hostileSummary(s, 1)
		r.Test = record.Verification{State: record.VerifyUntested, Why: sentence.WorkflowRefused(s, s)}
		return r.Body()
	},
	"a fix that was cancelled in its test": func(s string) string {
		r := hostileSummary(s, 1)
		r.SHA, r.Unpushed = "", sentence.CancelledInTest(s)
		return r.Body()
	},
	"a fix that changed nothing": func(s string) string {
		r := hostileSummary(s, 0)
		r.SHA, r.Reply.NoChange = "", true
		return r.Body()
	},
	"a fix that broke a file": func(s string) string {
		r := hostileSummary(s, 2)
		r.Results[0].Status, r.Results[1].Status = record.StatusFailed, record.StatusFailed
		r.Results[0].Reason = string(engine.SyntaxError)
		r.Results[0].Problems = []record.Problem{{Line: 1, Text: s, Syntax: true}}
		r.Results[0].Around, r.Results[0].AroundLine = []string{s, s}, 1
		return r.Body()
	},
	"a backport": func(s string) string { return hostileBackport(s).Body() },
	"the pull request of a backport": func(s string) string {
		b := hostileBackport(s)
		_, body := BackportPull(aFix(), b, b.To[0])
		return body
	},
	"a check":             func(s string) string { return hostileSummary(s, 3).Check().Text },
	"a check's summary":   func(s string) string { return hostileSummary(s, 3).Check().Summary },
	"a thread":            func(s string) string { return ThreadBody(hostileThread(s), hostileSummary(s, 1)) },
	"a thread left alone": func(s string) string { return ThreadBody(conversation.ThreadOutcome{Remark: s}, Summary{}) },
	"threads": func(s string) string {
		r := hostileSummary(s, 1)
		r.Addressed = []conversation.ThreadOutcome{{ReviewThread: record.ReviewThread{Path: s, Line: 3, URL: lathe + "/x"}}}
		return r.Body()
	},
	"an answer": func(s string) string { return AskBody(asked(port.Answer{Text: s, Model: s}), askCosts, onLathe) },
	"an answer in words": func(s string) string {
		return AskBody(asked(port.Answer{Text: "Look at " + s + " here.\n\n- " + s + "\n- x\n\n> " + s + "\n\n## " + s}),
			askCosts, onLathe)
	},
	"an answer that links": func(s string) string {
		j := asked(port.Answer{Text: "See `" + s + ":3` and `a.go`."})
		j.Prompt.Shown[s] = "sum"
		j.Prompt.Files = []retrieve.ShownFile{{Path: s, Why: "named"}}
		return AskBody(j, askCosts, onLathe)
	},
	"a preview": func(s string) string {
		p := previewOf(fitting(s, recordedDiff([]string{s}, []string{"x", s})), failing(s), fitting("b.go", s))
		p.Outcomes = map[int]history.BlockOutcome{3: {Why: s}}
		for i := range p.Results {
			p.Results[i].Purpose = s
		}
		p.Reply.Explanation, p.Reply.Problems = s, []engine.Problem{{Text: s}}
		p.ReadOnly = s
		return p.Body()
	},
	"a conflict": func(s string) string {
		r := hostileSummary(s, 1)
		r.Results[0].Status, r.Results[0].Reason = record.StatusFailed, string(engine.Conflict)
		r.Results[0].Sides = &record.Sides{Base: []string{s}, Ours: []string{s, s}, Theirs: []string{s}, Line: 3}
		r.SHA, r.Conflicts = "", record.Patch{Text: s}
		return r.Body()
	},
	"conflicts of a merge":        func(s string) string { return hostileResolution(s).Body() },
	"conflicts that were settled": hostileMerge,
	"a refusal": func(s string) string {
		r := hostileSummary(s, 1)
		r.SHA, r.Unpushed, r.Said = "", "a rule", s
		return r.Body()
	},
	"an offer": func(s string) string { return Offer{Run: runID, Branch: s, From: s, Answer: lathe, Edits: 2}.Body() },
	"an offer that was taken": func(s string) string {
		o := Offer{Run: runID, Branch: s, From: s, Answer: lathe, Edits: 2}
		return o.Done(record.Target{Unopened: s + ".", Branch: s}, onLathe)
	},
	"an offered pull request": func(s string) string {
		asking := aFix()
		asking.Event.Sender.Login = s
		_, body := OfferedPull(asking, record.Target{Title: s, Base: s}, hostileSummary(s, 2))
		return body
	},
	"a pull request": func(s string) string {
		d := hostileDescription(s, 2)
		updated, ok := d.Update("What people wrote.\n\n" + sectionBegins + sectionEnds)
		if !ok {
			return d.Body("")
		}
		return d.Body("") + "\n\n" + updated
	},
	"no pull request": func(s string) string {
		return UnopenedNotice(record.Target{Base: s, Branch: s, Unopened: s}, onLathe)
	},
	"a run that goes on": func(s string) string {
		asking := aFix()
		asking.Event.Sender.Login = s
		return StatusBody(asking, Status{Stage: StageAsking, Call: 1, Blocks: []string{s, s},
			Target: record.Target{Branch: s, Base: s, SHA: someSHA}, Files: []retrieve.ShownFile{{Path: s, Why: "named"}}})
	},
	"a fix of what CI reports": func(s string) string {
		r := hostileSummary(s, 1)
		r.Context.CI = hostileCI(s)
		return r.Body()
	},
	"a refusal about CI": func(s string) string {
		link, names := CommitLink(onLathe, someSHA), []string{s, s, "test", s, s, s, s}
		return sentence.CIStillRuns(link, names, nil).Text + "\n\n" + sentence.CIReportsNoFailure(link, names, nil).Text
	},
	"what CI said": func(s string) string {
		failing := []port.CommitCheck{{Name: s, Page: s, Outcome: port.CheckFailed},
			{Name: s, Page: lathe + "/" + s, Outcome: port.CheckFailed}, {Name: "a", Page: lathe, Outcome: port.CheckFailed}}
		of := Told{CI: CIOf(port.CommitChecks{Checks: failing}), Run: runID, Links: onLathe, Offers: anyCommand}
		body, _ := of.In(signedAnswer)
		of.Commit = someSHA
		body, _ = of.In(body)
		rounds := Rounds{Run: runID, End: s, Rounds: []Round{{N: 1, Of: 2, Commit: someSHA, CI: of.CI, Links: onLathe}}}
		body, _ = rounds.In(body)
		return body
	},
	"a queue": func(s string) string {
		ev := aFix().Event
		ev.Sender.Login = s
		one := Queued{QueuedEvent: port.QueuedEvent{Event: ev, Running: true}, Verb: command.Fix}
		cancelled := Cancelled{QueuedEvent: one.QueuedEvent, Verb: command.Fix}
		return QueueBody(ev.Thread, []Queued{one, one}, Server{}, time.Time{}) + "\n\n" +
			QueuedNotice(aFix(), command.Fix, ev) + "\n\n" + CancelBody([]Cancelled{cancelled}, ev.Thread, true) + "\n\n" +
			CancelledBody(&port.CancelledError{By: s})
	},
	"the settings": func(s string) string {
		p := withFiles(policy.DefaultPolicy())
		p.Models, p.Protected, p.Ignore, p.Label = []string{s}, []string{s, s}, []string{s}, s
		p.Problems = []policy.Problem{{Source: policy.Repository, Line: 3, Text: s}}
		return settingsOf(p).Body(latheRepo)
	},
	"an undo": func(s string) string {
		return OfUndo(record.Commit{Run: runID, SHA: someSHA}, s, hostileSummary(s, 2)).Body()
	},
	"an update": func(s string) string {
		m, r := record.Merge{Branch: s, SHA: someSHA}, hostileSummary(s, 2)
		made := OfUpdate(m, "", r).Body()
		r.SHA, r.Results = "", nil
		none := OfUpdate(m, runID, r).Body()
		for range 3 {
			r.Results = append(r.Results, record.Result{
				Path: s, Status: record.StatusFailed, Reason: string(edit.ReasonMergeConflict), Detail: s,
			})
		}
		return made + "\n\n" + none + "\n\n" + OfUpdate(m, "", r).Body()
	},
	"file operations": func(s string) string {
		return OfOperations(record.Operations{Run: runID, Chosen: []record.Operation{
			{Number: 1, Command: s}, {Number: 2, Command: s}, {Number: 3, Command: s}}}, hostileSummary(s, 3)).Body()
	},
	"a command with a mistake": func(s string) string {
		text := ""
		for _, body := range []string{"/tenon " + s, "/tenon fix --format " + s, "/tenon fix --files " + s + " x",
			"/tenon fix --base " + s + " x", "/tenon undo " + s, "/tenon apply " + s, "/tenon address " + s} {
			ev := port.Event{Kind: port.IssueComment, Comment: port.Comment{Body: body}}
			if inv, ok := command.FromEvent(ev, "tenon", ""); ok {
				text += inv.Problem + "\n\n"
			}
		}
		return text
	},
	"help": func(s string) string { return HelpBody("tenon", s) },
}

func hostileThread(s string) conversation.ThreadOutcome {
	return conversation.ThreadOutcome{
		ReviewThread: record.ReviewThread{Path: s, Line: 3, URL: lathe + "/pull/12#r1"}, Remark: s + " and " + s,
		Results: hostileSummary(s, 3).Results,
	}
}

// Whatever a model, a file or a person writes, an answer has no link, image, mention, reference, box, heading,
// formula, footnote, alert, emoji or HTML that it would not have without: by goldmark, and by the renderer that
// GitHub's is made from.
func TestNothingThatAnybodyWritesLivesInAnAnswer(t *testing.T) {
	t.Parallel()
	docs, kinds, fragments := []string{}, []string{}, []string{}
	for kind, of := range answers {
		for _, s := range append([]string{"word"}, markdowntest.Living...) {
			docs, kinds, fragments = append(docs, of(s)), append(kinds, kind), append(fragments, s)
		}
	}
	require.Greater(t, len(docs), 3000)
	var audit markdowntest.Audit
	check := func(pages []string) {
		ours, boxes := map[string][]string{}, map[string]int{} // in each kind of answer, whoever says what
		for i, page := range pages {
			live := slices.DeleteFunc(audit.Live(page), func(s string) bool {
				return ourLink.MatchString(s) || slices.Contains(ours[kinds[i]], s)
			})
			if fragments[i] == "word" {
				ours[kinds[i]], boxes[kinds[i]] = live, strings.Count(page, "<input")
				continue
			}
			// What is not shown whole has no box.
			require.LessOrEqual(t, strings.Count(page, "<input"), boxes[kinds[i]], docs[i])
			require.Empty(t, live, "%s with %q: %s", kinds[i], fragments[i], docs[i])
		}
	}
	var pages []string
	for _, doc := range docs {
		pages = append(pages, markdowntest.RenderHTML(doc))
	}
	check(pages)
	if pages, ok := markdowntest.CMark(t, docs); ok {
		check(pages)
	}
}
