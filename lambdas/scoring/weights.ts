/**
 * Every finding that scoring can make: what it adds to the score, whether it alone keeps a lead from being clean, and
 * what it means. docs/scoring.md shows the same table; a test compares the two.
 */
export const WEIGHTS = {
  email_plausible: [50, 'may be clean', 'Valid email address'],
  email_company_domain: [15, 'may be clean', 'Company email domain'],
  email_free_mail: [0, 'may be clean', 'Free email provider'],
  email_role_account: [-5, 'may be clean', 'Shared mailbox, such as info@ or sales@'],
  email_plus_tag: [-5, 'may be clean', 'Tagged address (+something)'],
  email_disposable: [-40, 'may be clean', 'Disposable email provider'],
  email_mistyped: [-20, 'may be clean', 'Misspelled email provider, such as gmial.com'],
  email_no_public_suffix: [-20, 'may be clean', 'Email domain that does not exist (.con, .test)'],
  email_malformed: [-10, 'may be clean', 'The email field has no email address'],
  email_scattered_dots: [
    -20,
    'may be clean',
    'Scattered dots in a free email address, as bots do to reuse one',
  ],
  phone_valid: [20, 'may be clean', 'Valid phone number'],
  phone_possible: [10, 'may be clean', 'Possible phone number, country unknown'],
  phone_invalid: [-5, 'may be clean', 'Invalid phone number'],
  phone_fake: [-10, 'may be clean', 'Made-up phone number, such as 123456789'],
  name_plausible: [10, 'may be clean', 'Looks like a name'],
  name_gibberish: [-30, 'may be clean', 'Random letters or repeated characters as a name'],
  name_has_link: [-50, 'never clean', 'Link or markup instead of a name'],
  company_given: [5, 'may be clean', 'Names a company'],
  company_matches_website: [10, 'may be clean', 'Email and website have the same domain'],
  message_given: [5, 'may be clean', 'Has a message'],
  message_gibberish: [-30, 'may be clean', 'Message of random letters'],
  message_no_language: [-30, 'may be clean', 'Message in no known language'],
  other_gibberish: [-15, 'may be clean', 'Random letters in other fields'],
  complete: [5, 'may be clean', 'Every field of the form is filled'],
  incomplete: [-5, 'may be clean', 'Fewer than half of the form’s fields are filled'],
  own_link: [0, 'may be clean', 'Links to their own site'],
  foreign_links: [-15, 'may be clean', 'Links to another site'],
  many_links: [-30, 'may be clean', 'Three or more links'],
  short_link: [-25, 'may be clean', 'Shortened or messenger link that hides its target'],
  link_markup: [-60, 'never clean', 'Links in HTML or BBCode, as bots post them'],
  wallet_address: [-40, 'may be clean', 'Cryptocurrency wallet address'],
  offer_phrases: [-20, 'may be clean', 'Partly reads like an unsolicited offer'],
  spam_phrases: [-70, 'never clean', 'Reads like spam: offers instead of asking'],
  spam_address: [-15, 'may be clean', 'Email address that advertises: seo, loans, casino'],
  mixed_scripts: [-50, 'never clean', 'Mixed alphabets within words, as used to evade filters'],
  honeypot_filled: [-80, 'never clean', 'Filled in a hidden field'],
  values_identical: [-60, 'never clean', 'The same text in every field'],
  probe: [-80, 'never clean', 'Attack attempt: script, SQL or shell code in a field'],
  template_left_in: [-60, 'never clean', 'Mass-mailing placeholders, such as %NAME%'],
  test_address: [-60, 'never clean', 'Test email address, such as test@test.com'],
  test_data: [-60, 'never clean', 'Test data, such as asdf or John Doe'],
  says_test: [-60, 'never clean', 'Says that it is a test'],
  not_reachable: [0, 'never clean', 'No usable email address or phone number'],
  gathered_doubts: [0, 'never clean', 'Several doubts that add up'],
  scoring_failed: [0, 'never clean', 'Scoring failed; the lead is stored anyway'],
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
