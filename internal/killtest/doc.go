// Package killtest tests that tenon loses no command and does nothing twice, whatever happens to it. It starts real
// processes of `tenon serve` against a simulated GitHub with real git repositories and a scripted model, kills the
// processes at random moments, delivers events late, twice and in another order, and counts commits, answers and calls
// of the model. The tests that run it are in cmd/tenon, where the test binary is the program.
package killtest
