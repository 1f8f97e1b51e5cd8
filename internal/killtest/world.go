package killtest

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// The names in each world. Every pull request has an organisation, and so an installation, of its own: GitHub's limit
// of writes is an installation's.
const (
	person     = "maria"
	repository = "lathe"
	branch     = "speed"
	original   = "value = 0\n"
	changed    = "value = 1\n"
)

// command is a comment that asks for a change of a file of its own, so that the order of commands does not matter.
type command struct {
	number  int // from 0
	org     string
	pull    int
	path    string
	comment int64 // GitHub's id; 0 until it is posted
}

// text is the comment. The number in it tells the model's server which command it is asked about.
func (c *command) text() string {
	return fmt.Sprintf("/tenon fix set the value in `%s` to 1, ticket-%04d", c.path, c.number)
}

var ticket = regexp.MustCompile(`ticket-(\d{4})`)

// world is a simulated GitHub with pull requests and the commands to be given there.
type world struct {
	github   *simhttp.Server
	commands []*command
}

// newWorld returns a world with commands that are spread over pull requests. Its repositories are in dir.
func newWorld(dir string, pulls, commands int, options simhttp.Options) (*world, error) {
	options.Dir = dir
	github, err := simhttp.New(options)
	if err != nil {
		return nil, err
	}
	w := &world{github: github}
	if err := w.build(pulls, commands); err != nil {
		_ = github.Close()
		return nil, fmt.Errorf("building the world: %w", err)
	}
	return w, nil
}

func (w *world) build(pulls, commands int) error {
	if err := w.github.Start(); err != nil {
		return err
	}
	if err := w.github.AddUser(person); err != nil {
		return err
	}
	each := (commands + pulls - 1) / pulls
	files := map[string]string{}
	for i := range each {
		files[partName(i)] = original
	}
	numbers := make([]int, pulls)
	for i := range pulls {
		number, err := w.addPull(orgName(i), files)
		if err != nil {
			return err
		}
		numbers[i] = number
	}
	for i := range commands {
		w.commands = append(w.commands,
			&command{number: i, org: orgName(i % pulls), pull: numbers[i%pulls], path: partName(i / pulls)})
	}
	return nil
}

func (w *world) addPull(org string, files map[string]string) (number int, err error) {
	repo := org + "/" + repository
	if err := w.github.AddOrg(org, person); err != nil {
		return 0, err
	}
	if err := w.github.AddRepo(sim.Repo{Name: repo, Files: files}); err != nil {
		return 0, err
	}
	if _, err := w.github.Install(sim.Installation{Owner: org}); err != nil {
		return 0, err
	}
	if _, err := w.github.Push(repo, branch, map[string]string{"speed.txt": "fast\n"}, "Be fast\n"); err != nil {
		return 0, err
	}
	return w.github.OpenPull(sim.Pull{As: person, Repo: repo, Title: "Be fast", Head: branch})
}

// post writes the comment of a command.
func (w *world) post(c *command) (err error) {
	c.comment, err = w.github.Comment(person, c.org+"/"+repository, c.pull, c.text())
	return err
}

func (w *world) close() error { return w.github.Close() }

func orgName(i int) string  { return fmt.Sprintf("org-%02d", i) }
func partName(i int) string { return fmt.Sprintf("part-%02d.txt", i) }

// orgOf returns the organisation that a request is about, or "" if its path does not say.
func orgOf(path string) string {
	path = strings.TrimPrefix(strings.TrimPrefix(path, "/api/v3"), "/repos")
	org, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if !strings.HasPrefix(org, "org-") {
		return ""
	}
	return org
}
