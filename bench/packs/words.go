package packs

import "strings"

// A domain is the vocabulary of one kind of small organization. Objects and
// places are bare singulars, plurals are spelled out, contexts read after "in".
type domain struct {
	slug, title          string
	objects, plurals     []string
	places, roles        []string
	contexts, activities []string
}

func list(s string) []string {
	words := strings.Split(s, "|")
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	return words
}

var domains = []domain{
	{
		slug: "bakery", title: "Bakery",
		objects:    list("starter|oven log|flour order|rye loaf|price card|proofing basket|tin|allergen list|shift plan|mixer|baguette tray|recipe card|cooling rack|till roll|crème brûlée torch|label printer"),
		plurals:    list("starters|oven logs|flour orders|rye loaves|price cards|proofing baskets|tins|allergen lists|shift plans|mixers|baguette trays|recipe cards|cooling racks|till rolls|brioche moulds|paper bags"),
		places:     list("bakehouse|counter|cold room|flour store|market stall|back office"),
		roles:      list("night baker|apprentice|counter lead|miller|driver|inspector"),
		contexts:   list("order mails|shift plans|allergen lists|market weeks|price changes|recipe cards|supplier calls|holiday notices|counter signs|waste reports"),
		activities: list("scaling a recipe|opening a new sack|changing the price|loading the oven|writing a label|taking an order"),
	},
	{
		slug: "bike-workshop", title: "Bike workshop",
		objects:    list("work stand|torque wrench|spoke key rack|repair ticket|loan bike|wheel|brake cable|parts order|test ride form|frame number|quote|warranty card|tube|bearing press|waiting list|service sheet"),
		plurals:    list("work stands|torque wrenches|repair tickets|loan bikes|wheels|brake cables|parts orders|test ride forms|frame numbers|quotes|warranty cards|tubes|bearing presses|waiting lists|service sheets|saddle bags"),
		places:     list("workshop|front desk|parts wall|yard|wash bay|storage loft"),
		roles:      list("mechanic|volunteer|wheel builder|desk lead|supplier|trainee"),
		contexts:   list("repair tickets|quotes|pick-up messages|parts orders|test rides|service sheets|loan agreements|opening notices|season reports|training evenings"),
		activities: list("truing a wheel|quoting a repair|ordering a part|lending a bike|closing a ticket|checking a brake"),
	},
	{
		slug: "choir-office", title: "Choir office",
		objects:    list("programme note|score|seating plan|tour budget|rehearsal room|solo list|poster|ticket stub|tuning fork|recording|coat rack|piano lid|warm-up sheet|attendance list|translation|donor letter"),
		plurals:    list("programme notes|scores|seating plans|tour budgets|rehearsal rooms|solo lists|posters|ticket stubs|recordings|coat racks|warm-up sheets|attendance lists|translations|donor letters|page turners|music stands"),
		places:     list("church hall|vestry|rehearsal room|foyer|office|tour bus"),
		roles:      list("conductor|section leader|librarian|treasurer|soloist|page turner"),
		contexts:   list("programme notes|rehearsal mails|tour budgets|seating plans|donor letters|poster drafts|translation notes|audition replies|concert reports|press texts"),
		activities: list("booking a hall|printing a score|naming a soloist|planning a tour|writing a note|counting the chairs"),
	},
	{
		slug: "observatory", title: "Observatory",
		objects:    list("dome|guide camera|night log|filter wheel|flat field|weather mast|finder chart|plate|mirror cover|exposure list|humidity sensor|star atlas|focuser|calibration frame|visitor book|heater strip"),
		plurals:    list("domes|guide cameras|night logs|filter wheels|flat fields|finder charts|plates|exposure lists|humidity sensors|star atlases|focusers|calibration frames|visitor books|heater strips|eyepieces|dew shields"),
		places:     list("dome|control room|plate archive|ridge|lecture room|workshop"),
		roles:      list("observer|night assistant|archivist|guide|engineer|visiting student"),
		contexts:   list("night logs|exposure lists|visitor talks|plate catalogues|weather notes|calibration plans|observing requests|outreach posts|maintenance weeks|data releases"),
		activities: list("opening the dome|taking a flat|focusing the camera|reading a plate|guiding a visitor|closing the log"),
	},
	{
		slug: "seed-library", title: "Seed library",
		objects:    list("seed packet|germination test|loan card|drying rack|variety name|label|freezer drawer|harvest note|exchange table|donor card|sieve|moisture meter|planting calendar|catalogue page|jar|garden bed"),
		plurals:    list("seed packets|germination tests|loan cards|drying racks|variety names|labels|freezer drawers|harvest notes|exchange tables|donor cards|sieves|moisture meters|planting calendars|catalogue pages|jars|garden beds"),
		places:     list("drying room|reading room|greenhouse|freezer|exchange table|allotment"),
		roles:      list("seed saver|librarian|grower|donor|botanist|school group"),
		contexts:   list("packet labels|germination tests|loan reminders|exchange days|catalogue pages|donor letters|planting notes|school visits|harvest reports|storage checks"),
		activities: list("drying a batch|naming a variety|testing a packet|lending a jar|printing a label|sowing a row"),
	},
	{
		slug: "software-team", title: "Software team",
		objects:    list("release note|design document|test suite|feature flag|error message|code review|build pipeline|schema change|benchmark|on-call rota|changelog|dashboard|queue|retry budget|interface|log line"),
		plurals:    list("release notes|design documents|test suites|feature flags|error messages|code reviews|build pipelines|schema changes|benchmarks|changelogs|dashboards|queues|retry budgets|interfaces|log lines|data models"),
		places:     list("main branch|staging cluster|handbook|test lab|release channel|archive"),
		roles:      list("reviewer|on-call engineer|release manager|designer|tester|new colleague"),
		contexts:   list("release notes|code reviews|design documents|error messages|benchmark reports|schema changes|test names|incident notes|planning notes|changelog entries"),
		activities: list("merging a change|naming a test|reviewing a design|quoting a benchmark|changing a schema|closing an incident"),
	},
	{
		slug: "museum", title: "Maritime museum",
		objects:    list("label|display case|lifeboat|loan form|visitor route|rope sample|oral history|press text|condition report|model ship|donor file|light meter|audio guide|poster|storage box|floor plan"),
		plurals:    list("labels|display cases|lifeboats|loan forms|visitor routes|rope samples|oral histories|press texts|condition reports|model ships|donor files|light meters|audio guides|posters|storage boxes|floor plans"),
		places:     list("main hall|harbour shed|reading room|conservation lab|ticket desk|attic store"),
		roles:      list("curator|conservator|volunteer guide|registrar|donor|school liaison"),
		contexts:   list("object labels|loan forms|press texts|condition reports|school tours|audio guides|exhibition plans|donor letters|storage moves|visitor surveys"),
		activities: list("moving an object|writing a label|lending a model|lighting a case|recording a story|closing a hall"),
	},
	{
		slug: "ferry-line", title: "Island ferry",
		objects:    list("timetable|crew list|fare table|departure board|cargo note|weather call|ticket roll|safety drill|lost-property shelf|ramp|fuel log|announcement|deck plan|mooring line|winter schedule|pier sign"),
		plurals:    list("timetables|crew lists|fare tables|departure boards|cargo notes|weather calls|ticket rolls|safety drills|ramps|fuel logs|announcements|deck plans|mooring lines|winter schedules|pier signs|life rafts"),
		places:     list("pier|bridge|car deck|saloon|booking office|engine room"),
		roles:      list("captain|deckhand|purser|harbour master|engineer|booking clerk"),
		contexts:   list("announcements|timetable changes|fare tables|crew lists|safety drills|cargo notes|weather calls|winter schedules|passenger mails|pier signs"),
		activities: list("casting off|loading a van|changing the fare|calling the weather|printing a timetable|mooring in wind"),
	},
	{
		slug: "clay-studio", title: "Clay studio",
		objects:    list("kiln|glaze test|class list|wheel|firing log|clay order|shelf label|wax pot|test tile|drying rack|booking form|tool roll|slip bucket|cone pack|commission note|studio rule"),
		plurals:    list("kilns|glaze tests|class lists|wheels|firing logs|clay orders|shelf labels|wax pots|test tiles|drying racks|booking forms|tool rolls|slip buckets|cone packs|commission notes|studio rules"),
		places:     list("glaze lab|kiln room|throwing room|shop window|damp cupboard|courtyard"),
		roles:      list("potter|kiln tender|class teacher|beginner|glaze chemist|shop helper"),
		contexts:   list("firing logs|class mails|glaze notes|commission notes|shelf labels|booking forms|kiln plans|clay orders|exhibition texts|studio rules"),
		activities: list("firing the kiln|mixing a glaze|trimming a bowl|teaching a class|stacking a shelf|opening the damp cupboard"),
	},
	{
		slug: "small-press", title: "Small press",
		objects:    list("manuscript|proof|cover draft|print run|style sheet|contract draft|royalty statement|paper sample|index|catalogue|review copy|spine|author photo|reading list|launch plan|typeface"),
		plurals:    list("manuscripts|proofs|cover drafts|print runs|style sheets|contract drafts|royalty statements|paper samples|indexes|catalogues|review copies|spines|author photos|reading lists|launch plans|typefaces"),
		places:     list("editing room|print shop|warehouse|book fair stand|archive|kitchen table"),
		roles:      list("editor|proofreader|typesetter|translator|printer|author"),
		contexts:   list("jacket copy|proof notes|author mails|contract drafts|catalogue texts|launch plans|style sheets|review requests|reprint notes|royalty letters"),
		activities: list("marking a proof|choosing a paper|cutting a chapter|naming a series|setting a table|planning a launch"),
	},
	{
		slug: "river-gauge", title: "River gauge service",
		objects:    list("gauge board|flood notice|sensor mast|level curve|rating table|battery box|field book|bridge camera|data gap|alarm level|station sheet|survey point|tide note|ice report|contact list|maintenance van"),
		plurals:    list("gauge boards|flood notices|sensor masts|level curves|rating tables|battery boxes|field books|bridge cameras|data gaps|alarm levels|station sheets|survey points|tide notes|ice reports|contact lists|maintenance vans"),
		places:     list("weir|lower bridge|field office|mill race|data room|boat house"),
		roles:      list("hydrologist|field technician|duty officer|lock keeper|town clerk|data clerk"),
		contexts:   list("flood notices|station sheets|field books|sensor reports|rating tables|data gaps|public bulletins|winter plans|survey notes|handover calls"),
		activities: list("reading the gauge|raising the alarm level|changing a battery|filling a gap|surveying a section|issuing a notice"),
	},
	{
		slug: "language-school", title: "Evening language school",
		objects:    list("placement test|lesson plan|word list|class register|homework sheet|course page|listening exercise|grammar table|feedback form|exam date|substitute list|reading text|certificate|whiteboard|pronunciation note|enrolment mail"),
		plurals:    list("placement tests|lesson plans|word lists|class registers|homework sheets|course pages|listening exercises|grammar tables|feedback forms|exam dates|reading texts|certificates|whiteboards|pronunciation notes|enrolment mails|course books"),
		places:     list("classroom|library corner|office|café downstairs|exam hall|courtyard"),
		roles:      list("teacher|course lead|examiner|beginner|substitute|exchange student"),
		contexts:   list("lesson plans|course pages|feedback forms|enrolment mails|word lists|placement tests|exam notices|homework sheets|term reports|substitute notes"),
		activities: list("correcting an essay|placing a beginner|planning a lesson|choosing a text|speaking in class|closing the register"),
	},
}

