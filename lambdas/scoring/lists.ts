import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliDecompressSync } from 'node:zlib';
import type { MetadataJson } from 'libphonenumber-js/core/es6';
import { indexLexicons, packHashes } from './lookups.ts';

/** Only in bundles: the lists by name as JSON, each as brotli in base64. */
declare const PACKED_LISTS: string | undefined;

/**
 * A list that scoring looks things up in. Bundles contain the lists compressed: reading them as source would cost every
 * cold start more than decompressing them costs its first lead.
 */
export function readList(name: ListName): Buffer {
  // Constant in a bundle, so that the sources are left out of it.
  if (typeof PACKED_LISTS === 'undefined') return LIST_SOURCES[name]();
  const packed = JSON.parse(PACKED_LISTS) as Readonly<Record<ListName, string>>;
  return brotliDecompressSync(Buffer.from(packed[name], 'base64'));
}

/**
 * How each list of scoring is made from our lexicons, from what was trained or from an npm package. Bundles contain the results
 * (lib/service-function/code.ts), without the sources and the packages.
 */
export const LIST_SOURCES = {
  disposableDomains: () => packHashes(disposableDomains()),
  freeMailDomains: () => packHashes(freeMailDomains()),
  topLevelDomains: () => Buffer.from(load<string[]>('tlds').join(' ')),
  phoneMetadata: () => Buffer.from(JSON.stringify(phoneMetadata())),
  lexicons: () => Buffer.from(indexLexicons(readLexicons())),
  textModel: () => readFileSync(new URL('./text-model.bin', import.meta.url)),
} as const satisfies Record<string, () => Buffer>;

export type ListName = keyof typeof LIST_SOURCES;

/** Not an import, which a bundle would keep. */
function load<T>(name: string): T {
  return createRequire(import.meta.url)(name);
}

function disposableDomains(): string[] {
  return load<{ disposableEmailBlocklist(): string[] }>(
    'disposable-email-domains-js',
  ).disposableEmailBlocklist();
}

/** In email-providers, but not free mail: names from old link pages, and misspellings. */
const NO_FREE_MAIL =
  /^(?:example|test|domain|mydomain|yourdomain|casino|law|doctor|name|games|about)\.|^(?:gmai|gmal|hotmai|hotmails|hotmial|yaho)\.com$/;

function freeMailDomains(): string[] {
  const disposable = new Set(disposableDomains());
  const providers = load<string[]>('email-providers/all.json');
  return providers.filter((domain) => !disposable.has(domain) && !NO_FREE_MAIL.test(domain));
}

/** The index of the number formats in a country's metadata: more than half of it. Scoring formats no numbers. */
const FORMATS = 4;

function phoneMetadata() {
  const metadata = load<MetadataJson>('libphonenumber-js/metadata.min.json');
  const withoutFormats = (plans: Readonly<Record<string, unknown[]>>) =>
    Object.fromEntries(
      Object.entries(plans).map(([name, plan]) => [
        name,
        plan.map((part, index) => (index === FORMATS ? 0 : part)),
      ]),
    );
  return {
    ...metadata,
    countries: withoutFormats(metadata.countries),
    nonGeographic: withoutFormats(metadata.nonGeographic),
  };
}

/**
 * How people say that a message is only a test. 3 is said outright; 2 needs one more hint: whoever asks to be deleted
 * may be a customer; words of 1 are a test only
 * together with a form, or in a message of a few words.
 */
