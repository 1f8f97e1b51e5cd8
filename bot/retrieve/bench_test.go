package retrieve

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/secret"
)

// BenchmarkReferences reads a comment of 64 kB, with all that comments can contain, against a repository of 20,000
// files. The ratio is to one pass over the same comment that only parses its Markdown, and one over the files that
// only sums their lengths.
func BenchmarkReferences(b *testing.B) {
	files := make([]string, 0, 20_000)
	for i := range 20_000 {
		ext := []string{"go", "py", "ts", "java"}[i%4]
		files = append(files, fmt.Sprintf("pkg%03d/module%02d/some_longer_name_%05d.%s", i/100, i/10%10, i, ext))
	}
	var text strings.Builder
	for i := 0; text.Len() < 64_000; i++ {
		f := files[i*37%len(files)]
		switch i % 6 {
		case 0:
			fmt.Fprintf(&text, "See `%s`, line %d, and the function `Handle%d` beside it; ", f, i+1, i)
			text.WriteString("nothing else is wrong here.\n")
		case 1:
			fmt.Fprintf(&text, "%s:%d:5: undefined: something\n", f, i+1)
		case 2:
			fmt.Fprintf(&text, "```\n\t/home/runner/work/%s:%d +0x1d\n", f, i+1)
			fmt.Fprintf(&text, "  File \"/srv/%s\", line %d, in run\n```\n", f, i+1)
		case 3:
			fmt.Fprintf(&text, "> quoted words about https://github.example/acme/lathe/blob/main/%s#L%d\n\n", f, i+1)
		case 4:
			text.WriteString("The names in some prose, such as e.g. module.field and and/or, are *not* files. ")
			fmt.Fprintf(&text, "<!-- hidden %d -->\n", i)
		case 5:
			fmt.Fprintf(&text, "请修复%s中的错误, and NOWHERE/Such_File_%d.go\n", f, i)
		}
	}
	body := text.String() + "\n`**/*_00042.go`\n"
	var floor time.Duration
	for b.Loop() {
		x := indexOf(files...)
		for _, r := range findReferences(markdown.ShownWithTargets(body)) {
			for _, name := range r.names {
				if r.reason == byPattern {
					x.match(name)
				}
				x.resolve(name)
			}
		}
		b.StopTimer()
		start := time.Now()
		markupOf(body)
		floor += time.Since(start)
		b.StartTimer()
	}
	per := float64(b.Elapsed().Microseconds()) / float64(b.N) / 1000
	b.ReportMetric(per, "references_64k_20kpaths_ms")
	b.ReportMetric(float64(b.Elapsed())/float64(floor), "x_markdown")
	fmt.Printf("references_64k_20kpaths_ms=%.1f references_vs_markdown=%.1f\n", per, float64(b.Elapsed())/float64(floor))
}

// BenchmarkFind finds a text in 3,000 sources of 32 MB: one that is in no line, one in each fourth, and a name.
func BenchmarkFind(b *testing.B) {
	const lines = "func startServer(port int) error { return listen(port) }\n\tx := startServer(1)\n\n"
	text := []byte(strings.Repeat(lines, 130))
	c := corpus{read: func(string) ([]byte, bool) { return text, true }}
	for i := range 3000 {
		c.files = append(c.files, fmt.Sprintf("folder/file%d.go", i))
	}
	for name, text := range map[string]string{"absent": "nowhereAtAll", "name": "startServer", "text": "(port int"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c.redacted = newRedactedTexts(secret.NewFiles())
				c.quote(b.Context(), text, c.search(b.Context(), text))
			}
		})
	}
}