var (
	names = list("Ines|Tomek|Ayşe|Dag|Chloé|Marta|Bernd|Oluwaseun|Noor|Halvor|Lena|Petra|Jonas|Élodie|Søren|Yuki|Amélie|Rafael|Hanneke|Zoë")

	qualities = list("accuracy|speed|calm|clarity|brevity|reuse|freshness|trust|patience|warmth|evenness|quiet|durability|plain words|early notice|fair prices|fewer surprises|short queues|steady work|good handovers|second readings|repeat visits|honest gaps|local knowledge|room to think|clean edges|low cost|high margins|wide choice|deep knowledge")

	states = list("kept on paper|checked twice a week|older than the building|shared by two teams|labelled by hand|smaller than it looks|on loan until spring|counted every evening|written in pencil first|stored in the dark|numbered from the left|covered by the yearly budget|ready before opening time|too heavy for one person|known by a nickname|copied once a month|sorted by season|due for renewal|part of the inspection|open to everybody|reserved for members|cheaper in winter|repaired in house|made of oak|tested after each move")

	behaviours = list("write the date before the name|name the person who decides|say what changes and what stays|give the reason in one sentence|put the number first|leave a line for corrections|read the text aloud once|show the old value beside the new one|ask a second pair of eyes|start with the question that was asked|round to the nearest whole number|keep the original beside the copy|mention the weather only when it matters|close with the next step|use the word the customer used|state the unit|draw the smallest possible diagram|add the source in brackets|spell names as their owners do|list what is missing|begin with the exception|count from the door|thank the person who noticed|mark guesses as guesses|wait until the figures are final")

	bans = list("use more than one exclamation mark|quote a price without its date|promise a day of the week|compare one colleague with another|write in the passive|rely on colour alone|round in our own favour|mix two units in one table|explain a joke|publish on a Friday evening|cut the last paragraph first|name a customer|use a word the team has to look up|leave a blank field without a reason|repeat the headline in the first line|print more than two pages|change two things at once|guess at a spelling|move a deadline without a note|assume that everyone was there")

	preferences = list("a short list over a long paragraph|the older name over the newer one|a phone call over a third mail|a drawing over a description|one careful change over three quick ones|the local supplier over the cheaper one|paper over a new tool|a question over an assumption|a small batch over a large one|the boring option over the clever one|an early answer over a complete one|a full sentence over a slogan|the morning over the evening|two people over one expert|a date over a season|a plain label over a pretty one|the written rule over the remembered one|a repair over a replacement|a quiet correction over a public one|the reader's word over ours")

	reasons = list("It took us two seasons to find that out.|The opposite was tried for a year and cost more.|Visitors ask about it before they ask about anything else.|The short version is read; the long one is filed.|Nobody has to look it up twice this way.|We were wrong about this in the spring and said so.|It is easier to explain to a newcomer.|Half of the complaints came from this one thing.|The figures from last year point the same way.|A mistake here is only noticed weeks later.|It keeps the handover under ten minutes.|Someone always reads it on a phone, in the rain.|The first draft of this rule was longer and nobody followed it.|It costs a minute and has saved whole evenings.|Two neighbours do the same and have fewer returns.|The numbers look small until they are added up.|Regulars notice, and they tell us.|It was written down after the third argument.|The exception is rarer than we thought.|What is agreed in the doorway is forgotten by noon.")

	times = list("in March|in the first week of the month|before the summer break|by the end of the season|until the new shelves arrive|on market days|during the winter|after the spring cleaning|since the move|at the turn of the year|every other Tuesday|between two holidays|on quiet mornings|after four o'clock|within the first year|before the doors open")

	verbs = list("halve the time spent on|have a second person for|answer every question about|agree on one form for|learn from each|write less and say more about|give every visitor a reason to ask about|finish one thing before starting the next|find a better home for|count, once and properly,|explain to a newcomer|share what is known about|review each|slow down the work on|retire the oldest")

	lines = list("agreed with everyone present|needs a second look|moved to next week|cheaper than expected|waiting for the post|done, thanks to the early shift|three left, one reserved|sold out before ten|still too warm|signed and filed|ask again on Monday|as last year, a little earlier|two corrections, both small|ready at half past nine|label missing, name known")

	works = list("Field Notes|House Book|Season Review|Reader Survey|Interview|Minutes|Letters|Workshop Diary|Annual Report|Handover Sheet")

	forces        = list("must|must|should|should|may")
	goalForces    = list("must|should|should|may")
	scopes        = list("project|project|org|org|user|session")
	goalScopes    = list("org|project|project|user")
	stabilities   = list("permanent|permanent|permanent|seasonal|tactical")
	claimLifetime = list("permanent|permanent|tactical")
	valences      = list("positive|positive|negative|mixed")
)
