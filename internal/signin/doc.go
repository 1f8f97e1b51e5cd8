// Package signin lets people sign in with GitHub, as GitHub's web application flow has it, and says what they may read.
// A session is one encrypted cookie: the person's tokens are nowhere else. What is kept in memory, for a minute or so,
// is what GitHub said of them.
package signin
