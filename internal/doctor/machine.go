package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

func (v *visit) models(ctx context.Context) (found []Result) {
	switch {
	case v.Models == nil:
		return skipped("no model is asked")
	case len(v.Models) == 0:
		return []Result{warning("no model is configured: commands that need one say so", "set TENON_MODEL and "+
			"TENON_MODEL_API_KEY, or TENON_MODEL_BASE_URL for a server of your own", "")}
	}
	for _, m := range v.Models {
		err := m.Ask(ctx)
		if err == nil {
			found = append(found, Result{Status: OK, Text: quoted(m.Name) + " answers"})
			continue
		}
		found = append(found, modelFailed(err))
	}
	return found
}

// toOperator begins what an error of a model tells whoever runs tenon.
const toOperator = "Whoever runs this app has to "

// modelFailed is the result of a model that did not answer.
func modelFailed(err error) Result {
	status := Failed
	var wait *port.WaitError
	if errors.As(err, &wait) && wait.For == port.ModelLimit {
		status = Warning
	}
	var user *port.UserError
	if !errors.As(err, &user) {
		return Result{Status: status, Text: err.Error(), Remedy: "check the model's settings"}
	}
	said, todo, _ := strings.Cut(user.Text, toOperator)
	said, _, _ = strings.Cut(said, " Ask again ") // that is for whoever gives commands
	if todo == "" {
		todo = "check TENON_MODEL_BASE_URL, and the network, DNS and proxy of this machine."
	}
	return Result{Status: status, Text: strings.TrimSpace(said) + " (" + err.Error() + ")",
		Remedy: strings.TrimSuffix(todo, ".") + " (TENON_MODEL, TENON_MODEL_API_KEY, TENON_MODEL_BASE_URL, or models in " +
			"the server file)"}
}

func (v *visit) database(ctx context.Context) []Result {
	if v.Database == nil {
		return skipped("the settings name no database")
	}
	text, err := v.Database(ctx)
	if err != nil {
		return []Result{failed(err.Error(), "do what this sentence says; tenon accepts no deliveries until then", "")}
	}
	return ok(text)
}

// The free space below which the disk is called nearly full, and full, in bytes.
const (
	nearlyFull = 1 << 30
	full       = 100 << 20
)

func (v *visit) disk(context.Context) []Result {
	if v.Disk == "" || v.Free == nil {
		return skipped("the database is not on this machine's disk")
	}
	free, err := v.Free(v.Disk)
	if err != nil {
		return skipped("this system does not say how much of its disk is free: " + err.Error())
	}
	text := fmt.Sprintf("the disk of %s has %d MiB free", v.Disk, free>>20)
	switch {
	case free < full:
		return []Result{failed(text+": tenon refuses deliveries when it is full", "free some space, or move the data folder "+
			"(TENON_DATA_DIR)", "")}
	case free < nearlyFull:
		return []Result{warning(text, "free some space, or shorten TENON_RETENTION", "")}
	}
	return ok(text)
}

func (v *visit) listen(ctx context.Context) []Result {
	if v.Listen == nil {
		return skipped("the settings name no address")
	}
	text, err := v.Listen(ctx)
	if err != nil {
		return []Result{failed(err.Error(), "end the other program, or set TENON_LISTEN to another address", "")}
	}
	return ok(text)
}
