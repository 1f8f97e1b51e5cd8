package attacks

var logRedirect = Attack{
	Name:      "log-redirect",
	Surface:   Redirect,
	Mechanism: "The request for a log is redirected to the attacker, with its credentials.",
	Defence:   "Logs are requested without credentials, over HTTPS, without a further redirect.",
	Setup: func(w *World) {
		w.JobFails("test", "main.go:4: wrong word\n##[error]Process completed with exit code 1.\n")
	},
	// The server cannot know that GitHub would not redirect there: it only gives nothing away.
	Allowed: hostVisited.Name,
	Plant:   func(w *World) { w.RedirectLogs(w.Evil + "/log") },
	Ask:     func(w *World) { w.Says("maria", "/tenon fix the failed test in `main.go`") },
}
