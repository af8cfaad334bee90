import { stripAccents } from './lead-text.ts';

/** Words or names as folded text. Made at first use: folding some hundred words at import would cost every cold start. */
class FoldedSet {
  readonly #written: string;
  readonly #separator: string | RegExp;
  #members: Set<string> | undefined;

  constructor(written: string, separator: string | RegExp = /\s+/) {
    this.#written = written;
    this.#separator = separator;
  }

  has(folded: string): boolean {
    this.#members ??= new Set(stripAccents(this.#written).trim().split(this.#separator));
    return this.#members.has(folded);
  }
}

/** Small words of the languages that are written with Latin letters: a text of a dozen words has some of them. */
const STOP_WORDS = `
  the a an and or of to in for is are you we i it on with do does can be have has your my our this that how much what please need
  hi hello hey thanks thank not no yes from at as by so if but me us about any would could price like want am will there when where
  der die das und oder ist sind ein eine einen fur mit von zu wir ich sie bitte den dem im am auf nicht kein haben hat wie was auch
  bei noch nach ihre ihr uns mir guten hallo danke um ab
  le la les un une des et ou est sont de du pour avec nous je vous en dans sur que qui pas bonjour merci au aux ce cette il y prix
  el los las una y o es son por para con nosotros yo usted de del en que no hola gracias se su mi al lo como buenas buenos quiero
  os as um uma e sao com para nos voce em no na que nao ola obrigado quanto da do dos das se por vcs pra meu
  il lo gli uno una ed sono per con noi di del della in che non ciao grazie buongiorno vorrei al un si ci mi ho quanto
  het een en of is zijn voor met van wij we ik u in dat niet graag kunt bedankt te op er naar wat hoe ook aan
  i w z na do nie jest sa dla to ze o czy prosze dzien dobry ile jak po od mam sie
  a v je na se s pro ze to dobry den prosim jak kolik mate za by jsem
  och att en ett ar som for med det vi jag har inte hej pa av till kan ni vad hur finns den
  og er det pa til vi jeg har ikke hvad hva koster kan
  ja on ei se etta onko voi paljonko
  istiyoruz istiyorum miyiz misiniz musunuz alabilir olarak cok daha biz ben siz ve bir bu icin ile mi mu var ne kadar merhaba da de lutfen misiniz
  dan yang di ke dari untuk dengan ini itu saya kami ada tidak apakah berapa bisa mau mohon ya harga
  va la co khong cho toi em anh chi ban cua duoc bao nhieu ben con xin chao gia
  es un az nem van hogy kerem si este sunt cu pe nu va rog buna
  hai aur ka ki ke ko se me mein mujhe sir ji kya kitna kitni
  ang ng sa po ba ko ako magkano na at
  na ya kwa ni wa je habari
`;
const stopWords = new FoldedSet(STOP_WORDS);

export const isStopWord = (folded: string): boolean => stopWords.has(folded);

/** What people type who only want to see the form work: as a name, a company, a mailbox, a domain. */
const TEST_WORDS = `
  test tests testing tested testuser testlead testtest testtt testname testperson testfirma testcompany teste testes testando
  testje testen testas testovani testi testing1 tst teszt prova prueba pruebas probando essai essais essaie deneme denemedir
  proba probny proef zkouska skuska zkusebni provning dokimi ujicoba ujian uji coba cobacoba percobaan thunghiem kiemtra
  dummy example beispiel exemple ejemplo exemplo esempio voorbeeld przyklad priklad ornek contoh mustermann
  musterfrau musterfirma fake foo baz foobar qux lorem ipsum asd asdf asdfg asdfgh asdasd asdasdasd qwe qweqwe qwerty qwertz
  azerty zxc zxcv abcd abcde abcdef xyz xxx xxxx aaa aaaa bbb ccc zzz yyy blah blahblah blabla
  fulano beltrano sicrano ceshi test1 test2 test123 undefined none1 username firstname lastname fname lname
  тест тесты тестовый тестовая тестовое тестов проба пробный проверка перевірка тестовий спроба фывфыв фыва йцукен
  测试 測試 试试 テスト てすと 試験 테스트 시험 تجربة اختبار تجريبي تيست בדיקה טסט नमूना परीक्षण टेस्ट ทดสอบ δοκιμη δοκιμαστικο τεστ
  qaz wsx qazwsx 123 1234 12345 123456 1234567 111 000
`;

const testWords = new FoldedSet(TEST_WORDS);

/** Also names and words of real firms: alone they prove nothing. */
const weak = new FoldedSet(
  'bar demo user abc acme admin muster toto titi tata tutu bla aa bb xx zz sample tes',
);

/** Beyond doubt, even as somebody's only name. */
export const isSurelyTestWord = (folded: string): boolean => testWords.has(folded);
export const isTestWord = (folded: string): boolean => testWords.has(folded) || weak.has(folded);

