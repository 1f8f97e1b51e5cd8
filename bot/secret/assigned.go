package secret

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Bounds on what is read of an assignment, in bytes.
const (
	maxAssignedName  = 48  // on either side of the word that tells
	maxAssignedSpace = 24  // between the name, the operator and the value
	maxAssignedValue = 512 // what is longer is cut there, and is masked up to there
	maxAssignedWork  = 2*maxAssignedName + 4*maxAssignedSpace + maxAssignedValue
)

// strength says how random a value must be to be a secret under a name.
type strength int

const (
	// forKey is for names that often have other values: a value is random, and no hash or id.
	forKey strength = iota
	// forToken is for names of secrets that programs make.
	forToken
	// forPassword is for names of secrets that people choose.
	forPassword
	// forScheme is for the words before the value of a header.
	forScheme
)

// assigned are the words in the names of secrets.
var assigned = map[string]strength{
	"passw": forPassword, "pwd": forPassword, "passphrase": forPassword, "passcode": forPassword,
	"requirepass": forPassword,
	"masterauth":  forPassword, "identified by": forPassword, "secret": forPassword, "sshpass": forPassword,
	"token": forToken, "apikey": forToken, "api_key": forToken, "api-key": forToken, "access_key": forToken,
	"accesskey": forToken, "access-key": forToken, "authkey": forToken, "auth_key": forToken, "auth-key": forToken,
	"private_key": forToken, "privatekey": forToken, "account_key": forToken, "accountkey": forToken,
	"license_key": forToken,
	"signing_key": forToken, "signingkey": forToken, "encryption_key": forToken, "encryptionkey": forToken,
	"master_key": forToken, "shared_key": forToken, "sharedkey": forToken, "credential": forToken,
	"authorization": forToken,
	"bearer":        forScheme, "basic": forScheme, "session": forKey, "key": forKey, "auth": forKey, "?sig": forKey,
	"&sig":  forKey,
	"creds": forKey, "pass": forPassword, "salt": forToken, "webhook": forKey, "dsn": forKey,
}

var (
	// innocent matches what a name ends with whose value is no secret, though it has one of the words in it.
	innocent = regexp.MustCompile(`(?i)public[_-]?key|csrf|(?:hash(?:es|ed)?|sha\d*|md5|digest|checksum|` +
		`fingerprint|thumbprint|integrity|signature|` +
		`public_?key|pubkey|commit|revision|etag|uuid|key_?id|keyid|token_?id|secret_?id|id|ids|name|type|kind|url|` +
		`uri|path|file|` +
		`endpoint|version|length|size|count|format|field|label|pattern|regexp?|algorithm|arn|websocket-key|cache_?key|` +
		`primary_?key|foreign_?key|sort_?key|partition_?key|keyboard|keypress|keycode|keyword|keywords|form_?key|` +
		`keys?pace|monkey|author|` +
		`authors|sigma|signal|significant|bypass|pass_?through|compass|passed|passive|passing|passes|assign|design)$`)
	// hop matches what is between a name and its value where both are values of a list: name: X, value: Y.
	hop = regexp.MustCompile(`^(?:</key>\s{0,40}<string>|["'\x60]?[\s,]{0,40}["']?(?:value|defaultValue|` +
		`Value)["']?\s{0,4}[:=]\s{0,4}|` +
		` ?\{ ?get;[^}=]{0,30}\} ?= ?)`)
	// scheme matches the word before what an Authorization header has.
	scheme = regexp.MustCompile(`^(?i:bearer|basic|token|apikey|digest|key|bot|negotiate)[ \t]{1,3}`)
	// typed matches a type between a name and its value, and called a call whose first argument is the value.
	typedValue = regexp.MustCompile(`^&?\??:?[ \t]{0,3}[\w.*\[\]<>?&]{1,30}[ \t]{0,3}:?=[ \t]{0,3}`)
	called     = regexp.MustCompile(`^(?:new )?[\w.\[\]]{1,40}\([ \t]{0,3}["'\x60]`)
)

