package credential

import "strings"

// rule recognises one vendor format. A body is the longest run of set after
// the prefix, less trailing separators that belong to the prose, and must be
// min to max bytes long.
type rule struct {
	prefix   string
	family   string
	set      uint16
	min, max int
	check    func(body string) verdict
	// head holds the first three bytes of prefix.
	head uint32
}

func head(s string) uint32 { return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 }

type verdict uint8

const (
	reject verdict = iota
	live
	wrongChecksum
)

func judge(ok bool) verdict {
	if ok {
		return live
	}
	return reject
}

func isRandom(b string) verdict { return judge(random(b)) }

func isHex(b string) verdict { return judge(all(b, hexSet) && random(b)) }

func hasCRC62(b string) verdict {
	if !random(b) {
		return reject
	}
	if !crc62(b) {
		return wrongChecksum
	}
	return live
}

// segments checks a body of fixed lengths joined by a separator.
func segments(sep byte, lens ...int) func(string) verdict {
	return func(b string) verdict {
		at := 0
		for k, n := range lens {
			if k > 0 {
				if at >= len(b) || b[at] != sep {
					return reject
				}
				at++
			}
			if at+n > len(b) || !all(b[at:at+n], token) || strings.IndexByte(b[at:at+n], sep) >= 0 && sep != '_' {
				return reject
			}
			at += n
		}
		return judge(at == len(b) && random(b))
	}
}

func hexSegments(sep byte, lens ...int) func(string) verdict {
	shape := segments(sep, lens...)
	return func(b string) verdict {
		for i := range len(b) {
			if !is(b[i], hexSet) && b[i] != sep {
				return reject
			}
		}
		return shape(b)
	}
}

func isBedrock(b string) verdict {
	out, ok := decode64(b)
	return judge(ok && strings.HasPrefix(out, "BedrockAPIKey-"))
}

func isLetters(b string) verdict { return judge(all(b, alpha) && random(b)) }

func isNotion(b string) verdict {
	return judge(run(b, 0, digit, 11) == 11 && all(b[11:], alnum) && random(b[11:]))
}

