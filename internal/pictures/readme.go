package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"

	"github.com/tenon-bot/tenon/internal/gfm"
)

// picture is one of the README: a request and its answer, as GitHub shows them.
type picture struct {
	// name is the beginning of the files' names.
	name string
	// golden is the answer, and request the comment that the answer's test makes.
	golden, request string
}

// readmePictures are the pictures of the README, each of them in light and dark colours.
var readmePictures = []picture{{
	name: "answer", golden: "answers/fix-partly",
	request: "/tenon fix return all errors in `server/start.go` and `server/stop.go`",
}}

var schemes = []string{"light", "dark"}

// readmeFolder is where the pictures are, from the root of the repository, and sumsFile says what they were made from.
const (
	readmeFolder = "docs/pictures"
	sumsFile     = "sums.txt"
)

const sumsHead = "" +
	"# What the pictures of this folder were made from: the file, its SHA-256, and that of what it shows.\n" +
	"# Written by make readme-pictures; TestThePicturesOfTheReadmeShowThePresentAnswers compares.\n"

// body returns the HTML of the picture, without its style.
func (p picture) body(all []golden) (string, error) {
	i := slices.IndexFunc(all, func(g golden) bool { return g.name == p.golden })
	if i < 0 {
		return "", fmt.Errorf("there is no answer %s", p.golden)
	}
	var b strings.Builder
	for _, c := range []struct{ author, label, text string }{
		{"maria", "", p.request}, {"tenon", "<i>bot</i> ", all[i].text},
	} {
		text, err := gfm.HTML(c.text, "")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "<section><header><b>%s</b> %scommented</header>", html.EscapeString(c.author), c.label)
		fmt.Fprintf(&b, "<article class=markdown-body>%s</article></section>\n", text)
	}
	return b.String(), nil
}

// readmeStyle is what the stylesheet of comments leaves to GitHub's pages.
//
//go:embed readme.css
var readmeStyle string

// sum is that of what a picture shows: without the stylesheet of GitHub, which is not in the repository.
func (p picture) sum(all []golden) (string, error) {
	body, err := p.body(all)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(readmeStyle+body))), nil
}

// takeReadmePictures writes the pictures of the README and the file of their sums.
func takeReadmePictures(ctx context.Context, out io.Writer, css string, all []golden) error {
	b, closeBrowser, err := openBrowser(ctx, css)
	if err != nil {
		return err
	}
	defer closeBrowser()
	if err := os.MkdirAll(readmeFolder, 0o755); err != nil {
		return err
	}
	d := device{name: "readme", width: 760, scale: 2}
	sums := sumsHead
	for _, p := range readmePictures {
		body, err := p.body(all)
		if err != nil {
			return err
		}
		sum, err := p.sum(all)
		if err != nil {
			return err
		}
		for _, scheme := range schemes {
			if err := b.open(d, scheme, page(b.css+fmt.Sprintf(commentStyle, 0)+readmeStyle, body)); err != nil {
				return err
			}
			taken, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
			if err != nil {
				return err
			}
			small, err := shrink(taken)
			if err != nil {
				return err
			}
			name := p.name + "." + scheme + ".png"
			if err := os.WriteFile(filepath.Join(readmeFolder, name), small, 0o644); err != nil { //nolint:gosec // public
				return err
			}
			sums += fmt.Sprintf("%s %x %s\n", name, sha256.Sum256(small), sum)
			_, _ = fmt.Fprintf(out, "%s: %d bytes\n", name, len(small))
		}
	}
	return os.WriteFile(filepath.Join(readmeFolder, sumsFile), []byte(sums), 0o644) //nolint:gosec // public
}

// shrink writes a PNG with 256 colours, the most frequent ones: enough for text on few backgrounds.
func shrink(file []byte) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	bounds := from.Bounds()
	count := map[color.RGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[color.RGBAModel.Convert(from.At(x, y)).(color.RGBA)]++
		}
	}
	frequent := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var colours color.Palette
	for _, c := range frequent[:min(len(frequent), 256)] {
		colours = append(colours, c)
	}
	to := image.NewPaletted(bounds, colours)
	draw.Draw(to, bounds, from, bounds.Min, draw.Src)
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, to)
	return b.Bytes(), err
}
