package config

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// Bounds of the connections. Fewer would let a few slow senders delay others.
const minConnections, maxConnections = 16, 100_000

// maxRuns bounds the commands in progress, each of which needs some memory.
const maxRuns = 10_000

// Bounds of the cache, in MiB.
const minCache, maxCache = 1, 1 << 20

// Bounds of the patience.
const (
	minPatience = time.Second
	maxPatience = 7 * 24 * time.Hour
)

// Regular expressions of texts, for schemas.
const (
	pemForm      = `-----BEGIN (?:RSA )?PRIVATE KEY-----`
	databaseForm = `^\s*postgres(?:ql)?://`
	modelForm    = `^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$`
)

// minRetention is in days. Below it, the queue would take an old delivery that is sent again for a new one: see
// store.MinRetention.
const minRetention = 31

// login is GitHub's rule for the names of users, organisations and Apps; enterprise-managed users have an underscore.
var login = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9_])?$`)

// maxListed bounds a list.
const maxListed = 10_000

func setOwners(s *Server, text string) (err error) {
	s.AllowedOwners, err = logins(text)
	if err == nil && len(s.AllowedOwners) == 0 {
		// Commas alone must not mean "everybody".
		return errors.New("has no login; list at least one, or leave it out to serve every installation")
	}
	return err
}

// logins reads a list of logins, in lower case.
func logins(text string) (list []string, err error) {
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		if !login.MatchString(name) {
			return nil, fmt.Errorf("%q is not a login; list the logins of users and organisations, with commas between them",
				clip(name))
		}
		list = append(list, strings.ToLower(name))
	}
	return list, nil
}

// maxAppID is far beyond GitHub's numbers, and fits the numbers of JSON.
const maxAppID = 999_999_999_999_999

func setAppID(s *Server, text string) error {
	id, err := parseNumber(text, 1, maxAppID)
	if err != nil {
		return errors.New("is not a number; it is the number called App ID on the page of your GitHub App " +
			"(not the Client ID)")
	}
	s.AppID = id
	return nil
}

func setPrivateKey(s *Server, text string) error {
	// Many places where variables are set allow no line breaks.
	text = strings.ReplaceAll(text, `\n`, "\n")
	if err := checkKey(text); err != nil {
		return err
	}
	s.PrivateKey = NewSecret(text)
	return nil
}

// checkKey accepts what GitHub gives out (PKCS #1), and the same key converted (PKCS #8).
func checkKey(text string) error {
	block, _ := pem.Decode([]byte(text))
	switch {
	case block == nil && strings.Contains(text, "-----BEGIN "):
		return errors.New("is incomplete or damaged: its lines, from the one with BEGIN to the one with END, are not those " +
			"of a PEM file; copy the whole file that GitHub gave you, with its line breaks")
	case block == nil:
		return errors.New(`is not a PEM file; it must begin with "-----BEGIN RSA PRIVATE KEY-----" as downloaded from ` +
			`GitHub; a path goes into TENON_PRIVATE_KEY_FILE`)
	}
	if _, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return nil
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if _, ok := key.(*rsa.PrivateKey); err != nil || !ok {
		return errors.New("is a PEM file without an RSA private key; download the key of your GitHub App again")
	}
	return nil
}

func setWebhookSecret(s *Server, text string) error {
	// A file or an editor adds the line break; no page of GitHub lets one in.
	s.WebhookSecret = NewSecret(strings.TrimRight(text, "\r\n"))
	switch secret := s.WebhookSecret.Reveal(); {
	case secret == "":
		return errors.New("is empty; give it the webhook secret of your GitHub App")
	case strings.ContainsAny(secret, "\r\n") || strings.HasPrefix(secret, "-----BEGIN "):
		return errors.New("is not a webhook secret, which is one line; a private key goes into TENON_PRIVATE_KEY")
	case strings.HasPrefix(secret, "https://") || strings.HasPrefix(secret, "http://"):
		return errors.New("is a URL; give it the secret below the webhook URL, on the page of your GitHub App")
	case quoted(secret):
		return errors.New(whyQuoted)
	}
	return nil
}

// whyQuoted is for a secret from a file of variables, such as that of docker run --env-file, where quotation marks are
// not taken off as a shell does.
const whyQuoted = "is in quotation marks, which are taken as part of it; remove them"

func quoted(text string) bool {
	return len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0]
}

// slug is the name of an App, which people also write as it signs its comments.
var slug = regexp.MustCompile(`^@?([A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9_])?)(?:\[bot\])?$`)

func setSlug(s *Server, text string) error {
	m := slug.FindStringSubmatch(text)
	if m == nil {
		return errors.New("is not an App's name; write it as in https://github.com/apps/NAME")
	}
	s.AppSlug = m[1]
	return nil
}

func setModel(s *Server, text string) error {
	s.Model.Name = strings.TrimSpace(text)
	if s.Model.Name == "" || strings.ContainsFunc(s.Model.Name, unicode.IsControl) {
		return errors.New("is not a model's name; write it as its provider does")
	}
	return nil
}

func setModelKey(s *Server, text string) error { return setKey(&s.Model, text) }

// setDatabase accepts a URL; whether a server is there is found out by connecting.
func setDatabase(s *Server, text string) error {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Opaque != "" {
		return errors.New("is not the URL of a PostgreSQL database; write postgres://user:password@host:port/database, " +
			"with special characters as %XX, or leave it out to use an SQLite file in TENON_DATA_DIR")
	}
	s.DatabaseURL = NewSecret(u.String())
	return nil
}
