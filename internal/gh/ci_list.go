package gh

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// maxSaid is the limit of port.CommitCheck, in bytes.
	maxSaid = 4000
	// actionsApp is the name in URLs of the app that makes the check runs of GitHub Actions.
	actionsApp = "github-actions"
)

// checkList collects the checks of a commit.
type checkList struct {
	port.CommitChecks
	own  string         // the name of the App in URLs
	part int64          // the workflow run that this program is a part of, 0 for none
	ran  map[int64]span // when check runs ran, by their ids
}

// span is when a check run started and ended; each is zero if it did not, or if that is not known.
type span struct{ started, ended time.Time }

// checkFound is a check run as GitHub returns it.
type checkFound struct {
	id                                   int64
	app, name, conclusion, details, page string
	title, summary                       string
	notes                                int
	ran                                  span
}

var (
	// jobPage is the address of a job of GitHub Actions, which has the id of its workflow run.
	jobPage = regexp.MustCompile(`^https?://[^/?#]+/[^/?#]+/[^/?#]+/actions/runs/(\d{1,18})/job/(\d{1,18})(?:[?#]|$)`)
	// runPage is the address of a check run.
	runPage = regexp.MustCompile(`^https?://[^/?#]+/[^/?#]+/[^/?#]+/(?:actions/runs/\d+/job|runs)/(\d{1,18})(?:[?#]|$)`)
)

// addRun adds a check run, unless it is one of the App itself, or a job beside which this program runs.
func (l *checkList) addRun(r checkFound) {
	if l.isOwn(r) {
		return
	}
	if m := runPage.FindStringSubmatch(r.page); r.id == 0 && m != nil { // GraphQL's ids have 32 bits
		r.id, _ = strconv.ParseInt(m[1], 10, 64)
	}
	conclusion := strings.ToLower(r.conclusion)
	made := port.CommitCheck{Name: r.name, Outcome: port.OutcomeOf(conclusion), Conclusion: conclusion,
		Page: cmp.Or(webPage(r.details), webPage(r.page)), Check: r.id, Notes: r.notes, App: r.app,
		Said: *cutBytes(strings.TrimSpace(r.title+"\n"+r.summary), maxSaid)}
	if m := jobPage.FindStringSubmatch(r.details); r.app == actionsApp && m != nil {
		if job, _ := strconv.ParseInt(m[2], 10, 64); job == r.id {
			made.WorkflowRun, _ = strconv.ParseInt(m[1], 10, 64)
			made.Job = job
		}
	}
	if made.WorkflowRun != 0 && made.WorkflowRun == l.part {
		return
	}
	l.put(made, r.ran)
}

// isOwn reports whether a check run was made by the App itself. A job of GitHub Actions makes them in the name of the
// app that all jobs are shown by, so there the name counts too.
func (l *checkList) isOwn(r checkFound) bool {
	if !strings.EqualFold(r.app, l.own) {
		return false
	}
	return r.app != actionsApp || r.name == port.CheckName && !jobPage.MatchString(r.details)
}

// put adds a check run in the place of those of the same name that are earlier attempts of it. Jobs with the same name
// that ran side by side, as those of a matrix may, are all there.
func (l *checkList) put(check port.CommitCheck, ran span) {
	if l.ran == nil {
		l.ran = map[int64]span{}
	}
	l.ran[check.Check] = ran
	isSame := func(c port.CommitCheck) bool {
		return c.App == check.App && c.WorkflowRun == check.WorkflowRun && c.Name == check.Name && c.Check != 0
	}
	isNewer := func(c port.CommitCheck) bool { return isSame(c) && (c.Check == check.Check || l.replaces(c, check)) }
	isOlder := func(c port.CommitCheck) bool { return isSame(c) && l.replaces(check, c) }
	if slices.ContainsFunc(l.Checks, isNewer) {
		return
	}
	at := slices.IndexFunc(l.Checks, isOlder)
	if at < 0 {
		at = len(l.Checks)
	}
	l.Checks = slices.Insert(slices.DeleteFunc(l.Checks, isOlder), at, check)
}

// replaces reports whether a check run is a newer attempt of another one with its name: it started after the end of
// that. One that waits to start, or of which no times are known, is taken for one.
func (l *checkList) replaces(newer, older port.CommitCheck) bool {
	begun, ended := l.ran[newer.Check].started, l.ran[older.Check].ended
	return newer.Check > older.Check && (begun.IsZero() || !ended.IsZero() && !begun.Before(ended))
}

func (l *checkList) addStatus(context, state, description, target string) {
	made := port.CommitCheck{Name: context, Outcome: port.OutcomeOf(state), Page: webPage(target),
		Said: *cutBytes(description, maxSaid)}
	if made.Outcome != port.CheckPending {
		made.Conclusion = strings.ToLower(state)
	}
	l.Checks = append(l.Checks, made)
}

// webPage returns an address that a browser can open, "" for another one.
func webPage(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return address
}
