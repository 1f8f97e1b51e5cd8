package config

import (
	"log/slog"
	"os"
	"time"

	"github.com/tenon-bot/tenon/bot/policy"
)

// Server holds the settings of `tenon serve`.
type Server struct {
	// Listen is the address of POST /webhook, host:port; an empty host is every interface.
	Listen string
	// AllowedOwners are the logins whose installations are served, in lower case; empty means every one.
	AllowedOwners []string

	// AppID is the GitHub App's id, PrivateKey its RSA key (PEM), WebhookSecret what its deliveries are signed with.
	AppID         int64
	PrivateKey    Secret
	WebhookSecret Secret
	// AppSlug is the App's login without "[bot]"; empty means: ask GitHub.
	AppSlug string

	// GitHubAPI and GitHubGit are base URLs that end in a slash.
	GitHubAPI string
	GitHubGit string

	// Database says where the database is.
	Database

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

	// LogLevel and LogFormat ("text" or "json") say what is logged, and how.
	LogLevel  slog.Level
	LogFormat string
}

// Database says where the database is.
type Database struct {
	// DataDir is the folder of the SQLite database.
	DataDir string
	// DatabaseURL is the URL of the PostgreSQL database that is used instead; it may contain a password.
	DatabaseURL Secret
}

// The defaults of settings.
const (
	defaultDataDir         = "./data"
	defaultRetention       = 90 * 24 * time.Hour
	defaultSourceRetention = 30 * 24 * time.Hour
)

// The patience of a server, by default and within bounds.
const (
	defaultPatience = 24 * time.Hour
	minPatience     = time.Second
	maxPatience     = 7 * 24 * time.Hour
)

// Source says where settings are read from. The zero value is the process's environment and disk.
type Source struct {
	// Getenv is os.Getenv when nil. A variable that is set to nothing counts as not set.
	Getenv func(string) string
	// ReadFile is os.ReadFile when nil.
	ReadFile func(string) ([]byte, error)
	// File is the path of the server file; empty means TENON_CONFIG, and no file when that is empty too.
	File string
}

// Load reads the server's settings. A variable goes before the same key of the file. The error is an *Error with every
// problem there is; none quotes a secret.
func Load(src Source) (Server, error) {
	s := Server{
		Listen: ":8080", Database: Database{DataDir: defaultDataDir}, Patience: defaultPatience, LogFormat: "text",
		Retention: defaultRetention, SourceRetention: defaultSourceRetention,
		GitHubAPI: "https://api.github.com/", GitHubGit: "https://github.com/",
	}
	r := newReader(src)
	s.Policy = r.policy
	r.refuseTwice(s.Policy)
	for _, row := range settings {
		r.apply(row, &s)
	}
	r.app(&s)
	r.chooseDefault(&s)
	r.checkPolicyModels(s)
	return s, r.err()
}

// LoadModel reads only what the default model needs, for commands that run without GitHub and ask one model: it has no
// fallback. Its Name is empty when none is configured. The error is as in Load.
func LoadModel(src Source) (Model, error) {
	var s Server
	r := newReader(src)
	for _, row := range settings {
		if row.model {
			r.apply(row, &s)
		}
	}
	r.chooseDefault(&s)
	s.Model.Fallback = ""
	return s.Model, r.err()
}

// LoadDatabase reads only where the database is, for commands that look into it. The error is as in Load.
func LoadDatabase(src Source) (Database, error) {
	s := Server{Database: Database{DataDir: defaultDataDir}}
	r := newReader(src)
	for _, row := range settings {
		if row.key == "data_dir" || row.key == "database_url" {
			r.apply(row, &s)
		}
	}
	return s.Database, r.err()
}

func (src Source) withDefaults() Source {
	if src.Getenv == nil {
		src.Getenv = os.Getenv
	}
	if src.ReadFile == nil {
		src.ReadFile = os.ReadFile
	}
	if src.File == "" {
		src.File = src.Getenv("TENON_CONFIG")
	}
	return src
}
