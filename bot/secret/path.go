package secret

// minPathToken is the least length of a word in which a secret is looked for in a path; no rule has a shorter one
// without a name before it, which counts as part of the word.
const minPathToken = 16

// Path returns the path of a file without the secrets in it, such as the token that a folder is called.
func Path(name string) string {
	if !mayHaveToken(name) {
		return name
	}
	return Redacted(name)
}

// InPath reports whether the path of a file has a secret in it.
func InPath(name string) bool { return mayHaveToken(name) && Mask(name).Hides() }

// mayHaveToken reports whether a path has a word that is long enough for a secret and has a digit, so that few of the
// paths of a repository are looked at by rules.
func mayHaveToken(name string) bool {
	long, digit := 0, false
	for i := range len(name) {
		switch c := name[i]; {
		case '0' <= c && c <= '9':
			long, digit = long+1, true
		case isWord(c) || c == '-' || c == '=' || c == '+' || c == '%' || c == ':' || c == '~':
			long++
		default:
			long, digit = 0, false
		}
		if digit && long >= minPathToken {
			return true
		}
	}
	return false
}
