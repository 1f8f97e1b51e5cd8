package match

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/text"
)

func TestATypoIsAFewLettersAtOnePosition(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"return vlaue", "return value"}, {"the quick fox", "the quik fox"}, {"naïve", "naive"}, {"same", "same"},
		{"if! ok", "if !ok"}, {"import syss", "import sys"}, {"rteurn x", "return x"}, {"fclnse(f)", "fclose(f)"},
		{"run tst", "run test"}, {"cafés here", "cafès here"}, {"a coe = 1", "a code = 1"},
	} {
		require.True(t, isTypo(pair[0], pair[1]), "%q", pair)
	}
	for story, pair := range map[string][2]string{
		"a digit makes another name":     {"name: war", "name2: war"},
		"digits in another order":        {"x = 12", "x = 21"},
		"another value":                  {"x = 10", "x = 12"},
		"an operator":                    {"a + b", "a - b"},
		"a comment sign":                 {"import x", "// import x"},
		"a blank joins or parts words":   {"is not", "isnot"},
		"more letters than three":        {"return first", "return second"},
		"two spots are two differences":  {"ab cd ef", "xb cd xf"},
		"a prefix that negates":          {"disconnect()", "connect()"},
		"two letters for two others":     {"push(x)", "pull(x)"},
		"another keyword":                {"var x", "let x"},
		"two letters in place of three":  {"a and b", "a or b"},
		"a name of one letter":           {"a[i]", "a[j]"},
		"a short name with another end":  {"xs of", "x of"},
		"three letters, one another":     {"a bat", "a bit"},
		"a short name":                   {"uint x", "int x"},
		"a short word in another order":  {"if x", "fi x"},
		"a capital letter":               {"Parse(x)", "parse(x)"},
		"an operator in another order":   {"a => b", "a >= b"},
		"an assignment and its operator": {"a =- b", "a -= b"},
	} {
		require.False(t, isTypo(pair[0], pair[1]), story)
	}
}

func TestASlipIsInsideAWord(t *testing.T) {
	t.Parallel()
	isSlip := func(block, file string) bool {
		return isSlip(File{Text: text.New(nil, []byte(file+"\n"))}, block, file)
	}
	for _, pair := range [][2]string{
		{"read(confiig)", "read(config)"}, {"read(cofig)", "read(config)"}, {"read(canfig)", "read(config)"},
		{"read(cnofig)", "read(config)"}, {"tasks: ['tst'],", "tasks: ['test'],"},
	} {
		require.True(t, isSlip(pair[0], pair[1]), "%q", pair)
	}
	for story, pair := range map[string][2]string{
		"equal":                                  {"read(config)", "read(config)"},
		"the plural":                             {"read(configs)", "read(config)"},
		"another first letter":                   {"is(xvalue)", "is(yvalue)"},
		"two letters":                            {"read(confiiig)", "read(config)"},
		"three letters that make an opposite":    {"toUpperCase(it)", "toLowerCase(it)"},
		"a digit":                                {"read(con1ig)", "read(config)"},
		"a word too short to tell":               {"get(bat)", "get(bit)"},
		"another letter in a short word":         {"this.store.get(bat)", "this.store.get(bit)"},
		"the plural of a short word":             {"this.store.add(tests)", "this.store.add(test)"},
		"two swapped signs":                      {"if! ready", "if !ready"},
		"a blank that joins two words":           {"return value", "returnvalue"},
		"a letter at the end of a word":          {"read(configx)", "read(config)"},
		"another letter at the end of the lines": {"read config", "read confix"},
	} {
		require.False(t, isSlip(pair[0], pair[1]), story)
	}
}