// assignment reads what is assigned to a name that has a word in text[from:to], and returns it if it is a secret, and
// about how many bytes it read, which are few whatever the text is.
func assignment(text string, from, to int, need strength) (m match, read int, ok bool) {
	name, end, flag := nameAround(text, from, to)
	if need == forScheme {
		m, ok = schemeValue(text, from, to)
		return m, m.to - m.from, ok
	}
	at, spaced, ok := operatorAfter(text, end)
	if ok {
		m, ok = assignedAt(text, at, need, spaced && !flag)
	}
	return m, len(name) + m.to - m.from, ok && !innocent.MatchString(name)
}

// assignedAt returns the value at a place if it is a secret. spaced reports that only white space is before it.
func assignedAt(text string, at int, need strength, spaced bool) (m match, ok bool) {
	for range 3 { // a type, a call or a scheme may be before the value
		value, quoted := valueAt(text, at)
		if accepts(text[value.from:value.to], need, quoted, spaced) {
			return match{from: value.from, to: value.to, kind: "credential"}, true
		}
		rest := text[at:min(len(text), at+maxAssignedName)]
		if !strings.ContainsAny(rest, " \t(") {
			return match{}, false
		}
		switch {
		case scheme.MatchString(text[value.from:min(len(text), value.from+maxAssignedSpace)]):
			word := scheme.FindString(text[value.from:min(len(text), value.from+maxAssignedSpace)])
			return schemeValue(text, value.from, value.from+len(strings.TrimRight(word, " \t")))
		case typedValue.MatchString(rest) && !quoted && (spaced || text[at-1] == ':' || text[max(0, at-2)] == ':'):
			at += len(typedValue.FindString(rest))
			spaced = false
		case called.MatchString(rest) && !quoted:
			at += len(called.FindString(rest)) - 1
		default:
			return match{}, false
		}
	}
	return match{}, false
}

// schemeValue returns what is behind the name of a way to authorize, in text[from:to], if it is a secret.
func schemeValue(text string, from, to int) (match, bool) {
	if from > 0 && isWord(text[from-1]) || to >= len(text) || text[to] != ' ' && text[to] != '\t' {
		return match{}, false
	}
	value, _ := valueAt(text, to+1)
	secret := text[value.from:value.to]
	m := match{from: value.from, to: value.to, kind: "credential"}
	if user, password, ok := decoded(secret); ok && strings.EqualFold(text[from:to], "basic") {
		return m, user != "" && !weak.MatchString(password)
	}
	return m, randomAs(secret, true, likely)
}

// nameAround returns the name that has text[from:to] in it, where it ends, and whether it is a flag of a command.
func nameAround(text string, from, to int) (name string, end int, flag bool) {
	isName := func(c byte) bool { return isWord(c) || c == '-' || c == '.' }
	start := from
	for start > 0 && from-start < maxAssignedName && isName(text[start-1]) {
		start--
	}
	end = to
	for end < len(text) && end-to < maxAssignedName && isName(text[end]) {
		end++
	}
	return text[start:end], end, start < len(text) && text[start] == '-' ||
		strings.HasSuffix(text[max(0, start-4):start], "ENV ")
}

