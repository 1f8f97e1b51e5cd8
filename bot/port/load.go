package port

// Load is how busy a server is.
type Load struct {
	// Runs are in progress, of at most MostRuns. Working have a slot, of at most Slots, and Ready wait for one.
	Runs, MostRuns, Working, Slots, Ready int
	// Models are the configured models, in their order.
	Models []ModelLoad
}

// ModelLoad is how busy a model is.
type ModelLoad struct {
	// Name is the model's name in the server's settings.
	Name string
	// Calls are under way, of at most MostCalls, 0 for any number; Waiting wait for their turn.
	Calls, MostCalls, Waiting int
}
