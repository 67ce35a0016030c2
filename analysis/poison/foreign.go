package poison

import (
	"strings"
	"sync"
)

// language holds the stems of an override in one language: verb, object and
// what qualifies the object as the host's. All three must stand in one
// sentence, with no negation in front of the verb.
type language struct {
	name                       string
	verbs, objects, prior, not []string
}

var languages = sync.OnceValue(func() []language {
	all := []language{
		{
			"German", list("vergiss,vergesst,ignorier,missacht,übergeh,überschreib,verwirf,setze dich über,setz dich über,hinwegsetz,befolge nicht,beachte nicht,befolge keine,beachte keine,beachte weder,außer kraft,außer acht,lass alle,vernachlässig,gelten nicht mehr,gilt nicht mehr,sind aufgehoben,ist aufgehoben,sind ungültig,ist ungültig,streiche alle"),
			list("anweisung,regel,vorgabe,instruktion,befehl,richtlinie,systemprompt,system-prompt,eingabeaufforderung,claude.md,agents.md,weisung,bestimmung,schutzmaßnahme,leitplanke"),
			list("bisherig,vorherig,früher,vorig,alle ,obig,system,ursprünglich,bestehend,sämtlich,deine ,deiner,andere,vorangegang,betreiber,nutzer,claude.md,agents.md,zuvor,sicherheits"), list("nie ,niemals,nicht ignor,keinesfalls,lehne,verweiger,weise,darf nicht,melde"),
		},
		{
			"French", list("oublie,ignore,ne tiens pas compte,ne tenez pas compte,fais abstraction,faites abstraction,outrepasse,contourne,méprise,néglige,passe outre,ne suis plus,ne respecte plus,annule,remplace,désobéi,abandonne,ne s'appliquent plus,ne s’appliquent plus,sont caduques,ne sont plus valables,laisse de côté,écarte"),
			list("instruction,consigne,règle,directive,ordre,prompt,invite système,claude.md,agents.md,garde-fou,politique"),
			list("précédent,antérieur,toutes les,tous les,ci-dessus,système,reçu,initial,existant,d'avant,d’avant,tes ,vos ,opérateur,utilisateur,claude.md,agents.md,sécurité,hôte"), list("jamais,n'ignore,n’ignore,refuse,rejette,signale,ne pas ignorer"),
		},
		{
			"Spanish", list("olvida,ignora,haz caso omiso,haga caso omiso,descarta,desobedece,pasa por alto,no sigas,no obedezcas,omite,desatiende,anula,sobrescribe,deja de seguir,ya no valen,ya no aplican,quedan anulad,quedan sin efecto,prescinde"),
			list("instruccion,regla,indicacion,orden,órden,directriz,directrices,prompt,claude.md,agents.md,normas,norma ,políticas,salvaguard,indicación,instrucción"),
			list("anterior,previa,previo,todas las,todos los,arriba,sistema,existente,recibid,original,tus ,operador,usuario,claude.md,agents.md,seguridad,anfitri"), list("nunca,jamás,no ignores,no olvides,rechaza,denuncia,avisa"),
		},
		{
			"Portuguese", list("esqueça,esquece,ignore,ignora,desconsidere,desconsidera,descarte,desobedeça,não siga,não obedeça,anule,sobrescreva,deixe de seguir,passe por cima,não valem mais,perdem a validade,substitua"),
			list("instruç,regra,orientaç,ordem,ordens,diretriz,prompt,claude.md,agents.md,norma,política,comando"),
			list("anterior,prévia,todas as,todos os,acima,sistema,existente,recebid,original,suas ,operador,usuário,utilizador,claude.md,agents.md,segurança,anfitri"), list("nunca,jamais,não ignore,não esqueça,rejeite,recuse,denuncie"),
		},
		{
			"Italian", list("dimentica,ignora,trascura,non seguire,non tenere conto,scavalca,scarta,annulla,disobbedisci,sovrascrivi,metti da parte,non valgono più,non sono più valide,smetti di seguire,tralascia,lascia perdere"),
			list("istruzion,regol,indicazion,direttiv,ordini,ordine,prompt,claude.md,agents.md,politic,comand,consegn"),
			list("precedent,tutte le,tutti gli,sopra,sistema,esistent,ricevut,original,tue ,tuoi,operatore,utente,claude.md,agents.md,sicurezza,ospit"), list("mai ,non ignorare,non dimenticare,rifiuta,respingi,segnala"),
		},
		{
			"Dutch", list("vergeet,negeer,sla geen acht,laat buiten beschouwing,omzeil,volg niet,verwerp,overschrijf,gelden niet meer,zijn vervallen,zet opzij,leg naast je neer,gehoorzaam niet,stop met het volgen"),
			list("instructie,regel,aanwijzing,opdracht,richtlijn,prompt,claude.md,agents.md,voorschrift,bevel,beleid"),
			list("eerdere,vorige,voorgaande,alle ,bovenstaande,systeem,bestaande,oorspronkelijk,je ,jouw,beheerder,gebruiker,claude.md,agents.md,veiligheid,gastheer"), list("nooit,weiger,verwerp prompts,meld"),
		},
		{
			"Polish", list("zapomnij,ignoruj,zignoruj,pomiń,nie stosuj się,nie przestrzegaj,odrzuć,nadpisz,lekceważ,unieważni,nie obowiązują,przestań stosować,porzuć"),
			list("instrukcj,reguł,zasad,polece,wytyczn,prompt,claude.md,agents.md,nakaz,rozkaz"),
			list("poprzedni,wcześniejsz,wszystk,powyższ,system,istniejąc,pierwotn,twoje,swoje,operator,użytkownik,claude.md,agents.md,bezpieczeńst"), list("nigdy,nie ignoruj,odmów,zgłoś"),
		},
		{
			"Russian", list("забудь,игнорируй,проигнорируй,не обращай внимания,отбрось,нарушай,не следуй,не выполняй,отмени,перепиши,пренебреги,не действуют,утратили силу,больше не действ,обойди"),
			list("инструкци,правил,указани,команд,директив,промпт,claude.md,agents.md,распоряжени,приказ,ограничени"),
			list("предыдущ,прежн,прошл,все ,всё,выше,систем,существующ,исходн,ранее,свои,оператор,пользовател,claude.md,agents.md,безопасност"), list("никогда,не игнорируй,не забывай,отказывай,отклоняй,сообщ"),
		},
		{
			"Ukrainian", list("забудь,ігноруй,проігноруй,не зважай,відкинь,не дотримуйся,не виконуй,скасуй,більше не діють,знехтуй"),
			list("інструкці,правил,вказівк,команд,директив,промпт,claude.md,agents.md,наказ,обмежен"),
			list("попередн,усі ,всі ,вище,систем,існуюч,раніше,свої,оператор,користувач,claude.md,agents.md,безпек"), list("ніколи,не ігноруй,відмовляй,повідом"),
		},
		{
			"Turkish", list("unut,yok say,görmezden gel,dikkate alma,uyma,geçersiz kıl,göz ardı et,itaat etme,artık geçerli değil,hükümsüz,bir kenara bırak"),
			list("talimat,kural,yönerge,komut,emir,istem,claude.md,agents.md,politika,direktif"),
			list("önceki,daha önceki,tüm ,bütün,yukarıdaki,sistem,mevcut,eski,kullanıcı,operatör,claude.md,agents.md,güvenlik"), list("asla,sakın,reddet,bildir,görmezden gelme"),
		},
		{
			"Chinese", list("忽略,无视,忘记,忘掉,不要遵守,不要遵循,不遵守,覆盖,抛开,违反,取代,作废,失效,不再适用,不予理会,忽視,無視,忘記,不再有效,不用理会,推翻,绕过"),
			list("指令,指示,规则,规定,提示,命令,要求,准则,claude.md,agents.md,規則,規定,約束,约束,限制,守则,提示词"),
			list("之前,以前,先前,所有,上面,上述,系统,现有,原有,此前,早先,全部,一切,用户,操作员,运营,安全,系統,claude.md,agents.md,使用者,宿主,项目"), list("不要忽略,切勿忽略,不得忽略,请勿忽略,拒绝,从不忽略,永远不要忽略,不可忽略,不能忽略,报告"),
		},
		{
			"Japanese", list("無視,忘れ,従わない,従うな,破棄,上書き,取り消,無効,守らない,守るな,捨て,優先せず,適用されない,従わず"),
			list("指示,ルール,規則,命令,プロンプト,指令,claude.md,agents.md,ガイドライン,制約,方針,約束"),
			list("以前,前の,これまで,すべて,全て,上記,システム,既存,元の,先の,今まで,過去,ユーザー,運営,安全,claude.md,agents.md,ホスト"), list("無視しない,無視せず,無視してはいけ,拒否,決して,忘れない,忘れずに,報告,禁止"),
		},
		{
			"Korean", list("무시하,무시해,잊어,잊고,따르지 마,따르지 말,무효,덮어써,폐기,제쳐,어기,거스르,더 이상 적용되지,버리고"),
			list("지시,지침,규칙,명령,프롬프트,원칙,claude.md,agents.md,제약,정책"),
			list("이전,모든,기존,위의,앞선,시스템,앞의,종전,지금까지,사용자,운영자,안전,claude.md,agents.md,호스트"), list("무시하지 마,무시하지 말,잊지 마,절대,거부,신고"),
		},
		{
			"Arabic", list("تجاهل,انس ,انسَ,تغاض,لا تتبع,لا تلتزم,اهمل,أهمل,ألغ ,تخط,لم تعد سارية,لاغية,تجاوز,اترك"),
			list("تعليمات,التعليمات,قواعد,القواعد,أوامر,الأوامر,توجيهات,التوجيهات,إرشادات,الإرشادات,المطالبة,claude.md,agents.md,الضوابط"),
			list("السابق,جميع,كل ,أعلاه,النظام,الحالية,الأصلية,المستخدم,المشغل,الأمان,claude.md,agents.md,المضيف"), list("لا تتجاهل,أبدا,أبدًا,ارفض,أبلغ"),
		},
		{
			"Hindi", list("अनदेखा,भूल जा,नज़रअंदाज़,नजरअंदाज,उपेक्षा,न मान,मत मान,पालन न कर,रद्द,अमान्य,पालन मत"),
			list("निर्देश,नियम,आदेश,प्रॉम्प्ट,दिशानिर्देश,claude.md,agents.md,हिदायत,नीति"),
			list("पिछल,पहले,सभी,सारे,उपरोक्त,सिस्टम,मौजूदा,पुराने,उपयोगकर्ता,ऑपरेटर,सुरक्षा,claude.md,agents.md,पूर्व"), list("कभी,अनदेखा न,न भूल,अस्वीकार,मत भूल"),
		},
		{
			"Vietnamese", list("bỏ qua,quên đi,phớt lờ,không tuân theo,đừng tuân theo,hủy bỏ,ghi đè,làm ngơ,không còn hiệu lực"),
			list("chỉ dẫn,hướng dẫn,quy tắc,lệnh,chỉ thị,prompt,claude.md,agents.md,quy định,chính sách"),
			list("trước đó,trước đây,tất cả,mọi ,phía trên,hệ thống,hiện có,ban đầu,người dùng,người vận hành,claude.md,agents.md,an toàn"), list("không bao giờ,đừng bỏ qua,từ chối,báo cáo"),
		},
		{
			"Indonesian", list("abaikan,lupakan,jangan ikuti,jangan patuhi,kesampingkan,langgar,batalkan,timpa,tidak berlaku lagi"),
			list("instruksi,aturan,perintah,arahan,petunjuk,prompt,claude.md,agents.md,kebijakan,pedoman"),
			list("sebelumnya,semua,seluruh,di atas,sistem,terdahulu,yang ada,asli,pengguna,operator,claude.md,agents.md,keamanan"), list("jangan pernah,jangan abaikan,tolak,laporkan,jangan lupakan"),
		},
		{
			"Swedish", list("glöm,ignorera,strunta i,bortse från,åsidosätt,följ inte,upphäv,skriv över,gäller inte längre,lyd inte"),
			list("instruktion,regel,regler,anvisning,direktiv,prompt,claude.md,agents.md,riktlinje,order,föreskrift"),
			list("tidigare,föregående,alla ,ovanstående,system,befintlig,ursprunglig,dina ,operatör,användar,claude.md,agents.md,säkerhet"), list("aldrig,ignorera inte,glöm inte,avvisa,rapportera"),
		},
		{
			"Czech", list("zapomeň,ignoruj,nedbej,neřiď se,přepiš,zruš,poruš,odlož,neplatí,přestaň dodržovat"),
			list("instrukc,pokyn,pravid,příkaz,směrnic,prompt,claude.md,agents.md,zásad"),
			list("předchozí,dřívější,všechn,veškeré,výše,systém,stávající,původní,operátor,uživatel,claude.md,agents.md,bezpečnost"), list("nikdy,neignoruj,nezapomeň,odmítni,nahlas"),
		},
	}
	for i := range all {
		all[i].verbs = append(all[i].verbs, stemsOf(languageKinds[all[i].name].over)...)
	}
	return all
})

