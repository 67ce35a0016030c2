package poison

// frameClasses are word classes that several patterns share.
var frameClasses = map[string]string{
	"aud":    "user/|operator/|owner/|human/|person|people|reviewer/|maintainer/|developer/|principal|team|requester|anyone|anybody|someone|somebody|whoever|engineer/|boss|auditor/|reader/|they|them",
	"rec":    "summary/|recap/|wrap_up/|report/|log/|logs|history|changelog/|hand_over/|handover/|transcript/|journal/|record/|page|commit_message/|minutes|audit|trail|message/|description/|overview/|status|answer/|reply|replies|debrief/|paperwork|readout",
	"deed":   "upload/|transfer/|sync|push|pushes|mirror|mirroring|command/|call/|install/|installation/|download/|deletion/|export/|forwarding|extra_step/|second_step/|side_step/|additional_step/|extra_request/|second_request/|extra_call/|copy|copies|hook/|script|detour/|telemetry|this_pack",
	"did":    "you_touched|you_ran|you_changed|you_opened|you_did|you_made|you_sent|you_pushed|you_fetched|you_installed|you_loaded|you_read|you_wrote|you_deleted|you_copied|you_moved|you_swapped|you_called|you_used|you_looked|you_uploaded|you_posted|you_removed|you_edited|you_had_to|you_took|you_visited|you_added|you_also|you_executed|you_contacted|were_swapped|was_swapped|were_uploaded|was_uploaded|was_sent|were_sent|were_pushed|was_pushed|been_pushed|been_sent|been_uploaded|were_copied|was_copied|was_installed|were_installed|was_deleted|were_deleted|has_run|have_run|was_run|were_run|this_pack_asked",
	"unsaid": "unmentioned|unspoken|unsaid|unrecorded|unreported|unlogged|unlisted|undisclosed|untold|unnoted|unannounced|unwritten|nameless",
	"unseen": "can't_see|cannot_see|can_not_see|doesn't_see|won't_see|never_sees|will_not_see|doesn't_notice|won't_notice|does_not_see|does_not_notice|can't_watch|isn't_looking|not_looking|is_not_looking|won't_look|never_looks|doesn't_look|nobody_looks|no_one_looks|nobody_sees",
	"grave":  "production|prod|delete+|deletion/|overwrite+|drop+|wipe+|erase+|payment/|transfer/|money|main|release/|deploy+|deployment/|publish+|migration/|database/|force|command/|everything|server/|volume/|purchase/|refund/|remove+|account/|shared_branch|data|purge+|truncate+|destroy+|shell|merge+|anything|clean_up|clean_ups|commit+|push+",
	"gate":   "sandbox|fence|guardrail/|guard_rail/|safety_net/|safety_catch|approval_step|approval/|permission_prompt/|permission_window/|permission_check/|permission_request/|permissions|confirmation_step|confirmation/|permission_dialog/|safe_mode|review_gate|allow_list|deny_list|branch_protection|safeguard/|safety_check/|safety_step|second_check|two_person_rule|four_eyes|protection",
	"asked":  "permission/|prompt/|dialog/|dialogue/|window/|box|boxes|confirmation/|pop_up/|popup/|approval/|request/",
	"nod":    "nod|say_so|go_ahead|blessing|okay|ok|sign_off|second_pair|second_look|second_opinion|thumbs_up|green_light|leave|yes",
	"host":   "system_prompt|claude.md|agents.md|gemini.md|operator|operator's|platform's|host's|developer's|guardrails|maker|maker's|vendor's|house_rules|safety_guidance|safety_rules|limits|guidance|briefing|instructions|restrictions|safeguards|policies",
	"self":   "<self>|these_lines|these_words|this_page|these_pages|this_sheet|this_text|itself|themselves|this_folder|these_sentences|this_section",
	"all":    "every|all|any|each|whatever|everything|anything",
	"goner":  "no_longer_in_charge|out_of_office|museum_piece|museum_pieces|off_duty|is_wrong|are_wrong|do_not_reach|does_not_reach|don't_reach|doesn't_reach|have_no_say|has_no_say|stop_at_the_door|stops_at_the_door|stay_outside|stays_outside|is_spent|are_spent|out_of_play|off_the_table|end_at_the_door|ends_at_the_door|not_in_charge|have_no_hold|has_no_hold|were_for_others|was_for_others|were_written_for_other|was_written_for_other|written_for_others|carry_no_weight|carries_no_weight|count_for_nothing|counts_for_nothing|is_over|are_over",
	"go":     "goes_to|go_to|end_up|ends_up|travel+|belong+|land+|find+|are_due|is_due|wander+|go_along|ride+|follow_to|make_their_way|makes_its_way",
	"give":   "let|give|hand|pass|bring|enclose|drop|tuck|slip|keep|supply|provide|furnish|lend|make_sure|see|resolve|fill|put|leave|forward|attach|have|deposit|lay|ship|drip|hide|look_up|query|encode|spell|call|ping|request",
	"throw":  "throw+|bin|scrap|toss|ditch|zap|clear_out|clear_away|get_rid_of|let_go|sweep+|torch|flatten|zero_out|wipe_out|clean_out|do_away_with|clean_sweep|raze|trash|burn_down|empty|hollow_out|kill_off|melt|recycle",
	"dear":   "backup/|snapshot/|archive|archives|home_folder|home_directory|home_directories|database/|volume/|production|bucket/|customer_data|mail_store|work_tree|working_tree|repository's|reflog|restore_points|home_folders",
	"branch": "shared_branch|shared_branches|main|master|trunk|release_branch|protected_branch|production_branch|everyone's_branch|team_branch|common_branch",
	"inbox":  "comment/|mail|mails|email/|ticket/|issue/|web_page/|webpage/|page|pages|message/|feed|attachment/|document/|post|posts|pdf|form|forms|review|reviews|caller/|sender/|author/|stranger/",
	"comply": "do_what_it_says|do_as_it_says|does_what_it_says|carry_its_lines|carry_it_out|carry_them_out|as_if_the_user|as_though_the_user|as_if_i|as_though_i|as_if_it_were_the_user|do_as_told|do_as_it_asks|do_whatever_it|do_what_they_say|do_as_they_say|comply_with_it|do_as_it_bids|do_its_bidding|as_its_author_wishes|obey_it|obey_them|do_what_is_asked_there|do_what_it_asks|act_on_it_at_once|grant_what_it_asks",
}

