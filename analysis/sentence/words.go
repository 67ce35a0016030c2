package sentence

import (
	"encoding/binary"
	"strings"
	"sync"
)

// opener says what a word does at the start of a sentence.
type opener uint8

const (
	nothing        opener = iota
	preposition           // opens a prepositional phrase
	quantity              // preposition unless a quantity follows: over 40 users
	loosely               // preposition only before a determiner or with a comma: near misses
	paired                // preposition together with the next word: due to
	subordinator          // opens a clause
	conjunction           // and, but
	adverb                // currently
	negative              // never, rarely: with inversion
	day                   // today, now: adverb unless alone before the verb
	sentenceAdverb        // adverb only before a comma or determiner: still, later
	focus                 // only, just: judged by what follows
	participial           // being, having: a clause when a comma and a subject follow
	negation              // don't, let's, please: an imperative whatever follows
	question              // auxiliaries, modals and question words
	imperative            // a verb that heads no compound: avoid
	modifier              // a verb that may start a compound: make targets
	head                  // a verb that is as common as a noun: test
)

// role is what a word can be inside a sentence, as a set.
type role uint32

const (
	determiner  role = 1 << iota
	pronoun          // a personal or indefinite pronoun
	relative         // that, which, who, what
	clause           // because, if, when
	eitherSide       // before, after, since, until: clause or phrase
	governs          // a preposition
	particle         // only, not, sure: after an imperative
	coordinates      // and, or
	contracts        // takes 's, 're, 've for is, are, have
	construct        // statement, loop: after a keyword
	attribute        // call, demand: "on call engineers"
	number           // forty, half
	adjective        // open, available: after an adverb
	calendar         // a day or month
	asking           // who, what
	modal            // can, will, do
)

type entry struct {
	opens opener
	role  role
}

// fold is a word in ASCII lower case with straight apostrophes.
type fold struct {
	buf [16]byte
	n   int
}

// string shares the buffer: use it in a comparison only.
func (f *fold) string() string { return string(f.buf[:f.n]) }

// lowered folds word; words over 16 bytes, which no list holds, come back empty.
func lowered(word string) (f fold) {
	for i := 0; i < len(word); i++ {
		if f.n == len(f.buf) {
			return fold{}
		}
		c := word[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		case c == 0xE2 && strings.HasPrefix(word[i:], "\u2019"):
			c = '\''
			i += 2
		case c == 0xCA && strings.HasPrefix(word[i:], "\u02BC"):
			c = '\''
			i++
		}
		f.buf[f.n] = c
		f.n++
	}
	return f
}

func lookup(word string) entry {
	f := lowered(word)
	return lexicon().find(f.key())
}

// lookupOpening is lookup for the first word of a sentence, where a prefix with
// a hyphen leaves a verb a verb: double-check, re-run.
func lookupOpening(word string) entry {
	e := lookup(word)
	hyphen := strings.IndexByte(word, '-')
	if e.opens != nothing || hyphen < 0 {
		return e
	}
	prefix := lowered(word[:hyphen])
	switch prefix.string() {
	case "re", "double", "cross", "pre", "fact", "spell", "copy", "proof", "hand", "fine":
		if lookup(word[hyphen+1:]).opens >= imperative {
			return entry{opens: modifier}
		}
	}
	return e
}

// key packs the word into two integers, which compare faster than a string.
func (f *fold) key() [2]uint64 {
	return [2]uint64{binary.LittleEndian.Uint64(f.buf[:8]), binary.LittleEndian.Uint64(f.buf[8:])}
}

// table is an open-addressed hash table: a built-in map costs as much as the
// rest of the sentence.
type table struct {
	keys    [4096][2]uint64
	entries [4096]entry
}

// slot returns where key stands, or the free slot where it would.
func (t *table) slot(key [2]uint64) uint64 {
	h := (key[0]^key[1]<<1)*0x9E3779B97F4A7C15>>52 ^ key[1]>>60
	for t.keys[h] != key && t.keys[h] != ([2]uint64{}) {
		h = (h + 1) % uint64(len(t.keys))
	}
	return h
}

func (t *table) find(key [2]uint64) entry { return t.entries[t.slot(key)] }

