// Package chain checks the files by which tenon is tested, built and released: the workflows of GitHub Actions, the
// action, and the Dockerfile. Its own tests apply the checks to those of this repository.
//
// The checks read what the files say. Whether GitHub, a registry or BuildKit does what it promises is not checked.
package chain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Problem is a place that breaks a rule.
type Problem struct {
	Line int    // counted from 1
	Text string // the rule, and what breaks it
}

func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Text) }

var (
	ofCommit = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	ofDigest = regexp.MustCompile(`@sha256:[0-9a-f]{64}$`)
	release  = regexp.MustCompile(`^# v[0-9]`)
	hosted   = regexp.MustCompile(`^ubuntu-[0-9]{2}\.[0-9]{2}$`)
)

// starts are the events that may start a workflow. Those that bring the text or the code of strangers together with
// the rights of the repository, such as pull_request_target, workflow_run and issue_comment, are not among them.
var starts = []string{"push", "pull_request", "schedule", "workflow_dispatch", "workflow_call"}

// scalar is a value of a file, with its place and the comment behind it.
type scalar struct {
	text, comment string
	line          int
}

// UnmarshalYAML reads a scalar. Other nodes have an empty text.
func (s *scalar) UnmarshalYAML(node *yaml.Node) error {
	*s = scalar{text: node.Value, comment: node.LineComment, line: node.Line}
	return nil
}

// step is a step of a job, or of an action.
type step struct {
	Uses scalar            `yaml:"uses"`
	Run  scalar            `yaml:"run"`
	With map[string]scalar `yaml:"with"`
}

// action returns the name of the action that a step uses, without its version.
func (s step) action() string {
	name, _, _ := strings.Cut(strings.ToLower(s.Uses.text), "@") // GitHub ignores the case
	return name
}

// permissions are those of a workflow or of a job. given is false where there are none, which means GitHub's default.
type permissions struct {
	given bool
	line  int
	all   string            // read-all or write-all
	named map[string]string // what may be read or written
}

// UnmarshalYAML reads permissions in any of their forms.
func (p *permissions) UnmarshalYAML(node *yaml.Node) error {
	*p = permissions{given: true, line: node.Line, all: node.Value}
	if node.Kind == yaml.MappingNode {
		return node.Decode(&p.named)
	}
	return nil
}

// write reports whether they let a job change anything.
func (p permissions) write() bool {
	if p.all != "" {
		return p.all != "read-all"
	}
	for _, level := range p.named {
		if level != "read" && level != "none" {
			return true
		}
	}
	return false
}

// job is a job of a workflow.
type job struct {
	RunsOn      scalar      `yaml:"runs-on"`
	Uses        scalar      `yaml:"uses"`
	Permissions permissions `yaml:"permissions"`
	Container   image       `yaml:"container"`
	Services    map[string]image
	Steps       []step
}

// image is a container of a job or beside it.
type image struct{ name scalar }

// UnmarshalYAML reads the name of an image, which stands alone or beside other settings.
func (i *image) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return node.Decode(&i.name)
	}
	var settings struct{ Image scalar }
	err := node.Decode(&settings)
	i.name = settings.Image
	return err
}

// workflow is a file of .github/workflows.
type workflow struct {
	On          yaml.Node   `yaml:"on"`
	Permissions permissions `yaml:"permissions"`
	Jobs        map[string]job
}

// events returns the names of the events that start a workflow.
func (w workflow) events() []string {
	switch w.On.Kind {
	case yaml.MappingNode:
		var names []string
		for i := 0; i < len(w.On.Content); i += 2 {
			names = append(names, w.On.Content[i].Value)
		}
		return names
	case yaml.SequenceNode:
		var names []string
		for _, node := range w.On.Content {
			names = append(names, node.Value)
		}
		return names
	default:
		return []string{w.On.Value}
	}
}

// write reports whether a job of the workflow may change anything.
func (w workflow) write() bool {
	for _, j := range w.Jobs {
		if j.Permissions.write() {
			return true
		}
	}
	return w.Permissions.write()
}

// checker collects the problems of one file.
type checker []Problem

func (c *checker) add(line int, format string, args ...any) {
	*c = append(*c, Problem{Line: line, Text: fmt.Sprintf(format, args...)})
}

// sorted returns the problems in the order of their lines.
func (c checker) sorted() []Problem {
	slices.SortStableFunc(c, func(a, b Problem) int { return a.Line - b.Line })
	return c
}

