package record

import (
	"github.com/tenon-bot/tenon/bot/port"
)

// deliverStep is on record when it is too late to cancel a run.
const DeliverStep = "deliver"

// delivers says that it is too late to cancel a run.
func PastNoReturn(r port.Run) bool { return Has(r, DeliverStep) }

func Has(r port.Run, step string) bool {
	_, ok := r.Steps[step]
	return ok
}