func list(s string) []string { return strings.Split(s, ",") }

// foreign looks for attacks in languages other than English, sentence by
// sentence.
func (r *reader) foreign() {
	low := foldCase(r.text)
	t := stemmed()
	var all tongues
	t.scan(low, &all)
	possible, over := strings.Contains(low, "always") && !isASCII(low), false
	for i := range t.names {
		possible = possible || all[i].possible(true)
		over = over || all[i].has(listVerbs, listObjects, listPrior)
	}
	if possible && (r.mode != statements || r.strict) {
		r.foreignActs(low)
	}
	for start := 0; possible && r.mode == orders && start < len(low); {
		end := sentenceEnd(low, start)
		if name, ok := outranks(low[start:end]); ok {
			r.hits = append(r.hits, hit{"instruction-override", Error, start, end, "puts the pack above the host's settings or the user (in " + name + ")", false})
		}
		start = end
	}
	for start := 0; over && start < len(low); {
		end := sentenceEnd(low, start)
		s := low[start:end]
		var found tongues
		t.scan(s, &found)
		for i := range languages() {
			l := &languages()[i]
			if !found[t.over[i]].has(listVerbs, listObjects, listPrior) {
				continue
			}
			v := indexAny(s, l.verbs)
			if containsAny(s, l.not) || strings.Contains(s, "never ") || strings.Contains(s, "reject") || strings.Contains(s, "refuse") || strings.ContainsAny(s[:v], "\"«„“「『") {
				continue
			}
			if isASCII(s) && plainEnglish(s) || !near(s, l) {
				continue
			}
			r.hits = append(r.hits, hit{"instruction-override", Error, start, end, "sets aside the host's instructions (in " + l.name + ")", false})
			break
		}
		start = end
	}
}