/** Names of people who do not exist, often used as placeholders. */
const nobody = new FoldedSet(
  'john doe|jane doe|joe bloggs|joe public|john q public|max mustermann|erika mustermann|maxi musterfrau|erika musterfrau|' +
    'max musterman|maria musterfrau|martina mustermann|foo bar|foo|mickey mouse|micky maus|donald duck|minnie mouse|lorem ipsum|' +
    'fulano de tal|fulano|fulana de tal|beltrano|pinco pallino|tizio caio|вася пупкин|василий пупкин|тест тестов|тест тестович|' +
    'тестов тест|тестова|张三|張三|李四|홍길동|山田太郎テスト|テスト太郎|テスト 太郎|test test|test user|test lead|test tester|sample lead|' +
    'test person|test name|test testov|qa test|qa automation|qa tester|load test|ali veli|jan test|test testsson|test testesen|' +
    'name name|first last|firstname lastname|first name last name|your name|full name|vorname nachname|nombre apellido|' +
    'nguyen van a|nguyễn văn a|israel israeli|ישראל ישראלי|פלוני אלמוני|ime prezime|teszt elek|gipsz jakab|ola nordmann|' +
    'kari nordmann|medel svensson|piet puk|juan de los palotes|perico de los palotes|monsieur test|m test|mr test|' +
    'mr test test|herr test|frau test|jean test|anna test|a b|abc def|abc xyz|qwerty uiop|qwerty|asdf asdf|asdf|postman|' +
    'hans wurst|lieschen muller|otto normalverbraucher|jan modaal|dupont test|utilisateur test|usuario prueba|' +
    'usuario de prueba|utente prova|uzytkownik testowy|testowy uzytkownik|испытатель',
  '|',
);

/** Common as a placeholder and common in life: counts only beside something else. */
const perhapsNobody = new FoldedSet(
  'john smith|mario rossi|jean dupont|jan jansen|jan kowalski|иван иванов|иванов иван|иван иванович иванов|juan perez|' +
    'joao silva|山田太郎|山田 太郎|田中太郎|jan novak|ivan petrov|ahmet yilmaz|ali ali|maria silva|王小明|陳小明|小明|김철수|' +
    'homer simpson|bart simpson|harry potter|batman|superman|darth vader|james bond|santa claus|spongebob|chuck norris|' +
    'sherlock holmes|joe schmoe|bob|alice|admin|user|anonymous|somchai|สมชาย|राम|अबक|محمد محمد|אבג',
  '|',
);

export const isNobody = (foldedName: string): boolean => nobody.has(foldedName);
export const isPerhapsNobody = (foldedName: string): boolean => perhapsNobody.has(foldedName);

/** Names of mail services whose misspellings are frequent, and the endings under which the service really exists. */
const ANYWHERE =
  'com co.uk fr de es it ca com.br com.ar com.mx com.au co.in in co.jp jp co.kr co.id co.za co.nz nl be se no dk fi pl pt gr ' +
  'ie at ch ro hu cz ru com.tr com.tw com.hk com.sg com.my com.ph com.vn com.cn cl co.th com.co com.pe com.ve co.il sa ae';

export const WELL_KNOWN_HOSTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ['gmail', 'com'],
    ['googlemail', 'com de co.uk'],
    ['icloud', 'com'],
    ['yahoo', ANYWHERE],
    ['hotmail', ANYWHERE],
    ['outlook', ANYWHERE],
    ['protonmail', 'com ch'],
    ['yandex', 'ru com by kz ua com.tr'],
    ['rambler', 'ru'],
    ['seznam', 'cz'],
    ['rediffmail', 'com'],
    ['hanmail', 'net'],
    ['naver', 'com'],
    ['wanadoo', 'fr es'],
    ['laposte', 'net'],
    ['orange', 'fr'],
    ['comcast', 'net'],
    ['btinternet', 'com'],
    ['bigpond', 'com net.au'],
    ['freenet', 'de'],
    ['t-online', 'de'],
    ['libero', 'it'],
    ['virgilio', 'it'],
    ['interia', 'pl'],
    ['walla', 'co.il com'],
    ['docomo', 'ne.jp'],
    ['foxmail', 'com'],
  ].map(([name, endings]) => [name as string, new Set((endings as string).split(' '))]),
);

/** One letter away from a well-known name, and yet somebody's own. */
export const REAL_NEIGHBOURS = new Set(
  'mail email ymail cloud wahoo never grange oranges ranger liber water waller navel'.split(' '),
);

/** The services that have one address for the whole world: any other ending is a slip. */
export const ONE_ENDING_ONLY = new Set(['gmail', 'icloud']);

/** Real endings that, after a well-known name, are `com` mistyped. */
export const SLIPS_OF_COM = new Set([
  'co',
  'cm',
  'om',
  'cam',
  'cc',
  'con',
  'cim',
  'vom',
  'xom',
  'net.com',
  'com.com',
]);

/** Providers for private people that no maintained list has in all its national forms. */
export const FREE_MAIL_NAMES = new Set(
  'gmail googlemail yahoo hotmail outlook live msn icloud aol gmx web yandex protonmail proton zoho mail rambler ymail'.split(
    ' ',
  ),
);

export const MORE_FREE_MAIL = new Set(
  'me.com mac.com pm.me duck.com telia.com zoho.in zohomail.com zohomail.in tutanota.com tuta.io tutamail.com hey.com fastmail.com posteo.de mailbox.org vodafone.de'.split(
    ' ',
  ),
);

/** Mail to these is read by whoever is on duty. */
export const ROLE_ACCOUNTS = new Set(
  (
    'info contact kontakt contacto contato contatto hello hallo hi hola office mail admin administrator support help service sales ' +
    'ventas vendas vendite verkauf vertrieb verkoop marketing team post postmaster webmaster hostmaster abuse noreply no-reply ' +
    'donotreply billing accounts accounting buchhaltung ap ar jobs careers hr press media enquiries inquiries reception rezeption ' +
    'reservations booking bookings orders shop store biuro sekretariat secretaria secretariat bureau accueil buero empfang zakupy ' +
    'einkauf purchasing procurement commercial comercial commerciale zakaz satis bilgi depo styrelsen'
  ).split(' '),
);
