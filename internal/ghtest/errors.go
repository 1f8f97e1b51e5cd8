package ghtest

import (
	"fmt"
	"net/http"
)

// object is a JSON object.
type object = map[string]any

const docsURL = "https://docs.github.com/rest"

// apiError is an error response in GitHub's form.
type apiError struct {
	status  int
	message string
	errors  []any  // objects, or sentences
	url     string // where it is now, of a redirect
	header  http.Header
}

// Error contains the first entry of the list too, for methods that act as a user and have no JSON response.
func (e *apiError) Error() string {
	text := fmt.Sprintf("%d %s", e.status, e.message)
	if len(e.errors) > 0 {
		text += fmt.Sprintf(": %v", e.errors[0])
	}
	return text
}

func (e *apiError) body() object {
	o := object{"message": e.message, "documentation_url": docsURL, "status": fmt.Sprint(e.status)}
	if len(e.errors) > 0 {
		o["errors"] = e.errors
	}
	if e.url != "" {
		o["url"] = e.url
	}
	return o
}

func refuse(status int, format string, args ...any) *apiError {
	return &apiError{status: status, message: fmt.Sprintf(format, args...)}
}

func notFound() *apiError { return refuse(http.StatusNotFound, "Not Found") }

// notAccessible returns GitHub's response to an App whose token lacks a permission.
func notAccessible() *apiError {
	return refuse(http.StatusForbidden, "Resource not accessible by integration")
}

// invalid returns a 422 with one entry of GitHub's errors list.
func invalid(resource, field, code, message string) *apiError {
	entry := object{"resource": resource, "field": field, "code": code}
	if message != "" {
		entry["message"] = message
	}
	return &apiError{status: http.StatusUnprocessableEntity, message: "Validation Failed", errors: []any{entry}}
}

// unprocessable returns a 422 without a list.
func unprocessable(format string, args ...any) *apiError {
	return refuse(http.StatusUnprocessableEntity, format, args...)
}

// notSupplied returns the 422 for a parameter that the description requires.
func notSupplied(name string) *apiError {
	return unprocessable("Invalid request.\n\n%q wasn't supplied.", name)
}
