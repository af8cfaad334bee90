/**
 * Every finding that scoring can make: how many points it adds, whether it alone keeps a lead from being clean, and
 * what it means. `npm run score:train` writes the points here and into docs/scoring.md; a test compares the two.
 */
export const WEIGHTS = {
  email_plausible: [5, 'may be clean', 'Valid email address'],
  email_company_domain: [0, 'may be clean', 'Company email domain'],
  email_free_mail: [0, 'may be clean', 'Free email provider'],
  email_role_account: [-3, 'may be clean', 'Shared mailbox, such as info@ or sales@'],
  email_plus_tag: [-2, 'may be clean', 'Tagged address (+something)'],
  email_disposable: [-16, 'may be clean', 'Disposable email provider'],
  email_mistyped: [-4, 'may be clean', 'Misspelled email provider, such as gmial.com'],
  email_no_public_suffix: [-13, 'may be clean', 'Email domain that does not exist (.con, .test)'],
  email_malformed: [-16, 'may be clean', 'The email field has no email address'],
  email_scattered_dots: [
    -26,
    'may be clean',
    'Scattered dots in a free email address, as bots do to reuse one',
  ],
  phone_valid: [5, 'may be clean', 'Valid phone number'],
  phone_possible: [3, 'may be clean', 'Possible phone number, country unknown'],
  phone_invalid: [-15, 'may be clean', 'Invalid phone number'],
  phone_fake: [-13, 'may be clean', 'Made-up phone number, such as 123456789'],
  name_plausible: [5, 'may be clean', 'Looks like a name'],
  name_gibberish: [-33, 'may be clean', 'Random letters or repeated characters as a name'],
  name_has_link: [-29, 'never clean', 'Link or markup instead of a name'],
  company_given: [3, 'may be clean', 'Names a company'],
  company_matches_website: [7, 'may be clean', 'Email and website have the same domain'],
  message_given: [1, 'may be clean', 'Has a message'],
  message_gibberish: [-31, 'may be clean', 'Message of random letters'],
  message_no_language: [-7, 'may be clean', 'Message in no known language'],
  other_gibberish: [-22, 'may be clean', 'Random letters in other fields'],
  complete: [2, 'may be clean', 'Every field of the form is filled'],
  incomplete: [0, 'may be clean', 'Fewer than half of the form’s fields are filled'],
  own_link: [-6, 'may be clean', 'Links to their own site'],
  foreign_links: [-1, 'may be clean', 'Links to another site'],
  many_links: [-13, 'may be clean', 'Three or more links'],
  short_link: [-13, 'may be clean', 'Shortened or messenger link that hides its target'],
  link_markup: [-27, 'never clean', 'Links in HTML or BBCode, as bots post them'],
  throwaway_link: [-18, 'may be clean', 'Links to a cheap kind of domain, such as .top or .xyz'],
  mostly_link: [-15, 'may be clean', 'Hardly more than a link'],
  wallet_address: [-20, 'may be clean', 'Cryptocurrency wallet address'],
  offer_phrases: [-9, 'may be clean', 'A phrase of unsolicited offers'],
  spam_phrases: [-18, 'may be clean', 'Phrases of spam: offers instead of asking'],
  spam_address: [-11, 'may be clean', 'Email address that advertises: seo, loans, casino'],
  reads_like_request: [50, 'may be clean', 'Reads like a customer'],
  reads_like_offer: [-50, 'may be clean', 'Reads like an unsolicited offer'],
  mixed_scripts: [-30, 'never clean', 'Mixed alphabets within words, as used to evade filters'],
  honeypot_filled: [-41, 'never clean', 'Filled in a hidden field'],
  values_identical: [-32, 'never clean', 'The same text in every field'],
  probe: [-35, 'never clean', 'Attack attempt: script, SQL or shell code in a field'],
  template_left_in: [-27, 'never clean', 'Mass-mailing placeholders, such as %NAME%'],
  test_address: [-28, 'never clean', 'Test email address, such as test@test.com'],
  test_data: [-29, 'never clean', 'Test data, such as asdf or John Doe'],
  says_test: [-28, 'never clean', 'Says that it is a test'],
  not_reachable: [-20, 'never clean', 'No usable email address or phone number'],
  scoring_failed: [0, 'never clean', 'Scoring failed; the lead is stored anyway'],
} as const satisfies Record<
  string,
  readonly [weight: number, verdict: 'may be clean' | 'never clean', meaning: string]
>;

export type SignalName = keyof typeof WEIGHTS;

/** All but those of the text model. */
export type RuleName = Exclude<SignalName, 'reads_like_request' | 'reads_like_offer'>;

/** The least score of a clean lead. */
export const CLEAN_FROM = 40;

/** The highest score of a lead with a finding that keeps it from being clean. */
export const NEVER_CLEAN_UP_TO = 9;

/** What a finding means, for owners. Stored leads may have findings that scoring no longer makes. */
export function explainSignal({ name, words = [] }: { name: string; words?: readonly string[] }): string {
  if (!Object.hasOwn(WEIGHTS, name)) return 'Found by an earlier scoring';
  const meaning = WEIGHTS[name as SignalName][2];
  return words.length === 0 ? meaning : `${meaning}: ${words.join(', ')}`;
}