// operatorAfter returns where the value is that is assigned to a name that ends at a place. spaced reports that only
// white space is between the two.
func operatorAfter(text string, end int) (at int, spaced, ok bool) {
	rest := text[end:min(len(text), end+4*maxAssignedSpace)]
	if rest != "" && strings.IndexByte("\"'`, \t\n<", rest[0]) >= 0 && strings.ContainsAny(rest, "vVsg") {
		if found := hop.FindString(rest); found != "" {
			return end + len(found), false, true
		}
	}
	i := 0
	for i < len(rest) && i < 4 && strings.IndexByte("\"'`]\\)?", rest[i]) >= 0 {
		i++
	}
	quoted := i
	for i < len(rest) && i < maxAssignedSpace && (rest[i] == ' ' || rest[i] == '\t') {
		i++
	}
	space := i - quoted
	for _, op := range []string{":=", "=>", "?=", "||=", "===", "==", "!=", "+=", "=", ":", ">", ",", "("} {
		after, found := strings.CutPrefix(rest[i:], op)
		if !found || op == "(" && space > 0 {
			continue
		}
		i += len(op)
		skip := len(after) - len(strings.TrimLeft(after, " \t"))
		i += min(skip, maxAssignedSpace)
		if op == ":" || op == "=" { // the value may be on the next line
			i += len(continued.FindString(rest[i:]))
		}
		if (op == "(" || op == ",") && !strings.ContainsAny(rest[i:min(len(rest), i+2)], "\"'`\\") {
			return 0, false, false // an expression
		}
		return end + i, false, true
	}
	return end + i, true, space > 0 && quoted == 0 || space == 0 && quoted == 0 && i < len(rest) && rest[i] == '\''
}

// continued matches what is before a value on the line after its name.
var continued = regexp.MustCompile(`^(?:[|>][-+]?|\\|\()?\r?\n[ \t]{1,40}`)

// valueAt returns where a value is, without the quotes around it, and whether it has any.
func valueAt(text string, at int) (v window, quoted bool) {
	for n := 0; n < 2 && at+1 < len(text) && strings.IndexByte("bfrLu@$", text[at]) >= 0 &&
		strings.IndexByte("\"'", text[at+1]) >= 0; n++ {
		at++ // the prefix of a string
	}
	open := at
	for open < len(text) && open-at < 4 && strings.IndexByte("\"'`\\", text[open]) >= 0 {
		open++
	}
	end := open
	if open > at {
		quote := text[open-1]
		for end < len(text) && end-open < maxAssignedValue && text[end] != quote && text[end] != '\n' {
			if text[end] == '\\' && end+1 < len(text) && text[end+1] != quote && text[end+1] != '\n' {
				end++
			} else if text[end] == '\\' {
				break
			}
			end++
		}
		return window{open, min(end, len(text))}, true
	}
	for end < len(text) && end-open < maxAssignedValue && strings.IndexByte(" \t\r\n\"'`,;<>(){}[]|&\\", text[end]) < 0 {
		end++
	}
	return window{open, end}, false
}

// accepts reports whether a value is a secret.
func accepts(value string, need strength, quoted, spaced bool) bool {
	switch {
	case len(value) < minValue || strings.ContainsAny(value, " \t\n") || charsOf(value).classes() < 2 ||
		!quoted && isCode(value):
		return false
	case spaced: // a sentence, or words of a command
		return need == forPassword && quoted && (chosen(value) || random(value, true)) ||
			need >= forToken && len(value) >= 2*minValue && random(value, false)
	case need == forPassword:
		return chosen(value) || randomAs(value, true, likely)
	case need == forToken:
		return randomAs(value, true, likely)
	}
	return len(value) >= 2*minValue && random(value, false)
}

// isCode reports whether a value without quotes names a field of something: a.b2.
func isCode(value string) bool { return len(value) < maxField && codeValue.MatchString(value) }

// maxField bounds the names of fields, in bytes.
const maxField = 60

var codeValue = regexp.MustCompile(`^[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)+$`)

// weak matches passwords in examples of HTTP's basic authorization.
var weak = regexp.MustCompile(`(?i)^(?:pass|password|passwd|secret|test|foo|bar|admin|open sesame|1234|12345|123456)?$`)

// decoded returns the name and the password that are encoded in the value of basic authorization.
func decoded(value string) (user, password string, ok bool) {
	out, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	if err != nil || !utf8.Valid(out) {
		return "", "", false
	}
	return strings.Cut(string(out), ":")
}
