// Package llm reaches language models: any provider that speaks the Chat Completions protocol, and scripted and recorded
// models for tests and the demo. What a provider says when it fails never leaves the package; its errors are in words of ours.
package llm
