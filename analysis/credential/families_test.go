package credential

import (
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	setAlnum  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	setToken  = setAlnum + "_-"
	setHex    = "0123456789abcdef"
	setB32    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	setB58    = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	setAlpha  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	setDigits = "0123456789"
	setB64    = setAlnum + "+/"
)

func draw(r *rand.Rand, set string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = set[r.IntN(len(set))]
	}
	return string(b)
}

func base(sum uint32, digits string, width int) string {
	b := make([]byte, width)
	for i := width - 1; i >= 0; i-- {
		b[i] = digits[int(sum)%len(digits)]
		sum /= uint32(len(digits))
	}
	return string(b)
}

func withCRC62(r *rand.Rand) string {
	body := draw(r, setAlnum, 30)
	return body + base(crc32.ChecksumIEEE([]byte(body)), base62, 6)
}

func openAIBody(r *rand.Rand, side int) string {
	return draw(r, setToken, side-1) + draw(r, setAlnum, 1) + openAI + draw(r, setToken, side-1) + draw(r, setAlnum, 1)
}

func jwtSample(r *rand.Rand) string {
	enc := base64.RawURLEncoding.EncodeToString
	return enc([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + enc([]byte(`{"sub":"usr_`+draw(r, setAlnum, 12)+`","exp":17`+draw(r, setDigits, 8)+`}`)) + "." +
		enc([]byte(draw(r, setAlnum+" !#$%", 32)))
}

func gitlabRoutable(r *rand.Rand, version string) string {
	payload := draw(r, setToken, 26) + draw(r, setAlnum, 1)
	tok := "glpat-" + payload + "." + version + base(uint32(len(payload)), base36, 2)
	return tok + base(crc32.ChecksumIEEE([]byte(tok)), base36, 7)
}

// sampleFamilies draws a fresh, valid value of every family. Values that need a
// name or a URL around them carry it.
var sampleFamilies = []struct {
	name string
	draw func(*rand.Rand) string
}{
	{"openai legacy", func(r *rand.Rand) string { return "sk-" + draw(r, setAlnum, 20) + openAI + draw(r, setAlnum, 20) }},
	{"openai project 74", func(r *rand.Rand) string { return "sk-proj-" + openAIBody(r, 74) }},
	{"openai project 58", func(r *rand.Rand) string { return "sk-proj-" + openAIBody(r, 58) }},
	{"openai project 20", func(r *rand.Rand) string { return "sk-proj-" + openAIBody(r, 20) }},
	{"openai service account", func(r *rand.Rand) string { return "sk-svcacct-" + openAIBody(r, 58) }},
	{"openai admin", func(r *rand.Rand) string { return "sk-admin-" + openAIBody(r, 74) }},
	{"openai none", func(r *rand.Rand) string { return "sk-None-" + draw(r, setAlnum, 20) + openAI + draw(r, setAlnum, 20) }},
	{"openai service", func(r *rand.Rand) string {
		return "sk-service-backup-" + draw(r, setAlnum, 20) + openAI + draw(r, setAlnum, 20)
	}},
	{"anthropic api", func(r *rand.Rand) string {
		return "sk-ant-api03-" + draw(r, setToken, 92) + draw(r, setAlnum, 1) + "AA"
	}},
	{"anthropic admin", func(r *rand.Rand) string {
		return "sk-ant-admin01-" + draw(r, setToken, 92) + draw(r, setAlnum, 1) + "AA"
	}},
	{"anthropic oauth", func(r *rand.Rand) string {
		return "sk-ant-oat01-" + draw(r, setToken, 92) + draw(r, setAlnum, 1) + "AA"
	}},
	{"anthropic refresh", func(r *rand.Rand) string { return "sk-ant-ort01-" + draw(r, setToken, 94) + draw(r, setAlnum, 1) }},
	{"openrouter", func(r *rand.Rand) string { return "sk-or-v1-" + draw(r, setHex, 64) }},
	{"deepseek", func(r *rand.Rand) string { return "sk-" + draw(r, setHex, 32) }},
	{"resend", func(r *rand.Rand) string { return "re_" + draw(r, setB58, 8) + "_" + draw(r, setB58, 24) }},
	{"posthog personal", func(r *rand.Rand) string { return "phx_" + draw(r, setB58, 43+r.IntN(7)) }},
	{"posthog project", func(r *rand.Rand) string { return "phc_" + draw(r, setB58, 43) }},
	{"posthog oauth", func(r *rand.Rand) string { return "pha_" + draw(r, setB58, 44) }},
	{"aws id", func(r *rand.Rand) string { return "AKIA" + draw(r, setB32, 16) }},
	{"aws session id", func(r *rand.Rand) string { return "ASIA" + draw(r, setB32, 16) }},
	{"aws secret", func(r *rand.Rand) string {
		return "aws_secret_access_key = " + draw(r, setB64, 39) + draw(r, setAlnum, 1)
	}},
	{"aws bedrock", func(r *rand.Rand) string {
		return "ABSK" + base64.StdEncoding.EncodeToString([]byte("BedrockAPIKey-"+draw(r, setAlnum, 10)+":"+draw(r, setAlnum, 64)))
	}},
	{"github classic", func(r *rand.Rand) string { return "ghp_" + withCRC62(r) }},
	{"github oauth", func(r *rand.Rand) string { return "gho_" + withCRC62(r) }},
	{"github installation", func(r *rand.Rand) string { return "ghs_" + withCRC62(r) }},
	{"github fine-grained", func(r *rand.Rand) string { return "github_pat_" + draw(r, setAlnum, 22) + "_" + draw(r, setAlnum, 59) }},
	{"github stateless", func(r *rand.Rand) string { return "ghs_" + draw(r, setDigits, 7) + "_" + jwtSample(r) }},
	{"gitlab", func(r *rand.Rand) string { return "glpat-" + draw(r, setToken, 19) + draw(r, setAlnum, 1) }},
	{"gitlab routable", func(r *rand.Rand) string { return gitlabRoutable(r, "") }},
	{"gitlab versioned", func(r *rand.Rand) string { return gitlabRoutable(r, "01.") }},
	{"gitlab runner", func(r *rand.Rand) string { return "glrt-" + draw(r, setAlnum, 20) }},
	{"slack bot", func(r *rand.Rand) string {
		return "xoxb-" + draw(r, setDigits, 12) + "-" + draw(r, setDigits, 13) + "-" + draw(r, setAlnum, 24)
	}},
	{"slack user", func(r *rand.Rand) string {
		return "xoxp-" + draw(r, setDigits, 12) + "-" + draw(r, setDigits, 12) + "-" + draw(r, setDigits, 12) + "-" + draw(r, setHex, 32)
	}},
	{"slack app", func(r *rand.Rand) string {
		return "xapp-1-A" + draw(r, setAlnum, 10) + "-" + draw(r, setDigits, 13) + "-" + draw(r, setHex, 64)
	}},
	{"slack hook", func(r *rand.Rand) string {
		return "https://hooks.slack.com/services/T" + draw(r, setB32, 10) + "/B" + draw(r, setB32, 10) + "/" + draw(r, setAlnum, 24)
	}},
	{"stripe", func(r *rand.Rand) string { return "sk_live_" + draw(r, setAlnum, 24) }},
	{"stripe long", func(r *rand.Rand) string { return "sk_live_" + draw(r, setAlnum, 99) }},
	{"stripe restricted", func(r *rand.Rand) string { return "rk_live_" + draw(r, setAlnum, 24) }},
	{"stripe webhook", func(r *rand.Rand) string { return "whsec_" + draw(r, setAlnum, 32) }},
	{"google", func(r *rand.Rand) string { return "AIzaSy" + draw(r, setToken, 32) + draw(r, setAlnum, 1) }},
	{"google oauth", func(r *rand.Rand) string { return "GOCSPX-" + draw(r, setToken, 27) + draw(r, setAlnum, 1) }},
	{"hugging face", func(r *rand.Rand) string { return "hf_" + draw(r, setAlpha, 34) }},
	{"npm", func(r *rand.Rand) string { return "npm_" + withCRC62(r) }},
	{"jwt", jwtSample},
	{"telegram", func(r *rand.Rand) string {
		return draw(r, "123456789", 10) + ":AA" + draw(r, setToken, 32) + draw(r, setAlnum, 1)
	}},
	{"discord", func(r *rand.Rand) string {
		return base64.RawURLEncoding.EncodeToString([]byte("1"+draw(r, setDigits, 17))) + "." + draw(r, setAlnum, 6) + "." + draw(r, setToken, 37) + draw(r, setAlnum, 1)
	}},
	{"discord hook", func(r *rand.Rand) string {
		return "https://discord.com/api/webhooks/" + draw(r, "123456789", 18) + "/" + draw(r, setToken, 67) + draw(r, setAlnum, 1)
	}},
	{"sendgrid", func(r *rand.Rand) string {
		return "SG." + draw(r, setToken, 22) + "." + draw(r, setToken, 42) + draw(r, setAlnum, 1)
	}},
	{"supabase", func(r *rand.Rand) string { return "sbp_" + draw(r, setHex, 40) }},
	{"supabase secret", func(r *rand.Rand) string { return "sb_secret_" + draw(r, setToken, 22) + "_" + draw(r, setAlnum, 8) }},
	{"linear", func(r *rand.Rand) string { return "lin_api_" + draw(r, setAlnum, 40) }},
	{"notion", func(r *rand.Rand) string { return "ntn_" + draw(r, setDigits, 11) + draw(r, setAlnum, 35) }},
	{"notion old", func(r *rand.Rand) string { return "secret_" + draw(r, setAlnum, 43) }},
	{"perplexity", func(r *rand.Rand) string { return "pplx-" + draw(r, setAlnum, 48) }},
	{"groq", func(r *rand.Rand) string { return "gsk_" + draw(r, setAlnum, 52) }},
	{"xai", func(r *rand.Rand) string { return "xai-" + draw(r, setAlnum, 80) }},
	{"replicate", func(r *rand.Rand) string { return "r8_" + draw(r, setAlnum, 37) }},
	{"cloudflare", func(r *rand.Rand) string { return "cfut_" + draw(r, setAlnum, 40) + draw(r, setHex, 8) }},
	{"vercel", func(r *rand.Rand) string { return "vcp_" + draw(r, setAlnum, 24+r.IntN(33)) }},
	{"langsmith", func(r *rand.Rand) string { return "lsv2_pt_" + draw(r, setHex, 32) + "_" + draw(r, setHex, 10) }},
	{"databricks", func(r *rand.Rand) string { return "dapi" + draw(r, setHex, 32) }},
	{"digitalocean", func(r *rand.Rand) string { return "dop_v1_" + draw(r, setHex, 64) }},
	{"vault", func(r *rand.Rand) string { return "hvs." + draw(r, setToken, 94) + draw(r, setAlnum, 1) }},
	{"docker", func(r *rand.Rand) string { return "dckr_pat_" + draw(r, setToken, 26) + draw(r, setAlnum, 1) }},
	{"shopify", func(r *rand.Rand) string { return "shpat_" + draw(r, setHex, 32) }},
	{"pypi", func(r *rand.Rand) string {
		return "pypi-AgEIcHlwaS5vcmc" + draw(r, setToken, 150) + draw(r, setAlnum, 1)
	}},
	{"figma", func(r *rand.Rand) string { return "figd_" + draw(r, setToken, 42) + draw(r, setAlnum, 1) }},
	{"airtable", func(r *rand.Rand) string { return "pat" + draw(r, setAlnum, 14) + "." + draw(r, setHex, 64) }},
	{"url password", func(r *rand.Rand) string {
		return "postgres://svc_app:" + draw(r, setAlnum, 18) + "@db.internal:5432/app"
	}},
	{"redis password", func(r *rand.Rand) string { return "redis://:" + draw(r, setAlnum, 18) + "@cache.internal:6379/0" }},
	{"connection string", func(r *rand.Rand) string {
		return "Server=db.internal;Database=crm;User=svc;Password=" + draw(r, setAlnum+"!%", 17) + draw(r, setDigits, 1)
	}},
	{"named key", func(r *rand.Rand) string { return "api_key: " + draw(r, setAlnum, 31) + draw(r, setDigits, 1) }},
	{"named secret", func(r *rand.Rand) string {
		return `"client_secret": "` + draw(r, setAlnum, 31) + draw(r, setDigits, 1) + `"`
	}},
	{"bearer", func(r *rand.Rand) string { return "Authorization: Bearer " + draw(r, setAlnum, 38) }},
}

// contexts are the surroundings that decide what other scanners find.
var contexts = []string{
	"%s", " %s ", "\"%s\"", "'%s'", "`%s`", "Key: %s\n", "It is %s.\nNext", "%s, and", "Is it %s?", "Use %s!", "(%s)", "**%s**", "| %s |", "<%s>", "“%s”", "%s — more",
	"a=%s&b=2", "<!-- %s-->", "%s\\\nmore", "密钥%s结束", "[claim] The key is %s.", "x (%s).", "%s; then",
}

func TestEveryFamilyIsFoundInEveryContext(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	const rounds = 40
	total, missed := 0, 0
	for _, f := range sampleFamilies {
		for range rounds {
			value := f.draw(r)
			for _, c := range contexts {
				if strings.HasPrefix(c, "a=") && strings.ContainsAny(value, " ;:") || c == "(%s)" && strings.HasPrefix(f.name, "named") {
					continue
				}
				total++
				text := fmt.Sprintf(c, value)
				hits := scanAll(text)
				if len(hits) != 1 {
					missed++
					if missed < 20 {
						t.Logf("%s in %q: %d hits (%d bytes)", f.name, c, len(hits), len(value))
					}
					continue
				}
				h := hits[0]
				if h.Severity != Error || h.Start < h.MatchStart || h.End > len(text) || strings.Contains(Mask(text, hits), value[max(0, len(value)-12):]) && !strings.Contains(value, "://") {
					t.Errorf("%s in %q: wrong hit %+v", f.name, c, h)
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
	for _, f := range sampleFamilies {
		value := f.draw(r)
		if strings.ContainsAny(value, " :/=") {
			continue
		}
		if got := scanAll("my_" + value + " "); len(got) != 1 {
			t.Errorf("my_<%s>: %d hits", f.name, len(got))
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
		body := withCRC62(r)
		bad := prefix + body[:30] + "9" + body[31:]
		if body[30] == '9' {
			bad = prefix + body[:30] + "8" + body[31:]
		}
		hits := scanAll("It is " + bad + ".")
		if len(hits) != 1 || hits[0].Severity != Info {
			t.Errorf("%s: want one info hit, got %v", prefix, hits)
		}
	}
	tok := gitlabRoutable(r, "01.")
	hits := scanAll(tok[:len(tok)-1] + string(base36[(strings.IndexByte(base36, tok[len(tok)-1])+1)%36]))
	if len(hits) != 1 || hits[0].Severity != Info {
		t.Errorf("gitlab: want one info hit, got %v", hits)
	}
}

func TestPrivateKeysSpanTheirBody(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 4))
	line := func() string { return draw(r, setB64, 64) }
	l1, l2, l3 := line(), line(), draw(r, setB64, 30)
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
