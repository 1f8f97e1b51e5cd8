package model

import (
	"time"
)

// Usage counts the requests of an installation.
type Usage struct {
	Reset   time.Time // when the hour ends
	Used    int
	Content []time.Time // requests that created content, of the last hour
}
