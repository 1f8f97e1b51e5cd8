package main

import (
	"context"
	"time"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/gitrepo"
)

// connect returns the bot of the job, without what it keeps of runs, and the client of GitHub.
func (j *jobRun) connect() (*bot.Bot, *gh.Client, error) {
	obs := newObservation()
	client, err := gh.New(gh.Options{Token: j.job.Token.Reveal(), WorkflowRun: j.job.Run, APIURL: j.cfg.GitHubAPI,
		Transport: obs.github(j.cfg.GitHubAPI), Log: j.log})
	if err != nil {
		return nil, nil, err
	}
	model := port.Model(jobWithoutModel{})
	if len(j.cfg.Models) > 0 {
		if model, err = newModel(j.cfg.Models, obs, j.log); err != nil {
			return nil, nil, err
		}
	}
	repos := gitrepo.New(gitrepo.Options{BaseURL: j.cfg.GitHubGit, Token: client.Token, Refused: client.TokenRefused,
		HTTP: obs.git(), Log: j.log})
	return &bot.Bot{
		GitHub: withoutButtons{client}, Repos: repos, Model: model, Policy: policy.ServerPolicy(j.cfg.Policy),
		Models: modelInfos(j.cfg.Models), Slug: jobSlug, Owners: j.cfg.AllowedOwners,
		Documents: lexical.NewCache(documentBytes), Now: time.Now, Log: j.log,
	}, client, nil
}

// jobWithoutModel is the model of a job that names none.
type jobWithoutModel struct{}

func (jobWithoutModel) Complete(context.Context, port.Request, func(string)) (port.Answer, error) {
	return port.Answer{}, &port.UserError{Text: "No language model is configured, so tenon cannot work on this. The " +
		"step of the workflow that runs tenon needs the input `model`, and `api-key` or `base-url`."}
}

// withoutButtons is GitHub without buttons on check runs: those of a job start no workflow when they are pressed.
type withoutButtons struct{ *gh.Client }

// CreateCheck implements port.GitHub.
func (g withoutButtons) CreateCheck(ctx context.Context, repo port.RepoRef, c port.Check) (int64, error) {
	c.Buttons = nil
	return g.Client.CreateCheck(ctx, repo, c)
}

// UpdateCheck implements port.GitHub.
func (g withoutButtons) UpdateCheck(ctx context.Context, repo port.RepoRef, id int64, c port.Check) error {
	c.Buttons = nil
	return g.Client.UpdateCheck(ctx, repo, id, c)
}
