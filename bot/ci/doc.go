// Package ci turns what CI printed into excerpts for a prompt: it finds the step that failed in the log of a job, and
// the lines that say why, and removes what a reader does not need and what nobody should see. It is pure: logs come as
// streams, and what it keeps of them is bounded.
//
// Whatever is in a log was written by programs that anybody may have changed. It is redacted before it is cut, but it
// remains untrusted text: prompts show it between delimiters, and answers escape it.
package ci
