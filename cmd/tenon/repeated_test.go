package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
	"github.com/tenon-bot/tenon/testdata"
	"github.com/tenon-bot/tenon/webhook"
)

// GitHub's signature does not cover the delivery's id: whoever has recorded a delivery can send it under another one.
func TestASignedBodyUnderAnotherDeliveryIDIsNotASecondCommand(t *testing.T) {
	t.Parallel()
	st, err := store.Open(t.Context(), store.Options{Dir: storetest.Folder(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	written := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC) // in the payloads
	hook, err := webhook.New(webhook.Options{Secret: []byte("secret"), Queue: st, Slug: func() string { return "tenon" },
		Now: func() time.Time { return written.Add(time.Minute) }})
	require.NoError(t, err)
	files := []string{"issue_comment", "pull_request_review_comment", "pull_request_review.submitted", "issues.opened",
		"issues.labeled", "issue_comment.edited"}
	for i, file := range files {
		event, _, _ := strings.Cut(file, ".")
		body := testdata.Payload(file)
		mac := hmac.New(sha256.New, []byte("secret"))
		mac.Write(body)
		for _, id := range []string{fmt.Sprint("recorded-", i), fmt.Sprint("again-", i)} {
			r := httptest.NewRequest(http.MethodPost, webhook.Path, bytes.NewReader(body))
			for name, value := range map[string]string{"Content-Type": "application/json", "X-GitHub-Event": event,
				"X-GitHub-Delivery": id, "X-Hub-Signature-256": "sha256=" + hex.EncodeToString(mac.Sum(nil))} {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			hook.ServeHTTP(w, r)
			require.Equal(t, http.StatusAccepted, w.Code, "%s: %s", file, w.Body)
		}
	}
	stats, err := st.Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(files), stats.Ready)
}
