package eval

import "github.com/tenon-bot/tenon/bot/retrieve"

// Asks returns the lines of a reply that asks for files of which something is missing, as many as are answered at once:
// those of the named files whose paths could be read. It asks for files by their paths alone, since nobody who has not
// read a file knows which of its lines are needed. Of a file that is shown in parts, the answer shows further ones.
func Asks(names []string, seen *Seen, missing map[string][]int) (asks []string) {
	for _, name := range names {
		if len(missing[name]) > 0 && seen.Names(name) && len(asks) < retrieve.MaxAsks {
			asks = append(asks, retrieve.Ask{Path: name}.String())
		}
	}
	return asks
}
