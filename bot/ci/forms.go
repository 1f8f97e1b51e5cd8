package ci

// weight says how much a line says about why something failed.
type weight int8

// The weights, from a line that says nothing to one that surely says it.
const (
	nothing weight = iota
	// hinting is for words such as "failed", which are in many lines of a log.
	hinting
	// likely is for summaries, and for what tools write about themselves.
	likely
	// certain is for the messages of compilers, tests and runtimes.
	certain
	// harmless is for lines with the words of a failure that tell of none, whatever else they are.
	harmless
)

// form is how tools write about a failure.
type form struct {
	// hints, in lower case, are what a line must have one of; pattern is tried on no other. Without one, they are enough.
	// With flush, the line must not be indented either.
	hints   []string
	flush   bool
	pattern string
	weight  weight
	// before and after are how many lines around it belong to it. With block, those after it end with an empty line; with
	// headed, the next line above that is not indented belongs to it too, such as the file of a list of errors.
	before, after int
	block, headed bool
}

// place is a file with a line and a column, as compilers and linters write it: a.go:12:5: a.ts(12,5):
const place = `(?:[A-Za-z]:)?[^\s:()"'|]+\.[A-Za-z]\w{0,6}(?::\d+:\d+(?:-\d+)?(?::| - | )|\(\d+(?:,\d+)*\)\s?:)`

