package doctor

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/internal/terminal"
	"github.com/tenon-bot/tenon/internal/text"
)

// maxText bounds each text of a result, in characters.
const maxText = 900

// clean makes a result safe to print: what it quotes may be anybody's.
func (r Result) clean() Result {
	for _, part := range []*string{&r.Text, &r.Remedy, &r.Link} {
		line := text.OneLine(strings.ToValidUTF8(*part, "?"))
		if runes := []rune(line); len(runes) > maxText {
			line = string(runes[:maxText]) + " …"
		}
		*part = terminal.Escape(secret.Fragment(line))
	}
	return r
}

// quoted is a name that somebody else gave, for a sentence.
func quoted(name string) string {
	const most = 100
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most]) + "…"
	}
	return name
}

// list joins names for a sentence, the first few of many.
func list(names []string) string {
	const most = 8
	var short []string
	for _, name := range names[:min(len(names), most)] {
		short = append(short, quoted(name))
	}
	text := strings.Join(short, ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// ago says how long ago something was.
func ago(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return strings.TrimSuffix(d.Round(time.Minute).String(), "0s") + " ago"
}

// because returns what is wrong, in the words of the error.
func because(err error) string {
	var user *port.UserError
	if errors.As(err, &user) {
		return user.Text
	}
	return err.Error()
}

// page returns the link to a page of GitHub; "" if its address is not known.
func (v *visit) page(segments ...string) string {
	if v.web == nil || v.web.Host == "" {
		return ""
	}
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return v.web.JoinPath(segments...).String()
}

// appPage returns the link to a page of the App's settings, "" for the first one.
func (v *visit) appPage(which ...string) string {
	app := v.registered
	if app == nil || app.Slug == "" {
		return v.page("settings", "apps")
	}
	where := []string{"settings", "apps", app.Slug}
	if app.Organization && app.Owner != "" {
		where = append([]string{"organizations", app.Owner}, where...)
	}
	return v.page(append(where, which...)...)
}

// installationPage returns the link to the settings of an installation.
func (v *visit) installationPage(in port.Installation, which ...string) string {
	where := []string{"settings", "installations", fmt.Sprint(in.ID)}
	if in.Organization {
		where = append([]string{"organizations", in.Account}, where...)
	}
	return v.page(append(where, which...)...)
}
