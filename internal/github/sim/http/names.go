package simhttp

import (
	"github.com/tenon-bot/tenon/internal/github/sim/http/githttp"
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// Request is an entry of the log of all requests.
type Request = traffic.Request

// Stage is a stage of a request.
type Stage = traffic.Stage

// Failure is a response that a request gets instead of having an effect.
type Failure = traffic.Failure

// The kinds of requests, and the stages at which a gate is called.
const (
	KindGraphQL  = traffic.KindGraphQL
	KindGit      = traffic.KindGit
	BeforeEffect = traffic.BeforeEffect
	AfterEffect  = traffic.AfterEffect
)

// The functions of the traffic.
var (
	OfKind         = traffic.OfKind
	InTurn         = traffic.InTurn
	PrimaryLimit   = traffic.PrimaryLimit
	SecondaryLimit = traffic.SecondaryLimit
)

// Delivery is one attempt to deliver an event.
type Delivery = hook.Delivery

// HookSettings are those of the App's webhook besides its URL.
type HookSettings = hook.Settings

// GitRefusal is the answer to a request of git that GitHub refuses.
type GitRefusal = githttp.GitRefusal

// PushRefusal is why a ref was not moved.
type PushRefusal = githttp.PushRefusal
