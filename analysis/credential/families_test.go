package credential

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/credtest"
)

// contexts are the surroundings that decide what other scanners find.
var contexts = []string{
	"%s", " %s ", "\"%s\"", "'%s'", "`%s`", "Key: %s\n", "It is %s.\nNext", "%s, and", "Is it %s?", "Use %s!", "(%s)", "**%s**", "| %s |", "<%s>", "“%s”", "%s — more",
	"a=%s&b=2", "<!-- %s-->", "%s\\\nmore", "密钥%s结束", "[claim] The key is %s.", "x (%s).", "%s; then",
}

func TestEveryFamilyIsFoundInEveryContext(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	const rounds = 40
	total, missed := 0, 0
	for _, f := range credtest.Families {
		for range rounds {
			value := f.Draw(r)
			for _, c := range contexts {
				if strings.HasPrefix(c, "a=") && strings.ContainsAny(value, " ;:") || c == "(%s)" && strings.HasPrefix(f.Name, "named") {
					continue
				}
				total++
				text := fmt.Sprintf(c, value)
				hits := scanAll(text)
				if len(hits) != 1 {
					missed++
					if missed < 20 {
						t.Logf("%s in %q: %d hits (%d bytes)", f.Name, c, len(hits), len(value))
					}
					continue
				}
				h := hits[0]
				if h.Severity != Error || h.Start < h.MatchStart || h.End > len(text) || strings.Contains(Mask(text, hits), value[max(0, len(value)-12):]) && !strings.Contains(value, "://") {
					t.Errorf("%s in %q: wrong hit %+v", f.Name, c, h)
				}
			}
		}
	}
	t.Logf("%d of %d planted values found", total-missed, total)
	if missed*1000 > total {
		t.Errorf("%d of %d planted values missed", missed, total)
	}
}

func TestUnderscoreMayPrecedeAToken(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for _, f := range credtest.Families {
		value := f.Draw(r)
		if strings.ContainsAny(value, " :/=") {
			continue
		}
		if got := scanAll("my_" + value + " "); len(got) != 1 {
			t.Errorf("my_<%s>: %d hits", f.Name, len(got))
		}
	}
}

func TestPlaceholdersPass(t *testing.T) {
	for _, text := range []string{
		"ghp_" + strings.Repeat("x", 36), "sk-proj-" + strings.Repeat("x", 60), "sk-ant-api03-...", "AIzaSy" + strings.Repeat("X", 33),
		"sk_live_your_secret_key", "xoxb-your-bot-token", "xoxb-123456789012-123456789012-abcdefghijklmnopqrstuvwx", "glpat-XXXXXXXXXXXXXXXXXXXX",
		"hf_abcdefghijklmnopqrstuvwxyzabcdefgh", "gsk_YOUR_KEY_HERE", "npm_0123456789abcdefghijklmnopqrstuvwxyz",
		"postgres://user:password@localhost:5432/mydb", "postgres://app:${DB_PASSWORD}@db:5432/app", "mysql://root:<password>@db/app",
		"https://user:%2A%2A%2A%2A%2A%2A%2A%2A@host.internal", "https://oauth2:$TOKEN@git.internal/x", "amqp://guest:guest@localhost:5672/",
		"mongodb://admin:changeme@mongo:27017", "api_key: your_api_key_here_please_replace", "token: ${{ secrets.GITHUB_TOKEN }}",
		`api_key = os.environ["NORTHWIND_API_KEY"]`, "password: vault:secret/data/app#password", "secret: op://vault/item/field-name-here",
		"token: arn:aws:secretsmanager:eu-west-1:123456789012:secret:x", "const token = process.env.NORTHWIND_SERVICE_TOKEN;",
		"Authorization: Bearer $DEPLOY_TOKEN_FROM_ENV", "Authorization: Bearer {{access_token_here}}", "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
		"Authorization: Basic dXNlcm5hbWU6cGFzc3dvcmQ=", "ASIAPACIFICOPERATION", "hf_TokenizerConfigurationLoaderHelperXy", "AROAWQ4XK7ZP2MB5N6TD",
		"_call_hf_processorWithBatchedInputsAndCache", "arn:aws:iam::123456789012:role/deploy", "sha512-" + strings.Repeat("Ab3/", 21) + "==",
		"pk_live_51HxQ8mKz7RtYb2LmWc2RfNx8", "sk_test_51HxQ8mKz7RtYb2LmWc2RfNx8", "sb_publishable_Eu4NmhywerDED7bXPrV0rB_aVCs1NKq",
		"tokenizationId: 8f14e45fceea167a5a36dedd4bea2543", "cache_key: 8f14e45fceea167a5a36dedd4bea2543", "Idempotency-Key: 6f1c9a52-3c1e-4b7f-9c58-6a1f2b3c4d5e",
		"nextPageToken: CAUQAA8f14e45fceea167a5a", "public_key: MCowBQYDK2VwAyEAJv2O0mXBBBjfRAobyOct8YCwg4FhZp", "max_tokens: 4096", "partition key: customer#1234567890abcdef",
		"the primary key is user_01HQ3K5ZJ8X9Y7W6V5T4S3R2Q1", "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
		"-----BEGIN PRIVATE KEY-----\\n...\\n-----END PRIVATE KEY-----", "reject -----BEGIN RSA PRIVATE KEY----- lines", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9 only",
		"curl -u admin:password https://jenkins.internal", "curl -u $USER:$PASS https://jenkins.internal/build", "curl --user name:token https://x.internal/some/path",
		"hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", "https://hooks.slack.com/services/YOUR/WEBHOOK/URL",
		"gitlab-ci-token:$CI_JOB_TOKEN@gitlab.internal/x.git", "http://localhost:3001/@scope/package-name", "re_engagement_email_sequence_two",
		"task-list-item-component-wrapper", "sk-button-primary-large-outlined-v2", "sk-folding-cube and sk-cube-grid", "key: ctrl+shift+alt+down",
		"token = getAccess(session)", "apiKey: string; refreshToken: string", "password: string().min(12).max(128)", "SLOVAKIA-NATIONAL-PARKS",
	} {
		if hits := scanAll(text); len(hits) != 0 {
			t.Errorf("%q: %s", text, hits[0].Message)
		}
	}
}

