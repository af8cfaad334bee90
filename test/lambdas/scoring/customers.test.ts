import { describe, expect, test } from '@jest/globals';
import { scoreLead } from '#scoring/score-lead.ts';

const PERSON = { name: 'Robin Marsh', email: 'robin.marsh@gmail.com' };

/** Words that spammers use as well. None of these leads may be lost. */
const CUSTOMERS: Readonly<Record<string, string>> = {
  cancel: 'Please cancel my contract at the end of the month and confirm it in writing.',
  'cancel, German': 'Hiermit kündige ich meinen Vertrag zum nächstmöglichen Termin. Bitte um Bestätigung.',
  'cancel, French': 'Bonjour, je souhaite résilier mon abonnement à la fin du mois. Merci de confirmer.',
  'cancel, Spanish': 'Hola, quiero dar de baja mi suscripción, ya no la uso. ¿Qué tengo que hacer?',
  'cancel, Italian': 'Buongiorno, vorrei disdire il mio abbonamento, come devo fare?',
  'cancel, Dutch': 'Graag wil ik mijn abonnement opzeggen per 1 maart, kunt u dit bevestigen?',
  'cancel, Polish': 'Dzień dobry, chcę zrezygnować z abonamentu od przyszłego miesiąca.',
  'cancel, Portuguese': 'Bom dia, quero cancelar a minha assinatura. Como faço?',
  unsubscribe: 'I keep getting your newsletter although I clicked unsubscribe twice. Take me off the list.',
  'unsubscribe, German': 'Bitte melden Sie mich vom Newsletter ab, der Link zum Abmelden geht nicht.',
  'unsubscribe, French': 'Merci de me désabonner de votre newsletter, le lien ne fonctionne pas.',
  'unsubscribe, Swedish': 'Hej, jag vill inte ha ert nyhetsbrev längre, kan ni ta bort mig?',
  'pre-approved':
    'Your site says I am pre-approved for financing. Does that still hold if I pick the bigger model?',
  'lowest price': 'What is your lowest price for 20 folding chairs, delivered to Leeds?',
  discount: 'Do you give a discount if I take both bikes? I can pick them up on Saturday.',
  loan: 'Can I pay for the kitchen with a loan, and what is the interest rate you offer?',
  won: 'I won the voucher in your Christmas raffle, how can I use it in the shop?',
  'spam complaint': 'Somebody sends spam in your name, with a link to a casino. Is that you?',
  'own trade': 'We are an SEO agency and need three standing desks for our new office. When can you deliver?',
  'a demo': 'Interested in a demo for our radio team of twelve.',
  'a price list': 'I am interested in your product, please send me a price list.',
  delete: 'Please delete my account and all my data, I moved abroad.',
};

/** Without the usual phrases, and however polite. */
const SELLERS: Readonly<Record<string, readonly [email: string, message: string]>> = {
  'mostly a link': ['ivan88213@gmail.com', 'cheap watches https://best-replica-watch.top/sale'],
  'a throw-away link': [
    'nina@photo-heaven.xyz',
    'hello dear, see my photos here https://sweetnina.xyz/7 waiting for you',
  ],
  trademark: [
    'registry@tm-office-global.com',
    'Another company has applied to register your brand name as a trademark. Reply today to keep your rights.',
  ],
  listing: [
    'billing@city-directory-listing.com',
    'Your company listing expires this week. Confirm your details and pay the annual fee to stay visible.',
  ],
  blackmail: [
    'anon4471@proton.me',
    'I have a recording of you. Send 900 USD in bitcoin within 48 hours or everybody you know gets it.',
  ],
  'a shop': [
    'sales@warm-socks-outlet.shop',
    'New winter socks 70% off today only, free shipping worldwide. Order now at https://warm-socks-outlet.shop',
  ],
  fleet: [
    'dan@fleetsaver-cards.co.uk',
    'Hi, do your vans fill up on company cards? We save firms like yours 6p a litre. Who looks after the fleet?',
  ],
  cleaning: [
    'carla@brightline-cleaning.com',
    'Good morning, we clean offices in your area and have a free slot on Thursdays. Could I drop by to give you a quote?',
  ],
  'card processing': [
    'matt@paysmart-terminals.com',
    'Quick question: what do you pay per card transaction at the moment? We usually cut it by a third.',
  ],
  press: [
    'editor@leaders-insight-magazine.com',
    'We would like to feature you as one of the ten most innovative leaders of the year in our magazine. The print fee is small.',
  ],
  links: [
    'amy@contentbridge.io',
    'I loved your article about oak floors. Would you accept a guest article from us with a link to our client?',
  ],
  'more customers, German': [
    'info@mehr-anfragen.de',
    'Wir bieten Ihnen mehr Kunden für Ihre Webseite, ab 99 € im Monat. Haben Sie Interesse?',
  ],
  'a loan, French': [
    'pret.express@gmail.com',
    'Je vous propose un prêt entre particuliers de 2 000 € à 500 000 €, taux 2 %.',
  ],
  'more customers, Japanese': [
    'eigyo@shukyaku-lab.jp',
    '突然のご連絡失礼いたします。弊社では成果報酬で集客をご提案しております。',
  ],
  seo: [
    'kevin.webexpert@gmail.com',
    'I looked at your site and found errors that keep it from ranking. Can I send you a report with the price?',
  ],
};

describe('a customer is clean, whatever words spammers use too', () => {
  test.each(Object.entries(CUSTOMERS))('%s', (_, message) => {
    expect(scoreLead({ ...PERSON, message })).toMatchObject({ clean: true });
  });
});

describe('an unsolicited offer is not clean', () => {
  test.each(Object.entries(SELLERS))('%s', (_, [email, message]) => {
    expect(scoreLead({ name: PERSON.name, email, message })).toMatchObject({ clean: false });
  });
});
