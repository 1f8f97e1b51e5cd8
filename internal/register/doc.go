// Package register registers the GitHub App by GitHub's manifest flow: a page asks for what GitHub must know, the
// browser takes it to GitHub, where a person presses a button, and comes back with a code, which is exchanged for the
// App's id, key and webhook secret. `tenon setup` shows the page on a loopback address, and `tenon serve` without an
// App shows it under a link that it logs.
//
// Whoever can open the page can make this server work for an App of their own. So it is below a token of 256 bits,
// which is replaced when it gets old or is guessed at (token.go), and what comes back from GitHub must have the state
// that the page gave it (flow.go). No secret is on a page, in a URL that this package makes, or in a log, except for
// the token in the link.
package register
