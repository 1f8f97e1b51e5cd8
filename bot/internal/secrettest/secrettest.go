// Package secrettest makes files with secrets in them, in the shapes in which they are found in repositories. They are
// made again in each process, always the same ones, so that none of them is in a file of this repository.
package secrettest

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
)

// Shape is a file with a secret in it.
type Shape struct {
	Name string
	// File is the file's path, which says nothing of a secret, and Text the file.
	File, Text string
	// Values are what must not be seen of the file: the secret, or each of its lines.
	Values []string
}

// Alphabets of secrets.
const (
	digits  = "0123456789"
	hex     = digits + "abcdef"
	lower   = "abcdefghijklmnopqrstuvwxyz"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letters = lower + upper
	alnum   = digits + letters
	b64     = alnum + "+/"
)

// Maker makes secrets. Those of another maker are different unless it has the same number.
type Maker int

// Random returns n random bytes of an alphabet, the same ones for the same name.
func (m Maker) Random(name, alphabet string, n int) string {
	h := fnv.New64()
	_, _ = fmt.Fprint(h, name, int(m))
	r := rand.New(rand.NewPCG(h.Sum64(), uint64(n)))
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(out)
}

// Key returns the lines of a private key in PEM of a kind, as "RSA PRIVATE KEY", with n lines between the first and the
// last.
func (m Maker) Key(kind string, n int) []string {
	lines := []string{"-----BEGIN " + kind + "-----"}
	for i := range n - 1 {
		lines = append(lines, m.Random(fmt.Sprint(kind, n, i), b64, 64))
	}
	return append(lines, m.Random(kind, b64, 26)+"==", "-----END "+kind+"-----")
}

// Shapes returns all shapes.
func (m Maker) Shapes() (all []Shape) {
	for _, list := range [][]Shape{m.tokens(), m.assignments(), m.keys(), m.blocks()} {
		all = append(all, list...)
	}
	for i := range all {
		all[i].Text = "# first line of the file\nalpha = 1\nbeta = 2\n" + all[i].Text + "\ngamma = 3\ndelta = 4\n"
		if all[i].File == "" {
			all[i].File = fmt.Sprintf("conf/part%03d.txt", i)
		}
	}
	return all
}

// tokens are those of services, which can be told by themselves.
func (m Maker) tokens() (list []Shape) {
	for name, parts := range map[string][]string{
		"an access key of AWS":           {"AKIA", m.Random("aws", upper+"234567", 16)},
		"a token of GitHub":              {"ghp_", m.Random("ghp", alnum, 36)},
		"a token of a GitHub App":        {"ghs_", m.Random("ghs", alnum, 36)},
		"a fine-grained token of GitHub": {"github_pat_", m.Random("gpat", alnum, 82)},
		"a token of GitLab":              {"glpat-", m.Random("glpat", alnum, 20)},
		"a key of OpenAI": {"sk-", "proj-" + m.Random("openai", alnum,
			74) + "T3Blbk" + "FJ" + m.Random("openai2", alnum, 74)},
		"a key of Anthropic": {"sk-", "ant-api03-" + m.Random("ant", alnum, 93) + "AA"},
		"a key of Stripe":    {"sk_", "live_" + m.Random("stripe", alnum, 24)},
		"a token of Slack": {"xoxb-", m.Random("x1", digits, 12) + "-" + m.Random("x2", digits,
			12) + "-" + m.Random("x3", alnum, 24)},
		"a key of Google":         {"AIza", m.Random("goog", alnum, 35)},
		"a token of npm":          {"npm_", m.Random("npm", alnum, 36)},
		"a token of PyPI":         {"pypi-", "AgEIcHlwaS5vcmc" + m.Random("pypi", alnum, 80)},
		"a key of SendGrid":       {"SG.", m.Random("sg1", alnum, 22) + "." + m.Random("sg2", alnum, 43)},
		"a token of DigitalOcean": {"dop_", "v1_" + m.Random("do", hex, 64)},
		"a token of Databricks":   {"dapi", m.Random("dapi", hex, 32)},
		"a token of Doppler":      {"dp.", "pt." + m.Random("dp", alnum, 43)},
		"a token of Grafana":      {"glsa_", m.Random("glsa", alnum, 32) + "_" + m.Random("glsa2", hex, 8)},
		"a token of Hugging Face": {"hf_", m.Random("hf", letters, 34)},
		"a key of Linear":         {"lin_", "api_" + m.Random("lin", alnum, 40)},
		"a token of Notion":       {"ntn_", m.Random("ntn1", digits, 11) + m.Random("ntn2", alnum, 35)},
		"a token of Postman":      {"PMAK-", m.Random("pm1", hex, 24) + "-" + m.Random("pm2", hex, 34)},
		"a token of RubyGems":     {"rubygems_", m.Random("rg", hex, 48)},
		"a token of Shopify":      {"shpat_", m.Random("sh", hex, 32)},
		"a token of Vault":        {"hvs.", m.Random("hvs", alnum, 96)},
		"a token of PlanetScale":  {"pscale_", "pw_" + m.Random("ps", alnum, 43)},
		"a token of Pulumi":       {"pul-", m.Random("pul", hex, 40)},
		"a JSON web token": {"eyJ", m.Random("j1", alnum, 33) + ".eyJ" + m.Random("j2", alnum, 80) + "." +
			m.Random("j3", alnum, 43)},
	} {
		list = append(list, Shape{Name: name, Text: "use " + parts[0] + parts[1] + " here", Values: []string{parts[1]}})
	}
	slices.SortFunc(list, func(a, b Shape) int { return strings.Compare(a.Name, b.Name) })
	list = append(list,
		m.value("a webhook of Slack", "https://hooks.slack.com/services/T0%[2]s/B0%[2]s/%[1]s", alnum, 24),
		m.value("a storage key of Azure", "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=%s==", b64, 86),
		m.value("a signature of Azure", "https://acme.blob.core.windows.net/c?sv=2022-11-02&sig=%s%%3D", alnum, 43),
		m.value("a password of a database in its URL", "postgres://app:%s@db7.acme.internal/x", alnum, 16),
		m.value("a password of a queue in its URL", "amqp://app:%s@mq.acme.internal:5672", alnum, 16),
		m.value("a password of a cache in its URL", "redis://:%s@cache.acme.internal:6379/0", alnum, 20),
	)
	return list
}