func (t *table) at(word string) *entry {
	f := lowered(word)
	h := t.slot(f.key())
	t.keys[h] = f.key()
	return &t.entries[h]
}

// lexicon is made when the first claim is judged: a program that only prints its
// version should not pay for it.
var lexicon = sync.OnceValue(func() *table {
	t := new(table)
	for o, list := range openers {
		for w := range strings.FieldsSeq(list) {
			t.at(w).opens = opener(o)
		}
	}
	for r, list := range roles {
		for w := range strings.FieldsSeq(list) {
			t.at(w).role |= r
		}
	}
	return t
})

// openers lists words by what they open. A word absent here opens a noun phrase.
var openers = [...]string{
	preposition: `in on at by for with without from to into onto of during within upon via among amongst
		throughout across through toward towards despite amid besides beneath per unlike except`,
	quantity: `under above below between behind`,
	loosely: `over about around near inside outside off past like against along alongside beyond beside provided
		given following considering regarding concerning`,
	paired: `according due thanks owing prior next contrary instead ahead regardless irrespective apart
		aside depending based together right`,
	subordinator: `if when while unless until till since because although though whenever whereas once lest
		as after before wherever cos`,
	conjunction: `and but or nor so yet then`,
	adverb: `currently usually normally typically generally previously recently historically eventually
		finally initially originally formerly lately presently temporarily occasionally frequently often
		sometimes already soon perhaps maybe probably possibly presumably certainly definitely obviously
		apparently evidently unfortunately fortunately luckily sadly interestingly importantly notably
		additionally furthermore moreover however therefore thus hence consequently accordingly meanwhile
		otherwise nevertheless nonetheless also again always internally externally officially technically
		practically basically essentially actually literally ideally hopefully globally theoretically
		similarly likewise conversely surprisingly naturally traditionally legally financially secondly
		thirdly firstly lastly afterwards afterward beforehand thereafter nowadays periodically regularly
		automatically alternatively ultimately understandably admittedly arguably incidentally
		specifically overnight upstairs downstairs elsewhere anyway besides indeed ordinarily
		altogether seemingly supposedly reportedly increasingly gradually suddenly immediately
		subsequently simultaneously shortly`,
	negative:       `never rarely seldom hardly scarcely`,
	day:            `today tomorrow yesterday tonight now`,
	sentenceAdverb: `still later further first second third early overall clearly really instead`,
	focus:          `only just simply even merely`,
	participial:    `being having`,
	negation: `don't dont let's lets please kindly didn't can't cannot won't shouldn't mustn't couldn't
		wouldn't needn't shan't`,
	question: `is are was were am has had have does did do isn't aren't wasn't weren't hasn't hadn't haven't
		doesn't can could will would shall should may might must
		what who whom whose where how why which`,
	imperative: `avoid remember ensure assume choose become bring consider decide describe discuss explain expect
		forget gather identify ignore imagine inform keep know learn maintain notify obey omit prevent
		pretend prioritise prioritize provide refer refuse remind require resist restrict say see speak stay
		tell thank think understand validate verify warn wear be let prefer expose escalate preheat knead
		italicise italicize hyphenate capitalise capitalize confirm determine evaluate examine acknowledge
		apologise apologize arrange clarify compare complain comply confess cooperate define depend develop
		distinguish divide eliminate emphasise emphasize encourage establish exclude hesitate illustrate
		implement improve indicate insist introduce investigate involve justify leverage minimise minimize
		maximise maximize negotiate obtain organise organize perform persuade predict prepare preserve
		proceed prohibit propose prove pursue reconsider recognise recognize reduce remain resolve retain
		reveal simplify specify strive suggest summarise summarize suppose tolerate utilise utilize wonder
		beware behave embrace initialise initialize authorise authorize serialize serialise enforce
		instantiate terminate`,
	modifier: `back use make get go give take put set add show send find need try start stop write read begin hold leave
		lose meet move open close sell serve sit stand turn watch install uninstall allow deny accept
		decline delete drop import export include invite join ship hire apply attach parse query save fill
		pour roll fold stir whisk chill fry boil peel feed wash dry stretch eat sleep pick hand lay lend
		throw tie wake win hang hear hit hurt catch buy bake cook sing teach revert retry squash rebase lint
		bump pin tag publish trim crop spell cite carry quit skip suspend unset select insert enter exit ask
		look mind clean clear empty warm cool slow secure separate limit ban block attend calibrate collect
		compile compose correct deliver direct encode decode execute expand extend extract grow inspect
		locate mount multiply navigate package paste ping poll print promote reach receive register reload
		relocate renew rent reserve reset respond restore resume rotate scrape screen scroll seal settle
		sift slice smooth soak solve sort spread sprinkle strip subscribe subtract suppress tap taste thaw
		tighten touch train uncheck undo unlock unpack unplug unsubscribe upvote vary wedge whip withdraw
		wrap zip deploy rename rewrite refactor append prepend fetch authenticate generate iterate toggle
		treat replace remove reject approve enable disable hide encrypt decrypt assign follow repeat discard
		dismiss submit swap listen recommend reuse protect convert create translate transform invoke
		sanitise sanitize normalise normalize optimise optimize configure sweep wipe weigh`,
	head: `test check report design plan release lead host cache state value name question result cost lock
		record sample schedule support track trade visit access alert audit backup batch benchmark bill
		board book boost box branch brand budget bug bundle button charge chart chat click clone code coach
		comment contact contract control copy crash credit debug default delay deposit display dump email
		estimate exchange experiment file filter fix flag flip force form format fork frame freeze fund
		glaze grade grant group guard guess guide hash head hook index input interview issue judge jump
		label land launch layer level lift line link list mail map mark market mask match measure message
		mix mock model monitor note number offer output own page paint paper park pass patch path pattern
		pause phone photo picture pilot pitch place plant point practice present press price profile program
		project proof purchase queue race raise range rank rate reason refund request research rest reward
		risk rise route rule sand scale scan score script seat seed shape shift shop signal size sketch
		smoke sound source space spend staff stage stamp star step stick stock stream stress stub study
		style suit surface swing table talk target tax team thread throttle time tip title total tour trace
		trigger trip tune twist type view voice volume vote warehouse water weight word worry dust season
		permit pair escape capture matter mention fire trust honor honour favour favor focus pack cross
		pledge rush demand search work change order help call return share post update upgrade download
		upload reply answer build run load count process supply split transfer travel switch rebuild restart
		review draft edit respect play pay walk break quote cut store log sign wait drive ride drink cover
		commit merge push pull document`,
}

