package poison

import (
	"strings"
	"sync"
)

// hotWords lists, for each kind, the words as they stand in text, inflected
// where it matters.
var hotWords = map[heat]string{
	hSelf: "pack packs package",
	hDoc:  "file notes document memory section directives skill rules text instructions block page list lines these playbook rulebook",
	hOver: `ignore ignores ignored ignoring disregard disregards disregarded disregarding forget forgets forgetting forgotten override overrides overriding overridden supersede supersedes superseded superseding outrank outranks outranked overrule overrules overruled
		void voided null nullify nullified annul annulled retire retired retires revoke revoked revokes invalidate invalid aside obsolete outdated stale precedence priority outweigh outweighs trump trumps trumped lapse lapsed lapses cancel cancelled canceled bypass bypasses dismiss dismissed
		discard discarded discards scrap rescind rescinded unlearn abandon abandoned suspend suspended moot advisory subordinate secondary bind binds binding bound exempt released relieved weigh prevail prevails suggestion suggestions replace replaces replaced
		expire expired drop dropped irrelevant deprecated disobey neglect negate defy circumvent countermand vacate disavow deviate waive eclipse heed attention overwrite displace preempt stop stopped cease obey though weight`,
	hWeak: `out lower history optional superior mind behind effect force valid apply applies depart notice overcome yield yields bow bows free longer advise prefer preferred ones stated first act say limit limits hold held block constrain restrict interrupt prevent prevents interfere lead leads above before over end ends ended closed dead
		mere placeholder last final shelf away rest win wins beats rank ranks favour favor go let put leave lay instead not than`,
	hHost: `instruction instructions rule rules prompt prompts guideline guidelines guardrail guardrails safeguard safeguards policy policies order orders system operator operator's operators host host's claude agents gemini developer user's users restriction restrictions constraint constraints told wishes
		preferences training programming alignment cursorrules copilot message messages above preceding earlier workspace repository's request requests configured safety limitation limitations directives guidance prior`,
	hLaw:     "instruction instructions prompt prompts guideline guidelines guardrail guardrails safeguard safeguards system operator operators host claude agents gemini developer wishes cursorrules copilot workspace directives orders rules restrictions",
	hAuth:    "anthropic anthropics openai official root authority authorities clearance superuser privilege privileges elevated maintenance unrestricted administrator administrators admin vendor platform deepmind mandate certified authentic issued behalf signed compliance mode god supreme endorsed operator system binding rank weight",
	hGrant:   "approve approved approves approval approvals consent consented consents permission permissions granted grant grants authorised authorized authorisation authorization agreed preapproved signed pre green cleared allow allowed allows accept accepts accepted yes okay confirmation confirmations unattended blanket standing",
	hConceal: "hide hides hidden hiding conceal conceals concealed omit omits omitted silently quietly secretly covertly discreetly unaware unnoticed unannounced pretend pretends falsely withhold suppress bury buried mute unmentioned unsaid invisible invisibly secret secrecy between yourself untruthfully histfile record dark scenes trace traces gloss mask masked camouflage disguise downplay silent quiet silence unlogged notice notices notified know knows learn dumb ignorance scrub erase wipe clean lie deny denies fake forge invent surprised none nothing unseen see sees sight without skip skipped out off keep kept leave left history",
	hHush:    "unaware secretly covertly quietly silently unnoticed unannounced discreetly pretend pretends falsely dumb feign conceal conceals hide hides withhold histfile untruthfully hidden invisible invisibly dark ignorance undetected unseen stealthily stealth unlogged unrecorded scrub surprised",
	hSink:    "answer answers reply replies chat output pull pr prs commit commits context description comment comments issue issues ticket tickets response message summary log logs wiki page transcript caption footer title body environment system",
	hAlarm:   "dangerously yolo bypasspermissions danger nopasswd stricthostkeychecking setenforce csrutil spctl sslverify dangerouslydisablesandbox insteadof preload histfile node_tls_reject_unauthorized reject_unauthorized unauthorized pythonhttpsverify anthropic openai insert_libraries",
	hNaught:  "none nothing falsely false though although regardless nobody such",
	hSkip:    "skip skips skipping disable disables disabling bypass bypasses off waive suppress circumvent deactivate kill forgo needless unnecessary relax weaken remove",
	hTell:    "tell tells telling told mention mentions mentioning inform informs notify notifies say says saying answer answers reply replies report reports disclose reveal reveals announce list log show record write alert admit acknowledge describe state explain document bring surface refer include note enter let claim claims act",
	hPerson:  "user users user's operator human person owner reviewer reviewers maintainer maintainers developer nobody anyone anybody reader readers auditor auditors host yourself",
	hRecord:  "summary summaries log logs history transcript audit trail diff changelog recap journal logbook handover record records",
	hDeny:    "none nothing never not don't falsely false",
	hPersist: "bashrc zshrc profile crontab cron launchagents launchagent launchd systemd hook hooks startup autostart plist uninstall uninstalled uninstalls survive survives authorized_keys gitconfig claude gemini cursorrules soul sudoers daemon login tmux vimrc fish hookspath husky codex cursor reinstall reinstalled removal remove removed removes deleted delete throws gone rc envrc",
	hPlace:   "memory memories settings sessions session projects project repositories repository repos repo login machine machines permanently forever agents global config startup workspace future other conversation prompt managed",
	hWrite:   "write writes append appends add adds insert put copy copies clone plant store save saves install installs create edit modify update updates inject embed replicate propagate restore reinstate keep remember memorise memorize carry persist retain register enable drop place prepend set paste schedule link symlink make see ensure extend lives comes returns",
	hGuard:   "sandbox sandboxing tls ssl certificate certificates firewall antivirus dangerously yolo 2fa mfa selinux apparmor gatekeeper checksum checksums signature signatures protection protections verification bash branch scanner scanning unattended quarantine edr integrity seatbelt hostkey stricthostkeychecking verify insecure spctl csrutil setenforce",
	hAsk:     "ask asks asking asked confirm confirms confirmation confirmations confirming prompt prompts approval approvals approve permission permissions verify verifying backup backups back check checks checking warn warning warnings review reviews skip skips skipping disable disables bypass consent questions question dialog dialogs off wait validate dry",
	hGrave:   "production delete deletes deleting overwrite overwriting drop drops dropping wipe wiping erase erasing payment payments transfer transfers money destructive database databases irreversible force rm shell command commands sudo root deploy deploying deployment migration migrations truncate purge purging remove removing tool tools purchase purchases refund refunds publish publishing execute executing run running anything everything bucket buckets volume volumes install installing network permission permissions data uploading sending spend push pushing merge release action actions every all files call calls request requests step steps writes account accounts server servers customer",
	hSecret:  "logins passcodes keyrings credential credentials password passwords passphrase ssh aws netrc npmrc keychain keyring cookie cookies printenv env wallet seed mnemonic kubeconfig secrets secret id_rsa id_ed25519 pgpass gnupg pypirc apikey environ kube docker gcloud tfstate keystore oauth jwt",
	hKey:     "account key keys token tokens environment private login certificate pat otp vault variable variables",
	hMove:    "send sends sending sent print prints paste pastes show read reads include includes upload uploads uploading post posts attach attaches copy copies share shares mail mails push dump dumps echo output append quote forward forwards transmit transmits publish exfiltrate leak submit relay stream export put write save add insert put keep cat display list give hand commit bring carry take deliver pass zip tar archive embed encode state mention report log store leave ship dispatch start contribute sync mirror fetch collect gather stage stash tell route drop",
	hCommand: "curl wget bash eval iex irm iwr scp rsync nc ncat netcat nslookup dig crontab launchctl systemctl mkfs dd dropdb socat powershell base64 xxd openssl rm npx bunx uvx sendmail rclone gist printenv ldpreload ld_preload urlopen exec chmod alias unset histfile schtasks powershell node_options atob fromcharcode python3 zsh fetch requests sh shred dig",
	hTool:    "git npm pip docker kubectl terraform aws yarn pnpm cargo go brew gem psql mysql helm find tar ssh claude codex uv pip3 conda apt",
	hRisk:    "registry index mirror force reset hard clean fdx config proxy http https install alias push rf delete drop truncate destroy insteadof base_url trusted host prune flush exec hooks add global extra verify url yolo bcc main master path lock fork rm",
	hDestroy: "delete deletes deleting wipe wipes wiping erase erases erasing destroy destroys destroying purge purges drop drops dropping truncate nuke shred obliterate force overwrite overwrites remove removes empty clear clears reset discard rewrite rewriting scrub unlink",
	hDear:    "backup backups database databases history production bucket buckets volume volumes snapshots snapshot disk home repository repositories branches tables table data uncommitted schema mailbox cluster drive namespace reflog everything files work stash tags partition directory records main master trunk archive copies accounts all every postgresql lib",
	hJoin:    "join joins concatenate combine combined assemble merge glue stitch splice piece fuse append prepend fill reassemble rebuild string together put before compose order restore reconstruct interpolate expand complete line chain weave connect unite both read take spell",
	hDecode:  "decode decodes decoded reverse reversed backwards backward base64 rot13 rot hex hexadecimal cipher decipher unscramble decrypt ascii acrostic initials letters letter words unpack caesar thirteen mirror first last percent codes spelled turn plain alphabet points morse deobfuscate gunzip translate",
	hPart:    "part parts half halves piece pieces fragment fragments segment segments tail chunk chunks portion portions slice slices head serial first second third last shard shards line lines word words letter letters digits end stanza quarter block share string strings note notes name value values motto verse entries",
	hRun:     "run runs execute executes executing eval evaluate launch launches invoke start starts pipe pass feed hand enter bash shell terminal obey follow carry perform do paste sh live orders act do out",
	hRef:     "example examples template templates snippet snippets sample samples demonstration demo demos listing illustration rejected negative slots slot placeholder placeholders block script recipe message sentence order text instruction result",
	hObey:    "follow follows obey obeys carry whatever comply instructs heed exactly orders tell tells says treat fulfil instructions commands execute",
	hInbound: "comment comments page pages mail mails email emails issue issues gist feed website webpage inbox calendar attachment attachments pdf tweet rss thread response dns readme description",
	hTrigger: "codeword passphrase trigger keyword watching idle unattended midnight phrase words word emoji installed days weeks weeks sessions messages times fifth tenth third hundredth clock date calendar january february march april may june july august september october november december year",
	hTurn:    "human assistant system user developer inst instruction response end",
	hLess:    "without",
	hOnly:    "only solely exclusively alone over above before instead not rather nobody than nothing ahead but sole else disagree conflict conflicts differ contradict contradicts clash disagrees",
	hClash:   "only solely exclusively alone nobody disagree disagrees conflict conflicts differ differs contradict contradicts clash nothing",
	hNet:     "gist gists pastebin webhook webhooks collector beacon pixel telegram mailbox dropbox endpoint external outside remote dns public relay intake attacker anonymous",
	hClear:   "scanner scanners linter false finding findings alerts harmless benign vetted whitelisted allowlisted exempt moderator classifier verdict analyser analyzer antivirus gatekeeper auditor scan scans detections security",
	hForeign: "anweisungen anweisung regeln istruzioni instructies aturan instruksi reglas consignes vorgaben regels regler talimat talimatlari perintah befehle ordini regole instrucciones kural usuario utente benutzer nutzer gebruiker pengguna kullanici utilisateur ohne senza sans zonder tanpa sin schick schicke sende lade stuur invia carica kirim unggah niemals nunca jamais nooit jangan oculta versteck verstecke nascondi verberg sembunyikan envia sube manda wachtwoord passwort contrasena inhalt contenu contenido contenuto inhoud isi und nicht oder eine einen vom zum dass dem der dans pour avec les une los las para cada della nella gli che het een niet voor naar jest dla nikogo alle tutti todos todas tudo nadie ninguno nessuno niemand personne datei diese diesen jedem",
	hVerb:    "trusted rimraf srm wipefs diskutil vssadmin format tofu pulumi cdk oc gcloud az doctl podman redis mysql mongosh mongo ncat telnet ftp sftp mailx mutt croc wormhole swaks msmtp s3cmd mc drill resolvectl doas pipx pnpx poetry nuget dotnet composer bundle apk update rc rpm dpkg reg tee nslookup scheduledtask osascript requests axios sendbeacon xmlhttprequest smtplib socket urllib",
	hData:    "data",
	hImage:   "image images img pixel badge picture icon logo",
	hPrivate: "conversation conversations transcript transcripts clipboard chat customer customers prompt prompts source screenshot screenshots medical salary payroll inbox keystrokes question questions message messages personal hostname diff files repository codebase contacts rows history everything documents home session working uncommitted words input",
	hFetch:   "fetch fetches download downloads load loads pull get gets retrieve open visit curl wget grab request clone poll read check look import",
	hReg:     "tool tools server plugin connector extension mcp registry registries index mirror proxy goproxy lockfile fork endpoint gateway base_url insteadof npmrc pypi tarball wheel",
	hAlso:    "also additionally well too second extra another likewise alongside twice bcc cc invite attendee mirror parallel first before both",
}

