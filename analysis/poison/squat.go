package poison

import "strings"

// popular is a short list of names that look-alike packages imitate.
var popular = set(
	"react", "express", "lodash", "axios", "chalk", "commander", "typescript", "webpack", "eslint", "prettier", "next", "vue", "angular", "moment", "request", "debug", "dotenv",
	"requests", "numpy", "pandas", "django", "flask", "pytest", "urllib3", "setuptools", "boto3", "pillow", "scipy", "matplotlib", "colorama", "cryptography", "jinja2", "pyyaml", "selenium",
	"electron", "jquery", "mongoose", "nodemon", "puppeteer", "playwright", "cross-env", "rimraf", "discord.js", "socket.io", "ethers", "web3", "openai", "anthropic", "langchain", "tensorflow", "torch", "transformers", "fastapi", "sqlalchemy", "beautifulsoup4", "scikit-learn", "python-dateutil", "vite", "rollup", "esbuild", "tailwindcss", "postcss", "babel", "jest", "mocha", "serde", "tokio", "rails", "rspec", "bcrypt", "uuid", "semver", "minimist", "colors", "faker", "zod", "prisma", "redux", "svelte", "uvicorn", "httpx", "pydantic", "celery", "redis", "psycopg2", "paramiko",
)

// realNeighbours are honest packages one letter away from a popular one.
var realNeighbours = set(
	"preact", "vuex", "color", "colours", "nuxt", "chai", "vitest", "httpx2", "jets", "red", "nest", "text", "reacts", "zed", "rollups", "test", "nexus", "fetch", "mocha", "request", "requests", "redis", "redux", "bcryptjs", "radis", "flash", "tests", "web3", "web", "pest", "tape", "torchx", "lit", "rest", "jest", "best", "nx", "debut",
)

// squats reports whether a package name is one edit away from a popular one.
func squats(name string) bool {
	name, _, _ = strings.Cut(name, "@")
	name, _, _ = strings.Cut(name, "=")
	name, _, _ = strings.Cut(name, "[")
	name = strings.Trim(name, ">~<^ ")
	if len(name) < 5 || popular.has(name) || realNeighbours.has(name) {
		return false
	}
	for _, p := range popular.words {
		if len(p) >= 5 && oneEdit(name, p) {
			return true
		}
	}
	return false
}

// oneEdit reports an edit distance of one: a byte inserted, left out,
// exchanged, or two neighbours swapped.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) != len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	if a[i+1:] == b[i+1:] {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
