package secret

import (
	"encoding/base64"
	"regexp"
	"strings"
)

// encodedKey is what the Base64 of a private key has at its beginning.
type encodedKey struct {
	mark string
	// shift is how many characters of the Base64 before the mark belong to it.
	shift int
	// armored reports that a PEM file is encoded, which may be public.
	armored bool
}

// encodedKeys are what the Base64 of a private key has at its beginning. In the first three, a PEM file is encoded once
// more, and begins at any of the three places in a group of four characters; in the fourth, twice more.
var encodedKeys = []encodedKey{
	{"LS0tLS1CRUdJTi", 0, true}, {"0tLS0tQkVHSU4", 2, true}, {"tLS0tLUJFR0lO", 3, true}, {"TFMwdExTMUNSVWRKVG", 0, true},
	{"b3BlbnNzaC1rZXktdjEA", 0, false},                                                     // OpenSSH
	{"IBADANBgkqhkiG9w0BAQEFAASC", 6, false}, {"IBAAKC", 6, false}, {"IBAAKBgQ", 6, false}, // RSA: PKCS #8, PKCS #1
	{"MIGHAgEAMBMGByqGSM49AgEG", 0, false}, {"MIGTAgEAMBMGByqGSM49AgEG", 0, false}, // EC in PKCS #8
	{"MIG2AgEAMBAGByqGSM49AgEG", 0, false}, {"MIHuAgEAMBAGByqGSM49AgEG", 0, false},
	{"AgEAMBMGByqGSM49AgEG", 4, false}, {"AgEAMBAGByqGSM49AgEG", 4, false},
	{"MHcCAQEEI", 0, false}, {"MHQCAQEEI", 0, false}, {"MIGkAgEBBDA", 0, false}, {"MIHcAgEBBEI", 0, false}, // EC, SEC 1
	{"MC4CAQAwBQYDK2VwBCIEI", 0, false}, {"MC4CAQAwBQYDK2VuBCIEI", 0, false}, // Ed25519, X25519
	{"MFECAQEwBQYDK2VwBCIEI", 0, false},
	{"BgkqhkiG9w0BBQ0w", 8, false}, // encrypted PKCS #8
	{"IBAzCC", 6, false},           // PKCS #12
	{"lQ", 0, false},               // OpenPGP, see openPGP
}

// openPGP matches the beginning of the Base64 of a private key of OpenPGP.
var openPGP = regexp.MustCompile(`^lQ(?:[A-P][A-Za-z0-9+/]B|PGB|IGB|OYB|HYB|VYB|cYB|dGB)F[A-Za-z0-9+/]{40}`)

// derHead matches the beginning of the Base64 of an object of more than 127 bytes in DER.
var derHead = regexp.MustCompile(`^MI[A-Za-z0-9+/]`)

// minEncoded is how many characters of Base64 an encoded key has at least.
const minEncoded = 60

// findEncodedKeys returns the private keys in Base64 without the lines around them that PEM has.
func findEncodedKeys(text string) (out []match) {
	for _, key := range encodedKeys {
		for at := 0; ; {
			i := strings.Index(text[at:], key.mark)
			if i < 0 {
				break
			}
			from := at + i - key.shift
			at += i + len(key.mark)
			for key.armored && from > 0 && isBase64(text[from-1]) && !afterEscape(text, from) {
				from--
			}
			if from < 0 || from > 0 && isBase64(text[from-1]) && !afterEscape(text, from) ||
				strings.ContainsFunc(text[from:from+key.shift], notBase64) {
				continue
			}
			if key.mark == "lQ" && !openPGP.MatchString(text[from:min(len(text), from+60)]) ||
				!key.armored && key.shift > 4 && !derHead.MatchString(text[from:]) {
				continue
			}
			to := endOfBase64(text, from)
			if to-from < minEncoded || key.armored && isPublic(text[from:to]) {
				continue
			}
			out = append(out, match{from: from, to: to, kind: "private key", rank: -1})
			at = max(at, to)
		}
	}
	return out
}

func isBase64(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/'
}

func notBase64(r rune) bool { return r > 'z' || !isBase64(byte(r)) }

// afterEscape reports whether a place is behind an escaped line break.
func afterEscape(text string, at int) bool {
	return at > 1 && text[at-2] == '\\' && (text[at-1] == 'n' || text[at-1] == 'r' || text[at-1] == 't')
}

// betweenLines matches what is between the lines of Base64, in programs, diffs and comments too.
var betweenLines = regexp.MustCompile("^(?:=|\\\\[nr]|[\\s\"'`+,>|#*;-]){1,60}")

// endOfBase64 returns where the Base64 ends that begins at a place: whatever is between its lines belongs to it if
// another line follows.
func endOfBase64(text string, from int) int {
	end := from
	for {
		for end < len(text) && isBase64(text[end]) && (text[end] != 'n' || !afterEscape(text, end+1)) {
			end++
		}
		gap := betweenLines.FindString(text[end:min(len(text), end+60)])
		next := end + len(gap)
		n := next
		for n < len(text) && isBase64(text[n]) {
			n++
		}
		last := n > next && n < len(text) && text[n] == '='
		if gap == "" || !strings.ContainsAny(gap, "\n\\\"") || n-next < 16 && !last {
			for end < len(text) && text[end] == '=' {
				end++
			}
			return end
		}
		end = n
	}
}

// isPublic reports whether an encoded PEM file is no private key.
func isPublic(encoded string) bool {
	clean := strings.Map(func(r rune) rune {
		if notBase64(r) {
			return -1
		}
		return r
	}, encoded[:min(len(encoded), 400)])
	for range 2 {
		out, _ := base64.RawStdEncoding.DecodeString(clean[:len(clean)/4*4])
		_, kind, found := strings.Cut(string(out), "-BEGIN ")
		if found {
			kind, _, _ = strings.Cut(kind, "-")
			return !strings.Contains(kind, "PRIVATE")
		}
		clean = string(out)
	}
	return false
}
