// Package doctor looks for the mistakes with which a GitHub App does nothing and says nothing: a key of another App, a
// permission that nobody accepted, a webhook that leads elsewhere, a clock that is wrong. Each check says what it
// found, what to do about it, and where.
package doctor

import (
	"context"
	"net/url"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/appmanifest"
)

// Status is what a check came to.
type Status string

// The states of a check. With a warning, tenon works in part, or not as somebody may expect.
const (
	OK      Status = "ok"
	Warning Status = "warning"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Result is one finding. Its texts have no control characters, whoever wrote what they quote.
type Result struct {
	Check  string `json:"check"`
	Status Status `json:"status"`
	// Text says what was found, Remedy what to do about it, and Link where; the latter two may be empty.
	Text   string `json:"text"`
	Remedy string `json:"remedy,omitempty"`
	Link   string `json:"link,omitempty"`
}

// GitHub says how the App is registered, set up and installed.
type GitHub interface {
	// Clock returns how far this machine's clock is ahead of GitHub's, negative if it is behind.
	Clock(ctx context.Context) (ahead time.Duration, err error)
	App(ctx context.Context) (port.App, error)
	Hook(ctx context.Context) (port.Hook, error)
	// Attempts returns the newest attempts to deliver for the cursor "", and Answer the answer to one.
	Attempts(ctx context.Context, cursor string) (page []port.Attempt, next string, err error)
	Answer(ctx context.Context, attempt int64) (string, error)
	Installations(ctx context.Context) (list []port.Installation, all bool, err error)
}

// Model is a configured model.
type Model struct {
	Name string
	// Ask asks the model for a single token.
	Ask func(context.Context) error
}

// Problem is a setting that is missing or wrong.
type Problem struct{ Name, Text string }

// Server is what is checked. What is nil is not.
type Server struct {
	// Settings says where the settings come from, Problems what is wrong with them, Warnings what is suspicious.
	Settings string
	Problems []Problem
	Warnings []string
	// Key is why the App's key cannot be used.
	Key error
	// AppID, Slug ("" if it is asked from GitHub) and Owners (nil for everybody) are the settings of these names.
	AppID  int64
	Slug   string
	Owners []string
	// API and Git are the base URLs of GitHub.
	API, Git string
	// Path is the path of the webhook.
	Path string
	// Pages are the pages on which people see runs; nil if there are none.
	Pages    *Pages
	Manifest appmanifest.Manifest
	GitHub   GitHub
	// Models are all models; Ask must be set.
	Models []Model
	// Database says what the database is and that it can be written, or why not.
	Database func(context.Context) (string, error)
	// Disk is the folder whose disk must not be full, "" for none; Free returns how many bytes of it can be written.
	Disk string
	Free func(dir string) (bytes uint64, err error)
	// Listen says whether the server can listen at its address, or listens already.
	Listen func(context.Context) (string, error)
	// Starting is true at the start of a server, which was not there for the last deliveries.
	Starting bool
	Now      func() time.Time
}

// timeout bounds each check; a model may need longer than GitHub.
const (
	timeout      = 20 * time.Second
	modelTimeout = time.Minute
)

// Run makes all checks, in the order of Checks, and passes each result to report.
func Run(ctx context.Context, s Server, report func(Result)) {
	v := &visit{Server: s}
	if v.Now == nil {
		v.Now = time.Now
	}
	v.web, _ = url.Parse(s.Git)
	for _, c := range checks {
		limit := timeout
		if c.Name == checkModel {
			limit = modelTimeout * time.Duration(max(1, len(s.Models)))
		}
		limited, cancel := context.WithTimeout(ctx, limit)
		for _, r := range c.run(v, limited) {
			r.Check = c.Name
			report(r.clean())
		}
		cancel()
	}
}

// Check is a check and what it is for.
type Check struct {
	Name, About string
	// AtStart is true if a server makes it too when it starts.
	AtStart bool
	run     func(*visit, context.Context) []Result
}

const checkModel = "model"

// checks are in an order in which each knows what those before it found.
var checks = []Check{
	{"settings", "every setting can be read, is known, and is possible", true, (*visit).settings},
	{"key", "the private key is a whole RSA key in PEM", true, (*visit).key},
	{"github", "the addresses of GitHub's API and git belong together, and GitHub's API answers there", true,
		(*visit).github},
	{"clock", "this machine's clock agrees with GitHub's", true, (*visit).clock},
	{"app", "GitHub accepts the App's id and key; the App's name is the one in the settings", true, (*visit).app},
	{"permissions", "the App has the permissions of app.yml", true, (*visit).permissions},
	{"events", "the App is subscribed to the events of app.yml", true, (*visit).events},
	{"webhook", "the webhook's URL leads to /webhook by HTTPS; it sends JSON, signed, and GitHub verifies the certificate",
		true, (*visit).webhook},
	{"pages", "the client id of the pages is the App's, and GitHub accepts the client secret", true, (*visit).pages},
	{"installations", "somebody has installed the App, it is not suspended, and its permissions are accepted", true,
		(*visit).installations},
	{"owners", "the owners to serve are among the accounts that have installed the App", true, (*visit).owners},
	{"deliveries", "the last deliveries of GitHub arrived and were accepted", true, (*visit).deliveries},
	{checkModel, "each model answers a call of one token", false, (*visit).models},
	{"database", "the database can be reached and written, and was not written by a newer tenon", true, (*visit).database},
	{"disk", "the disk of the data folder has room", true, (*visit).disk},
	{"listen", "the address to listen on is free, or tenon itself is there", false, (*visit).listen},
}

// Checks returns all checks.
func Checks() []Check { return append([]Check(nil), checks...) }

// visit is one run of the checks, and what it has found so far.
type visit struct {
	Server
	web *url.URL
	// ahead is how far the clock is ahead of GitHub's; reached is true if GitHub answered that.
	ahead   time.Duration
	reached bool
	// registered is the App; nil if GitHub did not say.
	registered *port.App
	// installed are the installations, listed is true if GitHub listed them, and complete if it listed all.
	installed        []port.Installation
	listed, complete bool
}

// notAsked is why a check is skipped that needs what an earlier one did not get.
const notAsked = "GitHub cannot be asked about the App, as is said above"

func ok(text string) []Result      { return []Result{{Status: OK, Text: text}} }
func skipped(text string) []Result { return []Result{{Status: Skipped, Text: text}} }

func failed(text, remedy, link string) Result {
	return Result{Status: Failed, Text: text, Remedy: remedy, Link: link}
}

func warning(text, remedy, link string) Result {
	return Result{Status: Warning, Text: text, Remedy: remedy, Link: link}
}
