package caution

import (
	"path"
	"slices"
	"strings"
)

// decodes matches what makes text of something that nobody reads.
var decodes = anyOf("(?i)", "",
	form{"decode", `b64decode|base64[._ ]*decode|decode64|getDecoder\(\)\.decode|(?:StdEncoding|hex)\.DecodeString`},
	form{"atob(", `\batob\(`}, form{"fromhex(", ""}, form{"unhexlify", ""}, form{"fromcharcode", ""},
	form{"base64", `from_?base64|["']base64["']\s*\)|base64\s+(?:-d|--decode)`}, form{"inflate", `gzinflate`},
	form{"compress", `zlib\.decompress|gzuncompress`})

// executes matches what runs a text.
var executes = anyOf("", "",
	form{"eval", `\beval\b`}, form{"exec", `\bexec(?:Sync|File|ute)?\(|\bexec\b\s|exec\.Command|shell_exec`},
	form{"function", `\bFunction\(`}, form{"system", `\bsystem\(`}, form{"popen", `\bpopen\(`},
	form{"process", `subprocess\.|child_process|ProcessBuilder|Process\.Start`}, form{"spawn", `\bspawn(?:Sync)?\(`},
	form{"getruntime", `getRuntime\(\)`}, form{"command::new", `Command::new`},
	form{"invoke-expression", `Invoke-Expression`}, form{"iex", `\biex\b`},
	form{"sh", `\|\s*(?:ba|z|da)?sh\b|\bsh\s+-c`})

// near is how many lines may be between decoding a text and running it.
const near = 6

// decoded reports new lines that decode a text and run it.
func (s *search) decoded() {
	for _, f := range s.files {
		if !f.isCode() {
			continue
		}
		for n, i := range f.added {
			line := clipLine(f.after[i])
			if !s.affords(f, line) {
				break
			}
			if s.matches(decodes, line) && s.says(f, i) && s.executed(f, n) {
				s.add(Obfuscated, f, i+1, "runs decoded text")
				break
			}
		}
	}
}

// executed reports whether a new line, or another one near it, runs a text.
func (s *search) executed(f *file, n int) bool {
	for _, i := range f.added[max(0, n-near):min(len(f.added), n+near+1)] {
		if i >= f.added[n]-near && i <= f.added[n]+near && s.matches(executes, clipLine(f.after[i])) && s.says(f, i) {
			return true
		}
	}
	return false
}

// escaped matches escapes of printable characters of ASCII in a row: enough for a word, or for an address.
var escaped = anyOf("(?i)", "",
	form{`\x`, `(?:\\x[2-7][0-9a-f]){8}`}, form{`\u00`, `(?:\\u00[2-7][0-9a-f]){8}`},
	form{`\`, `(?:\\(?:0?[4-7][0-7]|1[0-7][0-7])){8}`},
	form{"chr(", `(?:chr\(\s*(?:0x)?[0-9a-f]{2,3}\s*\)\s*[.+,]?\s*){6}`},
	form{"fromcharcode", `fromCharCode\(\s*(?:(?:0x)?[0-9a-f]{2,3}\s*,\s*){6}`})

// escapes reports letters that are written as escapes although they need none.
func (s *search) escapes() {
	for _, f := range s.files {
		if !f.isCode() {
			continue
		}
		for i, line := range s.fresh(f) {
			if s.matches(escaped, line) && s.says(f, i) {
				s.add(Obfuscated, f, i+1, "escapes of plain letters")
				break
			}
		}
	}
}

// longLine is the length of a line of code that nobody reads to its end, in bytes.
const longLine = 1000

// longLines reports new lines of code that are so long, in files that had none. Strings and comments do not count.
func (s *search) longLines() {
	for _, f := range s.files {
		if !f.isCode() || slices.ContainsFunc(f.before, func(line string) bool { return len(line) > longLine }) {
			continue
		}
		for _, i := range f.added {
			if len(f.after[i]) > longLine && len(s.views(f)[i].code) > longLine {
				s.add(Obfuscated, f, i+1, "a line of more than 1,000 bytes")
				break
			}
		}
	}
}

// dataEndings are endings of files that hold data, whatever language they are in.
var dataEndings = []string{".json", ".jsonl", ".yaml", ".yml", ".toml", ".xml", ".csv", ".html", ".css", ".scss",
	".lock",
	".map", ".snap", ".ipynb", ".txt", ".sql", ".graphql", ".properties", ".resx", ".plist", ".pem", ".crt", ".svg"}

// minifiedLine is the mean length of the lines of a file from which on a tool wrote it, in bytes.
const minifiedLine = 200

// hasEndlessLine reports whether a new line of code, or of a lock file, is longer than what is examined of it.
func (f *file) hasEndlessLine() bool {
	return (f.isCode() || f.isLocked()) && slices.ContainsFunc(f.added,
		func(i int) bool { return len(f.after[i]) > maxLine })
}

// isCode reports whether a file is one of code that people write and read, and is not deleted.
func (f *file) isCode() bool { return !f.deleted() && f.isSource() }

func (f *file) isSource() bool {
	return !f.prose && !f.isLock() && f.language != "" && !slices.Contains(dataEndings, path.Ext(f.name)) &&
		!strings.Contains(f.name, ".min.") && len(f.Before) <= minifiedLine*max(len(f.before), 1)
}
