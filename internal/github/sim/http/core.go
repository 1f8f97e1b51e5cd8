package simhttp

import (
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// forms are the answers and payloads about accounts, repositories and the App.
type forms struct{ *model.Core }

// threadForms are those about issues, pull requests and what is said there.
type threadForms struct{ *model.Core }

// checkForms are those about checks and workflows.
type checkForms struct{ *model.Core }
