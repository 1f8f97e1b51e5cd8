package message

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Address returns the email address under which GitHub knows the commits of an account without showing another one. It
// is an address of the site that has page: users.noreply.github.com on github.com, users.noreply.HOST on a server of an
// enterprise. A page without a name of a host is taken for one of github.com. id is 0 if it is not known.
func Address(login string, id int64, page string) string {
	host := "github.com"
	if u, err := url.Parse(page); err == nil && u.Hostname() != "" {
		if _, err := netip.ParseAddr(u.Hostname()); err != nil {
			host = strings.ToLower(u.Hostname())
		}
	}
	if id != 0 {
		login = fmt.Sprintf("%d+%s", id, login)
	}
	return login + "@users.noreply." + host
}

// CoAuthor returns the trailer by which GitHub shows an account as an author of a commit, too.
func CoAuthor(login string, id int64, page string) string {
	return CoAuthorPrefix(login) + Address(login, id, page) + ">"
}

// CoAuthorPrefix returns the beginning of CoAuthor, up to the address.
func CoAuthorPrefix(login string) string { return "Co-authored-by: " + login + " <" }
