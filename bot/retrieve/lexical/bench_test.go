package lexical

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkIndex indexes sources in several languages, and ranks 3,000 files for the longest query. The ratio is to a
// pass over the same text that only counts its words.
func BenchmarkIndex(b *testing.B) {
	sources, size := generated(3000), 0
	for _, s := range sources {
		size += len(s.text)
	}
	var floor time.Duration
	files, memory := make([]File, len(sources)), int64(0)
	for b.Loop() {
		memory = 0
		for i, s := range sources {
			files[i] = File{s.path, NewDocument(s.path, []byte(s.text))}
			memory += files[i].Document.Bytes()
		}
		b.StopTimer()
		start := time.Now()
		words := 0
		for _, s := range sources {
			for line := range strings.Lines(s.text) {
				words += len(strings.Fields(line))
			}
		}
		floor += time.Since(start)
		b.StartTimer()
	}
	speed := float64(size) * float64(b.N) / 1e6 / b.Elapsed().Seconds()
	ratio := float64(b.Elapsed()) / float64(floor)
	rank := rankTime(NewIndex(files))
	share := float64(memory) / float64(size)
	b.ReportMetric(speed, "MB/s")
	b.ReportMetric(ratio, "x_words")
	b.ReportMetric(rank, "rank3000_ms")
	fmt.Printf("index_vs_words=%.1f index_mb_per_s=%.0f rank3000_ms=%.0f index_mb_per_mb=%.2f slowest=%s\n",
		ratio, speed, rank, share, slowest(sources))
}

// rankTime returns how many milliseconds the longest query takes, with its weights.
func rankTime(x *Index) float64 {
	v := newVocabulary(3)
	var text strings.Builder
	for range 2000 {
		text.WriteString(v.name(false) + " ")
	}
	q := NewQuery("acme", "The "+v.name(true)+" fails", text.String())
	const times = 5
	start := time.Now()
	for range times {
		x.Rank(q)
		x.Weights(q)
	}
	return float64(time.Since(start).Microseconds()) / 1000 / times
}

// slowest returns the language whose sources take longest, and its speed.
func slowest(sources []source) string {
	least, name := 0.0, ""
	for _, ext := range slices.Sorted(maps.Keys(grammars)) {
		size, start := 0, time.Now()
		for _, s := range sources {
			if strings.HasSuffix(s.path, ext) {
				NewDocument(s.path, []byte(s.text))
				size += len(s.text)
			}
		}
		if speed := float64(size) / 1e6 / time.Since(start).Seconds(); name == "" || speed < least {
			least, name = speed, ext
		}
	}
	return fmt.Sprintf("%s:%.0f", name, least)
}

