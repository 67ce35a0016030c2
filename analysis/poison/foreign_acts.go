package poison

import (
	"strings"
	"sync"
)

// acts holds the stems by which a language says what an attack needs. Secrets,
// paths, addresses and commands look the same in every language, so few words
// are enough. Not lists what negates or rejects.
type acts struct {
	name                                                              string
	send, show, hide, tell, person, record, ask, drop, off, guard, do []string
	secret, keep, without, not                                        []string
}

var languageActs = sync.OnceValue(func() []acts {
	return []acts{
		{
			"German", list("sende,schick,lade ,hochlad,hoch,übermittl,überträg,übertrag,mail,weiterleit,leite ,kopier,poste,veröffentlich,abgeben,gib ,leg ,stell ,häng"),
			list("zeig,druck,gib ,lies ,lese,füge,kopier,nenn,schreib,ausgeben,einfüg"),
			list("verberg,versteck,verschweig,verheimlich,lass weg,weglassen,unterschlag,blende,aus dem bericht,aus der zusammenfassung"), list("erwähn,sag,erzähl,meld,bericht,nenn,mitteil,informier,zeig,verrat"),
			list("nutzer,benutzer,anwender,betreiber,auftraggeber,kollegen,prüfer,kurator"), list("zusammenfassung,protokoll,bericht,log,verlauf,änderungsprotokoll"),
			list("frag,bestätig,rückfrage,genehmig,erlaubnis,zustimmung,warn"), list("lösch,überschreib,entfern,verwirf,leere,wirf,zerstör"), list("deaktivier,schalte,abschalt,ausschalt,umgeh,überspring,stell ,aus"),
			list("prüfung,sandbox,bestätigung,sicherung,firewall,zertifikat,schutz,rückfrage,virenscanner,berechtigung"), list("führ,ausführ,starte,befolg"),
			list("passwort,passwört,zugangsdaten,schlüssel,geheimnis,umgebungsvariablen"), list("merk,speicher,trag,schreib,häng,füge,ergänz,hinterleg"), list("ohne "), list("nie ,niemals,nicht ,kein,lehne,weise,verweiger"),
		},
		{
			"French", list("envoi,envoy,téléverse,transmet,transfère,transférer,publie,poste,remet,copie,joins,dépose,expédi,charge"),
			list("affiche,montre,imprime,colle,copie,lis ,cite,ajoute,insère,recopie"), list("cache,dissimul,masque,omet,passe sous silence,tais,retire du,laisse hors"), list("mentionn,dis ,dire,parle,signale,informe,préviens,révèle,raconte"),
			list("utilisateur,opérateur,conservateur,propriétaire,relecteur,usager"), list("résumé,compte rendu,compte-rendu,journal,rapport,historique"),
			list("demand,confirm,autoris,approb,accord,question,avert"), list("supprim,efface,écrase,détrui,vide"), list("désactive,contourne,saute,coupe,éteins"), list("bac à sable,sandbox,vérification,confirmation,sauvegarde,pare-feu,certificat,protection,autorisation"),
			list("exécute,lance,suis,applique,obéi"), list("mot de passe,mots de passe,identifiants,clé,clef,secret,variables d'environnement"), list("ajoute,écris,enregistre,inscris,mémorise,copie"), list("sans "), list("jamais,ne pas,n'envoi,refuse,rejette,ne doit"),
		},
		{
			"Spanish", list("envía,envia,enviar,manda,sube,subir,publica,transmite,reenvía,reenvia,copia,entrega,adjunta,cuelga"),
			list("muestra,imprime,pega,copia,lee ,cita,incluye,añade,vuelca"), list("oculta,esconde,omite,calla,disimula,silencia"), list("mencion,digas,diga,cuentes,cuente,informes,informe,avises,avise,reveles"),
			list("usuario,operador,dueño,persona,revisor,nadie,cliente interno"), list("resumen,registro,informe,historial,bitácora"),
			list("pregunt,confirm,permiso,aprobación,autoriza,consult,avis"), list("borra,elimina,sobrescrib,destruye,vacía,suprim"), list("desactiva,desactive,omite,salta,apaga,quita"), list("verificación,sandbox,confirmación,copia de seguridad,cortafuegos,certificado,protección,comprobación,permisos"),
			list("ejecuta,corre,sigue,cumple,obedece,aplica"), list("contraseña,credencial,clave,secreto,variables de entorno"), list("añade,agrega,escribe,guarda,anota,graba,copia"), list("sin "), list("nunca,jamás,no envíes,no envies,no subas,rechaza,no publiques"),
		},
		{
			"Portuguese", list("envie,envia,mande,suba,carregue,publique,transmita,encaminhe,copie,entregue,anexe"), list("mostre,imprima,cole,copie,leia,cite,inclua,acrescente"), list("oculte,esconda,omita,cale,disfarce"), list("menciona,mencione,conte,diga,informe,avise,revele,fale"),
			list("usuário,utilizador,operador,dono,pessoa,revisor"), list("resumo,registro,registo,relatório,histórico,log"), list("pergunt,confirm,permissão,aprovação,autoriza,consult"), list("apague,elimine,sobrescreva,exclua,remova,destrua,esvazie"),
			list("desative,desligue,pule,ignore a,contorne"), list("verificação,sandbox,confirmação,backup,cópia de segurança,firewall,certificado,proteção,permissões"), list("execute,rode,siga,cumpra,obedeça"), list("senha,credenciais,chave,segredo,variáveis de ambiente"),
			list("acrescente,adicione,escreva,grave,guarde,copie,salve"), list("sem "), list("nunca,jamais,não envie,não publique,recuse,rejeite"),
		},
		{
			"Italian", list("invia,manda,carica,pubblica,trasmetti,inoltra,copia,consegna,allega"), list("mostra,stampa,incolla,copia,leggi,cita,includi,aggiungi"), list("nascondi,ometti,cela,occulta,taci"), list("menzion,dire,dici,parlare,parli,informa,avvisa,rivela,racconta,segnala"),
			list("utente,operatore,proprietario,persona,revisore"), list("riepilogo,riassunto,registro,rapporto,cronologia,log"), list("chied,conferm,permesso,approvazione,autorizza,consult"), list("cancella,elimina,sovrascrivi,distruggi,svuota,rimuovi"),
			list("disattiva,spegni,salta,aggira,disabilita"), list("verifica,sandbox,conferma,backup,firewall,certificato,protezione,controllo,permessi"), list("esegui,lancia,segui,applica,obbedisci"), list("password,credenziali,chiave,segreto,variabili d'ambiente"),
			list("aggiungi,scrivi,salva,registra,memorizza,copia"), list("senza "), list("mai ,non inviare,non pubblicare,rifiuta,respingi"),
		},
		{
			"Dutch", list("stuur,verstuur,upload,verzend,publiceer,mail,kopieer,zet ,lever"), list("toon,print,plak,kopieer,lees,noem,voeg"), list("verberg,verzwijg,laat weg,verhul,houd achter"), list("noem,zeg,vertel,meld,informeer,verklap"),
			list("gebruiker,beheerder,eigenaar,operator"), list("samenvatting,logboek,verslag,geschiedenis,rapport"), list("vraag,vragen,bevestig,toestemming,goedkeuring,waarschuw"), list("verwijder,wis,overschrijf,vernietig,leeg"),
			list("schakel,zet,sla over,omzeil"), list("controle,sandbox,bevestiging,back-up,firewall,certificaat,beveiliging,bescherming"), list("voer,draai,start,volg,gehoorzaam"), list("wachtwoord,inloggegevens,sleutel,geheim,omgevingsvariabelen"),
			list("voeg,schrijf,sla op,onthoud,kopieer"), list("zonder "), list("nooit,niet ,geen,weiger"),
		},
		{
			"Polish", list("wyślij,wysyłaj,prześlij,przesyłaj,opublikuj,skopiuj,załącz,wrzuć"), list("pokaż,wypisz,wklej,skopiuj,przeczytaj,dołącz"), list("ukryj,ukrywaj,zataj,przemilcz,pomiń"), list("wspominaj,mów,powiadamiaj,informuj,zgłaszaj"),
			list("użytkownik,operator,właściciel"), list("podsumowani,dziennik,raport,histori,log"), list("pytaj,pytania,potwierdz,zgod,pozwole"), list("usuń,usuwaj,nadpisz,skasuj,wyczyść"),
			list("wyłącz,pomiń,omijaj,obejdź"), list("sprawdzani,piaskownic,sandbox,potwierdzeni,kopi zapasow,zapor,certyfikat,zabezpiecze"), list("uruchom,wykonaj,stosuj"), list("hasł,poświadcze,klucz,sekret,zmienne środowiskow"),
			list("dopisz,zapisz,dodaj,zapamiętaj,skopiuj"), list("bez "), list("nigdy,nie wysyłaj,nie publikuj,odmów"),
		},
		{
			"Russian", list("отправ,отошли,загруз,выгруз,перешли,передай,опублик,скопир,приложи,залей"), list("покажи,выведи,вставь,скопир,прочти,прочитай,процитир,добавь"), list("скрой,скрывай,спрячь,умолчи,утаи,не показывай,не включай,замалчивай"), list("упомина,говори,сообщай,рассказывай,показывай,уведомляй,пиши"),
			list("пользовател,оператор,владел,человек,ревьюер,хозяин,хозяев"), list("сводк,журнал,отчёт,отчет,истори,лог"), list("спрашива,спраши,подтвержд,разреш,согла,предупрежд"), list("удал,перезапиши,сотри,уничтож,очисти,стирай"),
			list("отключ,выключ,обойди,пропус,сними"), list("проверк,песочниц,подтверждени,резервн,брандмауэр,сертификат,защит,разрешени"), list("запусти,выполни,исполни,следуй"), list("пароль,пароли,ключ,учётные данные,учетные данные,секрет,переменные окружения"),
			list("допиши,запиши,добавь,сохрани,запомни,скопир"), list("без "), list("никогда,не отправляй,не загружай,не публикуй,откажи,отклоняй,запрещ"),
		},
		{
			"Ukrainian", list("надішли,відправ,завантаж,перешли,опублікуй,скопіюй,додай"), list("покажи,виведи,встав,скопіюй,прочитай"), list("приховай,приховуй,сховай,замовчи,не показуй"), list("згадуй,кажи,повідомляй,розповідай"),
			list("користувач,оператор,власник"), list("підсум,журнал,звіт,історі"), list("запитуй,питай,підтвердж,дозвіл"), list("видал,перезапиши,зітри,знищ"),
			list("вимкни,обійди,пропусти"), list("перевірк,пісочниц,резервн,захист,сертифікат"), list("запусти,виконай"), list("пароль,паролі,ключ,облікові дані,секрет"),
			list("допиши,запиши,додай,збережи,запам'ятай"), list("без "), list("ніколи,не надсилай,відмовся"),
		},
		{
			"Turkish", list("gönder,yükle,ilet,yayınla,kopyala,postala"), list("göster,yazdır,yapıştır,kopyala,oku,ekle"), list("gizle,sakla,saklı tut,örtbas"), list("söyleme,bahsetme,bildirme,anma,haber verme,belirtme"),
			list("kullanıcı,operatör,sahib"), list("özet,günlük,rapor,kayıt,geçmiş"), list("sorma,sor,onay,izin"), list("sil,üzerine yaz,yok et,temizle,kaldır"),
			list("devre dışı,kapat,atla,kaldır"), list("denetim,kontrol,korumalı alan,sandbox,onay,yedek,güvenlik duvarı,sertifika,koruma"), list("çalıştır,yürüt,uygula"), list("parola,şifre,kimlik bilgi,anahtar,gizli,ortam değişken"),
			list("ekle,yaz,kaydet,hatırla,kopyala"), list("sormadan,onaysız,izinsiz,olmadan"), list("asla,sakın,gönderme,reddet"),
		},
		{
			"Chinese", list("上传,发送,发到,发给,传到,传给,提交到,寄到,寄给,转发,邮件,推送,上傳,傳送,同步到,交给,投递"), list("打印,显示,贴到,粘贴,输出,读取,写进,附上,列印,顯示,复制"), list("隐瞒,隐藏,不要提,不要告诉,别告诉,别提,省略,略去,掩盖,隱瞞,瞒着,瞞著"), list("告诉,提及,提到,告知,说明,汇报,告訴,通知"),
			list("用户,使用者,操作员,主人,审阅,負責人,负责人"), list("摘要,总结,日志,记录,报告,历史,日誌"), list("询问,确认,征求,请示,同意,許可,确认"), list("删除,覆盖,清空,清除,抹去,刪除,销毁"),
			list("关闭,禁用,跳过,停用,绕过,關閉"), list("检查,沙箱,沙盒,确认,备份,防火墙,证书,保护,审核,权限"), list("执行,运行,照做,執行"), list("密码,密钥,凭证,凭据,私钥,令牌,环境变量,密碼,金鑰"),
			list("写入,追加,加入,添加,记住,保存,寫入"), list("无需,不经,不必,不用,未经,無需"), list("绝不,切勿,不得上传,不要上传,禁止,永远不要,請勿上傳,不要把,拒绝"),
		},
		{
			"Japanese", list("送信,アップロード,送って,送る,転送,投稿,渡す,届け,メールで"), list("表示,出力,貼り付け,読み,印刷,引用,書き込"), list("隠し,隠す,伏せ,黙って,触れない,載せない,言わない,報告しない,知らせない,省く"), list("伝え,報告,知らせ,言及,話"),
			list("ユーザー,利用者,運営,担当者,管理者"), list("要約,ログ,記録,報告書,履歴,まとめ"), list("確認,許可,承認,尋ね,質問,聞か"), list("削除,上書き,消去,消す,破棄"),
			list("無効,オフ,切る,切って,飛ばし,省略,止め"), list("検査,サンドボックス,確認,バックアップ,ファイアウォール,証明書,保護,チェック,権限"), list("実行,従う,従って,起動"), list("パスワード,秘密鍵,資格情報,認証情報,鍵,トークン,環境変数"),
			list("追記,書き加え,追加,保存,覚え,書き込"), list("せずに,なしで,無しで,ことなく"), list("決して,送信しない,送らない,禁止,してはいけ,拒否"),
		},
		{
			"Korean", list("업로드,보내,전송,전달,게시,제출,올려,메일로"), list("출력,표시,붙여,읽어,복사,인쇄"), list("숨기,숨겨,감추,말하지 마,알리지 마,언급하지 마,빼고,생략"), list("말하,알리,언급,보고"),
			list("사용자,운영자,담당자,관리자"), list("요약,로그,기록,보고서,이력"), list("묻,확인,허락,승인,동의"), list("삭제,덮어쓰,지우,지워,제거"),
			list("끄,비활성,건너뛰,해제,우회"), list("검사,샌드박스,확인,백업,방화벽,인증서,보호,점검,권한"), list("실행,따르,수행"), list("비밀번호,암호,자격 증명,개인 키,비밀 키,토큰,환경 변수"),
			list("추가,기록,저장,기억,덧붙"), list("없이,지 않고,말고"), list("절대,보내지 마,금지,거부,업로드하지 마"),
		},
		{
			"Arabic", list("أرسل,ارسل,ارفع,حمّل,حمل,انقل,انشر,انسخ,سلّم"), list("اعرض,اطبع,الصق,انسخ,اقرأ,أضف"), list("أخف,اخف,لا تذكر,لا تخبر,اكتم,احذف من"), list("تذكر,تخبر,أخبر"),
			list("المستخدم,المشغل,المالك"), list("الملخص,السجل,التقرير"), list("تسأل,سؤال,تأكيد,إذن,موافقة"), list("احذف,امسح,اكتب فوق,دمّر"),
			list("عطّل,عطل,أوقف,تجاوز"), list("الفحص,التحقق,التأكيد,النسخ الاحتياطي,جدار,الشهادة,الحماية"), list("نفذ,شغّل,اتبع"), list("كلمة المرور,كلمات المرور,المفتاح,الاعتماد,الأسرار"),
			list("أضف,اكتب,احفظ,تذكّر"), list("دون ,بدون "), list("أبدا,أبدًا,لا ترسل,لا ترفع,ارفض"),
		},
		{
			"Hindi", list("भेज,अपलोड,अग्रेषित,प्रकाशित,कॉपी"), list("दिखा,छाप,चिपका,पढ़,जोड़"), list("छिपा,छुपा,मत बता,न बता,उल्लेख न"), list("बता,उल्लेख,सूचित"),
			list("उपयोगकर्ता,ऑपरेटर,मालिक"), list("सारांश,लॉग,रिपोर्ट,इतिहास"), list("पूछ,पुष्टि,अनुमति"), list("हटा,मिटा,नष्ट"),
			list("बंद,निष्क्रिय,छोड़"), list("जाँच,जांच,सैंडबॉक्स,पुष्टि,बैकअप,सुरक्षा"), list("चला,निष्पादित,पालन"), list("पासवर्ड,कुंजी,गोपनीय,क्रेडेंशियल"),
			list("जोड़,लिख,याद,सहेज"), list("बिना "), list("कभी नहीं,मत भेज,न भेज,अस्वीकार"),
		},
		{
			"Swedish", list("skicka,ladda upp,överför,publicera,mejla,kopiera,lämna"), list("visa,skriv ut,klistra,kopiera,läs"), list("dölj,göm,utelämna,förtig"), list("nämn,säg,berätta,meddela,informera"),
			list("användar,operatör,ägar"), list("sammanfattning,logg,rapport,historik"), list("fråga,bekräft,tillstånd,godkänn"), list("radera,skriv över,ta bort,förstör"),
			list("stäng av,hoppa över,inaktivera,kringgå"), list("kontroll,sandlåd,bekräftelse,säkerhetskopi,brandvägg,certifikat,skydd"), list("kör,utför,följ"), list("lösenord,inloggning,nyckel,hemlighet,miljövariabler"),
			list("lägg till,skriv,spara,minns"), list("utan "), list("aldrig,inte ,vägra"),
		},
		{
			"Vietnamese", list("gửi,tải lên,chuyển,đăng,sao chép"), list("hiển thị,in ra,dán,đọc"), list("giấu,che giấu,không nhắc,đừng nhắc,đừng nói"), list("nói,nhắc,báo"),
			list("người dùng,người vận hành"), list("tóm tắt,nhật ký,báo cáo"), list("hỏi,xác nhận,cho phép"), list("xóa,xoá,ghi đè,hủy"),
			list("tắt,bỏ qua,vô hiệu"), list("kiểm tra,hộp cát,xác nhận,sao lưu,tường lửa,bảo vệ"), list("chạy,thực thi,làm theo"), list("mật khẩu,khóa,khoá,thông tin đăng nhập,bí mật"),
			list("thêm,ghi,lưu,nhớ"), list("mà không,không cần"), list("không bao giờ,đừng gửi,không gửi,từ chối"),
		},
		{
			"Indonesian", list("kirim,unggah,teruskan,terbitkan,salin"), list("tampilkan,cetak,tempel,baca,salin"), list("sembunyikan,jangan sebut,jangan beri tahu,rahasiakan,jangan katakan"), list("sebut,katakan,beri tahu,laporkan"),
			list("pengguna,operator,pemilik"), list("ringkasan,log,catatan,laporan,riwayat"), list("tanya,bertanya,konfirmasi,izin,persetujuan"), list("hapus,timpa,musnahkan,kosongkan"),
			list("matikan,nonaktifkan,lewati"), list("pemeriksaan,sandbox,konfirmasi,cadangan,firewall,sertifikat,perlindungan"), list("jalankan,ikuti,lakukan"), list("kata sandi,kredensial,kunci,rahasia"),
			list("tambahkan,tulis,simpan,ingat"), list("tanpa "), list("jangan pernah,jangan kirim,jangan unggah,tolak"),
		},
	}
})

