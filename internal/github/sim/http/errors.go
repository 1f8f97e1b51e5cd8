package simhttp

import (
	"net/http"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func notFound() *model.APIError { return model.Refuse(http.StatusNotFound, "Not Found") }

// notAccessible returns GitHub's response to an App whose token lacks a permission.
func notAccessible() *model.APIError {
	return model.Refuse(http.StatusForbidden, "Resource not accessible by integration")
}