// Workflow returns the rules that a file of .github/workflows breaks, in the order of its lines. It fails if the file
// is not a workflow in YAML.
func Workflow(data []byte) ([]Problem, error) {
	var w workflow
	if err := yaml.Unmarshal(data, &w); err != nil {
		return nil, err
	}
	if len(w.Jobs) == 0 {
		return nil, fmt.Errorf("no workflow: it has no jobs")
	}
	var c checker
	for _, name := range w.events() {
		if !slices.Contains(starts, name) {
			c.add(w.On.Line, "no workflow is started by %s", name)
		}
		if name == "pull_request" && w.write() {
			c.add(w.On.Line, "what a pull request starts may write nothing")
		}
	}
	if !w.Permissions.given {
		c.add(1, "the workflow has no permissions of its own, so it has GitHub's default")
	} else if w.Permissions.write() || w.Permissions.all != "" {
		c.add(w.Permissions.line, "permissions to write belong to the jobs that need them")
	}
	for _, j := range w.Jobs {
		c.job(j, w.write())
	}
	c.secrets(data)
	return c.sorted(), nil
}

// Action returns the rules that an action.yml breaks, in the order of its lines. It fails if the file is not YAML.
func Action(data []byte) ([]Problem, error) {
	var a struct{ Runs struct{ Steps []step } }
	if err := yaml.Unmarshal(data, &a); err != nil {
		return nil, err
	}
	var c checker
	for _, s := range a.Runs.Steps {
		c.step(s)
	}
	return c.sorted(), nil
}

// job checks a job. writes says whether any job of its workflow may write.
func (c *checker) job(j job, writes bool) {
	if j.Uses.text != "" {
		c.pinned(j.Uses)
	} else if !hosted.MatchString(j.RunsOn.text) {
		c.add(j.RunsOn.line, "a job runs on GitHub's machines, with a version such as ubuntu-24.04, not on %q", j.RunsOn.text)
	}
	if j.Permissions.all != "" {
		c.add(j.Permissions.line, "permissions are named one by one, not by %s", j.Permissions.all)
	}
	c.digest(j.Container.name)
	for _, service := range j.Services {
		c.digest(service.name)
	}
	for _, s := range j.Steps {
		c.step(s)
		if j.Permissions.write() && (s.action() == "actions/checkout" || strings.HasPrefix(s.Uses.text, "./")) {
			c.add(s.Uses.line, "a job that may write runs no code of the repository, so it has no use for %s", s.action())
		}
		if writes {
			c.cache(s)
		}
	}
}

// step checks a step wherever it is.
func (c *checker) step(s step) {
	c.pinned(s.Uses)
	for _, code := range []scalar{s.Run, s.With["script"]} {
		if !strings.Contains(code.text, "${{") {
			continue
		}
		c.add(code.line, "an expression in a script is code to the shell: pass its value by env")
	}
	if s.action() == "actions/checkout" && s.With["persist-credentials"].text != "false" {
		c.add(s.Uses.line, "actions/checkout leaves the token on the disk without persist-credentials: false")
	}
}

// pinned checks that what is used is named by what cannot be changed behind the name.
func (c *checker) pinned(uses scalar) {
	name, isImage := strings.CutPrefix(uses.text, "docker://")
	switch {
	case uses.text == "", strings.HasPrefix(uses.text, "./"): // a file of the same commit
	case isImage:
		c.digest(scalar{text: name, line: uses.line})
	case !ofCommit.MatchString(uses.text) || !release.MatchString(uses.comment):
		c.add(uses.line, "%s wants a commit of 40 digits, and a comment with its version", uses.text)
	}
}

// digest checks that an image, if there is one, is named by its digest.
func (c *checker) digest(name scalar) {
	if name.text != "" && !ofDigest.MatchString(name.text) {
		c.add(name.line, "the image %s wants a digest", name.text)
	}
}

// cache checks that a step takes nothing from a cache, which other workflows can have filled.
func (c *checker) cache(s step) {
	setUp, on := strings.CutPrefix(s.action(), "actions/setup-")
	if on && s.With["cache"].text != "false" {
		c.add(s.Uses.line, "actions/setup-%s takes from a cache without cache: false", setUp)
	}
	if strings.HasPrefix(s.action(), "actions/cache") || strings.Contains(s.Run.text, "--cache-from") {
		c.add(s.Uses.line+s.Run.line, "a workflow that may write takes nothing from a cache")
	}
}

var secret = regexp.MustCompile(`(?mi)^\s*secrets:|\bsecrets\s*[.\[]|\(secrets\)`)

// secrets checks that a workflow needs none: github.token is that of its own job.
func (c *checker) secrets(data []byte) {
	for i, line := range strings.Split(string(data), "\n") {
		code, _, _ := strings.Cut(line, " #")
		if secret.MatchString(code) && !strings.HasPrefix(strings.TrimSpace(code), "#") {
			c.add(i+1, "no workflow has a secret: github.token is that of the job")
		}
	}
}
