package config

import (
	"io/fs"
	"path/filepath"
	"strconv"
	"time"
)

// Job is what a job of GitHub Actions tells of itself, and of the event that started it.
type Job struct {
	// Event is the event's name, Payload the path of its payload.
	Event, Payload string
	// Run is the id of the run of the workflow, the same for all attempts; Attempt counts them from 1.
	Run     int64
	Attempt int
	// Workspace is where the job checks files out, Commit the commit that the event is about.
	Workspace, Commit string
	// Outputs and Summary are the files that take the outputs of the step, and its summary; empty if there are none.
	Outputs, Summary string
	// Token is that of GitHub.
	Token Secret
	// HistoryKey is what the records of runs are sealed with; unset if none was given.
	HistoryKey Secret
}

// jobPatience is how long a command may wait in a job where nobody says otherwise: what a job waits for costs minutes.
const jobPatience = 10 * time.Minute

// jobSettings are the variables of the inputs of the action, and of the runner, that have the place of settings.
var jobSettings = map[string][]string{
	"TENON_MODEL":          {"INPUT_MODEL"},
	"TENON_MODEL_BASE_URL": {"INPUT_BASE_URL"},
	"TENON_MODEL_API_KEY":  {"INPUT_API_KEY"},
	"TENON_CONFIG":         {"INPUT_CONFIG"},
	"TENON_GITHUB_URL":     {"GITHUB_SERVER_URL"},
	"TENON_GITHUB_API_URL": {"GITHUB_API_URL"},
	"TENON_GITHUB_GIT_URL": {"GITHUB_SERVER_URL"},
}

// LoadJob reads what a job says, and the settings of a server, of which those of the App are not needed. Inputs of the
// action go before the variables of settings. The server file is only read if it is named: one that is just there may
// be anybody's who could change the files of the workspace. The error is as in Load.
func LoadJob(src Source) (Server, Job, error) {
	src = src.withDefaults()
	real := src.Getenv
	src.Getenv = func(name string) string {
		for _, other := range jobSettings[name] {
			if v := real(other); v != "" {
				return v
			}
		}
		return real(name)
	}
	if src.File == "" && src.Getenv(variable("config")) == "" {
		src = src.withoutFile()
	}
	s, _, err := LoadUnregistered(src)
	if d, err := time.ParseDuration(defaultOf("patience")); err == nil && s.Patience == d {
		s.Patience = jobPatience
	}
	r := &reader{src: src}
	j := Job{Event: real("GITHUB_EVENT_NAME"), Payload: real("GITHUB_EVENT_PATH"), Workspace: real("GITHUB_WORKSPACE"),
		Commit: real("GITHUB_SHA"), Outputs: real("GITHUB_OUTPUT"), Summary: real("GITHUB_STEP_SUMMARY")}
	token := real("INPUT_TOKEN")
	if token == "" {
		token = real("GITHUB_TOKEN")
	}
	j.Token, j.HistoryKey = NewSecret(token), NewSecret(real("INPUT_HISTORY_KEY"))
	j.Run, _ = strconv.ParseInt(real("GITHUB_RUN_ID"), 10, 64)
	j.Attempt, _ = strconv.Atoi(real("GITHUB_RUN_ATTEMPT"))
	for _, needed := range []struct {
		name string
		ok   bool
		text string
	}{
		{"GITHUB_EVENT_NAME", j.Event != "", "is not set; GitHub Actions sets it in every job, and nowhere else is " +
			"there an event"},
		{"GITHUB_EVENT_PATH", j.Payload != "", "is not set; GitHub Actions sets it in every job"},
		{"GITHUB_RUN_ID", j.Run > 0, "is not set; GitHub Actions sets it in every job"},
		{"GITHUB_TOKEN", token != "", "is not set; give the step the input token: ${{ github.token }}"},
	} {
		if !needed.ok {
			r.add(Problem{Name: needed.name, Text: needed.text, Kind: Missing})
		}
	}
	if problems, ok := err.(*Error); ok { //nolint:errorlint // load returns nothing else
		r.problems = append(problems.Problems, r.problems...)
	} else if err != nil {
		return Server{}, Job{}, err
	}
	return s, j, r.err()
}

// withoutFile returns the source without a server file.
func (src Source) withoutFile() Source {
	read, mode := src.ReadFile, src.Mode
	isServerFile := func(name string) bool { return filepath.Base(name) == FileName || filepath.Base(name) == wrongName }
	src.ReadFile = func(name string) ([]byte, error) {
		if isServerFile(name) {
			return nil, fs.ErrNotExist
		}
		return read(name)
	}
	src.Mode = func(name string) (fs.FileMode, error) {
		if isServerFile(name) {
			return 0, fs.ErrNotExist
		}
		return mode(name)
	}
	return src
}
