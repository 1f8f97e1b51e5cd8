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

// BenchmarkAccept measures a delivery from the request to the queue in memory against the HMAC of its body alone, which no
// receiver can do without.
func BenchmarkAccept(b *testing.B) {
	d := newDoor(b)
	body := payload(b, "issue_comment")
	require.Equal(b, http.StatusAccepted, d.deliver("issue_comment", body).Code)
	header := signed("issue_comment", body).Header
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r := httptest.NewRequest(http.MethodPost, webhook.Path, bytes.NewReader(body))
		r.Header = header
		d.knock(r)
		d.queue.events = d.queue.events[:0]
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