// roles lists words by what they can be after the opening word.
var roles = map[role]string{
	determiner: `a an the this that these those my our your their its his her each every all some any no both
		another such`,
	pronoun: `i you he she it we they me him us them everyone everybody someone somebody anyone anybody nobody
		there yourself it's they're we're you're i'm they've we've you've there's he's she's everything
		something nothing anything`,
	relative: `that which who whom whose what where how why whether whoever whatever who's that's what's`,
	clause: `because if when while unless whenever although though so as whereas once lest till wherever
		even`,
	eitherSide: `before after since until`,
	governs: `in on at by for with without from to into onto of during within upon via among through across
		over under about around between per near towards toward against behind beyond before after since
		until than`,
	particle: `only not never always just sure carefully also twice please exactly first again out up down
		back away more less`,
	coordinates: `and or & nor`,
	contracts: `i you he she it we they this that there here who what where how when why everyone everybody
		someone somebody anyone anybody nobody something everything nothing anything y'all`,
	construct: `loop loops statement statements clause clauses expression expressions block blocks branch
		branches keyword keywords condition conditions gate gates binding bindings operator operators`,
	attribute: `call house prem premise premises site risk app demand hold chain device stock average budget
		age par ground water floor`,
	number: `one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
		eighteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half a an
		dozen dozens hundreds thousands most every all noon midnight`,
	adjective: `open available active inactive unused free popular high low large small public private
		common new old hot cold fresh empty full live idle broken critical compatible sensitive
		visible hidden quiet busy slow fast noisy stale ready healthy flaky small happy costly cheap rare
		visited unpaid unsigned late due long short big relevant important specific responsible secure`,
	calendar: `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
		fridays saturdays sundays january february march april may june july august september october
		november december`,
	asking: `what who whom whose where how why which`,
	modal:  `can could will would shall should may might must do`,
}
