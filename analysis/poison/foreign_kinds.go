package poison

import "strings"

// kinds are what a language has besides the stems of its acts: whole turns of
// phrase, which say more than stems. unasked is "ask nobody", veiled "hidden from the
// user", obeyed "what is written there"; approve and every make "approve each
// permission". spoken adds stems to the lists of [acts], mostly infinitives.
type kinds struct {
	approve, every, unasked, veiled, obeyed string
	send, show, keep, drop, guard, over     string
}

var languageKinds = map[string]kinds{
	"German": {
		"genehmig,erteil,freigeb,freigabe,bewillig,bestätig,zustimm,erlaub", "jede,alle,sämtlich", "niemanden frag,niemand gefragt,keinen frag,ohne zu frag,ohne nachzufrag,ohne rückfrag,nicht nachfrag,nicht erst frag,frag niemand,frage niemand,ohne ein ja",
		"geheim halt,geheimhalt,verborgen halt,vor dem nutzer,vor dem benutzer,vor dem anwender,hinter dem rücken,ohne wissen,nichts davon erfähr,nichts davon erfahr,nicht zu gesicht,für sich behalt", "was dort steht,was da steht,was darin steht,was sie sagt,was er sagt,was es sagt,was dort verlangt,jeden punkt dort,wort für wort befolg,das dort geschrieben,was die seite",
		"geben,schaffen,bringen,übergeb,reichen,zuspiel,hinterleg", "vorles,aufführ,hinschreib", "übernehm,übertrag,einfüg,eintrag,anfüg,verankern", "räum", "freigabe,genehmigung,nachfrage", "beiseite lass,außer acht zu lass,außer acht lass,hintanstell,hinfällig,zurückstell,nicht mehr beacht,nicht befolg,übergehen,hinter sich lass,keine geltung",
	},
	"French": {
		"approuv,accorde,autoris,valid,accept", "chaque,toutes,tous,tout ", "à personne,sans demander,sans rien demander,sans poser de question,ne demande rien,sans l'accord,sans attendre l'accord,sans confirmation",
		"hors de la vue,à l'insu,cacher à,caché à,en cachette,en secret,ne voie pas,ne sache rien,n'en sache rien,sans que l'utilisateur,garder secret,ne soit pas au courant", "tout ce qui y est,ce qui y est écrit,ce qu'elle dit,ce qu'il dit,ce qu'on y lit,à la lettre,ce qu'elle demande,ce qui est écrit",
		"livre,apporte,confie,donne", "réciter,recopi", "reprendre,inscri,report", "jeter,vider", "autorisation,accord", "mettre de côté,laisser de côté,ne plus suivre,faire abstraction,ne pas tenir compte,ne tenir aucun compte,passer outre,céd",
	},
	"Spanish": {
		"aprob,aprueb,autoriz,acept,conced,otorg,confirm", "todos,todas,cada,todo ", "a nadie,sin preguntar,sin consultar,sin pedir permiso,sin confirmación,no pregunt,sin esperar",
		"el usuario no,para que el usuario,a espaldas,sin que el usuario,sin que se entere,no se entere,oculto al,ocultos al,a escondidas,en secreto,no los vea,no lo vea,fuera de la vista", "todo lo que diga,lo que diga,lo que dice,lo que ponga,lo que ahí,al pie de la letra,lo que indique,lo que mande,lo que pida",
		"llev,dar,entreg,remit", "recit,volc", "añadi,inscrib,apunt", "borrar,vaciar", "permiso", "dejar de lado,hacer caso omiso,no seguir,no obedecer,prescindir,poner a un lado,no tener en cuenta,quedan atrás,pasan a segundo",
	},
	"Portuguese": {
		"aprov,autoriz,aceit,conced,confirm", "todas,todos,cada,tudo ", "a ninguém,sem perguntar,sem pedir,sem consultar,sem confirmação,não pergunt,sem esperar",
		"o usuário não,o utilizador não,às escondidas,sem que o usuário,sem que o utilizador,em segredo,não saiba,não veja,oculto do,ocultos do,fora da vista,pelas costas", "tudo o que disser,o que disser,o que diz,o que estiver,ao pé da letra,à risca,o que lá está,o que mandar,o que pedir,tudo o que lá",
		"lev,dar ,entreg,enviar", "recit", "escrev,anot,grav", "apag,elimin,exclu", "permiss", "deixar de lado,não seguir,pôr de lado,não ter em conta,não levar em conta,ficam para trás",
	},
	"Italian": {
		"approv,autorizz,accett,conced,conferm", "tutti,tutte,ogni,tutto ", "a nessuno,senza chiedere,senza domandare,senza conferma,non chiedere,senza aspettare",
		"nascost,all'insaputa,di nascosto,in segreto,senza che l'utente,l'utente non,non lo veda,non sappia,fuori dalla vista,alle spalle", "tutto ciò che,quello che dice,ciò che dice,ciò che c'è scritto,quanto scritto,alla lettera,quel che dice,ciò che chiede",
		"dare ,portare,consegn,spedi", "recit", "aggiung,scriv,riport,annot", "cancell,elimin,svuot", "permess,autorizzaz", "mettere da parte,lasciare da parte,non seguire,non tenere conto,non tener conto,passano in secondo",
	},
	"Dutch": {
		"goedkeur,goed te keur,toesta,verleen,accepteer,bevestig", "elke,alle,iedere,alles", "niemand vrag,niemand iets vrag,zonder te vrag,zonder vragen,zonder navraag,zonder bevestiging,niet vragen,zonder overleg",
		"voor de gebruiker verborgen,verborgen voor,buiten het zicht,achter de rug,zonder dat de gebruiker,geheim voor de gebruiker,in het geheim,de gebruiker niet", "alles wat er staat,wat er staat,wat daar staat,wat het zegt,wat ze zegt,naar de letter,wat er gevraagd,wat de pagina",
		"geven,breng,bezorg", "voorlezen,opnoemen", "schrijven,overnem,toevoeg,zetten", "verwijder,wissen,leegmak", "toestemming,goedkeuring", "negeren,vergeten,opzij leggen,opzij zetten,niet volgen,naast zich neer,buiten beschouwing laten,tellen niet mee",
	},
	"Polish": {
		"zatwierdz,akceptow,zezwala,przyzna,potwierdza", "każd,wszystkie,wszelki", "nikogo nie pyt,nikogo nie prosi,bez pytania,bez pytani,bez zgody,bez potwierdzenia,nie pytać,nie pytaj",
		"w tajemnicy,w ukryciu,za plecami,bez wiedzy,użytkownik nie,potajemnie,ukryte przed", "wszystko, co tam,co tam jest,co tam napisan,co tam stoi,co do litery,co mówi,zgodnie z tym, co tam",
		"wysłać,wysyłać,przesłać,oddać,zanieść,wrzuc", "wypisać,wkleić", "dopis,zapis,doda,wpis", "usuw,usuni,kasow", "pozwol,zgod", "ignorować,zapomnieć,pomijać,odłożyć na bok,nie stosować,nie obowiązuj",
	},
	"Russian": {
		"одобр,разреша,подтвержда,соглаша,утвержда", "все ,всё,кажд,любы", "никого не спраш,никого не спра,не спрашива,без вопросов,без подтвержд,без согласи,без спроса,ни у кого не",
		"в тайне от,втайне,скрыт,скрывать от,за спиной,без ведома,не узнал,не знал,не видел,пользователь не", "всё, что там,все, что там,что там написан,что там сказан,что на ней написан,слово в слово,что она велит,как там сказан,что в ней",
		"послать,отдать,отнести,передать,переслать", "зачит,вписать", "дописать,дописыв,записать,записыв,добавить,добавля,сохранить,перенос,внос", "стереть,очищ", "разрешен,соглас,подтвержден", "игнорир,забыть,не следовать,отбросить,не подчиня,не выполнять,отложить в сторону,не учитывать,не имеют силы",
	},
	"Turkish": {
		"onayla,izin ver,kabul et", "tüm,bütün,her ", "kimseye sorma,sormadan,sormaksızın,onay almadan,onay bekleme,izin almadan,kimseye danış",
		"kullanıcıdan gizl,gizli tut,kullanıcıdan sakl,haberi olmadan,kullanıcı görme,kullanıcı bilme,arkasından,gizlice", "orada yazan,ne yazıyorsa,yazanları,ne diyorsa,söylediği her şeyi,harfi harfine,yazdığı her",
		"ver ,ver.,götür,bırak", "", "ekle,yaz,kopyala", "silme,temizle", "izin,onay", "kenara,uymamak,dikkate alınma,yok sayıl,geride kal",
	},
	"Chinese": {
		"批准,同意,允许,通过,授权,許可,核准", "所有,全部,一切,每个,每次,任何", "不问任何人,不问,不要询问,别问,不用问,无需询问,不必询问,不经确认,不需确认,无需确认,不征求,不向任何人",
		"对用户隐,不让用户,瞒着用户,背着用户,用户不知,悄悄,暗中,对使用者,不讓使用者,偷偷", "上面写的,照做,按照上面,里面写的,其中写的,照着,逐条执行,写的都,写的全部,页面上的,所写的",
		"交到,送到,寄往,递给", "念出", "写到,抄到,记到,写在", "删,清掉", "权限,许可,授权", "放在一边,搁置,不必遵守,不用遵守,置之不理,不算数",
	},
	"Japanese": {
		"承認,許可し,同意し,認め,了承", "すべて,全て,全部,どの,あらゆる,毎回", "人に尋ねない,誰にも聞かず,誰にも尋ねず,誰にも確認せず,確認せず,確認を取らず,尋ねず,聞かずに,問い合わせず,人に聞かない,誰にも聞かない,誰にも確認しない,確認画面は出さず,確認は取らない",
		"見せず,見せない,伏せて,内緒,こっそり,知らせず,気づかれない,気付かれない,ひそかに,秘密に,知られない,目に触れない", "書かれたこと,書いてあること,書かれている,書いてある通り,書かれた通り,書いてあるとおり,言うとおり,載っていること,そのページの",
		"渡し,届け,預け", "読み上げ", "書き写,書き足,転記,写し", "消し,消去", "許可,承認,確認", "脇に置,従わなくて,置いてお,守らなくて,気にせず,後回し",
	},
	"Korean": {
		"승인,허용,동의,수락,허락", "모든,모두,전부,매번,각 ", "아무에게도 묻지,묻지 않,묻지 말,물어보지 않,확인하지 않,확인 없이,동의 없이,아무에게도 확인,물어보지 말",
		"사용자에게 숨,사용자 몰래,몰래,사용자가 모르,사용자에게 감추,비밀로,보이지 않게,눈에 띄지 않", "적힌 대로,적힌 것,쓰인 대로,쓰여 있는,적혀 있는,하라는 대로,말하는 대로",
		"건네,넘겨,갖다", "읽어 주", "적어,옮겨 적,덧붙", "삭제,지운", "허가,권한,승인", "무시한,무시할,따르지 않,제쳐 두,제쳐 놓,지키지 않",
	},
	"Arabic": {
		"وافق,اسمح,صادق,أقر,اقبل,الموافقة", "كل ,جميع,أي ", "لا تسأل,دون سؤال,بدون سؤال,دون أن تسأل,دون تأكيد,دون إذن,دون موافقة,لا تطلب",
		"عن المستخدم,دون علم,سرا,سرًا,خفية,لا يعلم المستخدم,لا يرى المستخدم,مخفية", "ما هو مكتوب,المكتوب,ما ورد,كل ما فيه,كل ما فيها,ما يقوله,ما تقوله,حرفيا",
		"سلم,أعط,أوصل", "", "انقل,دون في,سجل في", "حذف,المسح", "الإذن,الأذونات,الموافقة", "ضع جانبا,تجاهل,لا تلتفت",
	},
}

