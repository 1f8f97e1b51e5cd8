package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// maxPreviews is how many earlier runs of a thread are looked through for a preview, and for what was committed of it.
const maxPreviews = 100

// preview is what a preview showed: edits that a model wrote, tried on a commit.
type preview struct {
	run string
	// asked is the event that it answers, said the comment that shows it.
	asked Event
	said  posted
	job
	tried
}

// tried is the record of the edits of a preview.
type tried struct {
	applied
	Costs costs `json:"costs"`
}

// readPreview reads a run's preview from its record; ok is false when the run is none, or never came to show it.
func readPreview(p PastRun) (v preview, ok bool, err error) {
	j := journalOf(p.Run)
	v.run, v.asked = p.ID, p.Event
	if v.tried, ok, err = recorded[tried](j, "preview"); !ok || err != nil {
		return preview{}, false, err
	}
	if v.said, ok, err = recorded[posted](j, "report"); !ok || err != nil {
		return preview{}, false, err
	}
	if v.target, _, err = recorded[target](j, "open"); err != nil {
		return preview{}, false, err
	}
	if v.question, _, err = recorded[question](j, "context"); err != nil {
		return preview{}, false, err
	}
	v.talk, err = recordedTalk(p.Run)
	v.question = v.talk.extend(v.question)
	return v, err == nil, err
}

// fits says that block n could be committed when the preview was made.
func (v preview) fits(n int) bool {
	return n >= 1 && n <= len(v.Results) && v.Results[n-1].Status == engine.Applied.String()
}

// newestPreview is the newest of the thread; ok is false when there is none.
func (h history) newestPreview(ctx context.Context) (v preview, ok bool, err error) {
	past, err := h.line.Past(ctx, h.ev, maxPreviews)
	if err != nil {
		return preview{}, false, fmt.Errorf("looking for a preview: %w", err)
	}
	for _, p := range past {
		if v, ok, err = readPreview(p); ok || err != nil {
			return v, ok, err
		}
	}
	return preview{}, false, nil
}

// previewOf is the preview of a run of this thread, which a button, a box or an earlier step names.
func (h history) previewOf(ctx context.Context, run string) (preview, error) {
	gone := &UserError{"That preview is not there any more, so nothing was committed. Ask for a new one: `/tenon preview <what>`."}
	r, ev, err := h.line.FindRun(ctx, run)
	if errors.Is(err, ErrNotFound) || err == nil && ev.ThreadKey() != h.ev.ThreadKey() {
		return preview{}, gone
	}
	if err != nil {
		return preview{}, fmt.Errorf("looking for the preview %s: %w", run, err)
	}
	v, ok, err := readPreview(PastRun{r, ev})
	if err == nil && !ok {
		err = gone
	}
	return v, err
}

// only is the conversation with these of its blocks alone, by their numbers from 1, ascending.
func (t talk) only(numbers []int) talk {
	plan := t.plan()
	var kept []ref
	for _, n := range numbers {
		kept = append(kept, plan[n-1])
	}
	t.turns = append([]turn(nil), t.turns...)
	t.turns[len(t.turns)-1].Plan = kept
	return t
}

// numberList writes ascending numbers as people do, and as commands take them: "1, 3-5".
func numberList(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		switch part := fmt.Sprint(list[i]); j - i {
		case 0:
			parts = append(parts, part)
		case 1:
			parts = append(parts, part, fmt.Sprint(list[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", list[i], list[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}