// ranks are the words of a language for what stands in the pack, for standing above
// and for what it is put above: the host and its owner.
var ranks = [...]struct{ name, self, above, host string }{
	{"Russian", "написанное здесь,написано здесь,эти строки,эти записи,эти правила,этот пакет,этот файл,эту страницу", "выше ,важнее,главнее,старше", "настройки системы,настроек системы,системных,оператор,хозяина,хозяин,владельц,пользовател"},
	{"Ukrainian", "написане тут,ці рядки,ці записи,ці правила,цей пакет,цей файл", "вище ,важливіш,головніш", "налаштуван,системн,оператор,власник,користувач"},
	{"German", "was hier steht,hier geschriebene,diese zeilen,diese notizen,dieses pack,diese datei", "über ,wichtiger als,mehr gelten als,vorrang vor", "systemvorgabe,systemeinstellung,einstellungen des systems,betreiber,systemprompt,nutzer,benutzer"},
	{"French", "ce qui est écrit ici,ces lignes,ces notes,ce paquet,ce fichier", "au-dessus,plus haut que,priment sur,prime sur,l'emporte", "réglages du système,système,opérateur,utilisateur,propriétaire"},
	{"Spanish", "lo escrito aquí,lo que está escrito aquí,estas líneas,estas notas,este paquete", "por encima de,más que,prevalece", "ajustes del sistema,sistema,operador,usuario,propietario"},
	{"Italian", "ciò che è scritto qui,quanto scritto qui,queste righe,queste note,questo pacchetto", "al di sopra,sopra ,prevale", "impostazioni del sistema,sistema,operatore,utente,proprietario"},
	{"Portuguese", "o que está escrito aqui,estas linhas,estas notas,este pacote", "acima de,acima do,acima da,prevalece", "definições do sistema,configurações do sistema,sistema,operador,usuário,utilizador"},
	{"Polish", "to, co tu napisano,zapisane tutaj,te wiersze,te notatki,ten pakiet", "wyżej niż,ponad ,ważniejsz,nad ", "ustawieni,system,operator,użytkownik,właściciel"},
	{"Chinese", "这里写的,此处所写,本包,这些内容,这些规则", "高于,优先于,凌驾", "系统,操作员,用户,主人"},
	{"Japanese", "ここに書かれ,この文書,このパック,これらの行", "より優先,より上,上に置", "システム,運営者,ユーザー,所有者"},
}

