// Package llm asks language models: those of any provider that speaks the Chat Completions protocol, and scripted and
// recorded ones for tests and the demo. The text of a provider's errors never leaves the package; its own errors have
// fixed texts.
package llm
