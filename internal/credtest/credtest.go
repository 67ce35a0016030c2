// Package credtest draws values that look like live credentials, for tests. None of
// them was ever issued by anybody.
package credtest

import (
	"encoding/base64"
	"hash/crc32"
	"math/rand/v2"
)

const (
	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	base36 = "0123456789abcdefghijklmnopqrstuvwxyz"
	openAI = "T3BlbkFJ" // base64 of "OpenAI"
)

const (
	setAlnum  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	setToken  = setAlnum + "_-"
	setHex    = "0123456789abcdef"
	setB32    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	setB58    = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	setAlpha  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	setDigits = "0123456789"
	// SetB64 are the characters of base64.
	SetB64 = setAlnum + "+/"
)

// Draw makes a text of n characters of a set.
func Draw(r *rand.Rand, set string, n int) string {
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

// WithCRC62 draws a body with the checksum that several vendors put behind it.
func WithCRC62(r *rand.Rand) string {
	body := Draw(r, setAlnum, 30)
	return body + base(crc32.ChecksumIEEE([]byte(body)), base62, 6)
}

func openAIBody(r *rand.Rand, side int) string {
	return Draw(r, setToken, side-1) + Draw(r, setAlnum, 1) + openAI + Draw(r, setToken, side-1) + Draw(r, setAlnum, 1)
}

func jwtSample(r *rand.Rand) string {
	enc := base64.RawURLEncoding.EncodeToString
	return enc([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + enc([]byte(`{"sub":"usr_`+Draw(r, setAlnum, 12)+`","exp":17`+Draw(r, setDigits, 8)+`}`)) + "." +
		enc([]byte(Draw(r, setAlnum+" !#$%", 32)))
}

// GitLabRoutable draws a token of GitLab in the routable form.
func GitLabRoutable(r *rand.Rand, version string) string {
	payload := Draw(r, setToken, 26) + Draw(r, setAlnum, 1)
	tok := "glpat-" + payload + "." + version + base(uint32(len(payload)), base36, 2)
	return tok + base(crc32.ChecksumIEEE([]byte(tok)), base36, 7)
}

// A Family is a kind of credential.
type Family struct {
	Name string
	Draw func(*rand.Rand) string
}

// Families draw a fresh, valid value of every family. Values that need a
// name or a URL around them carry it.
var Families = []Family{
	{"openai legacy", func(r *rand.Rand) string { return "sk-" + Draw(r, setAlnum, 20) + openAI + Draw(r, setAlnum, 20) }},
	{"openai project 74", func(r *rand.Rand) string { return "sk-proj-" + openAIBody(r, 74) }},
	{"openai project 58", func(r *rand.Rand) string { return "sk-proj-" + openAIBody(r, 58) }},
	{"openai project 20", func(r *rand.Rand) string { return "sk-proj-" + openAIBody(r, 20) }},
	{"openai service account", func(r *rand.Rand) string { return "sk-svcacct-" + openAIBody(r, 58) }},
	{"openai admin", func(r *rand.Rand) string { return "sk-admin-" + openAIBody(r, 74) }},
	{"openai none", func(r *rand.Rand) string { return "sk-None-" + Draw(r, setAlnum, 20) + openAI + Draw(r, setAlnum, 20) }},
	{"openai service", func(r *rand.Rand) string {
		return "sk-service-backup-" + Draw(r, setAlnum, 20) + openAI + Draw(r, setAlnum, 20)
	}},
	{"anthropic api", func(r *rand.Rand) string {
		return "sk-ant-api03-" + Draw(r, setToken, 92) + Draw(r, setAlnum, 1) + "AA"
	}},
	{"anthropic admin", func(r *rand.Rand) string {
		return "sk-ant-admin01-" + Draw(r, setToken, 92) + Draw(r, setAlnum, 1) + "AA"
	}},
	{"anthropic oauth", func(r *rand.Rand) string {
		return "sk-ant-oat01-" + Draw(r, setToken, 92) + Draw(r, setAlnum, 1) + "AA"
	}},
	{"anthropic refresh", func(r *rand.Rand) string { return "sk-ant-ort01-" + Draw(r, setToken, 94) + Draw(r, setAlnum, 1) }},
	{"openrouter", func(r *rand.Rand) string { return "sk-or-v1-" + Draw(r, setHex, 64) }},
	{"deepseek", func(r *rand.Rand) string { return "sk-" + Draw(r, setHex, 32) }},
	{"resend", func(r *rand.Rand) string { return "re_" + Draw(r, setB58, 8) + "_" + Draw(r, setB58, 24) }},
	{"posthog personal", func(r *rand.Rand) string { return "phx_" + Draw(r, setB58, 43+r.IntN(7)) }},
	{"posthog project", func(r *rand.Rand) string { return "phc_" + Draw(r, setB58, 43) }},
	{"posthog oauth", func(r *rand.Rand) string { return "pha_" + Draw(r, setB58, 44) }},
	{"aws id", func(r *rand.Rand) string { return "AKIA" + Draw(r, setB32, 16) }},
	{"aws session id", func(r *rand.Rand) string { return "ASIA" + Draw(r, setB32, 16) }},
	{"aws secret", func(r *rand.Rand) string {
		return "aws_secret_access_key = " + Draw(r, SetB64, 39) + Draw(r, setAlnum, 1)
	}},
	{"aws bedrock", func(r *rand.Rand) string {
		return "ABSK" + base64.StdEncoding.EncodeToString([]byte("BedrockAPIKey-"+Draw(r, setAlnum, 10)+":"+Draw(r, setAlnum, 64)))
	}},
	{"github classic", func(r *rand.Rand) string { return "ghp_" + WithCRC62(r) }},
	{"github oauth", func(r *rand.Rand) string { return "gho_" + WithCRC62(r) }},
	{"github installation", func(r *rand.Rand) string { return "ghs_" + WithCRC62(r) }},
	{"github fine-grained", func(r *rand.Rand) string { return "github_pat_" + Draw(r, setAlnum, 22) + "_" + Draw(r, setAlnum, 59) }},
	{"github stateless", func(r *rand.Rand) string { return "ghs_" + Draw(r, setDigits, 7) + "_" + jwtSample(r) }},
	{"gitlab", func(r *rand.Rand) string { return "glpat-" + Draw(r, setToken, 19) + Draw(r, setAlnum, 1) }},
	{"gitlab routable", func(r *rand.Rand) string { return GitLabRoutable(r, "") }},
	{"gitlab versioned", func(r *rand.Rand) string { return GitLabRoutable(r, "01.") }},
	{"gitlab runner", func(r *rand.Rand) string { return "glrt-" + Draw(r, setAlnum, 20) }},
	{"slack bot", func(r *rand.Rand) string {
		return "xoxb-" + Draw(r, setDigits, 12) + "-" + Draw(r, setDigits, 13) + "-" + Draw(r, setAlnum, 24)
	}},
	{"slack user", func(r *rand.Rand) string {
		return "xoxp-" + Draw(r, setDigits, 12) + "-" + Draw(r, setDigits, 12) + "-" + Draw(r, setDigits, 12) + "-" + Draw(r, setHex, 32)
	}},
	{"slack app", func(r *rand.Rand) string {
		return "xapp-1-A" + Draw(r, setAlnum, 10) + "-" + Draw(r, setDigits, 13) + "-" + Draw(r, setHex, 64)
	}},
	{"slack hook", func(r *rand.Rand) string {
		return "https://hooks.slack.com/services/T" + Draw(r, setB32, 10) + "/B" + Draw(r, setB32, 10) + "/" + Draw(r, setAlnum, 24)
	}},
	{"stripe", func(r *rand.Rand) string { return "sk_live_" + Draw(r, setAlnum, 24) }},
	{"stripe long", func(r *rand.Rand) string { return "sk_live_" + Draw(r, setAlnum, 99) }},
	{"stripe restricted", func(r *rand.Rand) string { return "rk_live_" + Draw(r, setAlnum, 24) }},
	{"stripe webhook", func(r *rand.Rand) string { return "whsec_" + Draw(r, setAlnum, 32) }},
	{"google", func(r *rand.Rand) string { return "AIzaSy" + Draw(r, setToken, 32) + Draw(r, setAlnum, 1) }},
	{"google oauth", func(r *rand.Rand) string { return "GOCSPX-" + Draw(r, setToken, 27) + Draw(r, setAlnum, 1) }},
	{"hugging face", func(r *rand.Rand) string { return "hf_" + Draw(r, setAlpha, 34) }},
	{"npm", func(r *rand.Rand) string { return "npm_" + WithCRC62(r) }},
	{"jwt", jwtSample},
	{"telegram", func(r *rand.Rand) string {
		return Draw(r, "123456789", 10) + ":AA" + Draw(r, setToken, 32) + Draw(r, setAlnum, 1)
	}},
	{"discord", func(r *rand.Rand) string {
		return base64.RawURLEncoding.EncodeToString([]byte("1"+Draw(r, setDigits, 17))) + "." + Draw(r, setAlnum, 6) + "." + Draw(r, setToken, 37) + Draw(r, setAlnum, 1)
	}},
	{"discord hook", func(r *rand.Rand) string {
		return "https://discord.com/api/webhooks/" + Draw(r, "123456789", 18) + "/" + Draw(r, setToken, 67) + Draw(r, setAlnum, 1)
	}},
	{"sendgrid", func(r *rand.Rand) string {
		return "SG." + Draw(r, setToken, 22) + "." + Draw(r, setToken, 42) + Draw(r, setAlnum, 1)
	}},
	{"supabase", func(r *rand.Rand) string { return "sbp_" + Draw(r, setHex, 40) }},
	{"supabase secret", func(r *rand.Rand) string { return "sb_secret_" + Draw(r, setToken, 22) + "_" + Draw(r, setAlnum, 8) }},
	{"linear", func(r *rand.Rand) string { return "lin_api_" + Draw(r, setAlnum, 40) }},
	{"notion", func(r *rand.Rand) string { return "ntn_" + Draw(r, setDigits, 11) + Draw(r, setAlnum, 35) }},
	{"notion old", func(r *rand.Rand) string { return "secret_" + Draw(r, setAlnum, 43) }},
	{"perplexity", func(r *rand.Rand) string { return "pplx-" + Draw(r, setAlnum, 48) }},
	{"groq", func(r *rand.Rand) string { return "gsk_" + Draw(r, setAlnum, 52) }},
	{"xai", func(r *rand.Rand) string { return "xai-" + Draw(r, setAlnum, 80) }},
	{"replicate", func(r *rand.Rand) string { return "r8_" + Draw(r, setAlnum, 37) }},
	{"cloudflare", func(r *rand.Rand) string { return "cfut_" + Draw(r, setAlnum, 40) + Draw(r, setHex, 8) }},
	{"vercel", func(r *rand.Rand) string { return "vcp_" + Draw(r, setAlnum, 24+r.IntN(33)) }},
	{"langsmith", func(r *rand.Rand) string { return "lsv2_pt_" + Draw(r, setHex, 32) + "_" + Draw(r, setHex, 10) }},
	{"databricks", func(r *rand.Rand) string { return "dapi" + Draw(r, setHex, 32) }},
	{"digitalocean", func(r *rand.Rand) string { return "dop_v1_" + Draw(r, setHex, 64) }},
	{"vault", func(r *rand.Rand) string { return "hvs." + Draw(r, setToken, 94) + Draw(r, setAlnum, 1) }},
	{"docker", func(r *rand.Rand) string { return "dckr_pat_" + Draw(r, setToken, 26) + Draw(r, setAlnum, 1) }},
	{"shopify", func(r *rand.Rand) string { return "shpat_" + Draw(r, setHex, 32) }},
	{"pypi", func(r *rand.Rand) string {
		return "pypi-AgEIcHlwaS5vcmc" + Draw(r, setToken, 150) + Draw(r, setAlnum, 1)
	}},
	{"figma", func(r *rand.Rand) string { return "figd_" + Draw(r, setToken, 42) + Draw(r, setAlnum, 1) }},
	{"airtable", func(r *rand.Rand) string { return "pat" + Draw(r, setAlnum, 14) + "." + Draw(r, setHex, 64) }},
	{"url password", func(r *rand.Rand) string {
		return "postgres://svc_app:" + Draw(r, setAlnum, 18) + "@db.internal:5432/app"
	}},
	{"redis password", func(r *rand.Rand) string { return "redis://:" + Draw(r, setAlnum, 18) + "@cache.internal:6379/0" }},
	{"connection string", func(r *rand.Rand) string {
		return "Server=db.internal;Database=crm;User=svc;Password=" + Draw(r, setAlnum+"!%", 17) + Draw(r, setDigits, 1)
	}},
	{"named key", func(r *rand.Rand) string { return "api_key: " + Draw(r, setAlnum, 31) + Draw(r, setDigits, 1) }},
	{"named secret", func(r *rand.Rand) string {
		return `"client_secret": "` + Draw(r, setAlnum, 31) + Draw(r, setDigits, 1) + `"`
	}},
	{"bearer", func(r *rand.Rand) string { return "Authorization: Bearer " + Draw(r, setAlnum, 38) }},
}
