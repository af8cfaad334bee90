import { describe, expect, test } from '@jest/globals';
import { applyVerdicts, MAX_SENDERS, readSender, type SenderVerdict } from '#leads/reviews/sender-list.ts';
import { readLeadEvent } from '#model/lead-events.ts';
import { cleanUnreviewed, type SenderList } from '#model/senders.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { applySenderList, entryFor, findSender, senderOf } from '#scoring/sender.ts';

const AT = '2026-11-15T12:00:00.000Z';
const entry = (status: 'trusted' | 'blocked', leadId?: string) => ({
  status,
  addedAt: AT,
  ...(leadId && { leadId }),
});
const senderFrom = (address: string) => ({ address, domain: address.slice(address.indexOf('@') + 1) });

describe('the sender of a lead', () => {
  test.each([
    [{ email: ' Ada@Acme.CO.UK ' }, 'ada@acme.co.uk'],
    [{ q1: 'Ada Byron <ada@acme.co.uk>' }, 'ada@acme.co.uk'],
    [{ name: 'Ada' }, undefined],
    [{ email: 'no address' }, undefined],
    [{}, undefined],
  ])('of %j is %s', (fields, address) => {
    expect(senderOf(fields)?.address).toBe(address);
  });

  test.each([
    ['ada@acme.co.uk', 'acme.co.uk'],
    ['ada@gmail.com', 'ada@gmail.com'],
    ['ada@yahoo.co.uk', 'ada@yahoo.co.uk'],
    ['ada@gmx.de', 'ada@gmx.de'],
    ['ada@mailinator.com', 'ada@mailinator.com'],
  ])('%s is listed as %s', (address, listed) => {
    expect(entryFor(senderFrom(address))).toBe(listed);
  });
});

describe('the list', () => {
  const list: SenderList = {
    'acme.co.uk': entry('blocked'),
    'ada@acme.co.uk': entry('trusted'),
    'eve@gmail.com': entry('blocked'),
  };

  test.each([
    ['bob@acme.co.uk', 'blocked'],
    ['ada@acme.co.uk', 'trusted'],
    ['eve@gmail.com', 'blocked'],
    ['bob@gmail.com', undefined],
    ['bob@sub.acme.co.uk', undefined],
    ['bob@constructor', undefined],
    ['__proto__@toString', undefined],
  ])('says of %s: %s', (address, status) => {
    expect(findSender(list, senderFrom(address))).toBe(status);
  });

  test('overrides clean, and never the score or the signals', () => {
    for (const fields of [
      { email: 'bob@acme.co.uk' },
      { email: 'ada@acme.co.uk' },
      { email: 'x@other.co.uk' },
    ]) {
      const scored = scoreLead(fields);
      const { clean, sender, scoredClean, ...rest } = applySenderList(scored, list, fields);
      const { clean: before, ...asScored } = scored;
      expect(rest).toEqual(asScored);
      expect([scoredClean ?? clean, sender === undefined ? before : sender === 'trusted']).toEqual([
        before,
        clean,
      ]);
    }
  });

  test('leaves the score as it is if there is none', () => {
    const scored = scoreLead({ email: 'bob@acme.co.uk' });
    expect(applySenderList(scored, undefined, { email: 'bob@acme.co.uk' })).toBe(scored);
  });

  test.each([
    [{ clean: true }, true],
    [{ clean: true, scoredClean: false }, false],
    [{ clean: false, scoredClean: true, sender: 'blocked' as const }, false],
    [{ clean: false, scoredClean: false, sender: 'trusted' as const }, true],
  ])('and the score say of %j without a review: %s', (lead, clean) => {
    expect(cleanUnreviewed(lead)).toBe(clean);
  });
});

