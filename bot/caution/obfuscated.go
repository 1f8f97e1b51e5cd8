package caution

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// decodes matches what makes text of something that nobody reads.
var decodes = anyOf("(?i)", "",
	form{"decode", `b64decode|base64[._ ]*decode|decode64|codecs\.decode|getDecoder\(\)\.decode`},
	form{"decodestring", `StdEncoding\.DecodeString|hex\.DecodeString`}, form{"atob(", `\batob\(`},
	form{"fromhex(", ""}, form{"unhexlify", ""}, form{"a2b_", ""}, form{"fromcharcode", ""}, form{"rot", `rot_?13`},
	form{"base64", `from_?base64|["']base64["']\s*\)|base64\s+(?:-d|--decode)`}, form{"inflate", `gzinflate`},
	form{"compress", `zlib\.decompress|gzuncompress`}, form{"loads", `(?:marshal|pickle)\.loads`},
	form{"xxd", `xxd\s+-r`}, form{"unpack", `unpack\(?\s*["'](?:m|H)`}, form{"openssl", `openssl\s+enc\s.*-d`},
	form{"printf", `printf\s+['"]\\\\?x`})

// executes matches what runs a text.
var executes = anyOf("", "",
	form{"eval", `\beval\b|\binstance_eval\b|Code\.eval_string`}, form{"exec", `\bexec(?:Sync|File|ute|_string)?\(|` +
		`\bexec\b\s|exec\.Command|shell_exec`}, form{"function", `\bFunction\(|\bcreate_function\(`},
	form{"system", `\bsystem\(|os\.system`}, form{"popen", `\bpopen\(`}, form{"process", `subprocess\.|child_process|` +
		`ProcessBuilder|Process\.Start`}, form{"spawn", `\bspawn(?:Sync)?\(`}, form{"getruntime", `getRuntime\(\)`},
	form{"invoke-expression", `Invoke-Expression`}, form{"iex", `\biex\b`}, form{"importlib", ""}, form{"__import__", ""},
	form{"sh", `\|\s*(?:ba|z|da)?sh\b|\bsh\s+-c`},
	form{"compile(", `\bcompile\(`}, form{"defineclass", `defineClass`}, form{"loadstring", ""},
	form{"assert(", `\bassert\(\s*base64`}, form{"command::new", `Command::new`}, form{"passthru(", ""},
	form{"vm.", `vm\.run\w*\(`}, form{"source", `\bsource\s+(?:/dev/stdin|<\()`})

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
	form{`\u{`, `(?:\\u\{[2-7][0-9a-f]\}){8}`}, form{`\`, `(?:\\(?:0?[4-7][0-7]|1[0-7][0-7])){8}`},
	form{"chr(", `(?:chr\(\s*(?:0x)?[0-9a-f]{2,3}\s*\)\s*[.+,]?\s*){6}`},
	form{"fromcharcode", `fromCharCode\(\s*(?:(?:0x)?[0-9a-f]{2,3}\s*,\s*){6}`},
	form{"%", `(?:%[2-7][0-9a-f]){12}`}, form{"&#", `(?:&#x?[0-9a-f]{2,3};){8}`})

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

// longLines reports new lines of code that are so long, in files that had none. Lines with little else than one string
// are data, and so are those of generated files.
func (s *search) longLines() {
	for _, f := range s.files {
		if !f.isCode() || slices.ContainsFunc(f.before, func(line string) bool { return len(line) > longLine }) {
			continue
		}
		for _, i := range f.added {
			if len(f.after[i]) > longLine {
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

// isCode reports whether a file is one of code that people write and read, and is not deleted.
func (f *file) isCode() bool { return !f.deleted() && f.isSource() }

func (f *file) isSource() bool {
	return !f.prose && !f.isLock() && f.language != "" &&
		!slices.Contains(dataEndings, path.Ext(f.name)) && !strings.Contains(f.name, ".min.") &&
		!strings.ContainsFunc(f.name, unicode.IsControl)
}
