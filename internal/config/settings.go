package config

import (
	"time"

	"github.com/tenon-bot/tenon/bot/schema"
)

// groups are the server's settings, in the order of the page that documents them.
var groups = []group{
	{
		title: "GitHub App",
		rows: []setting{
			{
				key: "app_id", unset: "required", kind: custom(schema.Number(1, maxAppID, ""), setAppID),
				about: "the number called *App ID* on the App's page (not the *Client ID*)",
			},
			{
				key: "private_key", unset: "required", kind: secret(schema.Text(pemForm), setPrivateKey),
				about: "the App's private key, as PEM; `\\n` may be written for line breaks. Most people set " +
					"`TENON_PRIVATE_KEY_FILE`, the path of the `.pem` file that GitHub offers for download",
			},
			{
				key: "webhook_secret", unset: "required", kind: secret(schema.Text(`[^\r\n]`), setWebhookSecret),
				about: "the App's webhook secret, of at least 16 characters; `openssl rand -hex 32` makes a good one",
			},
			{
				key: "allow_weak_webhook_secret", initial: "false",
				kind:  toggle(func(s *Server) *bool { return &s.AllowWeakWebhookSecret }),
				about: "`true` to start with a shorter webhook secret, for tests",
			},
			{
				key: "app_slug", unset: "asked from GitHub", kind: custom(schema.Text(slug.String()), setSlug),
				about: "the App's name as in `https://github.com/apps/NAME`",
			},
			{
				key: "allowed_owners", unset: "every installation", kind: owners(),
				about: "the logins of the users and organisations that are served, separated by commas. Others get one " +
					"sentence that says so. Set it if the App is public",
			},
			{
				key: "github_url", initial: "https://github.com/", kind: custom(siteForm(), setSite),
				about: "the address of GitHub as people open it: for GitHub Enterprise Server, `https://HOST/`. The next two " +
					"follow from it; see [GitHub Enterprise Server](github-enterprise-server.md)",
			},
			{
				key: "github_api_url", unset: "from `TENON_GITHUB_URL`",
				kind: baseURL(func(s *Server) *string { return &s.GitHubAPI }),
				about: "the base URL of GitHub's API, if it has an unusual one; on GitHub Enterprise Server it is " +
					"`https://HOST/api/v3/`",
			},
			{
				key: "github_git_url", unset: "from `TENON_GITHUB_URL`",
				kind:  baseURL(func(s *Server) *string { return &s.GitHubGit }),
				about: "the base URL of repositories, if they have an unusual one",
			},
		},
	},
	{
		title: "Server",
		rows: []setting{
			{
				key: "listen", initial: ":8080", kind: address(func(s *Server) *string { return &s.Listen }),
				about: "the address on which the server listens, `host:port`, or `:port` for every interface",
			},
			{
				key: "admin_listen", unset: "off", kind: address(func(s *Server) *string { return &s.AdminListen }),
				about: "the address of a second listener, for operators alone: metrics, profiles and health; see " +
					"[observability](observability.md). Nobody has to log in there, so use a private address, such as " +
					"`127.0.0.1:9090`",
			},
			{
				key: "connections", initial: "512",
				kind: number(func(s *Server) *int { return &s.Connections }, minConnections, maxConnections),
				about: "how many connections are open at most. When there are more, those that are idle, or slow to send a " +
					"signed delivery, are closed; none is refused",
			},
			{
				key: "runs", initial: "256",
				kind: number(func(s *Server) *int { return &s.Runs }, 1, maxRuns),
				about: "how many commands are in progress at most. Most of them wait for a model or for GitHub, in little " +
					"memory; as many as there are processors (`GOMAXPROCS`) work. A sixteenth of them (none of fewer than 16) " +
					"is kept for installations that have begun no command for ten minutes; " +
					"see [scaling](scaling.md#many-commands-at-once)",
			},
			{
				key: "patience", initial: "24h",
				kind: duration(func(s *Server) *time.Duration { return &s.Patience }, minPatience, maxPatience),
				about: "how long a command may wait in total for what is not possible now: an outage, a rate limit, an " +
					"exhausted quota. From `1s` to `168h`",
			},
			{
				key: "cache_mb", initial: "160",
				kind: number(func(s *Server) *int { return &s.CacheMB }, minCache, maxCache),
				about: "how much memory, in MiB, the cache of all repositories may take: five eighths for the trees and names of " +
					"files, the rest for words and contents of files. A repository of 600,000 files takes 90 MiB of the " +
					"first part",
			},
			{
				key: "cache_dir", unset: "off", kind: path(func(s *Server) *string { return &s.CacheDir }),
				about: "a folder in which tenon caches the trees (names of folders and files) and commits of repositories, so " +
					"that the next start finds them; 1 GiB at most, see [security](security.md#the-cache-on-the-disk). Each " +
					"process needs its own. If it cannot be written, the log says so at the start, and tenon goes on without it",
			},
			{
				key: "log_level", initial: "info", kind: logLevel(),
				about: "the least important lines that are logged: `debug`, `info`, `warn` or `error`",
			},
			{
				key: "log_format", initial: "text",
				kind:  choice(func(s *Server) *string { return &s.LogFormat }, "text", "json"),
				about: "`text`, or `json` for one JSON object per line",
			},
		},
	},
	{
		title: "Pages",
		about: "The [pages](pages.md) on which people see runs. They are off unless `TENON_PUBLIC_URL` is set.",
		rows: []setting{
			{
				key: "public_url", unset: "off", kind: custom(schema.Text(publicForm), setPublicURL),
				about: "the address of the server as people open it in a browser, such as `https://tenon.example.com`: " +
					"`https://`, and no path. The App's page on GitHub needs `TENON_PUBLIC_URL/auth/callback` as its *Callback " +
					"URL*",
			},
			{
				key: "client_id", unset: "required with `TENON_PUBLIC_URL`",
				kind:  custom(schema.Text(clientIDForm, clientIDNumber), setClientID),
				about: "the text called *Client ID* on the App's page (not the *App ID*), with which people sign in",
			},
			{
				key: "client_secret", unset: "required with `TENON_PUBLIC_URL`",
				kind: secret(schema.Text(clientSecretForm), setClientSecret),
				about: "a client secret of the App, generated below its *Client ID*. Sessions are encrypted with it, so a new " +
					"one signs everybody out",
			},
			{
				key: "operators", unset: "nobody",
				kind: kind{set: setOperators, list: true, form: listOf(login)},
				about: "the logins of the people who see all runs and the pages of operators, separated by commas. Of " +
					"repositories that they cannot read on GitHub, they see no sources",
			},
		},
	},
	{
		title: "Database",
		rows: []setting{
			{
				key: "data_dir", initial: "./data", kind: path(func(s *Server) *string { return &s.DataDir }), scope: storing,
				about: "the folder of the SQLite database. It is created if it does not exist, accessible to its owner only. " +
					"Use a local disk, not a network file system",
			},
			{
				key: "database_url", unset: "none: SQLite", kind: secret(schema.Text(databaseForm), setDatabase),
				scope: storing,
				about: "a PostgreSQL database to use instead of SQLite, `postgres://user:password@host:port/database`; see " +
					"[PostgreSQL](operating.md#postgresql)",
			},
			{
				key: "retention", initial: "90d",
				kind: days(func(s *Server) *time.Duration { return &s.Retention }, minRetention),
				about: "how long finished commands, their records and the figures of budgets are kept, in days, at least 31; " +
					"see [What is stored](operating.md#what-is-stored)",
			},
			{
				key: "retention_sources", initial: "30d",
				kind:  days(func(s *Server) *time.Duration { return &s.SourceRetention }, 1),
				about: "how long the prompts, answers and lines of files in these records are kept, in days",
			},
			{
				key: "retention_audit", initial: "365d",
				kind: days(func(s *Server) *time.Duration { return &s.AuditRetention }, minRetention),
				about: "how long the entries of the [audit](audit.md) are kept, in days, at least 31. They have no texts of " +
					"comments, prompts or files",
			},
		},
	},
	{
		title: "Model",
		about: "One model can be set by these; several are listed below [`models`](operating.md#models) in the server file.",
		rows: []setting{
			{
				key: "model", unset: "the first of `models`, or none", kind: custom(schema.Text(modelForm), setModel),
				scope: asking,
				about: "the default model: a name from `models`, or a name as the provider writes it. Without any model, " +
					"`fix` answers that there is none",
			},
			{
				key: "model_base_url", unset: "OpenAI's",
				kind: baseURL(func(s *Server) *string { return &s.Model.BaseURL }), scope: asking,
				about: "the base URL of a server that speaks OpenAI's Chat Completions protocol, such as " +
					"`http://localhost:11434/v1`",
			},
			{
				key: "model_api_key", unset: "none", kind: secret(schema.Text(`^\s*[!-~]+\s*$`), setModelKey), scope: asking,
				about: "its API key; required unless a base URL is set",
			},
			{
				key: "model_concurrency", unset: "any number; 2 for a local model",
				kind: number(func(s *Server) *int { return &s.ModelConcurrency }, 1, maxRuns),
				about: "how many calls of a model are under way at most; the others wait for their turn. It applies to each " +
					"model in `models` that does not set `concurrency`. A model is local if its base URL has a loopback or " +
					"private address, or a name that is valid in a private network only, such as `ollama` or `gpu.internal`",
			},
		},
	},
	{
		title: "Commits, budgets and limits",
		about: "Tokens count in and out. Days and months are those of UTC.",
		rows: []setting{
			{
				key: "commits", policy: "commits", kind: custom(formInPolicy("commits"), inPolicy("commits")),
				about: "how commits are made: `verified`, by GitHub's API, which signs them; or `push`, by git, unsigned. " +
					"Commits to forks are always pushed",
			},
			{
				key: "budget_user_commands", policy: "budget.user.commands", kind: limit("budget.user.commands"),
				about: "how many commands of one person may ask a model in a day",
			},
			{
				key: "budget_repository_commands", policy: "budget.repository.commands",
				kind:  limit("budget.repository.commands"),
				about: "how many commands in one repository may ask a model in a day",
			},
			{
				key: "budget_repository_tokens", policy: "budget.repository.tokens",
				kind:  limit("budget.repository.tokens"),
				about: "how many tokens the commands in one repository may use in a day",
			},
			{
				key: "budget_owner_tokens", policy: "budget.organisation.tokens",
				kind:  limit("budget.organisation.tokens"),
				about: "how many tokens the commands in all repositories of one owner may use in a month",
			},
			{
				key: "budget_server_tokens", initial: "100_000_000",
				kind: numberOrOff(func(s *Server) *int64 { return &s.ServerTokens }),
				about: "how many tokens all commands on this server may use in a day; `off` for any number. " +
					"`/tenon status` does not show it",
			},
			{
				key: "limit_sender_commands", initial: "240",
				kind: numberOrOff(func(s *Server) *int64 { return &s.SenderCommands }),
				about: "how many commands of one person are accepted in an hour; `off` for any number. A quarter of them may " +
					"come at once; faster ones are delayed, for up to an hour, and what would be delayed longer is not accepted. " +
					"Immediate commands (`help`, `status`, `config`, `cancel`) are counted separately",
			},
			{
				key: "limit_installation_commands", initial: "2400",
				kind: numberOrOff(func(s *Server) *int64 { return &s.InstallationCommands }),
				about: "the same for one installation, in addition to the first few of each sender (a twentieth of the smaller " +
					"of the two limits, 12 by default). What is not accepted is asked for again by the search for missed deliveries",
			},
		},
	},
}
