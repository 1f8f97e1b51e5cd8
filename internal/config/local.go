package config

import "strings"

// Local is what a command in a work tree needs of the environment.
type Local struct {
	// Models are those of the settings, the default one first; empty if none is configured.
	Models []Model
	// Token is a person's or a job's for GitHub, unset if there is none. Server is where its GitHub is in a browser, API
	// its REST API; they are empty if nothing is said, for github.com.
	Token       Secret
	Server, API string
}

// LoadLocal reads the settings of models, and the token of whoever gives a command in a work tree. The server file is
// only read if it is named: one in the work tree may be that of anybody who wrote to the repository, and would decide
// where the code and the key of the model are sent. The error is as in Load.
func LoadLocal(src Source) (Local, error) {
	src = src.withDefaults()
	l := Local{
		Server: strings.TrimSuffix(src.Getenv("GITHUB_SERVER_URL"), "/"), API: src.Getenv("GITHUB_API_URL"),
	}
	for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN"} {
		if token := strings.TrimSpace(src.Getenv(name)); token != "" {
			l.Token = NewSecret(token)
		}
	}
	if src.File == "" && src.Getenv(variable("config")) == "" {
		src = src.withoutFile()
	}
	var err error
	l.Models, err = loadModels(src)
	return l, err
}