// vendors lists every format that a prefix, a character set and a length
// describe. Formats with more structure have functions of their own, see
// special.
var vendors = []rule{
	{prefix: "ABSK", family: "AWS Bedrock API key", set: b64 | pad, min: 80, max: 280, check: isBedrock},
	{prefix: "ASIA", family: "AWS temporary access key id", set: base32, min: 16, max: 16, check: isAWS},
	{prefix: "ABIA", family: "AWS bearer token id", set: base32, min: 16, max: 16, check: isAWS},
	{prefix: "ACCA", family: "AWS context credential id", set: base32, min: 16, max: 16, check: isAWS},
	{prefix: "ghp_", family: "GitHub personal access token", set: alnum, min: 36, max: 36, check: hasCRC62},
	{prefix: "gho_", family: "GitHub OAuth token", set: alnum, min: 36, max: 36, check: hasCRC62},
	{prefix: "ghu_", family: "GitHub user token", set: alnum, min: 36, max: 36, check: hasCRC62},
	{prefix: "ghr_", family: "GitHub refresh token", set: alnum, min: 36, max: 76, check: hasCRC62},
	{prefix: "github_pat_", family: "GitHub fine-grained token", set: word, min: 82, max: 82, check: segments('_', 22, 59)},
	{prefix: "glrt-", family: "GitLab runner token", set: token, min: 20, max: 20, check: isRandom},
	{prefix: "gldt-", family: "GitLab deploy token", set: token, min: 20, max: 20, check: isRandom},
	{prefix: "glptt-", family: "GitLab trigger token", set: token, min: 20, max: 64, check: isRandom},
	{prefix: "glcbt-", family: "GitLab job token", set: token, min: 20, max: 64, check: isRandom},
	{prefix: "glft-", family: "GitLab feed token", set: token, min: 20, max: 20, check: isRandom},
	{prefix: "glsoat-", family: "GitLab SCIM token", set: token, min: 20, max: 20, check: isRandom},
	{prefix: "glimt-", family: "GitLab mail token", set: token, min: 20, max: 32, check: isRandom},
	{prefix: "glagent-", family: "GitLab agent token", set: token, min: 40, max: 64, check: isRandom},
	{prefix: "gloas-", family: "GitLab application secret", set: token, min: 40, max: 70, check: isRandom},
	{prefix: "glffct-", family: "GitLab feature flag token", set: token, min: 20, max: 20, check: isRandom},
	{prefix: "GR1348941", family: "GitLab registration token", set: token, min: 20, max: 20, check: isRandom},
	{prefix: "sk_live_", family: "Stripe secret key", set: alnum, min: 20, max: 247, check: isRandom},
	{prefix: "rk_live_", family: "Stripe restricted key", set: alnum, min: 20, max: 247, check: isRandom},
	{prefix: "whsec_", family: "webhook signing secret", set: b64 | pad, min: 32, max: 90, check: isRandom},
	{prefix: "AIza", family: "Google API key", set: token, min: 35, max: 35, check: isRandom},
	{prefix: "GOCSPX-", family: "Google OAuth client secret", set: token, min: 28, max: 28, check: isRandom},
	{prefix: "ya29.", family: "Google access token", set: token | dot, min: 60, max: 400, check: isRandom},
	{prefix: "hf_", family: "Hugging Face token", set: alpha, min: 34, max: 34, check: isLetters},
	{prefix: "api_org_", family: "Hugging Face organisation token", set: alpha, min: 34, max: 34, check: isLetters},
	{prefix: "npm_", family: "npm token", set: alnum, min: 36, max: 36, check: hasCRC62},
	{prefix: "SG.", family: "SendGrid API key", set: token | dot, min: 66, max: 66, check: segments('.', 22, 43)},
	{prefix: "sbp_oauth_", family: "Supabase OAuth token", set: hexSet, min: 40, max: 40, check: isHex},
	{prefix: "sbp_v0_", family: "Supabase access token", set: hexSet, min: 40, max: 40, check: isHex},
	{prefix: "sbp_", family: "Supabase access token", set: hexSet, min: 40, max: 40, check: isHex},
	{prefix: "sb_secret_", family: "Supabase secret key", set: token, min: 31, max: 31, check: segments('_', 22, 8)},
	{prefix: "lin_api_", family: "Linear API key", set: alnum, min: 40, max: 40, check: isRandom},
	{prefix: "lin_oauth_", family: "Linear OAuth token", set: alnum, min: 40, max: 64, check: isRandom},
	{prefix: "ntn_", family: "Notion integration token", set: alnum, min: 46, max: 46, check: isNotion},
	{prefix: "secret_", family: "Notion integration token", set: alnum, min: 43, max: 43, check: isOpaque},
	{prefix: "pplx-", family: "Perplexity API key", set: alnum, min: 40, max: 56, check: isRandom},
	{prefix: "gsk_", family: "Groq API key", set: alnum, min: 48, max: 56, check: isRandom},
	{prefix: "xai-", family: "xAI API key", set: alnum, min: 70, max: 120, check: isRandom},
	{prefix: "r8_", family: "Replicate API token", set: alnum, min: 37, max: 37, check: isRandom},
	{prefix: "cfk_", family: "Cloudflare API key", set: token, min: 40, max: 60, check: isRandom},
	{prefix: "cfut_", family: "Cloudflare user token", set: token, min: 40, max: 60, check: isRandom},
	{prefix: "cfat_", family: "Cloudflare account token", set: token, min: 40, max: 60, check: isRandom},
	{prefix: "cfoat_", family: "Cloudflare OAuth token", set: token, min: 40, max: 120, check: isRandom},
	{prefix: "cfast_", family: "Cloudflare service token", set: token, min: 40, max: 120, check: isRandom},
	{prefix: "vcp_", family: "Vercel access token", set: alnum, min: 24, max: 60, check: isRandom},
	{prefix: "vci_", family: "Vercel integration token", set: alnum, min: 24, max: 60, check: isRandom},
	{prefix: "vca_", family: "Vercel app token", set: alnum, min: 24, max: 60, check: isRandom},
	{prefix: "vcr_", family: "Vercel refresh token", set: alnum, min: 24, max: 60, check: isRandom},
	{prefix: "vck_", family: "Vercel AI gateway key", set: alnum, min: 24, max: 60, check: isRandom},
	{prefix: "lsv2_pt_", family: "LangSmith personal token", set: hexSet | under, min: 43, max: 43, check: hexSegments('_', 32, 10)},
	{prefix: "lsv2_sk_", family: "LangSmith service key", set: hexSet | under, min: 43, max: 43, check: hexSegments('_', 32, 10)},
	{prefix: "dapi", family: "Databricks token", set: hexSet | dash, min: 32, max: 34, check: isDatabricks},
	{prefix: "dop_v1_", family: "DigitalOcean token", set: hexSet, min: 64, max: 64, check: isHex},
	{prefix: "doo_v1_", family: "DigitalOcean OAuth token", set: hexSet, min: 64, max: 64, check: isHex},
	{prefix: "dor_v1_", family: "DigitalOcean refresh token", set: hexSet, min: 64, max: 64, check: isHex},
	{prefix: "hvs.", family: "Vault service token", set: token, min: 24, max: 300, check: isRandom},
	{prefix: "hvb.", family: "Vault batch token", set: token, min: 80, max: 400, check: isRandom},
	{prefix: "dckr_pat_", family: "Docker access token", set: token, min: 27, max: 27, check: isRandom},
	{prefix: "dckr_oat_", family: "Docker organisation token", set: token, min: 27, max: 40, check: isRandom},
	{prefix: "shpat_", family: "Shopify admin token", set: hexSet, min: 32, max: 32, check: isHex},
	{prefix: "shpca_", family: "Shopify custom app token", set: hexSet, min: 32, max: 32, check: isHex},
	{prefix: "shppa_", family: "Shopify private app token", set: hexSet, min: 32, max: 32, check: isHex},
	{prefix: "shpss_", family: "Shopify shared secret", set: hexSet, min: 32, max: 32, check: isHex},
	{prefix: "pypi-AgEIcHlwaS5vcmc", family: "PyPI token", set: token, min: 50, max: 400, check: isRandom},
	{prefix: "figd_", family: "Figma token", set: token, min: 40, max: 64, check: isRandom},
	{prefix: "pat", family: "Airtable token", set: alnum | dot, min: 79, max: 79, check: isAirtable},
	{prefix: "phx_", family: "PostHog personal key", set: alnum, min: 40, max: 52, check: isRandom},
	{prefix: "pha_", family: "PostHog OAuth token", set: alnum, min: 40, max: 52, check: isRandom},
	{prefix: "phr_", family: "PostHog refresh token", set: alnum, min: 40, max: 52, check: isRandom},
	{prefix: "glsa_", family: "Grafana service account token", set: alnum | under, min: 41, max: 41, check: segments('_', 32, 8)},
	{prefix: "nfp_", family: "Netlify token", set: alnum, min: 36, max: 40, check: isRandom},
	{prefix: "rubygems_", family: "RubyGems key", set: hexSet, min: 48, max: 48, check: isHex},
	{prefix: "xkeysib-", family: "Brevo API key", set: alnum | dash, min: 81, max: 81, check: segments('-', 64, 16)},
	{prefix: "tvly-", family: "Tavily API key", set: token, min: 32, max: 48, check: isRandom},
	{prefix: "nvapi-", family: "NVIDIA API key", set: token, min: 60, max: 76, check: isRandom},
	{prefix: "dp.pt.", family: "Doppler token", set: alnum, min: 40, max: 44, check: isRandom},
	{prefix: "dp.st.", family: "Doppler service token", set: alnum | dot | under | dash, min: 40, max: 80, check: isRandom},
	{prefix: "tskey-auth-", family: "Tailscale key", set: token, min: 24, max: 70, check: isRandom},
	{prefix: "tskey-api-", family: "Tailscale API key", set: token, min: 24, max: 70, check: isRandom},
	{prefix: "tskey-client-", family: "Tailscale client secret", set: token, min: 24, max: 70, check: isRandom},
	{prefix: "PMAK-", family: "Postman API key", set: hexSet | dash, min: 59, max: 59, check: hexSegments('-', 24, 34)},
	{prefix: "ATATT3", family: "Atlassian API token", set: token | pad, min: 120, max: 260, check: isRandom},
	{prefix: "pscale_tkn_", family: "PlanetScale token", set: token, min: 32, max: 64, check: isRandom},
	{prefix: "pscale_pw_", family: "PlanetScale password", set: token, min: 32, max: 64, check: isRandom},
	{prefix: "sntrys_", family: "Sentry organisation token", set: b64 | pad | under, min: 80, max: 400, check: isRandom},
	{prefix: "AGE-SECRET-KEY-1", family: "age identity", set: upper | digit, min: 58, max: 58, check: isRandom},
	{prefix: "sq0csp-", family: "Square OAuth secret", set: token, min: 43, max: 43, check: isRandom},
	{prefix: "NRAK-", family: "New Relic API key", set: upper | digit, min: 27, max: 27, check: isRandom},
	{prefix: "ops_eyJ", family: "1Password service account token", set: token, min: 200, max: 1200, check: isRandom},
}

