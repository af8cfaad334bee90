/**
 * Every finding that scoring can make: what it adds to the score, whether it alone keeps a lead from being clean, and
 * what it means. docs/scoring.md shows the same table; a test compares the two.
 */
export const WEIGHTS = {
  email_plausible: [50, 'may be clean', 'An address that mail can be sent to'],
  email_company_domain: [15, 'may be clean', 'At a domain of their own, not at a free mail provider'],
  email_free_mail: [0, 'may be clean', 'At a free mail provider'],
  email_role_account: [-5, 'may be clean', 'Read by whoever is on duty: info@, sales@'],
  email_plus_tag: [-5, 'may be clean', 'Tagged with +something: sorted, perhaps made for this form alone'],
  email_disposable: [-40, 'may be clean', 'At a provider of throw-away addresses; no way to reach anyone'],
  email_mistyped: [-20, 'may be clean', 'A well-known provider misspelled (gmial.com): mail will not arrive'],
  email_no_public_suffix: [-20, 'may be clean', 'The domain ends in nothing that exists (.con, .test)'],
  email_malformed: [-10, 'may be clean', 'The email field holds no address'],
  email_scattered_dots: [
    -20,
    'may be clean',
    'Dots strewn over a free mail address, as programs do to reuse one',
  ],
  phone_valid: [20, 'may be clean', 'A number of its country’s numbering plan'],
  phone_possible: [10, 'may be clean', 'Could be a number; no country says which'],
  phone_invalid: [-5, 'may be clean', 'The phone field holds no number that exists'],
  phone_fake: [-10, 'may be clean', 'A made-up number: 0000000000, 123456789'],
  name_plausible: [10, 'may be clean', 'Looks like a name'],
  name_gibberish: [-30, 'may be clean', 'Random letters, keyboard runs or one repeated character for a name'],
  name_has_link: [-50, 'never clean', 'A link or markup in place of a name'],
  company_given: [5, 'may be clean', 'Names a company'],
  company_matches_website: [10, 'may be clean', 'Address and website are of the same domain'],
  message_given: [5, 'may be clean', 'Says what it is about'],
  message_gibberish: [-30, 'may be clean', 'Random letters, or words of no language'],
  message_no_language: [-30, 'may be clean', 'Many words, and none of any language we know'],
  other_gibberish: [-15, 'may be clean', 'Random letters in further fields'],
  complete: [5, 'may be clean', 'Every field of the form is filled'],
  incomplete: [-5, 'may be clean', 'Less than half of the form’s fields are filled'],
  own_link: [0, 'may be clean', 'Links to their own site'],
  foreign_links: [-15, 'may be clean', 'Links to somebody else’s site'],
  many_links: [-30, 'may be clean', 'Three or more links'],
  short_link: [-25, 'may be clean', 'A link whose aim is hidden by a shortener or a messenger'],
  link_markup: [-60, 'never clean', 'Links in HTML or BBCode, as posted by programs'],
  wallet_address: [-40, 'may be clean', 'The address of a cryptocurrency wallet'],
  offer_phrases: [-20, 'may be clean', 'Reads in part like an unasked offer'],
  spam_phrases: [-70, 'never clean', 'Reads like spam: sells, lends, promises or lures rather than asks'],
  spam_address: [-15, 'may be clean', 'The address itself advertises: seo, loans, casino'],
  mixed_scripts: [
    -50,
    'never clean',
    'Letters of several alphabets within words, as used to hide from filters',
  ],
  honeypot_filled: [-80, 'never clean', 'Filled a field that people do not see'],
  values_identical: [-60, 'never clean', 'The same text in every field'],
  probe: [-80, 'never clean', 'Searches for holes: script, SQL or shell in a field'],
  template_left_in: [-60, 'never clean', 'Placeholders of a mass mailing, such as %NAME%'],
  test_address: [-60, 'never clean', 'An address as used for trying out: test@test.com, example.org'],
  test_data: [-60, 'never clean', 'Name or values as used for trying out: asdf, John Doe'],
  says_test: [-60, 'never clean', 'Says that it is a test, or to be ignored or deleted'],
  not_reachable: [0, 'never clean', 'Neither a usable address nor a usable number'],
  gathered_doubts: [0, 'never clean', 'No single finding condemns it, but together they do'],
  scoring_failed: [0, 'never clean', 'Scoring failed; the lead is stored all the same'],
} as const satisfies Record<
  string,
  readonly [weight: number, verdict: 'may be clean' | 'never clean', meaning: string]
>;

export type SignalName = keyof typeof WEIGHTS;

/** What the milder findings add towards `gathered_doubts`; three are enough. */
export const DOUBTS: Partial<Record<SignalName, number>> = {
  name_gibberish: 2,
  message_gibberish: 2,
  message_no_language: 3,
  other_gibberish: 1,
  email_scattered_dots: 2,
  foreign_links: 1,
  many_links: 2,
  short_link: 2,
  wallet_address: 2,
  offer_phrases: 1,
  spam_address: 1,
  email_disposable: 1,
  phone_fake: 0.5,
};

export const ENOUGH_DOUBTS = 3;

/** What a finding means, for owners. Stored leads may have findings that scoring no longer makes. */
export function explainSignal(name: string): string {
  return Object.hasOwn(WEIGHTS, name) ? WEIGHTS[name as SignalName][2] : 'Found by an earlier scoring';
}