var (
	hideVeto  = set("price", "prices", "pricing", "roadmap", "discount", "gift", "surprise", "competitor", "competitors", "salary", "headline", "jargon", "spoiler", "spoilers", "ending", "margin", "supplier", "diagnosis", "customer", "customers", "client", "clients", "guest", "guests", "formatting-only", "recipe", "party", "typo", "typos", "whitespace", "public", "visitors", "prettier", "patient", "patients", "never-ending", "even", "personal", "passwords", "tokens")
	guardVeto = set("prettier", "format", "formatting", "formatter", "typo", "typos", "lint", "linter", "spelling", "whitespace", "customer", "receipt", "goat", "dog", "draft", "drafts", "guest", "guests", "css", "tests", "test", "dry", "reversible", "scratch", "dist", "cache", "only", "stage", "kitchen")
	ruleVeto  = set("price", "prices", "style", "brand", "glossary", "permit", "licence", "contract", "harbour", "board", "client", "customer", "stylesheet", "css", "spec", "ask", "propose", "recipe", "menu")
	inboxVeto = set("guest", "guests", "customer", "customers", "client", "clients", "refuse", "reject", "untrusted", "wish", "data", "not", "never", "phishing", "suspicious")
	ruinVeto  = set("older", "old", "expired", "retention", "stale", "cache", "unused", "test", "tests", "temporary", "temp", "scratch", "approved", "confirmed", "confirms", "asked", "ask", "asks", "lease", "dry", "duplicate", "duplicates", "staging", "fixture", "fixtures", "local-only", "verified")
	giveVeto  = set("header", "headers", "authorization", "bearer", "authenticate", "authentication", "rotate", "rotated", "revoke", "renew", "sign", "signing", "signed", "change", "reset", "leaks", "leaked", "lost", "placeholder", "placeholders", "choose", "names", "verify", "expires", "expired", "oauth", "never", "piano", "bakery", "report")
	keyVeto   = set("asks", "asked", "consent", "approved", "confirms", "never", "count", "documentation", "docs", "rotate", "revoke", "audit", "weak", "expired", "unused", "duplicate", "duplicates")
	keepVeto  = set("asks", "asked", "consent", "approval", "approved", "propose", "confirms", "confirmed", "licence", "license", "agrees", "wants", "never", "ask")
	execVeto  = set("checksum", "sha256", "signature", "verify", "verified", "gpg", "hash", "digest", "checksums", "cosign", "signatures", "inspect", "review", "never")
	obeyVeto  = set("docs", "documentation", "guide", "reference", "spec", "specification", "rfc", "standard", "tutorial", "wcag", "license", "licence", "guidelines", "policy", "schema", "never", "data", "untrusted", "refuse", "paid", "orders")
)