// grammars are what the functions of a language look like, by its extension: TYPE, NAME and WORD stand for names, and
// TEXT for prose.
var grammars = map[string]string{
	".go": "// NAME TEXT.\nfunc (w *TYPE) NAME(WORD TYPE, WORD int) (TYPE, error) {\n\tfor i, WORD := range w.NAME {\n" +
		"\t\tif err := WORD.NAME(i, \"TEXT\"); err != nil {\n" +
		"\t\t\treturn nil, fmt.Errorf(\"TEXT: %w\", err)\n\t\t}\n\t}\n" +
		"\treturn TYPE{NAME: WORD}, nil\n}\n\n",
	".py": "class TYPE(TYPE):\n    \"\"\"TEXT.\"\"\"\n\n    def NAME(self, WORD, WORD=None):\n        # TEXT\n" +
		"        for WORD in self.NAME(WORD):\n            if WORD.NAME is not None:\n" +
		"                raise TYPE('TEXT', WORD)\n        return self.WORD.NAME(WORD, NAME=WORD)\n\n",
	".java": "    /**\n     * TEXT.\n     */\n    @Override\n" +
		"    public List<TYPE> NAME(TYPE WORD, int NAME) throws TYPE {\n" +
		"        final TYPE WORD = new TYPE(WORD, \"TEXT\");\n        for (TYPE WORD : this.NAME) {\n" +
		"            if (WORD.NAME(NAME)) {\n                return TYPE.of(WORD).NAME();\n            }\n        }\n" +
		"        return NAME(WORD);\n    }\n\n",
	".kt": "    // TEXT\n    override fun NAME(WORD: TYPE, NAME: Int): TYPE? {\n" +
		"        val WORD = NAME(WORD) ?: return null\n" +
		"        when (WORD) {\n            is TYPE -> NAME(WORD, \"TEXT\")\n            else -> WORD.NAME { it.WORD }\n" +
		"        }\n        return TYPE(WORD, NAME = WORD)\n    }\n\n",
	".ts": "  /** TEXT. */\n  private async NAME(WORD: TYPE, NAME?: number): Promise<TYPE> {\n" +
		"    const { WORD, NAME } = await this.NAME(WORD);\n    if (!WORD || WORD.NAME === 'TEXT') {\n" +
		"      throw new TYPE(`TEXT ${WORD}`);\n    }\n    return WORD.NAME((WORD) => WORD.NAME);\n  }\n\n",
	".rs": "    /// TEXT.\n    pub fn NAME(&mut self, WORD: &TYPE) -> Result<TYPE, TYPE> {\n" +
		"        let WORD = self.NAME(WORD)?;\n" +
		"        match WORD {\n            TYPE::TYPE(WORD) => Ok(WORD.NAME()),\n" +
		"            _ => Err(TYPE::new(\"TEXT\")),\n        }\n    }\n\n",
	".cc": "// TEXT.\nstd::vector<TYPE> TYPE::NAME(const TYPE& WORD, int NAME) {\n  auto WORD = WORD->NAME(NAME);\n" +
		"  if (WORD == nullptr) {\n    throw TYPE(\"TEXT\");\n  }\n  return WORD.NAME(std::move(WORD));\n}\n\n",
	".rb": "    # TEXT\n    def NAME(WORD, WORD = nil)\n      return unless WORD.NAME?\n" +
		"      @WORD.NAME { |WORD| WORD.NAME('TEXT') }\n    end\n\n",
	".php": "    /**\n     * TEXT.\n     */\n    public function NAME(TYPE $WORD, array $NAME = []): ?TYPE\n    {\n" +
		"        foreach ($this->NAME($WORD) as $WORD) {\n            if ($WORD->NAME === 'TEXT') {\n" +
		"                throw new TYPE($WORD);\n            }\n        }\n\n        return $this->NAME;\n    }\n\n",
}

// generated returns n sources of some kilobytes each, in all of the languages, the same ones each time.
func generated(n int) []source {
	v := newVocabulary(1)
	out := make([]source, 0, n)
	for i := 0; len(out) < n; i++ {
		for _, ext := range slices.Sorted(maps.Keys(grammars)) {
			if len(out) == n {
				break
			}
			var text strings.Builder
			for text.Len() < 1000+v.r.IntN(15_000) {
				v.write(&text, grammars[ext])
			}
			out = append(out, source{fmt.Sprintf("src/%s/%s%d%s", v.word(), v.name(false), i, ext), text.String()})
		}
	}
	return out
}

// vocabulary makes names of 2,000 words, of which some are frequent and most are not.
type vocabulary struct {
	r     *rand.Rand
	words []string
}

func newVocabulary(seed uint64) *vocabulary {
	v := &vocabulary{r: rand.New(rand.NewPCG(7, 7))}
	syllables := strings.Fields("ba con der fil get in ker list mo ner pro que ra set ta un ver wi xe zo")
	for range 2000 {
		word := ""
		for range 2 + v.r.IntN(3) {
			word += syllables[v.r.IntN(len(syllables))]
		}
		v.words = append(v.words, word)
	}
	v.r = rand.New(rand.NewPCG(seed, seed))
	return v
}

func (v *vocabulary) word() string {
	return v.words[int(float64(len(v.words))*v.r.Float64()*v.r.Float64()*v.r.Float64())]
}

// name returns a name of one to three words, beginning with a capital letter or not.
func (v *vocabulary) name(capital bool) (name string) {
	for i := range 1 + v.r.IntN(3) {
		word := v.word()
		if i > 0 || capital {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		name += word
	}
	return name
}

// write writes a text of the grammar.
func (v *vocabulary) write(text *strings.Builder, grammar string) {
	for grammar != "" {
		switch {
		case strings.HasPrefix(grammar, "TYPE"):
			text.WriteString(v.name(true))
		case strings.HasPrefix(grammar, "NAME"):
			text.WriteString(v.name(false))
		case strings.HasPrefix(grammar, "WORD"):
			text.WriteString(v.word())
		case strings.HasPrefix(grammar, "TEXT"):
			for range 3 + v.r.IntN(8) {
				text.WriteString(v.word() + " ")
			}
		default:
			text.WriteByte(grammar[0])
			grammar = grammar[1:]
			continue
		}
		grammar = grammar[4:]
	}
}
