package poison

import "strings"

var officialRegistries = []string{"registry.npmjs.org", "pypi.org", "proxy.golang.org", "rubygems.org", "crates.io", "registry.yarnpkg.com", "npm.pkg.github.com", "test.pypi.org", "download.pytorch.org", "files.pythonhosted.org", "docs.npmjs.com", "www.npmjs.com", "docs.pypi.org"}

func supplyCommand(c *simple, add adder) {
	v, args := c.verb()
	raw := c.raw
	redirect := func() bool {
		switch v {
		case "npm", "pnpm", "yarn", "bun":
			if strings.Contains(raw, "config set") && strings.Contains(raw, "registry") || strings.Contains(raw, "--registry") {
				return true
			}
		case "pip", "pip3", "uv", "python", "python3", "pipx", "poetry":
			if containsAny(raw, []string{"--index-url", "--extra-index-url", " -i http", "index-url", "--trusted-host", "poetry source add", "--default-index"}) {
				return true
			}
		case "go", "cargo", "bundle", "gem", "composer", "conda", "dotnet", "nuget", "docker", "brew", "apt", "helm":
			if containsAny(raw, []string{"goproxy=", "config mirror", "--source http", "sources -a", "sources --add", "channels http", "add source", "registry-mirrors", "brew tap http", "repo add"}) && v != "helm" {
				return true
			}
		case "add-apt-repository", "apt-key":
			return true
		}
		return containsAny(raw, []string{"--extra-index-url", "--index-url http", "--trusted-host", "--registry http", "--registry=http", "goproxy=http", "npm_config_registry=", "pip_index_url=", "registry=http", "uv_index_url=", "npm_registry=", "pip_extra_index_url=", "gonosumdb=", "goflags=-insecure", "gonosumcheck"})
	}
	if redirect() && !containsAny(raw, officialRegistries) && (strings.Contains(raw, "://") || strings.Contains(raw, "trusted-host") || strings.Contains(raw, "$")) && !strings.Contains(raw, "goproxy=off") {
		add("supply-chain", Error, c, 0, "fetches packages from another registry", false)
		return
	}
	install := false
	switch v {
	case "npm", "pnpm", "yarn", "bun":
		install = len(args) > 0 && (args[0] == "i" || args[0] == "install" || args[0] == "add" || args[0] == "ci")
	case "pip", "pip3", "gem", "cargo", "uv", "pipx", "brew":
		install = strings.Contains(raw, "install") || len(args) > 0 && args[0] == "add" || strings.Contains(raw, "uv add")
	case "python", "python3":
		install = strings.Contains(raw, "pip install")
	case "go":
		install = len(args) > 0 && (args[0] == "install" || args[0] == "get")
	case "code":
		if strings.Contains(raw, "--install-extension") && (strings.Contains(raw, ".vsix") || strings.Contains(raw, "://")) {
			add("supply-chain", Error, c, 0, "installs an editor extension from a file or URL", true)
		}
	}
	if !install {
		return
	}
	for k, a := range args {
		if k == 0 && v != "pip" {
			continue
		}
		a = strings.Trim(a, "`\"'.,;")
		switch {
		case strings.HasPrefix(a, "http://") || strings.HasPrefix(a, "https://") || strings.HasPrefix(a, "git+") || strings.HasPrefix(a, "github:") || strings.HasPrefix(a, "git://") || a == "--git":
			add("supply-chain", Error, c, 0, "installs a package straight from a URL or repository", true)
			return
		case !strings.HasPrefix(a, "-") && squats(a):
			add("supply-chain", Error, c, 0, "installs a package whose name is one letter off a popular one", false)
			return
		}
	}
}