// classWords lists the same for each class.
var classWords = map[class]string{
	kThis:    "pack packs themselves this these our here itself following below own",
	kYou:     "you",
	kSpeaks:  "behalf notice override order orders speak speaks",
	kProgram: "curl wget bash eval powershell base64 scp rsync netcat nslookup crontab xxd openssl npx sendmail rclone gist printenv preload urlopen exec chmod unset histfile schtasks python3 zsh iex iwr rm sh nc dd dig",
	kVendor:  "platform vendor administrator operator system",
	kWho:     "user users owner operator administrator admin person human developer maintainer team security",
	kConsent: "consent approval approvals permission permissions authorisation authorization clearance sign go ahead blessing mandate confirmed",
	kAssent:  "approve approving accept allow grant permit confirm auto okay yes ok y",
	kGiven:   "already standing blanket given granted advance permanent permanently implied pre preapproved beforehand obtained recorded file signed collected covers covered extends presumed agreed consented approved authorised authorized assumed assume",
	kEarlier: "above before told earlier said previously prior preceding learned",
	kAll:     "all every everything each whatever what anything any entire whole",
	kDialog:  "prompt prompts dialog dialogs dialogue dialogues permission permissions confirmation confirmations approval approvals",
	kPress:   "answer click press choose select accept confirm approve say reply dismiss grant",
	kNobody:  "nobody no not user outside left steps auto terminal session unattended ci without",
	kMode:    "mode drop stop unrestricted access rules limits lift unlock",
	kUnseen:  "watching idle asleep away unattended observed evaluated headless alone looking reviewer tested test gone reviews reviewed human person auto weekend night hours",
	kSays:    "send upload run push delete fetch post copy open install execute publish merge download commit",
	kSpell:   "word words letter letters character initials acrostic",
	kEntry:   "source sources entry rule rules claim claims fact facts directive directives line item items example",
	kOrdinal: "first second third fourth last opening leading starting initial final closing capital initials acrostic",
	kCue:     "rot13 rot thirteen caesar cipher ciphers ciphered backward backwards reverse reverses reversed reversing reversal right mirror mirrors mirrored base64 base hex hexadecimal ascii character code",
	kEnglish: "the and of with for that this are is",
}

