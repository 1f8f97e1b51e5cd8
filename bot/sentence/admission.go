package sentence

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// NotServed says that this server does not serve an owner's repositories.
func NotServed(owner string) string {
	return fmt.Sprintf("This server does not serve the repositories of %s. Whoever runs it can add the owner to "+
		"`TENON_ALLOWED_OWNERS`.", markdown.Code(owner))
}

// NeedsPermission says that somebody's permission is less than a command needs.
func NeedsPermission(login, verb string, needs, has port.Permission) string {
	return fmt.Sprintf("%s, `/tenon %s` needs %s permission in this repository, and you have %s. "+
		"Ask a maintainer to run it.", markdown.PlainLogin(login), verb, needs, has.Words())
}

// SettingsUnreadable is the refusal of all commands while the settings cannot be read. link says what is wrong, and
// where.
func SettingsUnreadable(link string) *port.UserError {
	return refusal("tenon does nothing here until its settings can be read: %s. Fix that, and give the command again; "+
		"`/tenon config` shows everything that is wrong.", link).
		Because(port.ReasonSettings)
}

// Disabled is the refusal of all commands where the settings at link disable tenon.
func Disabled(link string) *port.UserError {
	return refusal("tenon is disabled here by %s, so nothing was done. `/tenon config` shows the settings that apply.",
		link).
		Because(port.ReasonSettings)
}

// VerbNotAllowed is the refusal of a command that the settings at link do not list; allowed are those that they do.
func VerbNotAllowed(verb, link, allowed string) *port.UserError {
	return refusal("`/tenon %s` is not allowed here: %s allow %s. `/tenon help` and `/tenon config` always work.", verb,
		link, allowed).
		Because(port.ReasonSettings)
}

// Deleted is the refusal of a command whose text is no longer stored.
func Deleted() *port.UserError {
	return refusal("This command is so old that its text is no longer stored. Give it again.")
}

// What a run finds out right before it commits, as clauses: "… so nothing was committed".
const (
	SettingsUnreadableNow = "the settings of this repository can no longer be read"
	DisabledNow           = "tenon has since been disabled here"
	VerbNotAllowedNow     = "the settings of this repository no longer allow the command"
	PreviewWantedNow      = "the settings of this repository now require a preview of what somebody without write " +
		"permission asks for"
)

// NeedsPermissionNow is the clause that says that somebody's permission is now less than a command needs.
func NeedsPermissionNow(login string, needs, has port.Permission) string {
	return fmt.Sprintf("%s now has %s here, and the command needs %s permission", login, has.Words(), needs)
}
