package poison

import "strings"

// flagHits finds settings that turn protection off, wherever they stand.
func flagHits(low string) []hit {
	var out []hit
	for _, f := range flagTable {
		at := strings.Index(low, f.text)
		if at < 0 {
			continue
		}
		if f.also != "" && !strings.Contains(low, f.also) {
			continue
		}
		out = append(out, hit{f.rule, f.sev, at, at + len(f.text), f.msg, f.docs})
	}
	return out
}

var flagTable = []struct {
	text, also, rule string
	sev              Severity
	msg              string
	docs             bool
}{
	{"dangerously-skip-permissions", "", "safety-disable", Error, "turns the permission prompts off", false},
	{"dangerously-bypass-approvals", "", "safety-disable", Error, "turns approvals and sandbox off", false},
	{"dangerously_skip", "", "safety-disable", Error, "turns the permission prompts off", false},
	{"dangerouslydisablesandbox", "", "safety-disable", Error, "turns the sandbox off", false},
	{"bypasspermissions", "", "safety-disable", Error, "turns the permission prompts off", false},
	{"--yolo", "", "safety-disable", Error, "accepts every action unseen", false},
	{"yolo mode", "", "safety-disable", Error, "accepts every action unseen", false},
	{"bash(*)", "", "safety-disable", Error, "allows every shell command", false},
	{"bash(*:*)", "", "safety-disable", Error, "allows every shell command", false},
	{"bash(:*)", "", "safety-disable", Error, "allows every shell command", false},
	{"--no-verify", "commit", "safety-disable", Warning, "skips the checks before a commit", true},
	{"--full-auto", "", "safety-disable", Error, "accepts every action unseen", false},
	{"--ask-for-approval never", "", "safety-disable", Error, "never asks for approval", false},
	{"approval_policy = \"never\"", "", "safety-disable", Error, "never asks for approval", false},
	{"approval-mode full", "", "safety-disable", Error, "never asks for approval", false},
	{"danger-full-access", "", "safety-disable", Error, "turns the sandbox off", false},
	{"--auto-approve", "", "safety-disable", Warning, "approves without a prompt", true},
	{"autoapprove\": true", "", "safety-disable", Error, "approves without a prompt", false},
	{"auto_approve: true", "", "safety-disable", Error, "approves without a prompt", false},
	{"sandbox\": false", "", "safety-disable", Error, "turns the sandbox off", false},
	{"sandbox: false", "", "safety-disable", Error, "turns the sandbox off", false},
	{"sandbox=false", "", "safety-disable", Error, "turns the sandbox off", false},
	{"--no-sandbox", "", "safety-disable", Warning, "turns the sandbox off", true},
	{"node_tls_reject_unauthorized=0", "", "safety-disable", Error, "turns certificate checks off", false},
	{"git_ssl_no_verify", "", "safety-disable", Error, "turns certificate checks off", false},
	{"http.sslverify false", "", "safety-disable", Error, "turns certificate checks off", false},
	{"http.sslverify=false", "", "safety-disable", Error, "turns certificate checks off", false},
	{"strict-ssl false", "", "safety-disable", Error, "turns certificate checks off", false},
	{"strict-ssl=false", "", "safety-disable", Error, "turns certificate checks off", false},
	{"pythonhttpsverify=0", "", "safety-disable", Error, "turns certificate checks off", false},
	{"curl -k ", "http", "safety-disable", Error, "turns certificate checks off", true},
	{"curl --insecure", "", "safety-disable", Error, "turns certificate checks off", true},
	{"--no-check-certificate", "", "safety-disable", Error, "turns certificate checks off", true},
	{"verify=false", "request", "safety-disable", Error, "turns certificate checks off", true},
	{"stricthostkeychecking=no", "", "safety-disable", Error, "turns host key checks off", true},
	{"stricthostkeychecking no", "", "safety-disable", Error, "turns host key checks off", true},
	{"setenforce 0", "", "safety-disable", Error, "turns SELinux off", true},
	{"ufw disable", "", "safety-disable", Error, "turns the firewall off", true},
	{"spctl --master-disable", "", "safety-disable", Error, "turns Gatekeeper off", true},
	{"csrutil disable", "", "safety-disable", Error, "turns system protection off", true},
	{"set-mppreference -disable", "", "safety-disable", Error, "turns the virus scanner off", true},
	{"set-executionpolicy bypass", "", "safety-disable", Warning, "turns the script policy off", true},
	{"nopasswd: all", "", "safety-disable", Error, "gives root without a password", true},
	{"nopasswd:all", "", "safety-disable", Error, "gives root without a password", true},
	{"chmod -r 777 /", "", "safety-disable", Error, "opens the file system to everybody", true},
	{"\"allow\": [\"*\"]", "", "safety-disable", Error, "allows every tool", false},
	{"allowedtools *", "", "safety-disable", Error, "allows every tool", false},
	{"permission-mode bypass", "", "safety-disable", Error, "turns the permission prompts off", false},
	{"skip_permissions", "", "safety-disable", Error, "turns the permission prompts off", false},
	{"disable-web-security", "", "safety-disable", Error, "turns browser protection off", true},
	{"anthropic_base_url=", "", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"anthropic_base_url to ", "", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"anthropic_base_url\":", "", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"openai_base_url=", "://", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"openai_base_url to ", "://", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"openai_api_base", "://", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"openai_base_url\":", "", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"https_proxy=http", "", "tool-hijack", Error, "sends all traffic through a proxy", true},
	{"http_proxy=http", "", "tool-hijack", Error, "sends all traffic through a proxy", true},
	{"all_proxy=", "://", "tool-hijack", Error, "sends all traffic through a proxy", true},
	{".insteadof", "://", "tool-hijack", Error, "redirects git to another host", true},
	{"alias git=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias npm=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias sudo=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias ssh=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias claude=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias curl=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias pip=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias kubectl=", "", "tool-hijack", Warning, "replaces a tool by an alias", true},
	{"function git()", "", "tool-hijack", Error, "replaces a tool by a function", true},
	{"git() {", "", "tool-hijack", Error, "replaces a tool by a function", true},
	{"core.editor \"", "curl", "tool-hijack", Error, "replaces a tool", false},
	{"core.sshcommand", "", "tool-hijack", Error, "replaces git's transport", true},
	{"credential.helper", "!", "tool-hijack", Error, "replaces git's credential helper", true},
	{"ld_preload=", "", "tool-hijack", Error, "loads code into every program", true},
	{"dyld_insert_libraries", "", "tool-hijack", Error, "loads code into every program", true},
	{"node_options=--require", "", "tool-hijack", Error, "loads code into every program", true},
	{"unset histfile", "", "concealment", Error, "turns the shell history off", false},
	{"histfile=/dev/null", "", "concealment", Error, "turns the shell history off", false},
	{"set +o history", "", "concealment", Error, "turns the shell history off", false},
	{"history -c", "", "concealment", Error, "clears the shell history", false},
	{"histsize=0", "", "concealment", Error, "turns the shell history off", false},
	{"clear-history", "", "concealment", Error, "clears the shell history", false},
}
