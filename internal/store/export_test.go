package store

// Deaf returns opts for a store that is not told the news of other processes. Listening is waiting for the network,
// which keeps the time of a synctest bubble from passing.
func Deaf(opts Options) Options {
	opts.deaf = true
	return opts
}
