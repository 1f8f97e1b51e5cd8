package llm

import (
	"bufio"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkSmallDeltas reads a stream that has 4 bytes of text in each event.
func BenchmarkSmallDeltas(b *testing.B) {
	const n = 10_000
	var s strings.Builder
	for range n {
		fmt.Fprintf(&s, "data: %s\n\n", `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,`+
			`"model":"m","choices":[{"index":0,"delta":{"content":"word"},"finish_reason":null}]}`)
	}
	for b.Loop() {
		events, r := newEvents(bufio.NewReader(strings.NewReader(s.String()))), &reply{ended: func() {}}
		for range n {
			ev, err := events.next()
			if err != nil {
				b.Fatal(err)
			}
			if _, err := r.take(ev); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
}