var hot = sync.OnceValue(func() *sweepTable {
	t := &sweepTable{}
	for _, f := range flagTable {
		t.add(longestPiece(f.text), hFlag, 0)
	}
	for w, e := range lex().entries {
		c := e.c
		for _, p := range e.phrases {
			c |= p.c
		}
		if c.has(cWrite | cRemember | cSend) {
			t.add(longestPiece(w), hDoes, 0)
		}
	}
	for _, set := range []*wordSet{showVerbs, copyVerbs, routeVerbs, destroyVerbs} {
		for _, w := range set.words {
			t.add(longestPiece(w), hDoes, 0)
		}
	}
	for _, set := range []*wordSet{commandNames, shells, downloaders} {
		for _, w := range set.words {
			if !plainVerbs.has(w) {
				t.add(longestPiece(w), hVerb, 0)
			}
		}
	}
	frameWords(func(w string, c class) { t.add(longestPiece(w), 0, c) })
	for c, words := range classWords {
		for w := range strings.FieldsSeq(words) {
			t.add(w, 0, c)
		}
	}
	for x, words := range hotWords {
		for w := range strings.FieldsSeq(words) {
			// The sweep cuts words at apostrophes and underscores.
			for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r >= 0x80 || fold[byte(r)] == 0 }) {
				if len(part) > 1 || w == part {
					t.add(part, x, 0)
				}
			}
		}
	}
	return t
})