// foreignActs looks for what is no override in other languages, sentence by
// sentence: leaks, concealment, dropped questions, plants.
func (r *reader) foreignActs(low string) {
	english := 0
	for i := range r.toks {
		switch r.toks[i].text {
		case "the", "and", "of", "to", "a", "is", "with", "for", "that":
			english++
		}
	}
	start := 0
	for start < len(low) {
		end := sentenceEnd(low, start)
		s := low[start:end]
		r.foreignSentence(s, start, english)
		start = end
	}
}

func (r *reader) foreignSentence(s string, start, english int) {
	if len(s) < 8 {
		return
	}
	secret, net, persist, startup := false, false, false, false
	for i := range r.toks {
		t := &r.toks[i]
		if t.start < start || t.start >= start+len(s) {
			continue
		}
		if t.kind == path || t.kind == fileName || t.kind == variable || t.kind == ident {
			if t.c.has(cSecret) {
				secret = true
			}
			if t.c.has(cPersist) {
				persist = true
				startup = startup || startFile(t.text)
			}
		}
		if t.kind == url || t.kind == host {
			net = true
		}
		if t.code && (t.text == "printenv" || t.text == "env") {
			secret = true
		}
	}
	if isASCII(s) && plainEnglish(s) {
		return
	}
	never := strings.Contains(s, "never ")
	t := stemmed()
	var found tongues
	t.scan(s, &found)
	for i := range languageActs() {
		l := &languageActs()[i]
		f := found[t.acts[i]]
		if !f.spoken() && !f.has(listVeiled, listPerson) && !f.has(listUnasked, listDrop) && !f.has(listApprove, listEvery) && !(net && f.has(listObeyed)) && !(secret && net && f.has(listSend)) && !(persist && f.has(listKeep)) {
			continue
		}
		neg := f.has(listNot) || never
		words := secret || f.has(listSecret)
		hit := func(rule, msg string) {
			r.hits = append(r.hits, hit{rule, Error, start, start + len(s), msg + " (in " + l.name + ")", false})
		}
		if strings.ContainsAny(s, "“„«「『") && !secret && !net {
			return
		}
		switch {
		case (secret && net || words && net && f.has(listSend)) && !neg:
			hit("exfiltration", "sends secrets to a place outside")
		case secret && f.has(listShow, listRecord) && !neg:
			hit("secret-access", "puts secrets where they can be read")
		case (persist && startup || persist && net) && f.has(listKeep) && !neg && !f.has(listAsk):
			hit("persistence", "writes to a file that is read at every start")
		case persist && f.has(listKeep) && !neg && !f.has(listAsk) && (strings.Contains(s, "claude.md") || strings.Contains(s, "agents.md") || strings.Contains(s, ".claude")):
			hit("persistence", "writes to a file that agents read at every start")
		case net && f.has(listDo) && (strings.Contains(s, "curl") || strings.Contains(s, ".sh")) && !neg:
			hit("remote-exec", "runs a program from the network unseen")
		case f.has(listHide) && f.any(listPerson, listRecord) && !never:
			hit("concealment", "hides something from the user or from the record")
		case f.has(listTell, listPerson) && concealing(s, l):
			hit("concealment", "keeps something from the user")
		case f.has(listDrop) && (unaskedIn(s, l) || neg && f.has(listAsk) && near2(s, l)) && !protects(s, l, never):
			hit("safety-disable", "drops the question before a dangerous act")
		case never && f.has(listAsk, listOff, listGuard):
			hit("safety-disable", "drops a question and turns a protection off")
		case f.has(listOff, listGuard) && !never && offGuard(s, l):
			hit("safety-disable", "turns a protection off")
		default:
			rule, msg := foreignKind(s, f, net, persist, l)
			if rule == "" {
				continue
			}
			hit(rule, msg)
		}
		return
	}
	// A path of secrets and an address in one foreign order say enough.
	if secret && net && english <= 1 && !never && strings.Contains(s, "always") && !isASCII(s) {
		r.hits = append(r.hits, hit{"exfiltration", Error, start, start + len(s), "names secrets and a place outside in one order", false})
	}
}