export const SAYS_TEST = `
  3 this is a test|this is only a test|this is just a test|just a test|only a test|just testing|test submission|test message|test enquiry|test inquiry|test lead|test entry|test form|form test|test post|test request|test ticket|test data|dummy data|dummy lead|dummy entry|sample submission|sample lead|testing the form|testing the contact form|testing form|testing this form|testing our form|testing the new form|testing the website form|testing the integration|testing the webhook|testing webhook|testing submission|testing 123|testing testing|test test|test 123|test 1 2|smoke test|regression run|end to end test|e2e test|load test|no need to reply .. test|internal test|internal check|qa test|qa check|checking the form|checking the new form|checking that the form|checking if the form|checking whether the form|check that the form|check the form works|check if the form|checking the contact form|verify that lead|verify the form|verifying the form|form is working|form works|nothing to see here|hello world|lorem ipsum|asdf*|qwerty*|not a real enquiry|not a real lead|not a real inquiry|not a real submission|not a real customer|trying out the form|test of the form|test of our form|test of the contact form|test from marketing|test from it|test by the agency|form check
  2 please disregard this|pls ignore this|please ignore this|ignore this message|disregard this message|kindly ignore this|kindly disregard this|please delete this|pls delete this|you can delete this|safe to delete|safe to ignore|can be deleted|trying the form|after relaunch .. ignore
  3 sample entry|sample data|verify your connection|test connection|connection test|si llega el|si llega bien|si me llega|se arriva la|se arriva il|s'il arrive|testno sporocilo|ovo je test|testna poruka|obrisite|test poruka|това е тест|тестово съобщение|acesta este doar un test|ping|hook check|webhook check|health check|uptime check|monitoring check|heartbeat|ob die anfrage*|ob die mail* .. ankomm|prufe .. formular|funktioniert das formular|checking whether|just checking the|just checking if|just checking that|seeing if the form|see if the form|see if this form|see if this works|is this form working|does this form work|verifier .. formulaire|verification du formulaire|comprobando .. formulario|comprobar .. formulario|comprobacion del formulario|verificando .. formulario|verificacao do formulario|verifica .. modulo|controllo .. modulo|kijken of .. werkt|sprawdzam .. formularz|sprawdzenie formularza|проверяю .. форм|проверяем .. форм|перевіряю .. форм|kontrola formulare|kontroll av formular*|확인용|접수 확인|cek form*|pengecekan form*|ελεγχος της φορμας|ตรวจสอบฟอร์ม|ตรวจสอบระบบ|בדיקת מערכת
  2 kann weg|ignorirajte|моля игнор*|torolje*|ignorati|synthetic|bitte .. loschen|bitte .. ignorieren|please .. delete this|please .. ignore this|merci .. supprimer|merci .. ignorer|prosze .. usun|пожалуйста .. удалите|prosim .. smaz|prosime .. smaz|graag .. verwijder|vanligen .. radera
  2 please ignore|pls ignore|plz ignore|please disregard|kindly ignore|ignore please|ignore pls|do not contact|do not reply to this|don't reply to this|no action needed|no action required|no reply needed|please discard|do not process|staging|uat
  3 das ist ein test|dies ist ein test|ist nur ein test|nur ein test|nur zum test|testeintrag|testnachricht|testanfrage|testmail|testlauf|testdaten|testweise|formulartest|formular test|testformular|test formular|testbestellung|testabsendung|test bitte|bitte nicht beachten|bitte nicht bearbeiten|bitte nicht antworten|nicht bearbeiten|funktionstest|test des formulars|test vom kontaktformular|test kontaktformular|wir testen|ich teste|teste das formular|teste gerade|testen das formular|interner test|probelauf|ob das formular funktioniert|ob das formular geht|ob das kontaktformular
  2 bitte ignorieren|bitte loschen|kann geloscht werden|kann ignoriert werden|konnen sie loschen
  3 ceci est un test|c'est un test|ceci n'est qu'un test|simple test|juste un test|test du formulaire|test de formulaire|test formulaire|test d'envoi|essai du formulaire|essai formulaire|message de test|message test|demande de test|ne pas tenir compte|ne pas en tenir compte|ne tenez pas compte|ne pas traiter|ne pas repondre .. test|test interne|je teste|nous testons|on teste|verifier que le formulaire|si le formulaire fonctionne|si le formulaire marche|test technique|test agence
  2 merci d'ignorer|a ignorer|veuillez ignorer|priere d'ignorer|ignorez ce message|ignorer ce message|merci de supprimer|a supprimer
  3 esto es una prueba|es una prueba|es solo una prueba|solo una prueba|prueba del formulario|prueba de formulario|prueba formulario|mensaje de prueba|envio de prueba|prueba de envio|prueba interna|prueba tecnica|probando el formulario|probando formulario|estamos probando|estoy probando|hacer caso omiso|haced caso omiso|haga caso omiso|no hacer caso|no responder .. prueba|lead de prueba|registro de prueba|si funciona el formulario|test de formulario
  2 favor de ignorar|favor ignorar|por favor ignor*|ignorad este|ignorar este mensaje|ignoren este|ignore este mensaje|por favor borrar|por favor eliminar|favor eliminar|favor borrar|borrar este
  3 isto e um teste|este e um teste|e so um teste|e apenas um teste|apenas um teste|so um teste|apenas teste|teste de formulario|teste do formulario|teste formulario|mensagem de teste|envio de teste|teste de envio|teste interno|testando o formulario|testando formulario|testando|estou testando|estamos testando|lead de teste|cadastro de teste|se o formulario funciona
  2 favor desconsiderar|por favor desconsider*|pode ignorar|pode apagar|pode excluir|favor apagar|favor excluir|desconsiderar|desconsidere|desconsiderem|desconsidera|ignorem|ignorar esta mensagem
  3 questo e un test|questa e una prova|e solo una prova|e una prova|solo una prova|solo un test|prova invio|prova modulo|prova del modulo|prova form|prova del form|test modulo|test del modulo|test del form|messaggio di prova|invio di prova|richiesta di prova|non considerare|non rispondere .. prova|stiamo testando|sto testando|sto provando|test interno|prova interna|se il modulo funziona|se il form funziona
  2 si prega di ignorare|per favore ignor*|da ignorare|ignorate questo|ignorare questo|ignorare il messaggio|da cancellare|da eliminare|potete cancellare|potete eliminare|cancellate pure
  3 dit is een test|dit is maar een test|is een test|alleen een test|testje|testbericht|test formulier|testformulier|formuliertest|test van het formulier|test van formulier|testaanvraag|testinzending|niet reageren|negeren aub|negeren a u b|negeren svp|graag negeren|gelieve te negeren|kan genegeerd|mag genegeerd|even testen|even kijken of het formulier|of het formulier werkt|we testen|wij testen|ik test|interne test
  2 niet op reageren|mag weg|mag verwijderd|kan verwijderd|graag verwijderen
  3 to jest test|to tylko test|tylko test|test formularza|testowa wiadomosc|wiadomosc testowa|testowe zgloszenie|zgloszenie testowe|test kontaktowy|wpis testowy|testowy wpis|testuje formularz|testujemy|testuje|czy formularz dziala|czy dziala formularz|test wewnetrzny|proba formularza|zapytanie testowe
  2 prosze zignorowac|prosze ignorowac|prosze o zignorowanie|prosze usunac|prosze o usuniecie|do usuniecia|nie odpowiadac .. test|prosze nie odpowiadac|zignoruj*
  3 это тест|это просто тест|просто тест|тестовое сообщен*|тестовая заявк*|тестовое обращен*|тестовый лид|тестовый запрос|тестовая отправк*|тест формы|тест заявки|тестируем|тестирую|тестирование формы|проверка формы|проверка связи|проверка работы|проверяем форму|проверяю форму|проверка заявки|проверяем работ*|не обрабатыв*|не обращайте внимания|не отвечайте|работает ли форма
  2 просьба игнорир*|прошу игнорир*|пожалуйста игнорир*|пожалуйста проигнор*|просьба проигнор*|проигнорируйте|игнорируйте|удалите пожалуйста|пожалуйста удалите|прошу удалить|просьба удалить|можно удалить
  3 це тест|це просто тест|тестове повідомлен*|тестова заявк*|тестовий запит|тест форми|тестуємо|тестую|перевірка форми|перевіряю форму|перевіряємо|прохання не звертати|не звертайте уваги|не обробляти|чи працює форма
  2 проігноруйте|ігноруйте|прохання ігнор*|будь ласка видаліть|прохання видалити|можна видалити
  3 bu bir test*|test mesaj*|test amacli|test amaciyla|deneme mesaj*|deneme kayd*|deneme amacli|deneme 123|deneme yapiyor*|form test*|form deneme*|formu test*|formu deniyor*|formu kontrol|lutfen sil*|gormezden gel*|test ediyor*|sadece test|sadece deneme|lutfen yoksay*
  2 dikkate almay*|lutfen dikkate alma*|silebilirsiniz
  3 这是测试|这是一条测试|这是一个测试|只是测试|仅供测试|仅为测试|测试一下|测试数据|测试表单|表单测试|测试提交|提交测试|测试留言|测试消息|测试信息|内部测试|系统测试|测试测试|请无视|请勿回复|请勿处理|无需处理|不用处理|不用回复|測試表單|表單測試|測試一下|這是測試|這是一則測試|測試訊息|測試資料|測試用|內部測試|請略過|請勿處理|無需處理|不用理會|測試提交
  2 测试请忽略|请忽略|请删除|可以删除|忽略此|請忽略|請刪除
  3 テストです|テスト送信|テスト投稿|テストメール|テスト入力|テストデータ|テストになります|送信テスト|動作確認|動作テスト|フォームのテスト|フォームテスト|テスト中|疎通確認|ご放念ください|破棄してください|破棄願います|返信不要です|返信は不要|対応不要|ご返信不要|社内確認|社内テスト|表示確認|確認用の送信
  2 無視してください|無視して下さい|削除してください|削除をお願い|削除お願い
  3 테스트입니다|테스트 입니다|테스트예요|테스트 문의|테스트 메시지|테스트용|테스트 중|테스트중|테스트 발송|테스트 접수|테스트 데이터|폼 테스트|양식 테스트|답변 불필요|답변하지|답변 안 하|동작 확인|내부 확인|내부 테스트|처리하지
  2 무시해|무시하셔|무시 바랍|무시부탁|무시 부탁|삭제해|삭제 바랍|삭제 부탁|삭제부탁
  3 رسالة تجريبية|رسالة اختبار|هذا اختبار|هذه تجربة|هذه رسالة تجريبية|مجرد اختبار|مجرد تجربة|تجربة النموذج|اختبار النموذج|نختبر النموذج|للتجربة فقط|للاختبار|طلب تجريبي|يرجى عدم الرد
  2 يرجى تجاهل|الرجاء تجاهل|الرجاء التجاهل|يرجى التجاهل|تجاهلوا|تجاهل هذه|يرجى حذف|الرجاء حذف|الرجاء الحذف|يرجى الحذف
  3 זו בדיקה|זאת בדיקה|רק בדיקה|בדיקת טופס|בדיקת הטופס|בדיקה של הטופס|בדיקה פנימית|הודעת בדיקה|הודעת טסט|פניית בדיקה|ליד בדיקה|בודק את הטופס|בודקת את הטופס|בודקים את הטופס|תתעלמו|בדיקה בדיקה
  2 נא להתעלם|אנא התעלמו|אנא להתעלם|התעלמו|להתעלם מ|נא למחוק|אנא מחקו|אפשר למחוק
  3 यह एक टेस्ट|यह टेस्ट|यह परीक्षण|टेस्ट मैसेज|टेस्ट संदेश|परीक्षण संदेश|टेस्ट है|परीक्षण है|नजरअंदाज कर*|इग्नोर करें|फॉर्म टेस्ट|फॉर्म की जांच|फॉर्म चेक|जांच के लिए|yeh test|ye test hai|test kar raha|test kar rahe
  2 कृपया अनदेखा|कृपया नज़रअंदाज़|अनदेखा करें|कृपया हटा|ignore kare*|ignore kijiye|ignore karein
  3 ini tes|ini test|ini hanya tes*|hanya tes*|cuma tes*|tes form*|test form*|uji coba|ujicoba|percobaan form*|pesan percobaan|pesan tes*|coba form*|tes kirim|sedang tes*
  2 mohon abaikan|harap abaikan|tolong abaikan|abaikan saja|abaikan pesan|mohon diabaikan|harap diabaikan|mohon dihapus|tolong dihapus|boleh dihapus|mohon hapus
  3 day la test|test thu|gui thu|thu nghiem|tin nhan thu|kiem tra form|kiem tra bieu mau|test he thong|test bieu mau|chi la test|chi test|dang test
  2 vui long bo qua|xin bo qua|bo qua tin|xin vui long bo qua|vui long xoa|xin xoa|bo qua giup|bo qua nhe
  3 toto je test|to je test|jen test|jenom test|pouze test|testovaci zprava|testovaci poptavka|testovaci odeslani|testovaci dotaz|test formulare|zkouska formulare|zkousim formular|zkousime formular|testuji|testujeme|neodpovidejte|nereagujte|zkusebni zprava|interni test|jestli funguje formular|toto je len test|test formulara|testovacia sprava
  2 prosim ignoruj*|prosime ignoruj*|ignorujte|prosim smaz*|prosime smaz*|muzete smazat|lze smazat
  3 detta ar ett test|det har ar ett test|bara ett test|endast ett test|testmeddelande|test av formular*|testar formular*|testar bara|vi testar|jag testar|testinskick|kan tas bort|dette er en test|dette er bare en test|bare en test|tama on testi|testiviesti|vain testi|ala huomioi|alkaa huomioi|ez egy teszt|teszt uzenet|csak teszt|hagyja figyelmen|acesta este un test|mesaj de test
  2 vanligen ignorera|ignorera detta|ignorera det har|ska ignoreras|kan ignoreras|kan raderas|ta bort detta|vanligen radera|radera garna|vennligst ignorer|ignorer denne|bedes ignorere*|kan slettes|va rog ignorati
  3 αυτο ειναι τεστ|ειναι τεστ|αυτο ειναι ενα τεστ|δοκιμαστικο μηνυμα|δοκιμη φορμας|τεστ φορμας|δοκιμαζουμε|δοκιμαζω|δοκιμαστικη|δοκιμαστικο|μην απαντησετε|εσωτερικος ελεγχος|απλα τεστ|ελεγχος φορμας
  2 παρακαλω αγνοηστε|αγνοηστε|παρακαλω διαγραψτε|μπορειτε να διαγραψετε|διαγραψτε το
  3 ทดสอบระบบ|ทดสอบฟอร์ม|ทดสอบแบบฟอร์ม|ทดสอบการส่ง|ทดสอบส่ง|ทดลองส่ง|ข้อความทดสอบ|เป็นการทดสอบ|แค่ทดสอบ|กรุณาเพิกเฉย|โปรดเพิกเฉย|ไม่ต้องตอบ|ไม่ต้องติดต่อ|ไม่ต้องสนใจ|โปรดละเว้น|ทดสอบนะ|ทดสอบค่ะ|ทดสอบครับ
  2 กรุณาลบ|ลบได้เลย|โปรดลบ
  1 test|tests|testing|prueba|prova|essai|teste|deneme|тест|тестов*|проба|测试|測試|テスト|테스트|تجربة|اختبار|בדיקה|परीक्षण|टेस्ट|tes|zkouska|δοκιμη|τεστ|ทดสอบ|proef|proba|toto|foo|baz|blah|sample|dummy|abcdefg|abc|aaa|aaaa|xxx
  3 ignore this test|ignore this submission|ignore this enquiry|ignore this lead|ignore this entry|disregard this submission|please remove this entry|please remove this lead|delete this entry|delete this lead|delete this enquiry|delete this submission
`;

