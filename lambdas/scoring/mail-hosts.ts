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
