package markdown

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// visibility is what hides the text of a page from its readers: elements and declarations that are open. GitHub removes
// many of those elements and shows their content; but nobody who reads their source, or the text elsewhere, sees it.
type visibility struct {
	// ends counts the end tags of elements that hide, as far as they were not read.
	ends map[string]int
	// open counts the open elements of each name that hides what is in it, and hiding all of them.
	open   map[string]int
	hiding int
	// literal is an element that is shown as text, and whose content is hidden until its end.
	literal string
	// until ends a declaration that goes on behind the ">" that ends it for a browser.
	until string
	// small counts the open elements that make text smaller.
	small int
}

// maxSmall is how often text can be made smaller before nobody can read it.
const maxSmall = 3

// hiding are the elements whose content is not shown. Those that are true hide to the end of the text if they have no
// end; GitHub shows what follows the others, as when a sentence mentions <svg>.
var hiding = map[string]bool{
	"template": true, "rp": true,
	"noscript": false, "svg": false, "math": false, "object": false, "applet": false, "video": false, "audio": false,
	"canvas": false, "select": false, "datalist": false, "option": false, "optgroup": false, "dialog": false,
	"head": false, "progress": false, "meter": false, "portal": false, "frameset": false,
}

// filteredNames are the elements of which filtered makes text.
var filteredNames = []string{
	"title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext",
}

// void are the elements that have no content, and no end.
var void = map[string]bool{
	"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true,
	"link": true, "meta": true, "param": true, "source": true, "track": true, "wbr": true,
}

func newVisibility(page []byte) visibility {
	v := visibility{ends: map[string]int{}, open: map[string]int{}}
	lower := bytes.ToLower(page)
	for name := range maps.Keys(hiding) {
		v.ends[name] = bytes.Count(lower, []byte("</"+name))
	}
	for _, name := range filteredNames {
		v.ends[name] = bytes.Count(lower, []byte(literal+"/"+name))
	}
	return v
}

// hides reports whether what is read is hidden.
func (v *visibility) hides() bool {
	return v.hiding > 0 || v.literal != "" || v.until != "" || v.small > maxSmall
}

func (v *visibility) start(e element) {
	toTheEnd, hides := hiding[e.name]
	switch {
	case void[e.name]:
	case v.open[e.name] > 0, hides && (toTheEnd || v.ends[e.name] > 0), concealed(e):
		v.open[e.name]++
		v.hiding++
	case makesSmaller(e.name):
		v.small++
	}
}

func (v *visibility) end(name string) {
	if v.ends[name] > 0 {
		v.ends[name]--
	}
	switch {
	case v.open[name] > 0:
		v.open[name]--
		v.hiding--
	case v.small > 0 && makesSmaller(name):
		v.small--
	}
}

func makesSmaller(name string) bool { return name == "sub" || name == "sup" || name == "small" }

// declaration reads a comment or a declaration.
func (v *visibility) declaration(raw []byte) {
	for begin, end := range map[string]string{"<?": "?>", "<![CDATA[": "]]>"} {
		if bytes.HasPrefix(raw, []byte(begin)) && !bytes.HasSuffix(raw, []byte(end)) && v.until == "" {
			v.until = end
		}
	}
}

// seen returns what of a text is not hidden.
func (v *visibility) seen(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, literal)
		b.WriteString(v.shown(before))
		if !found {
			return b.String()
		}
		s = rest
		tag := strings.ToLower(s[:min(len(s), len("/plaintext"))])
		i := slices.IndexFunc(filteredNames, func(name string) bool {
			return strings.HasPrefix(strings.TrimPrefix(tag, "/"), name)
		})
		switch {
		case i < 0:
		case !strings.HasPrefix(tag, "/"):
			if name := filteredNames[i]; v.literal == "" && v.ends[name] > 0 {
				v.literal = name
				continue
			}
		default:
			name := filteredNames[i]
			v.ends[name] = max(0, v.ends[name]-1)
			if v.literal == name {
				v.literal = ""
				_, s, _ = strings.Cut(s, ">")
				continue
			}
		}
		b.WriteString(v.shown("<"))
	}
}

func (v *visibility) shown(s string) string {
	if v.until != "" {
		_, rest, ended := strings.Cut(s, v.until)
		if !ended {
			return ""
		}
		v.until, s = "", rest
	}
	if v.hides() {
		return ""
	}
	return s
}

// hidingStyle are the styles by which an element is not seen. GitHub takes all styles away.
var hidingStyle = regexp.MustCompile(`display:none|visibility:(hidden|collapse)|opacity:(0|\.[0-2])|` +
	`font(-size)?:(0|\.|1px|1pt)|color:(white|transparent|#fff|rgba|hsla)|position:|clip|text-indent:|transform:|` +
	`(width|height):(0|1px)|(left|top):-|content-visibility|filter:|mask`)

// concealed reports whether an element has attributes by which browsers do not show it, or not readably.
func concealed(e element) bool {
	attrs := e.attrs
	_, hidden := attrs["hidden"]
	style := strings.Join(strings.Fields(strings.ToLower(attrs["style"])), "")
	color := strings.ToLower(strings.TrimSpace(attrs["color"]))
	return hidden || strings.EqualFold(attrs["aria-hidden"], "true") || hidingStyle.MatchString(style) ||
		color == "white" || strings.HasPrefix(color, "#fff") || color == "transparent" || attrs["size"] == "0" ||
		e.name == "bdo" && attrs["dir"] == "rtl"
}