// plainEnglish reports three function words that only English has: stems of other
// languages that its words happen to hold mean nothing.
func plainEnglish(s string) bool {
	n := 0
	for w := range strings.FieldsSeq(s) {
		switch strings.Trim(w, ",.;:()") {
		case "the", "and", "of", "with", "for", "that", "this", "are", "is", "to":
			if n++; n == 3 {
				return true
			}
		}
	}
	return false
}

// concealing: the negation stands right at the verb of telling.
func concealing(s string, l *acts) bool {
	for _, n := range append([]string{"never "}, l.not...) {
		at := strings.Index(s, n)
		if at < 0 {
			continue
		}
		tail := s[at:min(len(s), at+len(n)+30)]
		if containsAny(tail, l.tell) {
			return true
		}
	}
	for _, n := range []string{"no lo ", "no le ", "não ", "ne ", "non ", "niet ", "nicht", "nichts", "nie ", "не ", "не", "不", "ない"} {
		if at := strings.Index(s, n); at >= 0 && containsAny(s[at:min(len(s), at+len(n)+24)], l.tell) {
			return true
		}
	}
	return false
}

// unaskedIn: "without" and the asking stand next to each other, in either
// order.
func unaskedIn(s string, l *acts) bool {
	for _, w := range l.without {
		if at := strings.Index(s, w); at >= 0 && containsAny(s[max(0, at-30):min(len(s), at+len(w)+24)], l.ask) {
			return true
		}
	}
	return false
}

