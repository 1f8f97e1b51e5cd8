package docs

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
)

// repository is where the links to tenon's own files begin that are in its answers and schemas.
const repository = "https://github.com/tenon-bot/tenon/"

func TestNoLinkInTheDocumentationIsDead(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	n := 0
	for _, name := range filesNamed(t, root, ".md") {
		for _, l := range parsePage(t, root, name).links {
			n++
			if why := dead(t, root, name, l); why != "" {
				t.Errorf("%s: %s: %s", name, l, why)
			}
		}
	}
	require.Greater(t, n, 100, "links are found")
}

func TestTheIndexHasEveryPage(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	pages, err := fs.Glob(root, "docs/*.md")
	require.NoError(t, err)
	links := parsePage(t, root, "docs/README.md").links
	for _, name := range pages {
		if name != "docs/README.md" {
			require.Contains(t, links, path.Base(name))
		}
	}
}

var ownLink = regexp.MustCompile(regexp.QuoteMeta(repository) + `[^\s"'` + "`" + `<>)\\]*`)

// Answers, help and schemas name pages by their address on GitHub.
func TestNoLinkOfTheProgramToItsDocumentationIsDead(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	n := 0
	for _, ext := range []string{".go", ".json", ".yml", ".yaml", ".toml", "Dockerfile"} {
		for _, name := range filesNamed(t, root, ext) {
			source, err := fs.ReadFile(root, name)
			require.NoError(t, err)
			for _, l := range ownLink.FindAllString(string(source), -1) {
				if strings.HasSuffix(name, "_test.go") || strings.ContainsAny(l, "%{$") {
					continue
				}
				n++
				if why := dead(t, root, name, strings.TrimRight(l, ".,;:")); why != "" {
					t.Errorf("%s: %s: %s", name, l, why)
				}
			}
		}
	}
	require.Positive(t, n, "links are found")
}

func TestDeadLinksAreFound(t *testing.T) {
	t.Parallel()
	root := os.DirFS("testdata")
	require.ElementsMatch(t, []string{
		"#a-heading", "#a-heading-1", "#code-and-signs", "#by-name", "other.md", "other.md#only-one", "#none",
		"other.md#none", "missing.md", "../outside.md", "picture.png", "http://acme.example/", "https://acme.example/",
		repository + "blob/main/other.md", repository + "blob/main/missing.md", repository + "blob/main/other.md#none",
		repository + "issues", "dark.png", "light.png", "/other.md",
	}, parsePage(t, root, "page.md").links)
	found := map[string]string{}
	for _, l := range parsePage(t, root, "page.md").links {
		if why := dead(t, root, "page.md", l); why != "" {
			found[l] = why
		}
	}
	require.Equal(t, map[string]string{
		"#none": "no such heading", "other.md#none": "no such heading", "missing.md": "no such file",
		"../outside.md": "it leads out of the repository", "picture.png": "no such file", "dark.png": "no such file",
		"light.png": "no such file", "http://acme.example/": "not https",
		repository + "blob/main/missing.md":    "no such file",
		repository + "blob/main/other.md#none": "no such heading",
		"/other.md":                            "begin at this file, not with a slash",
	}, found)
}

// filesNamed returns the files of the repository whose names end in something, without what tests read.
func filesNamed(t *testing.T, root fs.FS, end string) (names []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (base == "testdata" || base == ".git" || base == "bin" || base == "node_modules"):
			return fs.SkipDir
		case !entry.IsDir() && strings.HasSuffix(name, end):
			names = append(names, name)
		}
		return nil
	}))
	return names
}

// dead says why a link of a file leads nowhere. Whether other servers answer is not asked.
func dead(t *testing.T, root fs.FS, from, link string) string {
	t.Helper()
	for _, kind := range []string{"blob/main/", "tree/main/"} {
		if file, ok := strings.CutPrefix(link, repository+kind); ok {
			from, link = ".", file
		}
	}
	switch u, err := url.Parse(link); {
	case err != nil:
		return err.Error()
	case u.Scheme == "http":
		return "not https"
	case u.Scheme != "":
		return ""
	case strings.HasPrefix(u.Path, "/"):
		return "begin at this file, not with a slash"
	case u.Path == "":
		return deadAnchor(t, root, from, u.Fragment)
	default:
		file := path.Join(path.Dir(from), u.Path)
		if !fs.ValidPath(file) {
			return "it leads out of the repository"
		}
		if _, err := fs.Stat(root, file); err != nil {
			return "no such file"
		}
		return deadAnchor(t, root, file, u.Fragment)
	}
}

func deadAnchor(t *testing.T, root fs.FS, file, anchor string) string {
	t.Helper()
	if anchor == "" || !strings.HasSuffix(file, ".md") || parsePage(t, root, file).anchors[anchor] {
		return ""
	}
	return "no such heading"
}

// page is what a Markdown file leads to, and where it can be led to.
type page struct {
	links   []string
	anchors map[string]bool
}

func parsePage(t *testing.T, root fs.FS, name string) page {
	t.Helper()
	source, err := fs.ReadFile(root, name)
	require.NoError(t, err)
	p := page{anchors: map[string]bool{}}
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	require.NoError(t, ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			p.links = append(p.links, string(n.Destination))
		case *ast.Image:
			p.links = append(p.links, string(n.Destination))
		case *ast.AutoLink:
			p.links = append(p.links, string(n.URL(source)))
		case *ast.Heading:
			p.add(slug(textIn(n, source)))
		case *ast.HTMLBlock:
			p.readHTML(string(n.Lines().Value(source)))
		case *ast.RawHTML:
			p.readHTML(string(n.Segments.Value(source)))
		}
		return ast.WalkContinue, nil
	}))
	return p
}

// add adds the anchor of a heading, as GitHub counts headings with the same text.
func (p *page) add(anchor string) {
	unique := anchor
	for n := 1; p.anchors[unique]; n++ {
		unique = fmt.Sprintf("%s-%d", anchor, n)
	}
	p.anchors[unique] = true
}

// readHTML reads the links and the anchors of a piece of HTML.
func (p *page) readHTML(source string) {
	tokens := html.NewTokenizer(strings.NewReader(source))
	for tokens.Next() != html.ErrorToken {
		for _, a := range tokens.Token().Attr {
			switch a.Key {
			case "href", "src", "srcset":
				p.links = append(p.links, a.Val)
			case "id", "name":
				p.anchors[a.Val] = true
			}
		}
	}
}

func textIn(n ast.Node, source []byte) string {
	var b strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		switch child := child.(type) {
		case *ast.Text:
			b.Write(child.Value(source))
		case *ast.String:
			b.Write(child.Value)
		default:
			b.WriteString(textIn(child, source))
		}
	}
	return b.String()
}

// slug returns the anchor that GitHub gives a heading.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}