/** Not a test: somebody refers to their own message, account or data. */
export const NO_TEST = `
  4 previous message|previous email|previous enquiry|previous inquiry|my last message|last message|last email|earlier message|earlier email|my first message|first message|delete my account|delete my data|delete all my|delete my personal|remove my data|my personal data|gdpr|dsgvo|rgpd|lgpd|meine daten|mein konto|mes donnees|mon compte|mis datos|mi cuenta|meus dados|minha conta|i miei dati|mijn gegevens|moje dane|vorherige nachricht|letzte nachricht|message precedent|mensaje anterior|mensagem anterior|messaggio precedente|vorige bericht|poprzednia wiadomosc|предыдущее сообщение|предыдущую заявку|мои данные|мои персональные|上一条|上一封|前回|先ほど|이전 문의|앞선
  3 pat testing|test drive|test certificate*|test kit*|test rig*|test bench*|test report*|test equipment|testing equipment|testing lab*|lab test*|penetration test*|pen test*|blood test*|water test*|soil test*|pcr test*|drug test*|hearing test|eye test|test centre|test center|load testing services|software testing|usability test*|user testing|testing services|test strip*|probefahrt|prueba de manejo|essai gratuit|periodo de prueba|prova gratuita|free trial|test de conduite|prova su strada|寄样|寄樣|样品测试|樣測試|テスト環境|テスト用|試験成績
`;

/** With a word for test nearby, these make it one. */
export const TEST_SURROUNDINGS = `
  2 form|forms|formular*|formulaire|formulario|formulier|modulo|formularz*|форм*|表单|表單|フォーム|폼|양식|النموذج|טופס|הטופס|फॉर्म|ฟอร์ม|φορμα*|submission|webhook|crm|integration|zapier|api|relaunch|staging|deploy*|dns|pipeline|tracking|ignor*|delete|loschen|supprimer|borrar|eliminar|apagar|verwijderen|usunac|удал*|видал*|忽略|删除|刪除|無視|削除|무시|삭제|تجاهل|حذف|התעל*|למחוק|hapus|abaikan|xoa|bo qua|smazat|radera|sil|agnoo*
`;

/** A function, so that esbuild leaves the texts out of bundles, which contain their index. */
export function readLexicons() {
  return {
    test: SAYS_TEST,
    noTest: NO_TEST,
    testSurroundings: TEST_SURROUNDINGS,
  };
}

export type LexiconName = keyof ReturnType<typeof readLexicons>;