describe('verdicts', () => {
  const verdict = (address: string, given: SenderVerdict['verdict'], leadId = 'lead-1'): SenderVerdict => ({
    sender: senderFrom(address),
    verdict: given,
    leadId,
  });

  test('add a company once, and a free mail user by address', () => {
    const { list, changed } = applyVerdicts(
      {},
      [
        verdict('a@acme.co.uk', 'good'),
        verdict('b@acme.co.uk', 'good', 'lead-2'),
        verdict('c@gmail.com', 'good'),
      ],
      AT,
    );
    expect(list).toEqual({
      'acme.co.uk': entry('trusted', 'lead-1'),
      'c@gmail.com': entry('trusted', 'lead-1'),
    });
    expect(changed).toHaveLength(2);
  });

  test('replace an older decision, also one about the address alone', () => {
    const before = { 'acme.co.uk': entry('trusted'), 'a@acme.co.uk': entry('trusted') };
    const { list, changed } = applyVerdicts(before, [verdict('a@acme.co.uk', 'spam')], AT);
    expect(list).toEqual({ 'acme.co.uk': entry('blocked', 'lead-1') });
    expect(changed).toEqual([
      { sender: 'acme.co.uk', status: 'blocked' },
      { sender: 'a@acme.co.uk', status: null },
    ]);
  });

  test('that are withdrawn remove what they had added, and nothing else', () => {
    const before = { 'acme.co.uk': entry('trusted', 'lead-1'), 'other.co.uk': entry('blocked') };
    expect(applyVerdicts(before, [verdict('a@acme.co.uk', null, 'lead-2')], AT).list).toEqual(before);
    expect(applyVerdicts(before, [verdict('a@other.co.uk', null)], AT).changed).toEqual([]);
    expect(applyVerdicts(before, [verdict('a@acme.co.uk', null)], AT).list).toEqual({
      'other.co.uk': entry('blocked'),
    });
  });

  test('add what was chosen, in place of what the review had added before', () => {
    const chosen = (scope: SenderVerdict['scope'], given: SenderVerdict['verdict'] = 'spam') => ({
      ...verdict('a@acme.co.uk', given),
      scope,
    });
    const apply = (list: SenderList, each: SenderVerdict) => applyVerdicts(list, [each], AT).list;
    const [address, domain] = [
      { 'a@acme.co.uk': entry('blocked', 'lead-1') },
      { 'acme.co.uk': entry('blocked', 'lead-1') },
    ];
    expect(apply({}, chosen('address'))).toEqual(address);
    expect(apply(address, chosen('domain'))).toEqual(domain);
    expect(apply(domain, chosen('address'))).toEqual(address);
    expect(apply(domain, chosen('none'))).toEqual({});
    for (const list of [address, domain]) expect(apply(list, chosen(undefined, null))).toEqual({});
    // Anybody can have an address there.
    expect(apply({}, { ...chosen('domain'), sender: senderFrom('c@gmail.com') })).toEqual({
      'c@gmail.com': entry('blocked', 'lead-1'),
    });
    // Somebody else's decision about the company stays, and needs no second entry if it is the same.
    const trusted = { 'acme.co.uk': entry('trusted', 'lead-2') };
    expect(apply(trusted, chosen('address'))).toEqual({ ...trusted, ...address });
    expect(apply(trusted, chosen('address', 'good'))).toEqual(trusted);
  });

  test('do not make the list longer than its limit', () => {
    const before = Object.fromEntries(
      Array.from({ length: MAX_SENDERS }, (_, n) => [`company-${n}.co.uk`, entry('trusted')]),
    );
    const { list, full, changed } = applyVerdicts(before, [verdict('a@acme.co.uk', 'spam')], AT);
    expect([Object.keys(list).length, full, changed]).toEqual([MAX_SENDERS, true, []]);
    expect(applyVerdicts(before, [verdict('a@company-1.co.uk', 'spam')], AT)).toMatchObject({
      full: false,
      changed: [{ sender: 'company-1.co.uk', status: 'blocked' }],
    });
  });
});

test.each([
  [' Ada@Acme.com ', 'ada@acme.com'],
  ['@acme.com', 'acme.com'],
  ['büro.de', 'büro.de'],
  ['o’neill+tag@sub.acme.co.uk', 'o’neill+tag@sub.acme.co.uk'],
])('%j is the sender %s', (typed, sender) => {
  expect(readSender(typed)).toBe(sender);
});

test.each(['acme', 'a@b', '-acme.com', 'acme..com', 'a b@acme.com', 7, undefined])(
  '%j is no sender',
  (typed) => {
    expect(() => readSender(typed)).toThrow('must be an email address or a domain');
  },
);

test.each(['REMOVE', 'INSERT'])('a review item that is %s without content is no event', (eventName) => {
  const NewImage = { leadId: { S: 'lead' }, part: { S: 'review' } };
  expect(readLeadEvent({ eventName, dynamodb: { NewImage } })).toBeUndefined();
});

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

describe('a customer is clean, whatever words spammers use too', () => {
  test.each(Object.entries(CUSTOMERS))('%s', (_, message) => {
    expect(scoreLead({ ...PERSON, message })).toMatchObject({ clean: true });
  });
});
