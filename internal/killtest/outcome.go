package killtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// outcome is what happened to the commands of a world.
type outcome struct {
	commits, comments, double int
	// lost are the commands without a commit, without the change, or without a finished answer.
	lost []string
	// calls are the numbers of the calls whose answer was committed, by the number of the command.
	calls map[int]int
	// unfinished are the organisations with lost commands.
	unfinished map[string]bool
}

var (
	runTrailer = regexp.MustCompile(`(?m)^Tenon-Run: (\w+)$`)
	runMarker  = regexp.MustCompile(`<!-- tenon:run=(\w+) -->`)
	callNumber = regexp.MustCompile(`, call (\d+)\n`)
)

// look counts the commits and answers of the commands that were posted.
func (w *world) look() (outcome, error) {
	o := outcome{calls: map[int]int{}, unfinished: map[string]bool{}}
	seen := map[string]bool{}
	for _, c := range w.commands {
		if c.comment == 0 || seen[c.org] {
			continue
		}
		seen[c.org] = true
		if err := w.lookAt(c.org, c.pull, &o); err != nil {
			return o, err
		}
	}
	return o, nil
}

// lookAt adds the outcome of one pull request.
func (w *world) lookAt(org string, pull int, o *outcome) error {
	repo := org + "/" + repository
	commits, err := w.github.Commits(repo, branch)
	if err != nil {
		return err
	}
	made := map[string][]string{} // messages by run
	for _, c := range commits {
		if m := runTrailer.FindStringSubmatch(c.Message); m != nil {
			o.commits++
			made[m[1]] = append(made[m[1]], c.Message)
		}
	}
	answers, err := w.answers(repo, pull)
	if err != nil {
		return err
	}
	o.comments += len(answers)
	said := map[string][]string{}
	for _, body := range answers {
		m := runMarker.FindStringSubmatch(body)
		if m == nil {
			m = []string{"", "none"}
		}
		said[m[1]] = append(said[m[1]], body)
	}
	for _, list := range said {
		o.double += len(list) - 1
	}
	for _, c := range w.commands {
		if c.org == org && c.comment != 0 {
			w.judge(c, made, said, o)
		}
	}
	return nil
}

// answers returns what the app said in a pull request.
func (w *world) answers(repo string, pull int) (list []string, err error) {
	comments, err := w.github.Comments(repo, pull)
	if err != nil {
		return nil, err
	}
	for _, c := range comments {
		if c.User == w.github.BotLogin() {
			list = append(list, c.Body)
		}
	}
	reviews, err := w.github.Reviews(repo, pull)
	for _, r := range reviews {
		if r.User == w.github.BotLogin() && r.Body != "" {
			list = append(list, r.Body)
		}
	}
	return list, err
}

// judge finds what happened to one command. commits and said are the commits and answers of its pull request, by run.
func (w *world) judge(c *command, commits, said map[string][]string, o *outcome) {
	var run string
	n := 0
	for id, messages := range commits {
		for _, message := range messages {
			if strings.Contains(message, fmt.Sprintf("#issuecomment-%d\n", c.comment)) {
				run, n = id, n+1
				if m := callNumber.FindStringSubmatch(message); m != nil {
					o.calls[c.number], _ = strconv.Atoi(m[1]) // digits
				}
			}
		}
	}
	o.double += max(n-1, 0)
	data, err := w.github.File(c.org+"/"+repository, branch, c.path)
	switch {
	case n == 0:
		o.lose(c, "no commit")
	case err != nil || string(data) != changed:
		o.lose(c, "its change is not on the branch")
	case len(said[run]) == 0:
		o.lose(c, "no answer")
	case !strings.Contains(said[run][0], " · 1 edit committed"):
		o.lose(c, "the answer is not finished")
	}
}

func (o *outcome) lose(c *command, why string) {
	o.lost = append(o.lost, fmt.Sprintf("command %d in %s#%d: %s", c.number, c.org, c.pull, why))
	o.unfinished[c.org] = true
}

// extraCalls counts the calls of the model that were not necessary: those after the call whose answer was committed,
// and those after a call whose process was not killed before the next one. kills are the moments, by process. cut
// counts the calls that were repeated because of a kill.
func extraCalls(m *model, o outcome, kills map[string]time.Time) (extra, cut int) {
	for number, used := range o.calls {
		calls := m.of(number)
		extra += len(calls) - used
		for i := range used - 1 {
			killed, ok := kills[calls[i].process]
			if ok && killed.After(calls[i].start) && killed.Before(calls[i+1].start) {
				cut++
			} else {
				extra++
			}
		}
	}
	return extra, cut
}
