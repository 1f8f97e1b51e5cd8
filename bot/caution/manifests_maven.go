package caution

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"strings"
)

// mavenPackages reads pom.xml: what has a group and an artifact, unless the group is that of the project itself, and
// the addresses of repositories.
func mavenPackages(data []byte) packages {
	out := packages{}
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // names are ASCII
	var open []element
	text, own, inherited := "", "", ""
	for token, err := d.Token(); err == nil && len(open) < maxElements; token, err = d.Token() {
		switch t := token.(type) {
		case xml.StartElement:
			open, text = append(open, element{name: t.Name.Local}), ""
		case xml.CharData:
			text = string(bytes.TrimSpace(t))
		case xml.EndElement:
			closed := open[len(open)-1]
			if open = open[:len(open)-1]; len(open) == 0 {
				own = closed.group
				continue
			}
			parent := &open[len(open)-1]
			switch {
			case closed.name == "groupId":
				parent.group = text
			case closed.name == "artifactId":
				parent.artifact = text
			case closed.name == "url" && (parent.name == "repository" || parent.name == "pluginRepository"):
				out.registry(text)
			case closed.name == "parent" && len(open) == 1:
				inherited = closed.group
			case closed.artifact != "" && closed.name != "exclusion":
				out.add(joined([]string{closed.group, closed.artifact}), "")
			}
			text = ""
		}
	}
	for name := range out {
		group, _, _ := strings.Cut(name, ":")
		if group == cmp.Or(own, inherited) || group == "${project.groupId}" {
			delete(out, name)
		}
	}
	return out
}

// element is an open element of pom.xml, with the group and artifact in it.
type element struct{ name, group, artifact string }

// maxElements bounds how deep elements are in elements.
const maxElements = 100