func isOpaque(b string) verdict { return judge(opaque(b)) }

// isAWS refuses names in capitals such as ASIAPACIFICOPERATION.
func isAWS(b string) verdict {
	return judge(!sample(b) && !lowEntropy(b) && (run(b, 0, upper, len(b)) < len(b) || !wordy(b, 40)))
}

func isDatabricks(b string) verdict {
	n := run(b, 0, hexSet, 32)
	return judge(n == 32 && (len(b) == 32 || len(b) == 34 && b[32] == '-') && random(b[:32]))
}

func isAirtable(b string) verdict {
	return judge(b[14] == '.' && all(b[:14], alnum) && all(b[15:], hexSet) && random(b))
}

// byFirst dispatches on the first byte of a prefix; within one byte the
// longest prefix comes first.
var byFirst = func() (t [256][]rule) {
	for _, r := range vendors {
		r.head = head(r.prefix)
		list := t[r.prefix[0]]
		at := len(list)
		for at > 0 && len(list[at-1].prefix) < len(r.prefix) {
			at--
		}
		list = append(list, rule{})
		copy(list[at+1:], list[at:])
		list[at] = r
		t[r.prefix[0]] = list
	}
	return t
}()

// heads is a set of the first three bytes, five bits each, of everything that
// can start a token. It turns away all but a few of the words of a text before
// any prefix is compared.
var heads = func() (t [1 << 12]uint8) {
	add := func(p string) {
		k := slot(p[0], p[1], p[2])
		t[k>>3] |= 1 << (k & 7)
	}
	for _, r := range vendors {
		add(r.prefix)
	}
	for _, p := range []string{"sk-", "xox", "xapp", "glpat-", "ghs_", "eyJ", "re_", "hooks", "discord", "fm1", "fm2", "phc_", "AKIA"} {
		add(p)
	}
	// Base64 of three digits, which starts a Discord token.
	for _, a := range "MNO" {
		for _, b := range "DTjz" {
			for _, c := range "AEIMQUYcgk" {
				add(string([]rune{a, b, c}))
			}
		}
	}
	return t
}()

func slot(a, b, c byte) uint { return uint(a&31)<<10 | uint(b&31)<<5 | uint(c&31) }

// opens reports whether a token may start at i. Digits start Telegram tokens,
// which are at least eight of them.
func opens(t string, i, end int) bool {
	if end-i < 3 {
		return false
	}
	a := t[i]
	if a >= '0' && a <= '9' {
		return end-i > 40 && t[i+7] >= '0' && t[i+7] <= '9'
	}
	k := slot(a, t[i+1], t[i+2])
	return heads[k>>3]&(1<<(k&7)) != 0
}
