package doctor

import (
	"context"
	"errors"
)

// Pages are what is checked of the pages on which people see runs.
type Pages struct {
	// URL is their address, Callback where GitHub sends back who signed in there.
	URL, Callback string
	// ClientID is that of the settings.
	ClientID string
	// Credentials returns ErrClientSecret if GitHub does not accept the client secret, and another error if it did not
	// say.
	Credentials func(context.Context) error
}

// ErrClientSecret is the error of a client secret that is not the App's.
var ErrClientSecret = errors.New("GitHub does not accept the client secret")

// pages checks whether people can sign in. GitHub does not tell which callback URLs the App has.
func (v *visit) pages(ctx context.Context) []Result {
	switch {
	case v.Pages == nil:
		return ok("there are no pages, as TENON_PUBLIC_URL is not set")
	case v.registered == nil:
		return skipped(notAsked)
	case v.registered.ClientID != "" && v.registered.ClientID != v.Pages.ClientID:
		return []Result{failed("nobody can sign in to the pages: TENON_CLIENT_ID is not the Client ID of the App, which is "+
			quoted(v.registered.ClientID), "set TENON_CLIENT_ID to that, and TENON_CLIENT_SECRET to a client secret of the App",
			v.appPage())}
	}
	err := v.Pages.Credentials(ctx)
	switch {
	case errors.Is(err, ErrClientSecret):
		return []Result{failed("nobody can sign in to the pages: TENON_CLIENT_SECRET is not a client secret of the App",
			"generate one below \"Client secrets\" on the App's page, and set it", v.appPage())}
	case err != nil:
		return []Result{warning("GitHub did not say whether it accepts the client secret: "+because(err),
			"try again; if it stays, look at https://www.githubstatus.com", "")}
	}
	return ok("people sign in at " + v.Pages.URL + ", if the App has the Callback URL " + v.Pages.Callback +
		" (GitHub does not tell)")
}
