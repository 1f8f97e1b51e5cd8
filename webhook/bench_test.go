package webhook_test

import (
	"bytes"
	"crypto/sha256"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/webhook"
)

// BenchmarkAccept compares a delivery, from the request to a queue in memory, with the HMAC of its body, which every
// receiver has to compute.
func BenchmarkAccept(b *testing.B) {
	s := newServer(b)
	body := payload(b, "issue_comment")
	require.Equal(b, http.StatusAccepted, s.deliver("issue_comment", body).Code)
	header := signed("issue_comment", body).Header
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r := httptest.NewRequest(http.MethodPost, webhook.Path, bytes.NewReader(body))
		r.Header = header
		s.send(r)
		s.queue.events = s.queue.events[:0]
		n++
	}
	accept := b.Elapsed() / time.Duration(n)
	b.StopTimer()
	start := time.Now()
	for range n {
		mac(sha256.New, secret, body)
	}
	b.Logf("accept_vs_hmac_x=%.1f", float64(accept)/float64(time.Since(start)/time.Duration(n)))
}
