package sim

// MaxLog is how many commits are listed at most.
const MaxLog = 1000
