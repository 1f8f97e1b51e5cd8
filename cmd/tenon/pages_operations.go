package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/doctor"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/web"
)

// pageOperations are what operators see and do on pages. It implements web.Operations.
type pageOperations struct {
	store *store.Store
	// server says how installations are looked at.
	server doctor.Server
	// rateLimit asks what GitHub accepts of an installation.
	rateLimit func(ctx context.Context, installation int64) (gh.RateLimit, error)
	now       func() time.Time
	log       *slog.Logger
}

func newPageOperations(cfg config.Server, st *store.Store, github *gh.Client, log *slog.Logger) pageOperations {
	server := examined(cfg)
	server.GitHub = github
	return pageOperations{store: st, server: server, rateLimit: github.RateLimit, now: time.Now, log: log}
}

// DeadLetters implements web.Operations.
func (p pageOperations) DeadLetters(ctx context.Context, most int) (list []web.Open, more int, err error) {
	events, more, err := p.store.Operator().DeadLetters(ctx, most)
	for _, e := range events {
		list = append(list, openEvent(e))
	}
	return list, more, err
}

// Retry implements web.Operations.
func (p pageOperations) Retry(ctx context.Context, v web.Visitor, delivery string) error {
	err := explainDeadLetter(p.store.Operator().Retry(ctx, delivery))
	if err == nil {
		p.log.InfoContext(ctx, "an operator let a dead letter be tried again", "operator", v.Login, "delivery", delivery)
	}
	return err
}

// Drop implements web.Operations.
func (p pageOperations) Drop(ctx context.Context, v web.Visitor, delivery string) error {
	err := explainDeadLetter(p.store.Operator().Drop(ctx, delivery))
	if err == nil {
		p.log.InfoContext(ctx, "an operator dropped a dead letter", "operator", v.Login, "delivery", delivery)
	}
	return err
}

// explainDeadLetter returns an error about a dead letter as a *port.UserError if it is for whoever asked.
func explainDeadLetter(err error) error {
	var other *store.NotDeadLetterError
	switch {
	case errors.As(err, &other):
		return &port.UserError{Text: "This command is no longer a dead letter, but " + string(other.State) + ". Somebody " +
			"else, or GitHub, was faster."}
	case errors.Is(err, store.ErrForgotten):
		return &port.UserError{Text: "The prompts and answers of this run have been deleted since, so that it cannot go " +
			"on. Drop it."}
	}
	return err
}

const (
	// maxLimits is of how many installations GitHub is asked for the rate limit, limitsAtOnce of how many at a time.
	maxLimits    = 30
	limitsAtOnce = 6
	// limitsTimeout bounds the time of these questions. What is not answered then is not known.
	limitsTimeout = 4 * time.Second
)

// Installations implements web.Operations.
func (p pageOperations) Installations(ctx context.Context, most int) (list []web.Installation, more int, err error) {
	found, _, err := doctor.Installations(ctx, p.server)
	var user *port.UserError
	if err != nil && !errors.As(err, &user) {
		p.log.WarnContext(ctx, "the installations could not be listed", "error", err)
		err = &port.UserError{Text: "GitHub did not list the installations. The error is in tenon's log, and `tenon " +
			"doctor` looks for the cause."}
	}
	if err != nil {
		return nil, 0, err
	}
	paces, err := p.store.Pace().All(ctx)
	if err != nil {
		return nil, 0, err
	}
	for _, in := range found {
		pace := paces[in.ID]
		list = append(list, web.Installation{ID: in.ID, Account: in.Account, Organization: in.Organization,
			Since: in.Created, Served: in.Served, Suspended: in.Suspended, Problem: in.Found.Text, Remedy: in.Found.Remedy,
			Link: in.Found.Link, Broken: in.Found.Status == doctor.Failed, Writes: pace.Writes, MostWrites: gh.MostWrites,
			Blocked: pace.BlockedUntil})
	}
	slices.SortStableFunc(list, func(a, b web.Installation) int { return cmp.Compare(urgency(b), urgency(a)) })
	more = max(0, len(list)-most)
	list = list[:len(list)-more]
	p.askLimits(ctx, list[:min(len(list), maxLimits)])
	return list, more, nil
}

// urgency orders installations: those with a problem come first.
func urgency(in web.Installation) int {
	switch {
	case !in.Served:
		return 0
	case in.Broken:
		return 4
	case in.Problem != "":
		return 3
	case !in.Blocked.IsZero():
		return 2
	}
	return 1
}

// askLimits sets the rate limits of installations, as far as GitHub says them in time.
func (p pageOperations) askLimits(ctx context.Context, list []web.Installation) {
	ctx, cancel := context.WithTimeout(ctx, limitsTimeout)
	defer cancel()
	var group sync.WaitGroup
	slots := make(chan struct{}, limitsAtOnce)
	for i := range list {
		in := &list[i]
		if in.Suspended || !in.Served {
			continue
		}
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			if limit, err := p.rateLimit(ctx, in.ID); err == nil && limit.Reset.After(p.now()) {
				in.Requests, in.Limit, in.Reset = limit.Left, limit.Limit, limit.Reset
			}
		})
	}
	group.Wait()
}