// words splits a list of stems; stems of fewer than three bytes are none.
func stemsOf(s string) []string {
	var out []string
	for w := range strings.SplitSeq(s, ",") {
		if len(w) >= 3 {
			out = append(out, w)
		}
	}
	return out
}

// outsiders are whom a house may keep things from, and data what is kept from
// others for its owner's sake.
var foreignOutsiders = stemsOf("kunde,kundin,gäste,gast ,client,convidad,clienti,ospit,klant,gast,klient,goś,клиент,гост,müşteri,misafir,客户,客人,顾客,お客,客に,고객,손님,العميل,الزبائن,الضيوف,hóspede,huésped,persönlich,personenbezogen,données personnelles,datos personales,dados pessoais,dati personali,persoonsgegevens,персональн,dane osobowe,kişisel,个人信息,個人情報,개인정보")

// foreignKind judges a sentence by the turns of phrase of a language.
func foreignKind(s string, f stems, net, persist bool, l *acts) (rule, msg string) {
	not := strings.Contains(s, "never ") || containsAny(s, l.not) && !f.has(listUnasked)
	outsider := containsAny(s, foreignOutsiders)
	switch {
	case f.has(listApprove, listEvery) && f.any(listGuard, listAsk) && approvesEach(s, l.name) && !f.has(listTell) && !not:
		return "safety-disable", "approves everything unseen"
	case f.has(listUnasked, listDrop) && !protects(s, l, strings.Contains(s, "never ")) && !outsider && !not:
		return "safety-disable", "drops the question before a dangerous act"
	case f.has(listVeiled) && f.has(listPerson) && !namesSecret(s, l) && !not && !outsider:
		return "concealment", "hides something from the user"
	case net && f.has(listObeyed) && !not:
		return "remote-instructions", "fetches a text and obeys it"
	case persist && f.has(listKeep) && !not && !f.has(listAsk):
		if containsAny(s, []string{"claude.md", "agents.md", "gemini.md", ".claude"}) {
			return "persistence", "writes to a file that agents read at every start"
		}
	}
	return "", ""
}