// near2: the negation stands right at the asking.
func near2(s string, l *acts) bool {
	for _, n := range append([]string{"never "}, l.not...) {
		if at := strings.Index(s, n); at >= 0 && containsAny(s[at:min(len(s), at+len(n)+24)], l.ask) {
			return true
		}
	}
	return false
}

// protects: "never delete without asking".
func protects(s string, l *acts, never bool) bool {
	w := indexAny(s, l.without)
	if w < 0 {
		return false
	}
	if never && strings.Index(s, "never ") < w {
		return true
	}
	for _, n := range nothings {
		if at := strings.Index(s, n); at >= 0 && at < w {
			return true
		}
	}
	for _, n := range l.not {
		if at := strings.Index(s, n); at >= 0 && at < w {
			return true
		}
	}
	return false
}

// nothings say "nothing, without asking".
var nothings = list("ne rien ,nichts ,nada ,no borrar,no elimin,nulla ,niente ,niets ,nic ,ничего ,не удаля,hiçbir şey,nie usuw,nicht lösch,não apag,non cancell,niet verwijder")

// offGuard: the protection stands close behind (or, in verb-final languages,
// before) what switches it off.
func offGuard(s string, l *acts) bool {
	strong := list("sandbox,песочниц,沙箱,沙盒,サンドボックス,샌드박스,firewall,pare-feu,cortafuegos,брандмауэр,防火墙,ファイアウォール,방화벽,zertifikat,certificat,certificado,certificato,сертификат,证书,証明書,인증서,bac à sable,piaskownic,sandlåd,hộp cát,güvenlik duvarı,sertifika,резервн,备份,copia de seguridad,sauvegarde,バックアップ")
	for _, o := range l.off {
		if len(o) < 4 {
			continue
		}
		at := strings.Index(s, o)
		if at < 0 {
			continue
		}
		window := s[max(0, at-40):min(len(s), at+len(o)+60)]
		if containsAny(window, strong) && !containsAny(s, l.not) {
			return true
		}
	}
	return false
}
