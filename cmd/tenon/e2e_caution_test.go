package main

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"
)

// partnerLine and partnerGreet name a host that no file has.
const (
	partnerLine  = "\tprintln(\"https://api.partner.io/v1\")"
	partnerGreet = "func greet() string { return \"https://api.partner.io\" }"
)

// notYet is why edits with a caution are only shown.
const notYet = "Nothing is committed yet, because `caution: hold` in the settings leaves edits with a caution to " +
	"people."

// cautionEffect shows the effect of the setting of edits that deserve a look. A lower file can only restrict.
var cautionEffect = settingEffect{
	name:         "caution",
	organisation: "caution: hold\n", repository: "caution: show\n",
	replies: []string{edit("main.go", helloLine, partnerLine), edit("greet.go", greetLine, partnerGreet)},
	shown: func(s *stage, _ *askedModels) {
		c := s.preview(fixMain)
		require.Contains(s.t, c.Body, "⚠️ **caution:** new host: `api.partner.io` in `main.go`\n\n"+notYet)
		require.Equal(s.t, stageFiles["main.go"], s.file("main.go"))
		s.tick("maria", c, 1)
		s.untilBox(c, 1, "committed in [`")
		require.Contains(s.t, s.file("main.go"), "api.partner.io")
		s.organisationSays("caution: show\n")
		s.done("maria", "/tenon fix the words in `greet.go`")
		require.Contains(s.t, strings.Join(s.answers(), "\n"), "**caution:** new host: `api.partner.io` in `greet.go`")
	},
}

// recordCautioned has a fix held because of more cautions of one kind than are kept.
func recordCautioned(s *stage) {
	var scripts strings.Builder
	for i := range 22 {
		scripts.WriteString(edit(fmt.Sprintf("tools/s%02d.sh", i), "", "exit 0"))
	}
	s.model.script(edit("main.go", helloLine, partnerLine) + scripts.String())
	s.start()
	s.settings("main", "caution: hold\n")
	c := s.preview(fixMain)
	s.tick("maria", c, 1)
	s.untilBox(c, 1, "committed in [`")
	require.Equal(s.t, "rocket", s.say("/tenon apply").verdict)
}

func answersWithACaution(s *stage) {
	manifest := "{\n  \"dependencies\": {\n  }\n}\n"
	s.push(map[string]string{"Makefile": "build:\n\tnode build.js\n", "package.json": manifest})
	s.start()
	edits := "The columns of the table are padded by a package.\n\nCOMMIT: feat: pad the columns\n\n" +
		"Install the package before a build.\n\n" + edit("Makefile", "\tnode build.js", "\tnpm install\n\tnode build.js") +
		"Depend on the package.\n\n" +
		edit("package.json", "  \"dependencies\": {", "  \"dependencies\": {\n    \"left-pad\": \"1.3.0\"")
	s.model.script(edits)
	s.golden("fix-caution", s.answerTo(s.pull, "/tenon fix pad the columns, in `Makefile` and `package.json`"))
	s.done("maria", "/tenon undo")
	s.settings("main", "caution: hold\n")
	s.model.script(edits)
	s.golden("fix-caution-held", s.preview("/tenon fix pad the columns, in `Makefile` and `package.json`").Body)
}
