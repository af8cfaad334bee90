import type { SignalName } from './weights.ts';

/** A few words for each finding, as owners read it next to its weight: "Company email domain +15". */
export const SIGNAL_LABELS: Readonly<Record<SignalName, string>> = {
  email_plausible: 'Valid email address',
  email_company_domain: 'Company email domain',
  email_free_mail: 'Free email provider',
  email_role_account: 'Shared mailbox',
  email_plus_tag: 'Tagged email address',
  email_disposable: 'Disposable email',
  email_mistyped: 'Misspelled email provider',
  email_no_public_suffix: 'Unknown email domain',
  email_malformed: 'Invalid email address',
  email_scattered_dots: 'Scattered dots in email',
  phone_valid: 'Valid phone number',
  phone_possible: 'Possible phone number',
  phone_invalid: 'Invalid phone number',
  phone_fake: 'Made-up phone number',
  name_plausible: 'Plausible name',
  name_gibberish: 'Random letters as name',
  name_has_link: 'Link as name',
  company_given: 'Company given',
  company_matches_website: 'Email matches website',
  message_given: 'Message given',
  message_gibberish: 'Random letters as message',
  message_no_language: 'Unknown language',
  other_gibberish: 'Random letters elsewhere',
  complete: 'Every field filled',
  incomplete: 'Few fields filled',
  own_link: 'Own link',
  foreign_links: 'Link to another site',
  many_links: 'Many links',
  short_link: 'Hidden link target',
  link_markup: 'Link markup',
  throwaway_link: 'Cheap link domain',
  mostly_link: 'Mostly a link',
  wallet_address: 'Crypto wallet address',
  offer_phrases: 'Phrase of an offer',
  spam_phrases: 'Phrases of spam',
  spam_address: 'Advertising email address',
  reads_like_request: 'Reads like a customer',
  reads_like_offer: 'Reads like an offer',
  mixed_scripts: 'Mixed alphabets',
  honeypot_filled: 'Hidden field filled',
  sent_too_fast: 'Sent very quickly',
  values_identical: 'Same text everywhere',
  probe: 'Attack attempt',
  template_left_in: 'Mass-mailing placeholder',
  test_address: 'Test email address',
  test_data: 'Test data',
  says_test: 'Says it is a test',
  not_reachable: 'No way to reply',
  scoring_failed: 'Scoring failed',
};

/** Stored leads may have findings that scoring no longer makes; these keep their name. */
export function signalLabel(name: string): string {
  return Object.hasOwn(SIGNAL_LABELS, name)
    ? SIGNAL_LABELS[name as SignalName]
    : name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());
}
