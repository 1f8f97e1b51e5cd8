package config

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
	linetext "github.com/tenon-bot/tenon/engine/text"
)

// refuseUnknown reports the variables that look like settings and are none. A misspelt TENON_ALLOWED_OWNERS would let
// everybody in.
func (r *reader) refuseUnknown() {
	names := map[string]bool{variable("config"): true}
	for _, row := range settings() {
		for _, key := range row.keys() {
			names[variable(key)] = true
		}
	}
	var unknown []string
	for _, entry := range r.src.Environ() {
		name, text, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, prefix) && text != "" && !names[name] && !r.keyNames[name] && !foreign(name, text) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		r.add(Problem{Name: clip(name), Text: unknownVariable(name), Kind: Unknown})
	}
}

// Variables that begin as settings do, and are not meant for the program: those of its own tests, and those that
// Kubernetes and Docker set for services that are called tenon or tenon-something. The value of a variable is looked at
// where its name could be a mistake: TENON_PORT=8080 is one.
var (
	forTests     = regexp.MustCompile(`^TENON_(TEST_\w+|BENCH|MIRROR|PROJECTS|GITHUB_OPENAPI|GITHUB_WEBHOOKS)$`)
	ofServices   = regexp.MustCompile(`^TENON_(\w+_)?SERVICE_(HOST|PORT(_\w+)?)$`)
	ofPorts      = regexp.MustCompile(`^TENON_(\w+_)?PORT(_\d+_(TCP|UDP|SCTP))?$`)
	ofPortParts  = regexp.MustCompile(`^TENON_(\w+_)?PORT_\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)$`)
	serviceValue = regexp.MustCompile(`^([0-9a-fA-F.:]+|None)$`)
	portValue    = regexp.MustCompile(`^(tcp|udp|sctp)://`)
)

func foreign(name, text string) bool {
	return forTests.MatchString(name) || ofPortParts.MatchString(name) ||
		ofServices.MatchString(name) && serviceValue.MatchString(text) ||
		ofPorts.MatchString(name) && portValue.MatchString(text)
}

func unknownVariable(name string) string {
	key := strings.ToLower(strings.TrimPrefix(name, prefix))
	switch path := policyPath(key); {
	case key == modelsKey || key == policyKey:
		return "can be set in the server file only, as " + key
	case path != "":
		return "can be set in the server file only, as " + policyKey + "." + path
	}
	var names []string
	for _, meant := range closest(key, append(allKeys(), "config")) {
		names = append(names, variable(meant))
	}
	if len(names) == 0 {
		return "is not a setting of tenon; remove it (docs/settings.md has all settings)"
	}
	return "is not a setting of tenon; did you mean " + orList(names) + "?"
}

// unknownKey is what is wrong with a key of the server file.
func unknownKey(key string) string {
	name := "there is no setting `" + clip(key) + "`; "
	if policyPath(key) != "" {
		return name + "it belongs below " + policyKey
	}
	if len(key) > len(prefix) && strings.EqualFold(key[:len(prefix)], prefix) {
		if bare := strings.ToLower(key[len(prefix):]); slices.Contains(allKeys(), bare) {
			return name + "in the server file it is called `" + bare + "`"
		}
	}
	var names []string
	for _, meant := range closest(key, append(allKeys(), modelsKey, policyKey)) {
		names = append(names, "`"+meant+"`")
	}
	if len(names) == 0 {
		return name + "docs/settings.md has all settings"
	}
	return name + "did you mean " + orList(names) + "?"
}

// policyPath returns the setting of the policy that a key names, with underscores for its dots; else "".
func policyPath(key string) string {
	for _, row := range policy.DefaultPolicy().Shown() {
		if strings.ReplaceAll(row.Key, ".", "_") == strings.ReplaceAll(strings.ToLower(key), ".", "_") {
			return row.Key
		}
	}
	return ""
}

func allKeys() []string {
	var keys []string
	for _, row := range settings() {
		keys = append(keys, row.keys()...)
	}
	return keys
}

// maxSuggestions bounds what a message suggests.
const maxSuggestions = 3

// closest returns the keys that somebody may have meant: the one that is spelled most similarly; else those that have
// all words of what was written and the fewest others, or the other way round.
func closest(key string, keys []string) []string {
	key = strings.ToLower(clip(key))
	best, distance := "", 2
	if len(key) > 4 {
		distance = max(3, len(key)/5+1)
	}
	for _, k := range keys {
		if d := linetext.Distance(squeeze(key), squeeze(k), distance-1); d < distance {
			best, distance = k, d
		}
	}
	if best != "" {
		return []string{best}
	}
	var similar []string
	written, fewest := words(key), len(key)
	for _, k := range keys {
		w := words(k)
		others := max(len(w)-len(written), len(written)-len(w))
		if strings.HasSuffix(k, inFile) || others > fewest || !contains(w, written) && !contains(written, w) {
			continue
		}
		if others < fewest {
			similar, fewest = nil, others
		}
		similar = append(similar, k)
	}
	return similar[:min(len(similar), maxSuggestions)]
}

// squeeze removes what is easily left out or typed twice.
func squeeze(key string) string { return strings.NewReplacer("_", "", "-", "", ".", "").Replace(key) }

// synonyms are words that people use for those in the names of settings.
var synonyms = map[string]string{
	"port": "listen", "addr": "listen", "address": "listen", "bind": "listen", "db": "database", "dsn": "database",
	"postgres": "database", "folder": "dir", "directory": "dir", "org": "owner", "organization": "owner",
	"organisation": "owner", "logging": "log", "timeout": "patience", "pem": "private",
}

// words are the words of a key, without the s of plurals.
func words(key string) []string {
	parts := strings.FieldsFunc(key, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	for i, word := range parts {
		word = strings.TrimSuffix(word, "s")
		if other, ok := synonyms[word]; ok {
			word = other
		}
		parts[i] = word
	}
	return parts
}

// contains reports whether all words of one key are among those of another.
func contains(all, some []string) bool {
	for _, word := range some {
		if !slices.Contains(all, word) {
			return false
		}
	}
	return len(some) > 0
}

func orList(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return either(names)
}
