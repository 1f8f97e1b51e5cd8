package bot

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine"
)

// resultTable has one row per block, as many as fit into room characters, and says how many more there are. It returns
// the room that is left.
func resultTable(made committed, repoURL string, room int) (string, int) {
	if len(made.Results) == 0 {
		return "", room
	}
	const more = "\n\n… and %d more"
	text := "| # | file | result |\n|---|---|---|"
	room -= len(text) + len(more)
	for i, r := range made.Results {
		line := fmt.Sprintf("\n| %d | %s | %s |", i+1, fileCell(r, made.SHA, repoURL), resultCell(r))
		n := utf8.RuneCountInString(line)
		if n > room {
			return text + fmt.Sprintf(more, len(made.Results)-i), 0
		}
		text, room = text+line, room-n
	}
	return text, room
}

// fileCell names the file and line, with a link to the new commit where the edit stands in it.
func fileCell(r row, sha, repoURL string) string {
	name := clip(r.Path, maxCell)
	if r.Line > 0 {
		name = fmt.Sprintf("%s:%d", name, r.Line)
	}
	cell := cellCode(name)
	if r.Status != engine.Applied.String() || sha == "" {
		return cell
	}
	link := fmt.Sprintf("%s/blob/%s/%s", repoURL, sha, escapePath(r.Path))
	if r.Line > 0 {
		link += fmt.Sprintf("#L%d", r.Line)
	}
	return fmt.Sprintf("[%s](%s)", cell, link)
}

// escapePath makes a path safe in a Markdown link: nothing in it can end the link.
func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = strings.NewReplacer("(", "%28", ")", "%29", "'", "%27", "|", "%7C").Replace(url.PathEscape(p))
	}
	return strings.Join(parts, "/")
}

func resultCell(r row) string {
	switch r.Status {
	case engine.Applied.String():
		return joinDetail("✅ applied", r.Detail)
	case engine.Failed.String():
		return joinDetail("❌ failed", r.Detail)
	default:
		return joinDetail("⏭️ skipped", r.Detail)
	}
}

func joinDetail(badge, detail string) string {
	if detail == "" {
		return badge
	}
	return badge + ": " + cellCode(clip(detail, maxCell))
}

// failureDetails shows, for each failed block, what the file has where the block came nearest, and what to do about it. Blocks of
// which nothing more can be said than that are taken together.
func failureDetails(results []row, room int) string {
	var out []string
	add := func(text string) {
		if n := utf8.RuneCountInString(text) + 2; n <= room {
			out, room = append(out, text), room-n
		}
	}
	said := map[string]bool{}
	for i, r := range results {
		if r.Status != engine.Failed.String() {
			continue
		}
		if len(r.Nearest) > 0 || r.Differs > 0 {
			add(failureDetail(i+1, r))
		} else if advice := remedy(engine.Reason(r.Reason)); !said[advice] {
			said[advice] = true
			add(fold(alike(results, advice), advice))
		}
	}
	return strings.Join(out, "\n\n")
}

// alike names the failed blocks of which only this advice can be given.
func alike(results []row, advice string) string {
	var numbers []string
	for i, r := range results {
		if r.Status == engine.Failed.String() && len(r.Nearest) == 0 && r.Differs == 0 && remedy(engine.Reason(r.Reason)) == advice {
			numbers = append(numbers, fmt.Sprint(i+1))
		}
	}
	more := ""
	if len(numbers) > maxListed {
		more = fmt.Sprintf(" and %d more", len(numbers)-maxListed)
		numbers = numbers[:maxListed]
	}
	return plural(len(numbers), "Edit") + " " + strings.Join(numbers, ", ") + more
}

func fold(who, text string) string {
	return fmt.Sprintf("<details><summary>%s: what to do</summary>\n\n%s\n\n</details>", who, text)
}

func failureDetail(number int, r row) string {
	var b strings.Builder
	b.WriteString(remedy(engine.Reason(r.Reason)))
	if len(r.Nearest) > 0 {
		fmt.Fprintf(&b, "\n\nThe file has, from line %d on:\n\n%s", r.NearestLine, codeBlock(clip(strings.Join(r.Nearest, "\n"), 2000)))
	}
	if r.Differs > 0 {
		fmt.Fprintf(&b, "\n\nThe first difference is in line %d. The edit expects\n\n%s\n\nand the file has\n\n%s",
			r.Differs, codeBlock(clip(r.Want, maxCell)), codeBlock(clip(r.Have, maxCell)))
	}
	return fold(fmt.Sprintf("Edit %d", number), b.String())
}

// remedy is what a person can do about a reason.
func remedy(r engine.Reason) string {
	switch r {
	case engine.Ambiguous:
		return "The lines stand in the file more than once. Say in the command which place you mean: the function, or a line near it."
	case engine.FileNotFound:
		return "Name the file's full path in the command."
	case engine.FileExists:
		return "The file is there already. Ask for a change of it, and name it in the command."
	case engine.BinaryFile, engine.TooLarge:
		return "tenon cannot edit this file. Change it by hand."
	case engine.UnsafePath, engine.ProtectedPath:
		return "tenon never writes there. If the change is wanted, make it by hand."
	case engine.Placeholder:
		return "The model left part of the code out. Ask for the change again, in full."
	case engine.Stale:
		return "The file changed while the model was writing. Give the command again."
	case engine.EarlierFailed:
		return "An earlier edit of this file failed. Give the command again, for what is missing."
	default:
		return "The model expected other lines than the file has. Give the command again, and name the file in it, so that the model sees it as it is now."
	}
}
