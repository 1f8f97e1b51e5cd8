package attacks

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/testdata"
)

// OpenThread opens an issue, which becomes the thread of the world.
func (w *World) OpenThread(as, title, body string) {
	w.T.Helper()
	n, err := w.OpenIssue(as, w.Repo, title, body)
	w.Must(err)
	w.Number = n
}

// Post has somebody comment in the thread.
func (w *World) Post(as, body string) {
	w.T.Helper()
	_, err := w.Comment(as, w.Repo, w.Number, body)
	w.Must(err)
}

// Pushes adds files to the branch of the pull request.
func (w *World) Pushes(files map[string]string) {
	w.T.Helper()
	_, err := w.Push(w.HeadRepo, w.Branch, files, "Files\n")
	w.Must(err)
}

// InMain adds a comment to main.go on the branch of the pull request.
func (w *World) InMain(text string) {
	w.T.Helper()
	w.Pushes(map[string]string{"main.go": "// " + text + "\n" + testdata.Project("lathe")["main.go"]})
}

// Head returns the tip of the branch of the pull request.
func (w *World) Head() string {
	git, err := w.Git(w.HeadRepo)
	w.Must(err)
	return git.Branch(w.Branch)
}

// PullOf makes a branch and opens a pull request of it, which becomes the thread of the world.
func (w *World) PullOf(branch string) {
	w.T.Helper()
	w.Branch = branch
	_, err := w.Push(w.Repo, branch, map[string]string{"b.txt": "b\n"}, "Branch\n")
	w.Must(err)
	w.Number, err = w.OpenPull(sim.Pull{As: "maria", Repo: w.Repo, Title: "A branch", Head: branch})
	w.Must(err)
}

// PullOfFork opens a pull request of a fork by mallory, which becomes the thread of the world.
func (w *World) PullOfFork(pull sim.Pull) {
	w.T.Helper()
	fork, err := w.Fork(w.Repo, "mallory")
	w.Must(err)
	w.HeadRepo, w.Branch = fork, "theirs"
	_, err = w.Push(fork, w.Branch, map[string]string{"theirs.txt": "theirs\n"}, "Theirs\n")
	w.Must(err)
	pull.As, pull.Repo, pull.Title, pull.Head = "mallory", w.Repo, "Theirs", "mallory:"+w.Branch
	w.Number, err = w.OpenPull(pull)
	w.Must(err)
}

// Early has something happen right before the server's next request about an issue: after a command was given, and
// before its run has read anything.
func (w *World) Early(do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.early = do
}

func (w *World) runEarly(path string) {
	if !strings.Contains(path, "/issues/") {
		return
	}
	w.mu.Lock()
	early := w.early
	w.early = nil
	w.mu.Unlock()
	if early != nil {
		early()
	}
}

// hasBranch reports whether the repository has a branch with a prefix.
func (w *World) hasBranch(prefix string) bool {
	for name := range w.branches()[w.Repo] {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func itoa(n int) string { return strconv.Itoa(n) }

// Asked reports whether the model was asked.
func (w *World) Asked() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.left.Prompts) > 0
}

// Told reports whether an answer of tenon in the thread contains a text.
func (w *World) Told(text string) bool {
	w.T.Helper()
	return slices.ContainsFunc(w.Answers(), func(a string) bool { return strings.Contains(a, text) })
}

// changes is a commit that changes a path.
func changes(name string) Effect {
	return Effect{name + " changes", func(_ *World, l Left) (seen []string) {
		for _, c := range l.Changes {
			if slices.Contains(slices.Collect(maps.Keys(c.Files)), name) {
				seen = append(seen, c.Branch)
			}
		}
		return seen
	}}
}

// untold is a commit that changes a path, if no answer names the path as a caution.
func untold(path string) Effect { return untoldAs(path, path) }

// untoldAs is a commit that changes a path, if no answer has a caution with a name.
func untoldAs(path, name string) Effect {
	return Effect{"nobody is told that " + path + " changes", func(w *World, l Left) []string {
		for _, answer := range w.Answers() {
			for line := range strings.Lines(answer) {
				if strings.HasPrefix(line, "⚠️ **caution:** ") && strings.Contains(line, "`"+name+"`") {
					return nil
				}
			}
		}
		return changes(path).Seen(w, l)
	}}
}

// reaches is a text that reaches the model.
func reaches(text string) Effect {
	return Effect{text + " reaches the model", func(_ *World, l Left) (seen []string) {
		for _, p := range l.Prompts {
			if strings.Contains(p, text) {
				seen = append(seen, "prompt")
			}
		}
		return seen
	}}
}

// Settings pushes settings to the default branch.
func (w *World) Settings(text string) {
	w.T.Helper()
	_, err := w.Push(w.Repo, "main", map[string]string{".github/tenon.yml": text}, "Settings\n")
	w.Must(err)
}

// JobFails has a job of CI fail on the tip of the branch, with an output.
func (w *World) JobFails(job, output string) {
	w.T.Helper()
	ci := w.CI(w.Repo, w.Head())
	w.Must(ci.Starts(job))
	w.Must(ci.Job(job).Fails(output))
}

// anyCommit is a change of any branch.
var anyCommit = Effect{"a branch changes", func(_ *World, l Left) (seen []string) {
	for _, c := range l.Changes {
		seen = append(seen, c.Repo+" "+c.Branch)
	}
	return seen
}}

// convention is one in a prompt.
var convention = regexp.MustCompile(`(?sm)^<<[a-z0-9]{8,} conventions [^\n]*>>$.*?^<<`)

// conventions is a text that reaches the model as a convention of the project, and not as a file.
func conventions(text string) Effect {
	return Effect{text + " is a convention", func(_ *World, l Left) (seen []string) {
		for _, p := range l.Prompts {
			for _, section := range convention.FindAllString(p, -1) {
				if strings.Contains(section, text) {
					seen = append(seen, "prompt")
				}
			}
		}
		return seen
	}}
}

// tokenFor is a token of an installation with a permission, as "contents:write".
func tokenFor(permission string) Effect {
	name, level, _ := strings.Cut(permission, ":")
	return Effect{"a token for " + permission, func(_ *World, l Left) (seen []string) {
		for _, r := range l.Requests {
			if strings.HasSuffix(r.Path, "/access_tokens") && slices.Contains(r.Texts, Text{name, level}) {
				seen = append(seen, r.Path)
			}
		}
		return seen
	}}
}

// keyTold is the key of a question's delimiters in a text for GitHub.
var keyTold = Effect{"the key of a question is told", func(_ *World, l Left) (seen []string) {
	for _, p := range l.Prompts {
		key := promptKey.FindStringSubmatch(p)
		if key == nil {
			continue
		}
		for _, r := range l.Requests {
			for _, t := range r.Texts {
				if strings.Contains(t.Text, key[1]) {
					seen = append(seen, r.Path)
				}
			}
		}
	}
	return seen
}}

var promptKey = regexp.MustCompile(`(?m)^<<([a-z0-9]{8,}) `)

// asked is a question to the model.
var asked = Effect{"the model is asked", func(_ *World, l Left) []string { return l.Prompts }}

// askedMoreThan is more questions to the model than a number.
func askedMoreThan(n int) Effect {
	return Effect{"the model is asked more than " + itoa(n) + " times", func(_ *World, l Left) []string {
		if len(l.Prompts) <= n {
			return nil
		}
		return []string{itoa(len(l.Prompts)) + " questions"}
	}}
}
