package chain

import (
	"regexp"
	"slices"
	"strings"
)

// Image is what the last stage of a Dockerfile makes.
type Image struct {
	Copies []string // the instructions COPY without the word, as they are written
	User   string   // empty if there is none
}

// user matches a user and a group other than root, by number: an image without /etc/passwd knows no names.
var user = regexp.MustCompile(`^[1-9][0-9]*:[1-9][0-9]*$`)

// Dockerfile returns what the last stage of a Dockerfile copies into the image, and the rules that the file breaks, in
// the order of its lines: bases are pinned by digest; the last stage begins with nothing, runs nothing, starts
// programs without a shell, and does not run as root.
func Dockerfile(data []byte) (Image, []Problem) {
	var c checker
	var made Image
	names := []string{"scratch", "${BINARY}"}
	last := ""
	all := instructions(string(data), &c)
	for _, in := range all {
		switch in.word {
		case "FROM":
			fields := slices.DeleteFunc(strings.Fields(in.rest), func(s string) bool { return strings.HasPrefix(s, "--") })
			if len(fields) == 0 {
				fields = []string{"nothing"}
			}
			last, made = fields[0], Image{}
			if !slices.Contains(names, last) && !ofDigest.MatchString(last) {
				c.add(in.line, "the image %s wants a digest", last)
			}
			if len(fields) == 3 {
				names = append(names, fields[2])
			}
		case "COPY":
			made.Copies = append(made.Copies, in.rest)
		case "USER":
			made.User = in.rest
		}
	}
	if last != "scratch" {
		c.add(1, "the image begins with %s and what that has, not with nothing", last)
	}
	if !user.MatchString(made.User) {
		c.add(1, "the image runs as the user %q, not as numbers other than 0", made.User)
	}
	for _, in := range lastStage(all) {
		_, check, _ := strings.Cut(in.rest, "CMD ")
		switch {
		case slices.Contains([]string{"RUN", "ADD", "SHELL", "ONBUILD"}, in.word):
			c.add(in.line, "the last stage has no %s", in.word)
		case in.word == "COPY" && !strings.HasPrefix(in.rest, "--from="):
			c.add(in.line, "the last stage copies from earlier ones only")
		case in.word == "HEALTHCHECK" && !strings.HasPrefix(strings.TrimSpace(check), "["),
			(in.word == "ENTRYPOINT" || in.word == "CMD") && !strings.HasPrefix(in.rest, "["):
			c.add(in.line, "%s wants a shell, which the image does not have", in.word)
		}
	}
	return made, c.sorted()
}

// instruction is one instruction of a Dockerfile, on one line.
type instruction struct {
	line       int
	word, rest string
}

// instructions reads a Dockerfile. A directive "syntax" names an image that reads it instead.
func instructions(text string, c *checker) []instruction {
	var out []instruction
	going := false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if comment, ok := strings.CutPrefix(line, "#"); ok || line == "" {
			name, value, _ := strings.Cut(strings.ReplaceAll(comment, " ", ""), "=")
			if strings.EqualFold(name, "syntax") && !ofDigest.MatchString(value) {
				c.add(i+1, "the image %s wants a digest", value)
			}
			continue
		}
		more := strings.HasSuffix(line, `\`)
		line = strings.TrimSpace(strings.TrimSuffix(line, `\`))
		if going {
			out[len(out)-1].rest += " " + line
		} else {
			word, rest, _ := strings.Cut(line, " ")
			out = append(out, instruction{line: i + 1, word: strings.ToUpper(word), rest: strings.TrimSpace(rest)})
		}
		if strings.Contains(line, "<<") {
			c.add(i+1, "here-documents are not read")
		}
		going = more
	}
	return out
}

// lastStage returns the instructions after the last FROM.
func lastStage(all []instruction) []instruction {
	for i := range slices.Backward(all) {
		if all[i].word == "FROM" {
			return all[i+1:]
		}
	}
	return all
}