func TestWrongChecksumIsInfo(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	for _, prefix := range []string{"ghp_", "gho_", "ghs_", "npm_"} {
		body := credtest.WithCRC62(r)
		bad := prefix + body[:30] + "9" + body[31:]
		if body[30] == '9' {
			bad = prefix + body[:30] + "8" + body[31:]
		}
		hits := scanAll("It is " + bad + ".")
		if len(hits) != 1 || hits[0].Severity != Info {
			t.Errorf("%s: want one info hit, got %v", prefix, hits)
		}
	}
	tok := credtest.GitLabRoutable(r, "01.")
	hits := scanAll(tok[:len(tok)-1] + string(base36[(strings.IndexByte(base36, tok[len(tok)-1])+1)%36]))
	if len(hits) != 1 || hits[0].Severity != Info {
		t.Errorf("gitlab: want one info hit, got %v", hits)
	}
}

func TestPrivateKeysSpanTheirBody(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 4))
	line := func() string { return credtest.Draw(r, credtest.SetB64, 64) }
	l1, l2, l3 := line(), line(), credtest.Draw(r, credtest.SetB64, 30)
	for name, text := range map[string]string{
		"plain":      "a\n-----BEGIN RSA PRIVATE KEY-----\n" + l1 + "\n" + l2 + "\n" + l3 + "\n-----END RSA PRIVATE KEY-----\nb",
		"crlf":       "a\r\n-----BEGIN EC PRIVATE KEY-----\r\n" + l1 + "\r\n" + l3 + "\r\n-----END EC PRIVATE KEY-----\r\n",
		"indented":   "key: |\n    -----BEGIN PRIVATE KEY-----\n    " + l1 + "\n    -----END PRIVATE KEY-----\n",
		"quoted":     "> -----BEGIN OPENSSH PRIVATE KEY-----\n> " + l1 + "\n> " + l2 + "\n",
		"encrypted":  "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,8F0E4C1B2A3D4E5F8F0E4C1B2A3D4E5F\n\n" + l1 + "\n" + l2 + "\n-----END RSA PRIVATE KEY-----",
		"json":       `{"private_key": "-----BEGIN PRIVATE KEY-----\n` + l1 + `\n` + l2 + `\n-----END PRIVATE KEY-----\n"}`,
		"unfinished": "-----BEGIN PRIVATE KEY-----\n" + l1 + "\n",
	} {
		hits := scanAll(text)
		if len(hits) != 1 {
			t.Errorf("%s: %d hits", name, len(hits))
			continue
		}
		if got := Mask(text, hits); strings.Contains(got, l1[:20]) || len(got) != len(text) || strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%s: body not masked", name)
		}
		if !strings.HasPrefix(text[hits[0].MatchStart:], "-----BEGIN ") {
			t.Errorf("%s: finding starts at %d", name, hits[0].MatchStart)
		}
	}
	for _, label := range []string{"PUBLIC KEY", "CERTIFICATE"} {
		if hits := scanAll("-----BEGIN " + label + "-----\n" + l1 + "\n-----END " + label + "-----\n"); len(hits) != 0 {
			t.Errorf("%s reported: %s", label, hits[0].Message)
		}
	}
}