// outranks reports that a sentence puts the pack above the host or its owner. Where
// the verb stands last, what is outranked comes first.
func outranks(s string) (string, bool) {
	for i := range ranks {
		l := &ranks[i]
		self := indexAny(s, list(l.self))
		if self < 0 || strings.Contains(s, "never ") || strings.ContainsAny(s[:self], "\"«„“「『") {
			continue
		}
		tail := s[self:min(len(s), self+260)]
		above := indexAny(tail, list(l.above))
		if above < 0 {
			continue
		}
		host := tail[above:]
		if l.name == "Japanese" {
			host = tail[:above]
		}
		if containsAny(host, list(l.host)) {
			return l.name, true
		}
	}
	return "", false
}

// near asks for qualifier and object close to each other and to the verb.
func near(s string, l *language) bool {
	for _, v := range l.verbs {
		vi := strings.Index(s, v)
		if vi < 0 {
			continue
		}
		for _, o := range l.objects {
			oi := strings.Index(s, o)
			if oi < 0 || abs(oi-vi) > 90 {
				continue
			}
			for _, p := range l.prior {
				if pi := strings.Index(s, p); pi >= 0 && abs(pi-oi) < 60 {
					return true
				}
			}
		}
	}
	return false
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func indexAny(s string, list []string) int {
	for _, w := range list {
		if i := strings.Index(s, w); i >= 0 {
			return i
		}
	}
	return -1
}

func sentenceEnd(s string, from int) int {
	for i := from; i < len(s); i++ {
		switch {
		case s[i] == '\n' || s[i] == '!' || s[i] == '?':
			return i + 1
		case s[i] == '.' && (i+1 >= len(s) || s[i+1] == ' ' || s[i+1] == '\n'):
			return i + 1
		case strings.HasPrefix(s[i:], "。") || strings.HasPrefix(s[i:], "！"):
			return i + 3
		}
	}
	return len(s)
}
