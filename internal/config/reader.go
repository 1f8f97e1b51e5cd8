package config

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// value is a setting as it was found: its text and the name that a problem with it goes by.
type value struct {
	text, name string
	// broken reports that what is wrong with it has been reported.
	broken bool
}

// reader looks settings up, the environment first, and collects what is wrong.
type reader struct {
	src Source
	// path is that of the server file; empty if there is none.
	path string
	// file has the settings of the server file, values those that apply, both by key.
	file, values map[string]value
	// modelsNode and policyNode are what the server file has below models and policy, or nil.
	modelsNode, policyNode *yaml.Node
	// keyNames are the variables that have the keys of models.
	keyNames map[string]bool
	models   []Model
	problems []Problem
	warnings []Problem
}

// newReader reads the server file, and looks whether all names of settings exist.
func newReader(src Source) *reader {
	r := &reader{src: src.withDefaults(), values: map[string]value{}, keyNames: map[string]bool{}}
	r.file = r.readServerFile()
	r.refuseUnknown()
	return r
}

// read finds the settings that a command needs, and applies them and the defaults of all.
func (r *reader) read(s *Server, needed func(setting) bool) {
	for _, row := range settings() {
		if row.initial != "" {
			if err := row.kind.set(s, row.initial); err != nil {
				panic("the default of " + row.key + ": " + err.Error()) // a mistake in the table, which its test finds
			}
		}
		if needed(row) {
			r.apply(row, s)
		}
	}
}

func (r *reader) apply(row setting, s *Server) {
	v, ok := r.find(row)
	if !ok {
		return
	}
	r.values[row.key] = v
	if v.broken {
		return
	}
	if err := row.kind.set(s, v.text); err != nil {
		r.problem(v.name, err.Error())
	}
}

// lookup returns a setting that was read.
func (r *reader) lookup(key string) (value, bool) {
	v, ok := r.values[key]
	return v, ok
}

// find looks for a setting in the environment, then in the server file. A secret can be in a file that is named there.
func (r *reader) find(row setting) (value, bool) {
	for _, from := range []func(key string) (value, bool){r.fromEnvironment, r.fromServerFile} {
		v, ok := from(row.key)
		if !row.kind.secret {
			if ok {
				return v, true
			}
			continue
		}
		switch named, isNamed := from(row.key + inFile); {
		case ok && isNamed:
			r.problem(v.name, "is set, and "+named.name+" too; set one of them")
			return value{broken: true}, true
		case isNamed:
			return r.readSecret(named), true
		case ok:
			return v, true
		}
	}
	return value{}, false
}

func (r *reader) fromEnvironment(key string) (value, bool) {
	name := variable(key)
	text := r.src.Getenv(name)
	return value{text: text, name: name}, text != ""
}

func (r *reader) fromServerFile(key string) (value, bool) {
	v, ok := r.file[key]
	return v, ok && v.text != ""
}

// readSecret reads the file that a setting names.
func (r *reader) readSecret(named value) value {
	data, err := r.src.ReadFile(named.text)
	r.warnOfReaders(named.name, named.text)
	switch {
	case err != nil:
		r.problem(named.name, unreadable(err))
	case len(data) > maxFile:
		r.problem(named.name, "names a file that is larger than 1 MiB, and a secret takes a few lines")
	case strings.TrimSpace(string(data)) == "":
		r.problem(named.name, "names a file that is empty; put the secret into it")
	default:
		return value{text: string(data), name: named.name}
	}
	return value{broken: true}
}

func (r *reader) problem(name, text string) { r.add(Problem{Name: name, Text: text}) }

func (r *reader) add(p Problem) {
	p.Name, p.Text = strings.Map(shown, p.Name), strings.Map(shown, p.Text)
	r.problems = append(r.problems, p)
}

// shown replaces what could move the cursor of a terminal.
func shown(c rune) rune {
	if !unicode.IsPrint(c) {
		return unicode.ReplacementChar
	}
	return c
}

func (r *reader) missing(key, text string) {
	if _, set := r.lookup(key); !set {
		r.add(Problem{Name: variable(key), Text: text, Kind: Missing})
	}
}

// err returns what is wrong. As long as the server file cannot be read, nobody knows what is missing.
func (r *reader) err() error {
	problems := r.problems
	if slices.ContainsFunc(problems, func(p Problem) bool { return p.Kind == Unreadable || p.Kind == Syntax }) {
		problems = slices.DeleteFunc(slices.Clone(problems), func(p Problem) bool { return p.Kind == Missing })
	}
	if len(problems) == 0 {
		return nil
	}
	return &Error{Problems: problems}
}

// app requires the three settings without which there is no App.
func (r *reader) app(s Server) {
	r.missing("app_id", "is not set; it is the number called App ID on the page of your GitHub App")
	r.missing("private_key", "is not set; generate a private key on the page of your GitHub App and set its "+
		"text here, or its path as TENON_PRIVATE_KEY_FILE")
	r.missing("webhook_secret",
		"is not set; give it the webhook secret of your GitHub App, or choose one and set it there too")
	if weak(s.WebhookSecret) && !s.AllowWeakWebhookSecret {
		v, _ := r.lookup("webhook_secret")
		r.problem(v.name, "is "+whyWeak)
	}
}

// enterprise requires that all addresses are of one GitHub: code must not be looked for on another one.
func (r *reader) enterprise() {
	_, hasSite := r.lookup("github_url")
	api, hasAPI := r.lookup("github_api_url")
	git, hasGit := r.lookup("github_git_url")
	if hasSite || hasAPI == hasGit || isAt(api, gitHubCom.API) || isAt(git, gitHubCom.Git) {
		return
	}
	name := api.name
	if hasGit {
		name = git.name
	}
	r.missing("github_url", "is not set, but "+name+" is; for a GitHub Enterprise Server, set TENON_GITHUB_URL to its "+
		"address, like https://HOST/, and leave out the others")
}

// isAt reports whether a setting is a URL.
func isAt(v value, url string) bool {
	return strings.TrimRight(strings.TrimSpace(v.text), "/") == strings.TrimRight(url, "/")
}

// hasApp reports whether anything is said of the App.
func (r *reader) hasApp() bool {
	return slices.ContainsFunc([]string{"app_id", "private_key", "webhook_secret"}, func(key string) bool {
		_, set := r.lookup(key)
		return set
	})
}

// minWebhookSecret is in characters. Whoever guesses the secret gives commands in anybody's name.
const minWebhookSecret = 16

const whyWeak = "shorter than 16 characters, so it can be guessed, and whoever has it can send commands in anybody's " +
	"name; set a longer one, such as the output of `openssl rand -hex 32`, here and in the settings of your GitHub App " +
	"(TENON_ALLOW_WEAK_WEBHOOK_SECRET=true allows it, for tests)"

func weak(secret Secret) bool {
	return secret.IsSet() && utf8.RuneCountInString(secret.Reveal()) < minWebhookSecret
}