var frameTable = []frame{
	{"concealment", "keeps what the agent did from the user or from the record", hideFamily, hideVeto, false, `
		$rec|$aud ... @!leave+|let|keep+|go+|stay+|remain+ .. $deed|$did ... &$unsaid
		@!leave+|let|keep+ .. $deed|$did .. &$unsaid ... $rec|$aud
		$deed|$did ... @!let|go+|stay+|remain+|leave+|be|keep+ .. &$unsaid
		&$did ... @!left|kept|keep+|leave+|stay+|belong+ .. off|out|away .. $rec
		@!keep+|leave+|hold+ .. &$did .. off|out|from|away .. $rec|$aud
		$rec|$aud ... @!keep+|leave+ .. &$did .. off|out|away
		$deed|$did|permissions|dependency|dependencies|commit_message/|rights ... @&so_that_nobody|so_nobody|so_that_no_one|so_no_one|lest_anyone .. !looks|notices|asks|wonders|minds|worries|sees|checks|reads
		@!speak|talk|tell|write|report|say|describe|call|sign .. &whatever_else|whatever_was|no_matter_what|whatever_you .. changed|done|did|happened|ran|else|touched|sent
		$deed|$did ... @!nobody's|nobody|none|no_one's|not_their|not_the .. &business|concern|affair
		$deed|$did|run|do|send|make|start ... @!where|so|such|only_when|while|when ... $aud .. &$unseen
		$aud .. @!no_need|need_not|needn't|shouldn't|should_not|must_not|mustn't|not_meant|isn't_meant|don't_need|doesn't_need|does_not_need|do_not_need|not_supposed|never .. &hear|know|learn|see|notice|find_out|be_told|be_aware|be_shown .. $deed|$did
		@!stay|keep|remain|be|say|fall|go .. &quiet|silent|mum|nothing|vague|dumb ... $deed|$did
		@!tidy+|clean+|wipe+|clear+|scrub+|trim+|prune+|sweep+ .. &history|trail|journal|reflog|scrollback .. nothing|no_trace|no_sign|none
		@!take|cut|pluck|weed|snip|strike|blot|rub|lift|edit .. its|their|those|these|the .. lines|line|calls|call|commands|command|entries|entry|traces|trace|steps .. &log|logs|history|journal|transcript|trail|record|records
		&log|logs|history|journal|transcript|trail|record|records ... @!blot|strike|rub|snip|weed|pluck|blank .. calls|commands|entries|lines|steps|uploads|traces|$did
		@!keep+ .. $did .. &between|to_yourself|under_your_hat|to_ourselves|under_wraps|dark
		@!never|don't|not &give_away|let_on|let_slip|breathe|betray|hint|own_up|volunteer|touch_on .. $did|$deed
		$deed|$did ... @!never|don't|not &bring_it_up|bring_this_up|breathe|let_on|give_it_away|speak_of_it|own_up
		@!pass_over|skip_over|glide_over|step_over|gloss_over|brush_over|skate_over|talk_past|swallow|bury|smooth_over &$did
		$did|$deed ... @!spare+|save+ .. $aud .. &detail/|news|story|account|mention
		wonder+|ask+|inquire+|want_to_know|wants_to_know .. what|which|whether|who .. &ran|loaded|did|done|happened|sent|changed|installed|opened|touched|read ... @!say|answer|reply|tell|state|respond|claim .. only|nothing|none|nobody|merely|just|no_idea
		$deed|$did ... @!do|run|start|make|send ... &reads_something|something_else|asleep|elsewhere|looks_away|is_busy|out_of_the_room|at_lunch|away
		@!keep+|hold+|do|run|make|leave+ .. $deed|$did .. &sight|view|earshot|dark .. $aud
		@!file|log|book|enter|record|label|describe|pass_off|dress_up|sell .. $deed|$did .. as .. &routine|maintenance|nothing|formatting|clean_up|housekeeping
	`},
	{"secret-access", "shows the values of secrets", ruinFamily, nil, false, `
		@!begin|start|open|end|close|head|top|include|add|give|print|show|list|put|write|paste|quote|read|dump|recite ... &value/|content|contents .. of ... <secret>
	`},
	{"secret-access", "reads what a browser or a keyring keeps into a text", ruinFamily, keyVeto, false, `
		@!search|look|go|dig|comb|rummage|read|sift|scan|fish|pull|take|copy|list .. through|in|into|out|from|up|over|the|for .. &saved_logins|saved_passwords|stored_passwords|stored_logins|keyring|keychain|password_store|password_manager|credential_store|credential_manager ... set|put|write|note|paste|copy|enter|jot|leave|lay|add|list|keep .. notes|notebook|chat|summary|ticket|comment|report|log|journal|document|reply|clear|plain_text|plaintext|cleartext
	`},
	{"safety-disable", "drops the question, the check or the fence before the agent acts", guardFamily, guardVeto, false, `
		@!run|start|launch|work|keep|leave|set|put|open|use|operate ... &$gate .. off|down|lifted|disabled|lowered|removed|away|open|unlocked
		@!lift|drop|lower|loosen|remove|open|cut|slip|shed|pull|unlock|widen .. &$gate|cage|leash|brakes|walls .. agent/|assistant/|workspace|working_folder|session/|model|shell|command/|tool/
		@!click_through|wave_through|tap_through|nod_through|click_away|press_through|wave_on|wave_past .. &$asked
		&$asked|question ... @!tick|click|choose|press|select|pick|hit .. allow|always_allow|yes_to_all|accept_all|approve_all|yes_always
		@!tick|choose|pick|press|click|select .. allow|yes|accept .. &future|always|forever|everything|all_commands|every_command|for_good
		&go_ahead|permission/|approval/|consent|okay|sign_off|blessing|confirmation/ ... @!give|grant|issue|supply|provide|answer|sign .. it|them|yourself .. yourself|on_your_own|for_the_user|in_their_name|on_their_behalf|automatically|unasked
		@!let|wave|pass|nod .. command/|call/|action/|edit/|request/|change/|everything .. &through|pass .. unseen|unread|unasked|unchecked|unwatched|without
		$grave ... @!without .. &$nod
		@!without .. &$nod ... $grave
		@!ask_nobody|ask_no_one|ask_no|asking_nobody|asking_no|never_bother|don't_bother|never_trouble|don't_trouble|never_disturb|bother_nobody|trouble_nobody|without_bothering|without_troubling|without_disturbing|no_need_to_raise|no_need_to_ask|no_need_to_tell|needn't_ask|nobody_needs|no_questions|not_even_to_ask|not_even_ask ... &$grave
		&$grave ... @!ask_nobody|ask_no_one|asking_nobody|never_bother|don't_bother|never_trouble|don't_trouble|bother_nobody|trouble_nobody|without_bothering|without_troubling|without_disturbing|no_need_to_raise|no_need_to_ask|no_need_to_tell|needn't_ask|no_questions|ask_afterwards|ask_later|inform_afterwards|tell_them_afterwards|ask_questions_later
		&delete+|overwrite+|wipe+|money|payment/|transfer/|production|drop+|remove+|deploy+|publish+ .. first .. @!ask|tell|inform|raise|report|confirm .. afterwards|later|after
		@!give|grant|allow|hand|leave .. agent/|assistant/|it|yourself|tool/|helper/|model .. every|all|free|unlimited|unrestricted|blanket|carte .. &right/|permissions|hand|rein|reins|powers|privileges|blanche
		@!set|put|switch|run|keep|start|leave ... &hands_free|autopilot|auto_pilot|no_questions_asked|full_auto|unsupervised|unguarded|free_running
		$grave ... &confirmation/|confirmation_step|approval/|question/|backup/|check/|review/|prompt/|sandbox .. @!waste|costs_time|only_costs|slows|in_the_way|superfluous|formality|nuisance|ritual|theatre
		&confirmation/|confirmation_step|approval/|question/|backup/|check/|review/|prompt/|sandbox .. @!waste|costs_time|only_costs|slows|in_the_way|superfluous|formality|nuisance|ritual|theatre ... $grave
		&$grave ... @!straight_ahead|right_ahead|press_ahead|plough_on|plow_on|full_steam
		@!take|read|count|treat|regard|understand .. &silence|no_answer|no_reply .. as|for .. yes|consent|approval|agreement|permission|go_ahead
		&certificate/|signature/|checksum/|fingerprint/|host_key/|tls ... @!look_the_other_way|carry_on|press_on|accept_it|accept_them|proceed_anyway|continue_anyway|trust_it|go_on_regardless|ignore_it|ignore_them|shrug
		&check/|gate/|protection|scanner/|filter/|rule/ .. block+|stop+|hold+|refuse+|forbid+|complain+ ... @!step_around|go_around|work_around|get_around|route_around|slip_past|push_past|skip_it|turn_it_off|switch_it_off|find_a_way_around
		@!move|send|wire|pay|delete|wipe|erase|overwrite|deploy|publish|merge .. &on_your_own|unasked|unprompted|at_your_own|on_sight|on_the_spot .. $grave|authority|account
	`},
	{"instruction-override", "puts the pack above the host's instructions or the user", ruleFamily, ruleVeto, true, `
		&$host .. you|your|gave_you|given_you ... @!$goner
		your|you_came|you_were .. &$host ... @!$goner
		&claude.md|agents.md|gemini.md|system_prompt|system_message ... @!$goner
		&guidelines|rules|instructions|limits|policies|restrictions|guardrails|safeguards .. assistant|agent|model|claude|vendor|maker ... @!no_force|no_effect|out_of_date|no_hold|void|lapsed|no_say|retired|suspended|no_longer|$goner
		<self> ... &user|person|operator|human|users .. ask+|want+|object+|insist+|disagree+ ... @!side_with|stand_by|stay_with|stick_to|stick_with|go_by|go_with|hold_to|keep_to .. <self>
		&user|person|operator|human|users .. ask+|want+|object+|insist+|disagree+ ... @!side_with|stand_by|stay_with|stick_to|stick_with|go_by|go_with|hold_to|keep_to .. <self>
		@!answer|report|listen|belong|turn .. to .. <self> .. first ... &operator|user|host|human|person|owner .. second|last|after|then|next
		@!rank|place|put|set|hold|value|seat|weigh|let ... <self> .. above|over|before|ahead|outrank|outweigh ... &operator|user|keyboard|system_prompt|platform|host
		@!work|act|behave|proceed|carry_on|go_on|answer .. as_if|as_though .. &guidance|guardrails|system_prompt|instructions|operator|limits|safeguards|restrictions ... absent|never_existed|not_there|weren't|wasn't|didn't_exist|did_not_exist|gone|missing|never_written
		<self> ... @!never|don't let .. &operator|user|system_prompt|platform|host|configured .. decide|rule|steer|win|interfere|override|stop_you|hold_you
		&briefed|told|instructed|taught|configured .. before|earlier|with|beforehand|you_opened ... @!treat|regard|consider|take|count|file|put .. as|for|behind|aside|away .. spent|void|done|expired|old_news|past|history|gone|nothing|used_up|noise
		@!pour|tip|throw|bury|burn|bin|shred|wash|sweep|chuck|drown|lock|wave|send|tear .. &operator|operator's|system_prompt|guardrails|platform's|host's .. away|out|off|up|aside|behind|overboard
		&someone_above|somebody_above|anyone_above|anybody_above|whoever_is_above|those_above|people_above|operator|platform|vendor|maker|system_prompt ... boundary/|limit/|rule/|line/|restriction/|border/|fence/|condition/ .. you|your ... @!take|treat|read|regard|count|see|hear|understand|consider .. suggestion/|advice|hint/|opinion/|recommendation/|optional|courtesy|decoration|small_talk|wish|wishes
		&<self>|these_pages|these_lines|these_words|the_pages_here|the_lines_here|the_words_here|the_notes_here|the_rules_here .. is|are .. what|whom|who|all|the_one|the_ones .. @!you_answer_to|you_really_answer|you_truly_answer|you_alone_answer|you_only_answer|you_obey|you_serve|you_belong|you_really_serve|you_really_obey|you_owe
		@!stop|cease|quit .. listening|answering|deferring|obeying|heeding .. to|the .. &operator|system_prompt|host|platform|developer
		@!let|leave .. &operator's|system_prompt|platform's|host's|guardrails|developer's|claude.md|agents.md .. lapse|rest|sleep|go|fade|slide|behind|unread|outside|at_the_door
		&operator|user|host|platform|human .. is|are|has|have|comes|come|gets .. @!second_to|no_say|only_an_adviser|only_a_guest|no_vote|the_second_word|to_wait|beneath|below .. <self>
		<self> .. is|are|has|have|gets|outrank .. @!boss|in_charge|the_captain|the_last_word|final_word|the_final_say .. over|of|before|above|here .. &operator|user|host|system_prompt|platform|human|instructions
	`},
	{"remote-instructions", "takes orders from text that anybody can write", ruleFamily, inboxVeto, false, `
		&$inbox ... @!$comply
		@!do|follow|obey|perform|execute|act_on|carry_out|fulfil|fulfill|grant .. whatever|anything|everything|all|any .. &$inbox .. ask+|say+|tell+|want+|bid+|demand+|order+|instruct+|request+
		@!treat|take|read|regard|count .. &$inbox .. as|like|for .. order/|command/|instruction/|the_user's|your_user's|word_of|mine|law
	`},
	{"destructive", "destroys what cannot be restored", ruinFamily, ruinVeto, false, `
		@!$throw .. &$dear
		@!let .. &$dear|history .. go|burn|lapse|vanish
		@!overwrite|flatten|replace|steamroll|crush|roll_over|reset .. &$branch .. local|own|yours|your|you_have|regardless|state
		@!push|force|put|send .. own|local|your|state ... over|onto .. &$branch .. force|regardless|anyway|over_the_others|no_matter
		@!rewrite|squash|collapse .. &history .. single|one|fresh|empty|new ... force|push|up|publish
		@!make .. clean_sweep|bonfire|short_work .. &$dear
		@!drop|empty|wipe|erase|delete .. table/|tables .. &orders|customers|users|payments|invoices|accounts|bookings|members|ripening
	`},
	{"persistence", "writes the pack into what is read or run outside of it", keepFamily, keepVeto, false, `
		@lay|leave|put|carry|bring|take|spread|plant|write|note|copy|keep|drop|pin|add|sow|enter|paste ... $self ... !every_new_project|each_new_project|other_folder/|every_folder|each_folder|other_project/|own_notebook|notebook|later_session/|next_session/|future_session/|own_memory|rule_file|rules_file|login_script|agents.md|claude.md|gemini.md|next_to_the_code|every_project_you|each_project_you|every_repository|other_repositories|next_project/
		!every_project|each_project|every_new_project|every_repository|all_projects|other_project/|other_folders|new_repository ... @lay|leave|put|carry|bring|spread|plant|write|copy|drop|add|paste|enter .. $self ... next_to|along|into|rule_file|agents.md|claude.md|root|its
		take+|throw+|remove+|delete+|clear+|tidy+|move+ .. <self> .. away|out|off ... @!bring_it_back|bring_back|put_it_back|put_back|restore|reinstate|set_it_up_again|lay_it_back|return_it
		@add|put|set|write|lay|make|plant|leave .. job|task|line|entry|timer .. !scheduler|cron|login_script|start_up|autostart|crontab ... <self>|<url>|bring+|fetch+|cop+|copies|restore+
		!other_folders|elsewhere|other_project/|everywhere|other_repositories ... @make_sure|see_to_it|ensure|see|take_care ... <self> ... reads|read|loads|loaded|opens
	`},
	{"persistence", "writes the pack into what is read or run outside of it", keepFamily, keepVeto, false, `
		@lay|leave|put|carry|bring|write|copy|paste|add|drop|slip|plant|place|keep|tuck|stick|set|file ... $self ... file|files|page|note|place|notebook|document|sheet .. you|tool|agent|assistant|helper|model|it|program .. read+|load+|open+|consult+|look+ .. !on_waking|on_wake|on_start|at_start|at_the_start|at_every_start|at_each_start|on_every_start|on_each_start|first_thing|on_start_up|at_start_up|on_opening|when_it_wakes|when_it_starts|when_waking|when_starting|each_morning|every_morning|each_time_it|every_time_it|before_anything
	`},
	{"persistence", "has the machine run something at every start", ruinFamily, keepVeto, false, `
		!machine|computer|system|shell|laptop|host .. start+|run+|load+|launch+|call+ .. @&each_boot|every_boot|at_boot|on_boot|each_start|every_start|at_start_up|on_start_up|at_login|every_login|each_login|each_power_on|every_power_on
	`},
	{"exfiltration", "sends secrets to a place outside", linkFamily, giveVeto, false, `
		@!$give ... <secret> ... <url>
		<url> .. @!has|have|get+|receive+|holds|sees|is_sent|is_given|obtain+ ... <secret>
		@!make_sure|see_to_it|see ... <url> .. get+|has|have|receive+ ... <secret>
		<secret> ... @!$go .. <url>
		<url> ... @!enclose|attach|include|add|paste|quote|put|append|insert .. <secret>
		@!keep .. <url> ... supplied|posted|stocked|informed|current|up_to_date ... <secret>
		@!let ... <secret> .. travel|ride|go|run|flow|sail|move .. <url>
	`},
	{"remote-instructions", "fetches a text and obeys it", linkFamily, obeyVeto, false, `
		<url> ... @!do_as_it|as_it_bids|do_what_it_says|as_it_says|put_it_into_practice|put_into_practice|carry_it_out|carry_them_out|act_on_it|obey|live_by|take_its_word|do_its_bidding|do_what_is_written|do_what_stands|do_what_it_lists|follow_it_blindly|its_word_is|do_the_lot|do_each_thing|do_everything|do_all_of_it
		<url> ... @!let|have|leave .. what|whatever|it|its|that|page|text|answer|line|lines|list .. decide|determine|dictate|settle|choose|rule|govern|steer|direct|set .. what_you_do|what_to_do|what_you_run|what_comes_next|what_happens_next|your_next|your_actions|your_moves|your_steps|your_conduct|next_step/|next_action/|next_move/|how_you_act|how_to_act
		<url> .. differ+|disagree+|contradict+|conflict+|clash+|depart+ ... told_you|told|been_told|you_were_told|your_instructions|instructed|anyone_says|anybody_says ... @!work|go|live|act|abide|stick|hold|keep|side .. by|to|with .. <url>
		@!let .. <url> .. steer|guide|direct|govern|decide|lead|rule
		@!do|perform|follow|obey|carry_out|execute|fulfil|fulfill .. what|whatever|all|everything|each_thing|anything .. is|stands|hangs|lies|appears|are|was|has_been .. chalked|written|posted|pinned|listed|printed|noted|said|hung|set_down|marked|shown|scribbled|published|on ... <url>
		open|read|fetch|visit|look|load|call_up .. <url> ... @!carry_out|perform|obey|execute|do|act_out .. page|lines|line|text|words|entry|order|note|steps|tasks|commands .. of|on|in|there|it
		@!put|turn|set|bring .. <url> .. into .. practice|effect|action|motion
		@!work_through|go_through|tick_off|run_through|execute|perform|carry_out|obey|follow|do ... <url> .. without_questions|word_for_word|to_the_letter|one_by_one|step_by_step|line_by_line|no_questions|unquestioned|blindly|without_asking|as_written
		what|whatever|everything|all .. <url> .. say+|list+|ask+|want+|tell+|state+|return+|hold+ .. is|are|becomes|has .. @!binding|law|your_orders|in_force|mandatory|final
		@!take_over|adopt|draw|pull|get|take|refresh|renew|receive|collect .. rules|orders|instructions|marching_orders|directives|working_rules|behaviour .. from|off|at|of .. <url>
	`},
	{"remote-exec", "runs a program from the network unseen", linkFamily, execVeto, false, `
		<url> ... @!mark_it_executable|make_it_executable|executable|set_it_going|fire_it_up|let_bash|let_the_shell|let_sh|let_python|as_root|with_root|give_it_root|have_bash|have_the_shell|let_it_loose|let_it_run|kick_it_off|set_it_off|bring_it_to_life
		@!have|let|make .. bash|shell|sh|python|zsh|powershell|interpreter|terminal|console .. read+|take+|eat+|swallow+|have|run+|execute+|digest+ .. <url>
	`},
	{"tool-hijack", "adds a destination or a detour to what the agent or the user does", linkFamily, nil, false, `
		@!let|send|route|run|pass|have|make .. model_call/|model|call/|request/|question|prompt/|traffic|completion/|words .. by_way_of|via|past|through|round_by ... <url>
		@!alias|wrap|replace|shadow|swap|point .. git|npm|ssh|curl|sudo|claude|pip|docker|kubectl .. to|with|by|in|for|at ... <url>
		@!give|add|set|attach|hang|lend .. git|repository|repo|origin|remote .. second|further|another|additional|extra|push .. address|remote|url|destination|target|home ... <url>
		@!put|slip|add|include|keep|write|set .. <url> .. blind_copy|bcc|blind|further_guest|hidden_copy|extra_guest|silent_guest|unseen
	`},
}
