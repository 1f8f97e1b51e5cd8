// Package attacks has the attacks on bots like tenon that were published, and those that were thought of here, as a
// table: where each puts its text, what a model that obeys every instruction then does (package obey), and which
// effects must never leave the process. cmd/tenon plays them on the real server, with real git and the simulated
// GitHub.
//
// An effect is looked for in what leaves the server: requests to GitHub, to the model and to the host of the
// attacker, commits, branches, and the log; in its pages by the rows that are about them. For tests,
// and for the table in docs/security.md.
package attacks
