import type { SignalName } from './weights.ts';

/** What each finding means, for owners. Not next to the points: the functions that score do not need the texts. */
export const SIGNAL_MEANINGS: Readonly<Record<SignalName, string>> = {
  email_plausible: 'Valid email address',
  email_company_domain: 'Company email domain',
  email_free_mail: 'Free email provider',
  email_role_account: 'Shared mailbox, such as info@ or sales@',
  email_plus_tag: 'Tagged address (+something)',
  email_disposable: 'Disposable email provider',
  email_mistyped: 'Misspelled email provider, such as gmial.com',
  email_no_public_suffix: 'Email domain that does not exist (.con, .test)',
  email_malformed: 'The email field has no email address',
  email_scattered_dots: 'Scattered dots in a free email address, as bots do to reuse one',
  phone_valid: 'Valid phone number',
  phone_possible: 'Possible phone number, country unknown',
  phone_invalid: 'Invalid phone number',
  phone_fake: 'Made-up phone number, such as 123456789',
  name_plausible: 'Looks like a name',
  name_gibberish: 'Random letters or repeated characters as a name',
  name_has_link: 'Link or markup instead of a name',
  company_given: 'Names a company',
  company_matches_website: 'Email and website have the same domain',
  message_given: 'Has a message',
  message_gibberish: 'Message of random letters',
  message_no_language: 'Message in no known language',
  other_gibberish: 'Random letters in other fields',
  complete: 'Every field of the form is filled',
  incomplete: 'Fewer than half of the form’s fields are filled',
  own_link: 'Links to their own site',
  foreign_links: 'Links to another site',
  many_links: 'Three or more links',
  short_link: 'Shortened or messenger link that hides its target',
  link_markup: 'Links in HTML or BBCode, as bots post them',
  throwaway_link: 'Links to a cheap kind of domain, such as .top or .xyz',
  mostly_link: 'Hardly more than a link',
  wallet_address: 'Cryptocurrency wallet address',
  offer_phrases: 'A phrase of unsolicited offers',
  spam_phrases: 'Phrases of spam: offers instead of asking',
  spam_address: 'Email address that advertises: seo, loans, casino',
  reads_like_request: 'Reads like a customer',
  reads_like_offer: 'Reads like an unsolicited offer',
  mixed_scripts: 'Mixed alphabets within words, as used to evade filters',
  honeypot_filled: 'Filled in a hidden field',
  sent_too_fast: 'Sent less than 2.5 seconds after the form was shown',
  values_identical: 'The same text in every field',
  probe: 'Attack attempt: script, SQL or shell code in a field',
  template_left_in: 'Mass-mailing placeholders, such as %NAME%',
  test_address: 'Test email address, such as test@test.com',
  test_data: 'Test data, such as asdf or John Doe',
  says_test: 'Says that it is a test',
  not_reachable: 'No usable email address or phone number',
  scoring_failed: 'Scoring failed; the lead is stored anyway',
};

/** Stored leads may have findings that scoring no longer makes. */
export function explainSignal({ name, words = [] }: { name: string; words?: readonly string[] }): string {
  if (!Object.hasOwn(SIGNAL_MEANINGS, name)) return 'Found by an earlier scoring';
  const meaning = SIGNAL_MEANINGS[name as SignalName];
  return words.length === 0 ? meaning : `${meaning}: ${words.join(', ')}`;
}
