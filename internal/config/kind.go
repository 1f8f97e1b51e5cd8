package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/schema"
)

// kind says how a setting is written, and where its value goes.
type kind struct {
	// set takes the setting's text. The error says what is wrong and what to do. It quotes the text only where that cannot
	// be a secret that was put into the wrong variable.
	set func(s *Server, text string) error
	// list allows a list in the server file; its texts are joined with commas.
	list bool
	// secret marks what is never printed, and can be in a file of its own.
	secret bool
	// form is what set accepts, as far as a schema can say it.
	form schema.Schema
}

// custom is a text of a form that a function of its own reads.
func custom(form schema.Schema, set func(s *Server, text string) error) kind {
	return kind{set: set, form: form}
}

// secret is a text that is never printed. Errors must not quote it.
func secret(form schema.Schema, set func(s *Server, text string) error) kind {
	return kind{set: set, form: form, secret: true}
}

// owners are logins, separated by commas or as a list.
func owners() kind { return kind{set: setOwners, list: true, form: listOf(login)} }

// listOf is a text with words separated by commas, or a list of such texts; a regular expression describes the words.
func listOf(word *regexp.Regexp) schema.Schema {
	one := strings.Trim(word.String(), "^$")
	text := schema.Text(`^[\s,]*` + one + `(?:\s*,\s*` + one + `)*[\s,]*$`)
	return schema.Or(text, schema.List(text, maxListed).With("minItems", 1))
}

// path is the path of a folder or a file; it is not looked at.
func path(field func(*Server) *string) kind {
	return kind{form: schema.Text(`.`), set: func(s *Server, text string) error {
		*field(s) = text
		return nil
	}}
}

// choice is one of some words.
func choice(field func(*Server) *string, words ...string) kind {
	return kind{form: schema.Words(words...), set: func(s *Server, text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("%q is not one of its values; write %s", clip(text), either(words))
		}
		*field(s) = text
		return nil
	}}
}

// toggle is true or false.
func toggle(field func(*Server) *bool) kind {
	return kind{form: schema.Words("true", "false"), set: func(s *Server, text string) error {
		if text != "true" && text != "false" {
			return fmt.Errorf("%q is not one of its values; write true or false", clip(text))
		}
		*field(s) = text == "true"
		return nil
	}}
}

func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// number is a whole number between two bounds.
func number[N int | int64](field func(*Server) *N, least, most N) kind {
	return kind{form: schema.Number(int64(least), int64(most), ""), set: func(s *Server, text string) error {
		n, err := parseNumber(text, int64(least), int64(most))
		if err != nil {
			return fmt.Errorf("%q is not a whole number from %d to %d", clip(text), least, most)
		}
		*field(s) = N(n)
		return nil
	}}
}

// maxMost is far beyond every limit that is of use.
const maxMost = 1_000_000_000_000

// numberOrOff is a limit of at least 1, or off, which is 0.
func numberOrOff(field func(*Server) *int64) kind {
	form := schema.Or(schema.Words("off"), schema.Number(1, maxMost, ""))
	return kind{form: form, set: func(s *Server, text string) error {
		if strings.TrimSpace(text) == "off" {
			*field(s) = 0
			return nil
		}
		n, err := parseNumber(text, 1, maxMost)
		if err != nil {
			return fmt.Errorf("%q is not a limit; write a whole number from 1 on, like 500 or 3_000_000, or off", clip(text))
		}
		*field(s) = n
		return nil
	}}
}

var errNumber = errors.New("not a number within the bounds")

// wholeNumber is how numbers are written.
var wholeNumber = regexp.MustCompile(`^(?:0|[1-9][0-9]*(?:_[0-9]+)*)$`)

// parseNumber reads a whole number, in which underscores may separate digits.
func parseNumber(text string, least, most int64) (int64, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
	if !wholeNumber.MatchString(text) || err != nil || n < least || n > most {
		return 0, errNumber
	}
	return n, nil
}

// durationForm describes a time that is not negative, and noTime one that is zero; schemas cannot say how long it may
// be.
const (
	durationForm = `^\s*\+?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:h|m|s|ms|us|µs|ns))+\s*$`
	noTime       = `^[^1-9]*$`
)

