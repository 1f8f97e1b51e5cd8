package model

import (
	"strings"
)

// CallsBack reports whether a URL is one of the App's callback URLs, or below one: "the host (excluding sub-domains)
// and port must exactly match the callback URL", and its path must be a subdirectory.
func (a *App) CallsBack(text string) bool {
	for _, known := range a.Callbacks {
		if text == known || strings.HasPrefix(text, strings.TrimSuffix(known, "/")+"/") {
			return true
		}
	}
	return false
}
