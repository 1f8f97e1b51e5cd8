package entity

import (
	"fmt"
	"net/http"
)

// Object is a JSON object.
type Object = map[string]any

const docsURL = "https://docs.github.com/rest"

// APIError is an error response in GitHub's form.
type APIError struct {
	Status  int
	Message string
	Errors  []any  // objects, or sentences
	URL     string // where it is now, of a redirect
	Header  http.Header
}

// Error contains the first entry of the list too, for methods that act as a user and have no JSON response.
func (e *APIError) Error() string {
	text := fmt.Sprintf("%d %s", e.Status, e.Message)
	if len(e.Errors) > 0 {
		text += fmt.Sprintf(": %v", e.Errors[0])
	}
	return text
}

// Body returns the JSON object of the response.
func (e *APIError) Body() Object {
	o := Object{"message": e.Message, "documentation_url": docsURL, "status": fmt.Sprint(e.Status)}
	if len(e.Errors) > 0 {
		o["errors"] = e.Errors
	}
	if e.URL != "" {
		o["url"] = e.URL
	}
	return o
}

// Refuse returns an error response with a message and no list.
func Refuse(status int, format string, args ...any) *APIError {
	return &APIError{Status: status, Message: fmt.Sprintf(format, args...)}
}

// Invalid returns a 422 with one entry of GitHub's errors list.
func Invalid(resource, field, code, message string) *APIError {
	entry := Object{"resource": resource, "field": field, "code": code}
	if message != "" {
		entry["message"] = message
	}
	return &APIError{Status: http.StatusUnprocessableEntity, Message: "Validation Failed", Errors: []any{entry}}
}

// Unprocessable returns a 422 without a list.
func Unprocessable(format string, args ...any) *APIError {
	return Refuse(http.StatusUnprocessableEntity, format, args...)
}

// NotSupplied returns the 422 for a parameter that the description requires.
func NotSupplied(name string) *APIError {
	return Unprocessable("Invalid request.\n\n%q wasn't supplied.", name)
}
