package config

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/tenon-bot/tenon/bot/policy"
)

// Server has the settings of `tenon serve`.
type Server struct {
	// Listen is the address of POST /webhook, host:port; an empty host is every interface.
	Listen string
	// AdminListen is the address of the listener for operators, host:port; empty means that there is none.
	AdminListen string
	// Connections is how many connections are open at most.
	Connections int
	// CacheMB is how many MiB of memory are for what is known of repositories. CacheDir is a folder for it on the disk;
	// empty means that there is none.
	CacheMB  int
	CacheDir string
	// AllowedOwners are the logins whose installations are served, in lower case; empty means every one.
	AllowedOwners []string

	// AppID is the GitHub App's id, PrivateKey its RSA key (PEM), WebhookSecret what its deliveries are signed with.
	AppID         int64
	PrivateKey    Secret
	WebhookSecret Secret
	// AllowWeakWebhookSecret lets the server start with a secret that can be guessed.
	AllowWeakWebhookSecret bool
	// AppSlug is the App's login without "[bot]"; empty means: ask GitHub.
	AppSlug string

	// GitHub is the site that people open. GitHubAPI and GitHubGit are base URLs that end in a slash; they are the site's
	// unless they are set.
	GitHub    Site
	GitHubAPI string
	GitHubGit string

	// PublicURL is the origin at which people open the pages, without a slash at its end; empty means that there are none.
	// ClientID and ClientSecret are those of the App, with which people sign in there.
	PublicURL    string
	ClientID     string
	ClientSecret Secret
	// Operators are the logins, in lower case, of those who see all runs.
	Operators []string

	// Database says where the database is.
	Database

	// SenderCommands and InstallationCommands are how many commands are accepted an hour, of one sender and of one
	// installation; 0 means any number.
	SenderCommands, InstallationCommands int64
	// ServerTokens are how many tokens a day all commands may take, in and out; 0 means any number.
	ServerTokens int64

	// Runs is how many commands are in progress at most.
	Runs int
	// ModelConcurrency is how many calls of each model are under way at most that has no Concurrency of its own; 0 means
	// that nothing was said about it. The models have it already.
	ModelConcurrency int

	// Patience is how long a command may wait in all for what is not possible now, such as an outage of GitHub.
	Patience time.Duration

	// Models are the language models, the default one first; empty when none is configured. Model is the default one, and
	// zero then.
	Models []Model
	Model  Model

	// Policy is what the server says of how tenon works; organisations and repositories can restrict it.
	Policy policy.Layer

	// Retention is how long finished events, their runs and the figures of budgets are kept, SourceRetention how long the
	// prompts, answers and lines of files in them.
	Retention, SourceRetention time.Duration
	// AuditRetention is how long the entries of the audit are kept.
	AuditRetention time.Duration

	// LogLevel and LogFormat ("text" or "json") say what is logged, and how.
	LogLevel  slog.Level
	LogFormat string

	// File is the path of the server file that was read; empty if there is none.
	File string
	// Warnings are what is suspicious in the settings, and works.
	Warnings []Problem
}

// Database says where the database is.
type Database struct {
	// DataDir is the folder of the SQLite database.
	DataDir string
	// DatabaseURL is the URL of the PostgreSQL database that is used instead; it may contain a password.
	DatabaseURL Secret
}

// Load reads the server's settings. A variable goes before the same key of the file. The error is an *Error with every
// problem there is; none quotes a secret.
func Load(src Source) (Server, error) {
	s, _, err := load(src, func(*reader) bool { return true })
	return s, err
}

// LoadUnregistered is Load for a server that may have no App yet: registered reports whether any setting of the App is
// there. If none is, their absence is no problem.
func LoadUnregistered(src Source) (s Server, registered bool, err error) {
	return load(src, (*reader).hasApp)
}

// load reads the settings. The App's are required if needsApp says so after all have been read.
func load(src Source, needsApp func(*reader) bool) (s Server, needed bool, err error) {
	r := newReader(src)
	r.readModels()
	s.Policy = r.readPolicy()
	r.refuseTwice(s.Policy)
	r.read(&s, func(setting) bool { return true })
	s.GitHubAPI, s.GitHubGit = cmp.Or(s.GitHubAPI, s.GitHub.API), cmp.Or(s.GitHubGit, s.GitHub.Git)
	if needed = needsApp(r); needed {
		r.app(s)
		r.pages()
	}
	r.enterprise()
	r.chooseDefault(&s)
	s.setConcurrency()
	r.checkPolicyModels(s)
	r.check(s)
	s.File, s.Warnings = r.path, r.warnings
	return s, needed, r.err()
}

// setConcurrency gives the models without a Concurrency of their own that of all.
func (s *Server) setConcurrency() {
	for i := range s.Models {
		s.Models[i].Concurrency = cmp.Or(s.Models[i].Concurrency, s.ModelConcurrency)
	}
	s.Model.Concurrency = cmp.Or(s.Model.Concurrency, s.ModelConcurrency)
}

// LoadModel reads only what the default model needs, for commands that run without GitHub and ask one model: it has no
// fallback. Its Name is empty when none is configured. The error is as in Load.
func LoadModel(src Source) (Model, error) {
	var s Server
	r := newReader(src)
	r.readModels()
	r.read(&s, func(row setting) bool { return row.scope == asking })
	r.chooseDefault(&s)
	s.Model.Fallback = ""
	return s.Model, r.err()
}

// loadModels reads only the models, the default one first. There are none if none is configured. The error is as in
// Load.
func loadModels(src Source) ([]Model, error) {
	var s Server
	r := newReader(src)
	r.readModels()
	r.read(&s, func(row setting) bool { return row.scope == asking })
	r.chooseDefault(&s)
	return s.Models, r.err()
}

// LoadDatabase reads only where the database is, for commands that look into it. The error is as in Load.
func LoadDatabase(src Source) (Database, error) {
	var s Server
	r := newReader(src)
	r.read(&s, func(row setting) bool { return row.scope == storing })
	return s.Database, r.err()
}
