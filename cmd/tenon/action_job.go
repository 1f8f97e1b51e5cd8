package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/actions"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/webhook"
)

// jobSlug is the name by which comments address tenon where there is no App.
const jobSlug = "tenon"

// jobRun is one event in a job.
type jobRun struct {
	cfg     config.Server
	job     config.Job
	console *actions.Log
	log     *slog.Logger
}

// decode returns the event of the job. Its delivery is the same for each attempt at the run of the workflow.
func (j *jobRun) decode(ctx context.Context, client accounts, payload []byte) (port.Event, error) {
	author := authorOf(payload)
	ev, err := webhook.Decode(j.job.Event, payload, jobSlug, author)
	if err != nil {
		return port.Event{}, err
	}
	switch {
	case ev.Kind == port.Closed && len(ev.Labels) == 0:
		return port.Event{}, fmt.Errorf("%w: nothing waits for this", webhook.ErrUnneeded)
	case ev.Kind == port.Ticked:
		me, err := client.Account(ctx)
		if err != nil {
			return port.Event{}, err
		}
		if !strings.EqualFold(me.Login, author) {
			return port.Event{}, fmt.Errorf("%w: the comment is somebody else's", webhook.ErrUnneeded)
		}
	case strings.Contains(ev.Comment.Body, "<!-- tenon:"):
		return port.Event{}, fmt.Errorf("%w: it is an answer of tenon", webhook.ErrUnneeded)
	}
	ev.Delivery, ev.Received = fmt.Sprintf("run-%d", j.job.Run), given(ev, time.Now().UTC())
	return ev, nil
}

// given returns when the command of an event was given: the job may have waited for others of its thread since then, or
// be a later attempt. GitHub's times are in whole seconds, so that it is the end of one.
func given(ev port.Event, now time.Time) time.Time {
	at := ev.Comment.Updated.Add(time.Second - 1)
	if ev.Comment.Updated.IsZero() || at.After(now) {
		return now
	}
	return at
}

// accounts says whose token it is.
type accounts interface {
	Account(ctx context.Context) (port.User, error)
}

// authorOf returns the login of whoever wrote the comment of an event, "" for an event without one.
func authorOf(payload []byte) string {
	var p struct {
		Comment struct {
			User struct {
				Login string `json:"login"`
			} `json:"user"`
		} `json:"comment"`
	}
	_ = json.Unmarshal(payload, &p) // whoever decodes it says what is wrong
	return p.Comment.User.Login
}

var errJobCancelled = errors.New("the job was cancelled")