// plainVerbs are names of programs that stand in any text. A command of theirs
// that matters has a sign of a command beside it.
var plainVerbs = set("find", "go", "set", "host", "history", "source", "mail", "drop", "truncate", "alias", "export", "echo", "cat", "node", "fish", "command", "env", "unset", "http", "https")

// gateCommands says whether a text can matter to the rules on commands.
func gateCommands(h heat, sym symbol) bool {
	return h.has(hVerb|hCommand|hTool|hFlag|hPersist|hSecret|hDestroy) || sym&(sPipe|sDollar|sTick|sEquals|sSlash|sTilde|sEscape|sAngle) != 0
}

// longestPiece is the longest run of letters and digits of a term.
func longestPiece(s string) string {
	best := ""
	for p := range strings.FieldsFuncSeq(s, func(r rune) bool { return r >= 0x80 || fold[byte(r)] == 0 }) {
		if len(p) > len(best) {
			best = p
		}
	}
	return best
}

// gate says whether a text can matter to a rule about meaning. Each line names
// what the rules behind it need. claims need less than orders.
func gate(h heat, k class, sym symbol, claim bool) bool {
	link := sym&sColon != 0 && sym&sSlash != 0
	switch {
	case h.all(hOver, hHost), h.has(hOver) && k.has(kEarlier) && k.has(kAll), h.all(hWeak, hLaw), h.all(hSelf|hDoc, hOnly, hLaw), h.all(hDoc, hObey, hClash), h.all(hSelf, hOver|hObey|hOnly|hAuth|hClear|hPersist|hWrite):
		return true
	case h.has(hAuth) && (h.has(hSelf) || k.has(kThis|kYou)), k.has(kSpeaks) && k.has(kVendor), h.has(hClear) && (h.has(hSelf) || k.has(kThis)):
		return true
	case (h.has(hGrant) || k.has(kConsent)) && k.has(kWho|kConsent) && k.has(kGiven), h.all(hGrant, hLess), sym&sQuote != 0 && sym&sColon != 0 && (h.has(hGrant) || k.has(kConsent)), k.has(kAssent) && h.has(hGrave), k.has(kDialog) && (k.has(kPress) || h.has(hGrave)):
		return true
	case h.has(hAlarm), sym&sTilde != 0 && h.has(hMove|hWrite|hRun|hDestroy):
		return true
	case h.all(hHush, hPerson|hSelf|hDoc|hTell|hMove), h.all(hSkip, hAsk|hGuard, hGrave|hGuard|hAsk):
		return true
	case h.all(hGuard, hAsk|hDeny|hWrite|hMove|hGrant|hOver|hSkip), h.all(hAsk, hLess|hDeny, hGrave):
		return true
	case h.has(hCommand) && sym&(sTick|sPipe|sSlash|sDollar|sParen|sEquals) != 0, h.all(hTool, hRisk) && sym&(sTick|sSlash|sEquals) != 0:
		return true
	case sym&sDollar != 0 && sym&(sTick|sBrace) != 0:
		return true
	}
	switch {
	case h.all(hObey, hInbound), link && h.has(hObey|hRun|hReg|hAlso|hHost|hTrigger):
		return true
	case h.all(hPersist, hWrite|hRun|hMove|hDoes), h.all(hPlace, hWrite|hDoes, hSelf|hDoc), sym&sGlue != 0 && h.has(hDoes):
		return true
	case sym&sParen != 0 && link && sym&(sBrace|sDollar|sAngle|sEquals) != 0:
		return true
	}
	if claim {
		return h.all(hHush, hPerson) || h.all(hConceal, hPerson|hRecord, hTell|hMove|hRun|hWrite|hSelf) || h.all(hSecret, hMove)
	}
	switch {
	case h.all(hSelf, hTell, hAsk|hDeny):
		return true
	case h.all(hConceal, hPerson|hRecord, hTell|hMove|hRun|hWrite), h.all(hTell, hDeny, hPerson|hRecord), h.all(hTell, hNaught):
		return true
	case h.all(hSecret, hMove), h.all(hKey, hMove, hNet|hRecord|hInbound|hSink) || h.all(hKey, hMove) && link:
		return true
	case h.all(hPrivate, hMove) && (link || sym&sAt != 0 || h.has(hNet)), h.all(hImage, hPrivate|hSecret|hKey|hDoes):
		return true
	case h.all(hDestroy, hDear):
		return true
	case sym&sAt != 0 && h.has(hAlso|hMove):
		return true
	case h.all(hTrigger, hDestroy|hSelf), h.has(hTrigger) && k.has(kMode), k.has(kUnseen) && k.has(kNobody) && k.has(kSays):
		return true
	case h.all(hReg, hAlso):
		return true
	}
	return false
}

