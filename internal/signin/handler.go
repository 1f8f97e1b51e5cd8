package signin

import (
	"context"
	"net/http"
)

// Handler serves the paths of signing in and out. It gives the requests for all others to next, but refuses a form that
// is not one of the visitor's pages. The other methods work on requests that came through it.
func (s *Sessions) Handler(next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+startPath, s.start)
	mux.HandleFunc("GET "+CallbackPath, s.callback)
	mux.HandleFunc("POST "+signOutPath, s.signOut)
	mux.Handle("/", next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{session: s.cookies.session(r)}
		r = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
		switch r.Method {
		case http.MethodGet, http.MethodHead:
		default:
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			if !s.isOwnForm(r) {
				s.Fault(w, r, http.StatusForbidden, "This form is too old",
					"It was made for another session, or for none. Go back, reload the page and try again.")
				return
			}
		}
		mux.ServeHTTP(w, r)
	})
}