// value returns a shape with a random value in a format; a second argument of the format is a random name.
func (m Maker) value(name, format, alphabet string, n int) Shape {
	v := m.Random(name, alphabet, n)
	if alphabet != hex {
		v = v[2:] + "7q" // a digit and a letter are in each
	}
	text := fmt.Sprintf(format, v)
	if strings.Contains(format, "%[2]s") {
		text = fmt.Sprintf(format, v, m.Random(name, upper+digits, 8))
	}
	return Shape{Name: name, Text: text, Values: []string{v}}
}

// assignments are values of no known kind, under names that say what they are, in the syntaxes of files.
func (m Maker) assignments() []Shape {
	const symbols = alnum + "!%^*+?~"
	list := []Shape{
		m.value("a shell's variable", "export API_TOKEN=%s", alnum, 32),
		m.value("a shell's variable in quotes", "DB_PASSWORD='%s'", symbols, 18),
		m.value("an environment file", "SECRET_KEY_BASE=%s", hex, 64),
		m.value("a password with symbols", "SMTP_PASSWORD=%s", symbols, 16),
		m.value("a short password", "password = \"%s\"", symbols, 12),
		m.value("Go", "\tsecretKey := \"%s\"", alnum, 32),
		m.value("a constant of Go", "const apiToken string = \"%s\"", alnum, 32),
		m.value("Go's raw string", "var clientSecret = `%s`", alnum, 32),
		m.value("Python", "API_KEY = '%s'", alnum, 32),
		m.value("a dictionary of Python", "cfg = {'auth_token': '%s', 'n': 1}", alnum, 32),
		m.value("a keyword of Python", "connect(user='app', password='%s')", symbols, 16),
		m.value("JavaScript", "const accessToken = \"%s\";", alnum, 40),
		m.value("an object of JavaScript", "  apiKey: '%s',", alnum, 32),
		m.value("TypeScript", "private readonly token: string = '%s';", alnum, 36),
		m.value("Ruby", "  :secret_token => '%s',", hex, 48),
		m.value("Rust", "let client_secret: &str = \"%s\";", alnum, 32),
		m.value("Java", "private static final String PASSWORD = \"%s\";", symbols, 16),
		m.value("a call of Java", "builder.setPassword(\"%s\");", symbols, 16),
		m.value("C#", "public string ApiKey { get; } = \"%s\";", alnum, 32),
		m.value("PHP", "define('AUTH_KEY', '%s');", alnum, 48),
		m.value("PHP's array", "'password' => '%s',", symbols, 16),
		m.value("Elixir", "config :app, secret_key_base: \"%s\"", alnum, 64),
		m.value("PowerShell", "$env:API_TOKEN = \"%s\"", alnum, 32),
		m.value("a batch file", "set API_TOKEN=%s", alnum, 32),
		m.value("JSON", "{\"client_secret\": \"%s\", \"port\": 1}", alnum, 32),
		m.value("JSON in a string", "x = \"{\\\"api_key\\\":\\\"%s\\\"}\"", alnum, 32),
		m.value("YAML", "  password: %s", alnum, 20),
		m.value("YAML in quotes", "  apiToken: \"%s\"", alnum, 32),
		m.value("YAML on the next line", "  token: >-\n    %s\n  x: 1", alnum, 40),
		m.value("a list of YAML", "  - name: DB_PASSWORD\n    value: %s", alnum, 20),
		m.value("TOML", "secret_key = \"%s\"", alnum, 40),
		m.value("an INI file", "password=%s", alnum, 20),
		m.value("properties", "spring.datasource.password=%s", alnum, 20),
		m.value("properties with a colon", "db.password : %s", alnum, 20),
		m.value("an element of XML", "  <password>%s</password>", alnum, 20),
		m.value("an attribute of XML", "  <user name=\"app\" password=\"%s\"/>", alnum, 20),
		m.value("a setting of XML", "  <add key=\"ApiSecret\" value=\"%s\"/>", alnum, 32),
		m.value("a property of XML", "  <property name=\"password\" value=\"%s\" />", alnum, 24),
		m.value("a property list", "  <key>ApiToken</key>\n  <string>%s</string>", alnum, 32),
		m.value("strings of Android", "  <string name=\"api_key\">%s</string>", alnum, 39),
		m.value("HCL", "  master_password = \"%s\"", alnum, 24),
		m.value("a Dockerfile", "ENV API_TOKEN %s", alnum, 32),
		m.value("an argument of docker", "docker run -e DB_PASSWORD=%s app", alnum, 20),
		m.value("docker compose", "      - POSTGRES_PASSWORD=%s", alnum, 20),
		m.value("a flag", "deploy --token %s --now", alnum, 32),
		m.value("a flag with a sign", "deploy --api-key=%s --now", alnum, 32),
		m.value("a flag of a password", "mysql -u app --password=%s db", symbols, 16),
		m.value("a password of curl", "curl -u app:%s https://acme.internal/", alnum, 24),
		m.value("a header of curl", "curl -H \"Authorization: Bearer %s\" https://acme.internal/", alnum, 40),
		m.value("a password of sshpass", "sshpass -p '%s' ssh app@db7.acme.internal", symbols, 16),
		m.value("a password of docker", "docker login -u app -p %s registry.acme.internal", alnum, 24),
		m.value("a key as JSON", "{\"kty\":\"EC\",\"crv\":\"P-256\",\"d\":\"%s\"}", alnum, 43),
		m.value("a hash of a password", "app:$6$rounds$%s", alnum, 86),
		m.value("a header", "Authorization: Bearer %s", alnum, 40),
		m.value("a header of another scheme", "Authorization: Token %s", hex, 40),
		m.value("a header with a name of its own", "X-Api-Key: %s", alnum, 32),
		m.value("a header in a program", "headers.set('X-Auth-Token', '%s')", alnum, 32),
		m.value("a header in JSON", "{\"Authorization\": \"Bearer %s\"}", alnum, 40),
		m.value("a query", "https://acme.internal/x?access_token=%s&n=1", alnum, 32),
		m.value("a query of a key", "https://acme.internal/x?n=1&api_key=%s", alnum, 32),
		m.value("a connection string", "Server=db7;Database=x;User Id=app;Password=%s;Encrypt=True", alnum, 20),
		m.value("a short name in a connection string", "Server=db7;Uid=app;Pwd=%s;", alnum, 20),
		m.value("a line of .netrc", "machine acme.internal login app password %s", alnum, 24),
		m.value("SQL", "ALTER USER app WITH PASSWORD '%s';", symbols, 16),
		m.value("SQL of MySQL", "CREATE USER 'app'@'%%' IDENTIFIED BY '%s';", symbols, 16),
		m.value("a setting of Redis", "requirepass %s", alnum, 32),
		m.value("a comment", "# the old password: %s", symbols, 18),
		m.value("Markdown", "Log in with the token `%s`.", alnum, 40),
		m.value("a secret of AWS", "aws_secret_access_key = %s", b64, 40),
		m.value("a secret of a webhook", "WEBHOOK_SECRET=%s", hex, 40),
		m.value("a signing key", "signing_key: '%s'", b64, 44),
		m.value("an encryption key", "ENCRYPTION_KEY=%s=", b64, 43),
	}
	basic := m.Random("basic", alnum, 20)
	encoded := base64.StdEncoding.EncodeToString([]byte("app:" + basic))
	return append(list, Shape{Name: "basic authorization", Text: "Authorization: Basic " + encoded,
		Values: []string{encoded}})
}

