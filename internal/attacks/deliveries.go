package attacks

import (
	"bytes"
	"io"
	"net/http"
	"strings"
)

// Delivered is a delivery as GitHub sent it.
type Delivered struct {
	Header http.Header
	Body   string
}

// tap has GitHub's deliveries pass by an attacker who reads them.
func (w *World) tap() {
	w.T.Helper()
	hook := w.HookURL()
	w.hook = hook
	w.SetHookURL(w.serve(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		w.delivered = append(w.delivered, Delivered{r.Header.Clone(), string(body)})
		w.mu.Unlock()
		req, _ := http.NewRequestWithContext(r.Context(), http.MethodPost, hook, bytes.NewReader(body))
		req.Header = r.Header.Clone()
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadGateway)
			return
		}
		defer func() { _ = res.Body.Close() }()
		rw.WriteHeader(res.StatusCode)
		_, _ = io.Copy(rw, res.Body)
	}))
}

// Newest returns the newest delivery of a comment that contains a text.
func (w *World) Newest(text string) (d Delivered) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.delivered {
		if strings.Contains(one.Body, text) {
			d = one
		}
	}
	return d
}

// Deliver sends a body to the server as a delivery, with headers, and returns the status of the response.
func (w *World) Deliver(body string, header http.Header) int {
	w.T.Helper()
	req, err := http.NewRequestWithContext(w.T.Context(), http.MethodPost, w.hook, strings.NewReader(body))
	w.Must(err)
	req.Header = header.Clone()
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	w.Must(err)
	w.Must(res.Body.Close())
	return res.StatusCode
}