// forms are what is looked for in logs, language by language.
var forms = []form{
	// Compilers and linters of any language. What only warns may fail a job that allows no warnings.
	{hints: sources, flush: true, pattern: `^(?:vet: )?` + place + `\s?(?:warning|note|info|remark)\b`,
		weight: hinting, after: 3},
	{hints: sources, flush: true, pattern: `^(?:vet: )?` + place + `\s?(?:[^\s]|$)`, weight: certain, before: 1, after: 4,
		block: true},
	{hints: sources, pattern: `^\s*[^\s:()"'|]+\.[A-Za-z]\w{0,6}:\d+: \S`, weight: likely, after: 3},
	{hints: []string{"error"}, pattern: `:\s(?:fatal |internal compiler )?error(?: [A-Z]+\d*)?\s?:`,
		weight: certain, before: 1, after: 6, block: true},
	{hints: []string{"-->", "╭─[", "❯ "}, pattern: `^\s*(?:-->|╭─\[|❯) ?\S+:\d+:\d+`, weight: certain,
		before: 3, after: 8, block: true},

	// Go.
	{hints: []string{"--- fail"}, pattern: `^\s*--- FAIL: `, weight: certain, before: 12, after: 14},
	{hints: []string{"panic: ", "fatal error: "}, pattern: `^(?:panic|fatal error): `, weight: certain, after: 24},
	{hints: []string{"data race"}, pattern: `^WARNING: DATA RACE`, weight: certain, after: 30},
	{hints: []string{"fail\t", "fail "}, pattern: `^FAIL\s+\S+`, weight: likely, before: 1},
	{hints: []string{"error trace:"}, pattern: `^\s+Error Trace:`, weight: certain, before: 2, after: 10},
	{hints: []string{"go: "}, pattern: `^go: (?:.*: )?(?:errors|cannot|no required|missing|updates to|unknown|invalid|` +
		`inconsistent|module .* (?:found|not found)|.*no matching)`, weight: certain, after: 3},

	// Rust.
	{hints: []string{"error[", "error: "}, pattern: `^error(?:\[E?\w+\])?: `, weight: certain, after: 14, block: true},
	{hints: []string{"panicked at "}, pattern: `panicked at `, weight: certain, before: 1, after: 16},
	{hints: []string{" stdout ----"}, pattern: `^---- .* stdout ----`, weight: certain, after: 12},
	{hints: []string{"... failed"}, pattern: `^test .* \.\.\. FAILED`, weight: likely},
	{hints: []string{"test result: failed"}, pattern: `^test result: FAILED`, weight: likely},

	// TypeScript and JavaScript: tsc, ESLint, Jest, Vitest, Mocha, webpack, esbuild, Playwright, npm.
	{hints: []string{"error ts"}, pattern: `\berror TS\d+:`, weight: certain, after: 4, block: true},
	{hints: []string{" error "}, pattern: `^\s+\d+:\d+\s+error\s`, weight: certain, headed: true},
	{hints: []string{"●", "fail "}, pattern: `^\s*● .| FAIL |^FAIL `, weight: certain, after: 30},
	{hints: []string{"✗", "✘", "✕", "×"}, pattern: `^\s*[✗✘✕×]`, weight: likely, after: 6, block: true},
	{hints: []string{") "}, pattern: `^\s+\d+\) \S`, weight: likely, after: 14},
	{hints: []string{"js:", "ts:"}, pattern: `^(?:file://)?\S+\.[cm]?[jt]s:\d+$`, weight: certain, after: 5},
	{hints: []string{"not ok "}, pattern: `^\s*not ok \d+`, weight: certain, after: 24},
	{hints: []string{"error in "}, pattern: `^ERROR in `, weight: certain, after: 8, block: true},
	{hints: []string{"[error]"}, pattern: `^✘ \[ERROR\] |^\[ERROR\] [^\[]*\S`, weight: certain, after: 4},
	{hints: []string{"cannot find module", "module not found"}, weight: certain, before: 1, after: 5},
	{hints: []string{"npm err", "npm error"}, pattern: `^npm (?:ERR!|error) `, weight: likely},

	// Python: tracebacks, pytest, unittest.
	{hints: []string{"traceback (most"}, pattern: `^\s*Traceback \(most recent call last\)`, weight: certain,
		after: 30},
	{hints: []string{"e  "}, pattern: `^E   `, weight: certain, before: 8, after: 3},
	{hints: []string{"failed ", "error "}, pattern: `^(?:FAILED|ERROR) \S+\.py\b`, weight: certain},
	{hints: []string{"fail: ", "error: "}, pattern: `^(?:FAIL|ERROR): test`, weight: certain, after: 16},
	{hints: []string{"failed", "error"}, pattern: `^={3,} .*(?:failed|errors?)\b.*={3,}$`, weight: likely},

	// Java and Kotlin: javac, Maven, Gradle.
	{hints: []string{"e: "}, pattern: `^e: \S`, weight: certain, after: 1},
	{hints: []string{" failed"}, pattern: `^\S.* > .* FAILED$`, weight: certain, after: 8, block: true},
	{hints: []string{"what went wrong"}, pattern: `^\* What went wrong:`, weight: certain, after: 6, block: true},
	{hints: []string{"<<< "}, pattern: `<<< (?:FAILURE|ERROR)!`, weight: certain, after: 10},
	{hints: []string{"caused by: "}, pattern: `^\s*Caused by: `, weight: certain, after: 4},
	{hints: []string{"exception in thread"}, pattern: `^Exception in thread `, weight: certain, after: 14},

	// C and C++: linkers, make, CMake, GoogleTest, sanitizers.
	{hints: []string{"undefined reference to ", "undefined symbol", "collect2: ", "ld: ", "lnk"},
		pattern: `undefined (?:reference to|symbol)|^collect2: error|\bld: |error LNK\d+`, weight: certain, before: 1},
	{hints: []string{": failure"}, pattern: `:\d+: Failure$|\(\d+\): error: `, weight: certain, before: 1, after: 8,
		block: true},
	{hints: []string{"[  failed  ]"}, pattern: `^\[  FAILED  \]`, weight: likely},
	{hints: []string{"cmake error"}, pattern: `^CMake Error`, weight: certain, after: 8},
	{hints: []string{"failed: "}, pattern: `^FAILED: `, weight: certain, after: 8},
	{hints: []string{"***"}, pattern: `^make(?:\[\d+\])?: \*\*\*|\*\*\*(?:Failed|Exception|Timeout)`, weight: likely},
	{hints: []string{"sanitizer"}, pattern: `(?:ERROR|WARNING|SUMMARY): \w+Sanitizer`, weight: certain, after: 18},
	{hints: []string{"runtime error: "}, pattern: `: runtime error: `, weight: certain, after: 3},
	{hints: []string{"assertion "}, pattern: `Assertion .* failed`, weight: certain, before: 1, after: 3},
	{hints: []string{"killed", "terminated"}, pattern: `(?:^|: |\d )(?:Killed|Terminated)\b`, weight: likely, before: 3},
	{hints: []string{"segmentation fault", "core dumped", "sigsegv"}, weight: likely, before: 3},

	// Ruby: exceptions, RSpec, Minitest.
	{hints: []string{".rb:"}, pattern: `\.rb:\d+:in .*\((?:\w|::)+\)$`, weight: certain, after: 10},
	{hints: []string{"rspec "}, pattern: `^rspec \S+:\d+`, weight: certain},
	{hints: []string{"failure", "error:"}, pattern: `^\s*(?:\d+\) )?(?:Failure|Error):(?:$| )`, weight: certain,
		after: 10, block: true},

	// PHP: errors, PHPUnit, PHPStan.
	{hints: []string{"error: "}, pattern: `^(?:PHP )?(?:Fatal|Parse|Recoverable fatal) error: `, weight: certain,
		after: 6},
	{hints: []string{"::"}, pattern: `^\d+\) \S+::\S+`, weight: certain, after: 10},
	{hints: []string{" line "}, pattern: `^ {1,3}Line {2,}\S+\.php`, weight: certain, after: 8, block: false},
	{hints: []string{"failures!", "errors!"}, pattern: `^(?:FAILURES|ERRORS)!`, weight: likely, after: 1},

	// C#: the compiler is among those above.
	{hints: []string{"failed "}, pattern: `^\s+Failed \S+.* \[`, weight: certain, after: 12},
	{hints: []string{"[fail]"}, pattern: `\[FAIL\]$`, weight: certain, after: 10},
	{hints: []string{"failed!"}, pattern: `^Failed! +- `, weight: likely},
	{hints: []string{"unhandled exception"}, pattern: `^Unhandled exception`, weight: certain, after: 10},

	// What tells of no failure.
	{hints: []string{"0 ", "no ", "without "}, weight: harmless,
		pattern: `(?i)\b(?:0|no|without) (?:\w+ )?(?:errors?|failures?|failed|warnings)\b`},
	{hints: []string{": 0", ":0", "=0", "= 0"}, weight: harmless,
		pattern: `(?i)\b(?:errors?|failures?|failed)\s?[:=]\s?0\b`},
	{hints: []string{"--- pass", "=== ", "ok", "pass", "✓", "✔", "√"}, weight: harmless,
		pattern: `^\s*(?:--- PASS|=== (?:RUN|PAUSE|CONT)|ok\s|PASS|✓|✔|√)|\.\.\. ok$`},
	{hints: []string{"download", "compiling ", "installing ", "fetching ", "requirement ", "collecting "},
		weight:  harmless,
		pattern: `^\s*(?:Downloading|Downloaded|Compiling|Installing|Fetching|Requirement already|Collecting) `},
	{hints: []string{"continue-on-error", "fail-fast"}, weight: harmless},
	{hints: []string{"[error]"}, weight: harmless, // Maven's advice
		pattern: `^\[ERROR\] *(?:->|To see|Re-run|For more|After correcting|$)`},

	// Formatters, package managers, Terraform.
	{hints: []string{"would reformat", "code style issues", "[warn] ", "not formatted", "diff in "}, weight: likely,
		pattern: `(?i)would reformat |code style issues|^\[warn\] \S+\.\w+$|not formatted|^Diff in `},
	{hints: []string{"err_pnpm", "yn00", "lockfile", "eresolve"}, weight: likely, after: 4,
		pattern: `ERR_PNPM_|ERESOLVE|^➤ YN00(?:01|02[0-9]|[3-9][0-9])|` +
			`(?i)lock ?file .*(?:modified|outdated|up to date|out of sync)`},
	{hints: []string{"│ error: "}, pattern: `^│ Error: `, weight: certain, after: 10},

	// What any program may write.
	{hints: []string{"error: "}, pattern: githubError, weight: certain, after: 2},
	{hints: []string{"error", "exception"},
		pattern: `^(?:Uncaught |\s{0,4})(?:[\w$]+[.:\\]+)*[A-Z]\w*(?:Error|Exception)\b` +
			`(?:\s\[\w+\])?(?::|$)`, weight: certain, before: 2, after: 10},
	{hints: []string{"error", "fatal"}, pattern: `^(?:[\w./-]{1,40}: )?(?i:error|fatal|fatal error)(?:\W)`,
		weight: likely, after: 3},
	{hints: []string{"command not found", "no such file or directory", "out of memory", "no space left",
		"permission denied", "could not resolve", "unable to ", "connection refused", "timed out", "timeout exceeded"},
		weight: likely, before: 1},
	{hints: []string{"error", "fail", "exception", "fatal", "panic", "not found", "cannot ", "can't ", "unexpected",
		"expected", "invalid", "killed", "abort"}, weight: hinting},
}

// githubError matches an error that a step told the runner, as it is cleaned.
const githubError = `^Error: \S`

// sources are the extensions of files in what compilers, linters and tests write, with what is before the line.
var sources = []string{
	".go:", ".rs:", ".ts:", ".tsx:", ".mts:", ".cts:", ".js:", ".jsx:", ".mjs:", ".cjs:", ".vue:", ".svelte:", ".py:",
	".pyi:", ".java:", ".kt:", ".kts:", ".scala:", ".groovy:", ".c:", ".h:", ".cc:", ".cpp:", ".cxx:", ".hpp:", ".hh:",
	".m:", ".mm:", ".swift:", ".rb:", ".rake:", ".erb:", ".php:", ".cs:", ".fs:", ".vb:", ".dart:", ".ex:", ".exs:",
	".lua:", ".sh:", ".sql:", ".proto:", ".tf:", ".zig:", ".css:", ".scss:", ".html:", ".md:", ".yml:", ".yaml:",
	".json:", ".toml:", ".xml:", ".cmake:", ".ts(", ".tsx(", ".js(", ".cs(", ".fs(", ".vb(", ".c(", ".cc(", ".cpp(",
	".cxx(", ".h(", ".hpp(", ".csproj(", ".sql(", ".targets(",
}
