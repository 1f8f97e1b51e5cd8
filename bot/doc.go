// Package bot decides what to do about one comment: which command it holds, whether its author may give it, which files the
// model gets to see, what becomes of the reply, and what the answer says. It reaches the world only through the ports in ports.go.
package bot