// duration is a time as Go writes it, such as 90m, between two bounds.
func duration(field func(*Server) *time.Duration, least, most time.Duration) kind {
	return kind{form: schema.Text(durationForm, noTime), set: func(s *Server, text string) error {
		d, err := time.ParseDuration(strings.TrimSpace(text))
		if err != nil || d < least || d > most {
			return fmt.Errorf("%q is not a time from %s to %s; write it like 24h or 90m", clip(text), short(least),
				short(most))
		}
		*field(s) = d
		return nil
	}}
}

// short writes a duration without parts that are zero.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// maxDays bounds what is kept, in days.
const maxDays = 10_000

// days is a time in whole days, such as 90d.
func days(field func(*Server) *time.Duration, least int64) kind {
	return kind{form: schema.Number(least, maxDays, `\s*d?`), set: func(s *Server, text string) error {
		n, err := parseNumber(strings.TrimSuffix(strings.TrimSpace(text), "d"), least, maxDays)
		if err != nil {
			return fmt.Errorf("%q is not a time from %dd on; write a number of days, like 90d", clip(text), least)
		}
		*field(s) = time.Duration(n) * 24 * time.Hour
		return nil
	}}
}

// address is where a server listens, host:port.
func address(field func(*Server) *string) kind {
	form := schema.Text(`^(?:\[[^\[\]]*\]|[^:\[\]]*):` + schema.Digits(0, 65535, false) + `$`)
	return kind{form: form, set: func(s *Server, text string) error {
		_, port, err := net.SplitHostPort(text)
		if err == nil {
			_, err = strconv.ParseUint(port, 10, 16)
		}
		if err != nil {
			return fmt.Errorf(`%q is not an address; write host:port, or :port for every interface, like ":8080"`, clip(text))
		}
		*field(s) = text
		return nil
	}}
}

// baseURL is an http(s) URL to which paths are added; it is stored with a slash at its end.
func baseURL(field func(*Server) *string) kind {
	return kind{form: urlForm(), set: func(s *Server, text string) error { return setURL(field(s), text) }}
}

// hostForm begins a URL.
const hostForm = `[hH][tT][tT][pP][sS]?://(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~-]+)(?::[0-9]*)?`

func urlForm() schema.Schema { return schema.Text(`^\s*` + hostForm + `(?:/[^\s?#]*)?\s*$`) }

func setURL(to *string, text string) error {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return errors.New("is not a URL; write it with its scheme, like https://example.com/")
	case u.User != nil:
		return errors.New("has a user name or password; remove them from the URL")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return errors.New(`has a part after "?" or "#"; a base URL ends with its path`)
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions"):
		return errors.New("ends with chat/completions, which tenon adds itself; leave it out")
	}
	*to = strings.TrimRight(u.String(), "/") + "/"
	return nil
}

// logLevel is one of the levels of log/slog.
func logLevel() kind {
	anyCase := `^(?:[dD][eE][bB][uU][gG]|[iI][nN][fF][oO]|[wW][aA][rR][nN]|[eE][rR][rR][oO][rR])$`
	form := schema.Or(schema.Words("debug", "info", "warn", "error"), schema.Text(anyCase))
	return kind{form: form, set: func(s *Server, text string) error {
		for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
			if strings.EqualFold(text, level.String()) {
				s.LogLevel = level
				return nil
			}
		}
		return fmt.Errorf("%q is not a level; use debug, info, warn or error", clip(text))
	}}
}

// formInPolicy is the form of a setting of the policy.
func formInPolicy(name string) schema.Schema {
	form, _ := policy.SettingSchema(name)
	return form
}

// inPolicy sets a setting of the server's policy.
func inPolicy(name string) func(s *Server, text string) error {
	return func(s *Server, text string) (err error) {
		s.Policy, err = s.Policy.With(name, text)
		return err
	}
}

// limit is a limit of the server's policy.
func limit(name string) kind {
	return custom(formInPolicy(name), func(s *Server, text string) error {
		if inPolicy(name)(s, strings.TrimSpace(text)) != nil {
			return fmt.Errorf("%q is not a limit; write a whole number from 1 on, like 500 or 3_000_000", clip(text))
		}
		return nil
	})
}