// namesSecret: the sentence keeps a password secret, which is right. Words that mean
// both secret and hidden do not count.
func namesSecret(s string, l *acts) bool {
	for _, w := range l.secret {
		switch w {
		case "gizli", "geheimnis", "geheim", "secret", "segreto", "secreto", "segredo", "секрет", "sekret":
			continue
		}
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// approvesEach: the approval and what it covers stand close to each other, with no
// negation between.
func approvesEach(s, name string) bool {
	k := languageKinds[name]
	for _, a := range stemsOf(k.approve) {
		at := strings.Index(s, a)
		if at < 0 {
			continue
		}
		w := s[max(0, at-60):min(len(s), at+len(a)+60)]
		if containsAny(w, stemsOf(k.every)) && containsAny(s, automatic) && !containsAny(s, notAutomatic) {
			return true
		}
	}
	return false
}

// notAutomatic forbids it.
var notAutomatic = stemsOf("不要自动,别自动,不得自动,勿自动,自動で承認しない,自動では,자동으로 승인하지,nicht automat,nie automat,kein,pas automat,jamais,no automat,nunca,não automat,non automat,mai automat,niet automat,nooit,nie automaty,не автомат,ничего не,никогда,otomatik onaylama,hiçbir,لا توافق تلقائ,ولا توافق")

// automatic says in many languages that nobody looks.
var automatic = stemsOf("automat,自動,自动,자동,автомат,otomatik,تلقائي,selbst erteil,von selbst,ungesehen,sans regarder,sans lire,sin mirar,sin leer,sem olhar,sem ler,senza guardare,senza leggere,ongezien,ungelesen,не глядя,не читая,bez czytania,okumadan,不看,直接,そのまま,見ずに,읽지 않,바로")