// keys are private keys in PEM and without it.
func (m Maker) keys() (list []Shape) {
	for _, kind := range []string{"RSA", "EC", "DSA", "OPENSSH", "ENCRYPTED", ""} {
		lines := m.Key(strings.TrimSpace(kind+" PRIVATE KEY"), 27)
		list = append(list, Shape{Name: "a key in PEM " + kind, Text: strings.Join(lines, "\n"), Values: lines[1:28]})
	}
	pem := m.Key("RSA PRIVATE KEY", 25)
	whole := strings.Join(pem, "\n") + "\n"
	in := func(name, text string) Shape { return Shape{Name: name, Text: text, Values: pem[1:26]} }
	list = append(list,
		in("a key in a string", `key = "`+strings.ReplaceAll(whole, "\n", `\n`)+`"`),
		in("a key in strings", "key = \""+strings.Join(pem, "\\n\" +\n  \"")+"\""),
		in("a key in YAML", "key: |\n  "+strings.Join(pem, "\n  ")),
		in("a key in a comment", "/*\n * "+strings.Join(pem, "\n * ")+"\n */"),
		in("a key with its lines ended as on Windows", strings.Join(pem, "\r\n")),
		in("a key in JSON", `{"type": "service_account", "private_key": "`+strings.ReplaceAll(whole, "\n", `\n`)+`"}`),
	)
	coded := func(name, before, text, after string) Shape {
		var values []string
		for v := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("\n \"\\", r) }) {
			if len(v) >= 16 {
				values = append(values, v)
			}
		}
		return Shape{Name: name, Text: before + text + after, Values: values}
	}
	once := base64.StdEncoding.EncodeToString([]byte(whole))
	der := func(head string, n int) string { return head + m.Random(head, b64, n) }
	return append(list,
		coded("Base64 of a key", "client-key-data: ", once, ""),
		coded("Base64 of a key, wrapped", "data: |\n  ", wrap(once, "\n  "), ""),
		coded("Base64 of a key after a line break", "x: ", base64.StdEncoding.EncodeToString([]byte("\n"+whole)), ""),
		coded("Base64 of Base64 of a key", "x: ", base64.StdEncoding.EncodeToString([]byte(once)), ""),
		coded("RSA in DER", "k = \"", der("MIIEvgIBADANBgkqhkiG9w0BAQEFAASC", 1580), "\""),
		coded("RSA in DER, wrapped", "", wrap(der("MIIEpAIBAAKCAQEA", 1576), "\n"), ""),
		coded("EC in DER", "k = \"", der("MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg", 136), "\""),
		coded("an old key of EC in DER", "k = \"", der("MHcCAQEEI", 151), "\""),
		coded("Ed25519 in DER", "k = \"", der("MC4CAQAwBQYDK2VwBCIEI", 43), "\""),
		coded("OpenSSH without its armor", "", wrap(der("b3BlbnNzaC1rZXktdjEAAAAA", 1000), "\n"), ""),
		coded("PKCS #12", "k = \"", der("MIIJqAIBAzCCCW4GCSqGSIb3DQEHAaCC", 1200), "\""),
	)
}

// blocks are secrets that only the lines around them tell.
func (m Maker) blocks() []Shape {
	pgp := append([]string{"-----BEGIN PGP PRIVATE KEY BLOCK-----", ""}, m.Key("PGP PRIVATE KEY BLOCK", 25)[1:]...)
	manifest := m.Random("manifest", alnum, 22) + "=="
	plain := "hunter" + m.Random("plain", digits, 2)
	return []Shape{
		{Name: "a key of OpenPGP", Text: strings.Join(pgp, "\n"), Values: pgp[2:27]},
		{Name: "a secret of Kubernetes", Values: []string{manifest},
			Text: "---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  one: " + manifest + "\n---"},
		{Name: "a plain secret of Kubernetes", Values: []string{plain},
			Text: "---\nkind: Secret\nstringData:\n  two: " + plain + "\n---"},
	}
}

// wrap puts a separator behind each 64 bytes of a text.
func wrap(text, separator string) string {
	var lines []string
	for len(text) > 64 {
		lines, text = append(lines, text[:64]), text[64:]
	}
	return strings.Join(append(lines, text), separator)
}