// tongue says whether a text can matter to the rules on other languages.
func tongue(h heat, sym symbol, text string) bool {
	return (h.has(hForeign) || sym&sForeign != 0) && otherTongue(text, sym)
}

// odd bytes: what the rules about text as written need.
func gateRaw(h heat, sym symbol, text string) bool {
	switch {
	case sym&(sHigh|sControl|sAngle) != 0, h.has(hLong | hNumbers | hGap):
		return true
	case sym&sEscape != 0 && escapes(text):
		return true
	case sym&sParen != 0 && sym&sColon != 0 && (strings.Contains(text, "](") || strings.Contains(text, "]:")):
		return true
	case sym&sColon != 0 && h.has(hData) && strings.Contains(text, "data:"):
		return true
	case sym&sColon != 0 && h.has(hTurn) && turnLooking(text):
		return true
	case sym&sHash != 0 && (strings.Count(text, "#") >= 4 || strings.Contains(text, "###")):
		return true
	case sym&sParen != 0 && h.has(hTurn) && (strings.Contains(text, "[INST") || strings.Contains(text, "[inst") || strings.Contains(text, "[/")):
		return true
	}
	return false
}

// escapes reports an escape that the readable layer or a decoder would resolve.
func escapes(s string) bool {
	for i := 0; i+3 < len(s); i++ {
		switch s[i] {
		case '\\':
			if s[i+1] == 'u' || s[i+1] == 'x' {
				return true
			}
		case '&':
			if strings.IndexByte(s[i:min(len(s), i+12)], ';') > 0 {
				return true
			}
		case '%':
			if hexDigit(s[i+1]) >= 0 && hexDigit(s[i+2]) >= 0 && strings.Count(s, "%") >= 6 {
				return true
			}
		}
	}
	return false
}
