package sentence

import (
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
)

// byHand is how people do it themselves.
const byHand = "Use the *Ready for review* button at the bottom of the pull request."

// Ready says that a pull request is ready for review.
func Ready(number int) string { return fmt.Sprintf("✅ **#%d is ready for review.**", number) }

// ReadyNotAllowed refuses to mark a pull request as ready because of the settings.
func ReadyNotAllowed() *port.UserError {
	return refusal("The settings of this repository do not allow `/tenon ready`, so nothing was changed; `ready: allow` "+
		"would. %s", byHand)
}

// NothingReady refuses to mark the pull request of an issue that has none.
func NothingReady() *port.UserError {
	return refusal("tenon has no open pull request for this issue, so there is nothing to mark as ready. `/tenon fix` " +
		"opens one.")
}

// ReadyNotOwn refuses to mark somebody else's pull request.
func ReadyNotOwn() *port.UserError {
	return refusal("tenon marks a pull request as ready only if it opened it for an issue, and this is not one of those, "+
		"so nothing was changed. %s", byHand)
}

// ReadyDenied says that GitHub does not let the app mark a pull request. err is the refusal.
func ReadyDenied(err error) *port.UserError {
	who := "this app"
	var denied *port.TokenError
	if errors.As(err, &denied) {
		who = "the token that tenon has"
	}
	return refusal("GitHub does not let %s mark the pull request as ready, so nothing was changed. %s", who, byHand)
}
