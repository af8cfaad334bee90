/**
 * Every finding that scoring can make: how many points it adds, and whether it alone keeps a lead from being clean.
 * `npm run score:train` writes the points here and into docs/scoring.md; a test compares the two.
 */
export const WEIGHTS = {
  email_plausible: [4, 'may be clean'],
  email_company_domain: [0, 'may be clean'],
  email_free_mail: [0, 'may be clean'],
  email_role_account: [-3, 'may be clean'],
  email_plus_tag: [-1, 'may be clean'],
  email_disposable: [-13, 'may be clean'],
  email_mistyped: [-9, 'may be clean'],
  email_no_public_suffix: [-9, 'may be clean'],
  email_malformed: [-9, 'may be clean'],
  email_scattered_dots: [-22, 'may be clean'],
  email_gibberish: [-15, 'may be clean'],
  phone_valid: [5, 'may be clean'],
  phone_possible: [4, 'may be clean'],
  phone_odd: [-2, 'may be clean'],
  phone_invalid: [-9, 'may be clean'],
  phone_fake: [-14, 'may be clean'],
  name_plausible: [5, 'may be clean'],
  name_gibberish: [-28, 'may be clean'],
  name_has_link: [-27, 'may be clean'],
  name_bot_like: [-33, 'may be clean'],
  company_given: [5, 'may be clean'],
  company_matches_website: [6, 'may be clean'],
  message_given: [1, 'may be clean'],
  message_gibberish: [-28, 'may be clean'],
  message_no_language: [-9, 'may be clean'],
  price_probe: [-20, 'may be clean'],
  other_gibberish: [-18, 'may be clean'],
  complete: [1, 'may be clean'],
  incomplete: [0, 'may be clean'],
  site_link: [1, 'may be clean'],
  own_link: [-14, 'may be clean'],
  foreign_links: [-23, 'may be clean'],
  many_links: [-12, 'may be clean'],
  short_link: [-18, 'may be clean'],
  link_markup: [-28, 'may be clean'],
  throwaway_link: [-20, 'may be clean'],
  mostly_link: [-29, 'may be clean'],
  wallet_address: [-18, 'may be clean'],
  sellers_price: [-9, 'may be clean'],
  spam_address: [-13, 'may be clean'],
  reads_like_request: [50, 'may be clean'],
  reads_like_offer: [-50, 'may be clean'],
  learned: [0, 'may be clean'],
  mixed_scripts: [-26, 'never clean'],
  hidden_letters: [-36, 'may be clean'],
  honeypot_filled: [-37, 'never clean'],
  sent_too_fast: [-10, 'may be clean'],
  values_identical: [-29, 'never clean'],
  probe: [-35, 'never clean'],
  template_left_in: [-24, 'never clean'],
  test_address: [-25, 'never clean'],
  test_data: [-26, 'never clean'],
  says_test: [-25, 'may be clean'],
  not_reachable: [-15, 'never clean'],
  scoring_failed: [0, 'never clean'],
  mapping_failed: [0, 'may be clean'],
} as const satisfies Record<string, readonly [weight: number, verdict: 'may be clean' | 'never clean']>;

export type SignalName = keyof typeof WEIGHTS;

/** All but those of the text model and of the owner's verdicts. */
export type RuleName = Exclude<SignalName, 'reads_like_request' | 'reads_like_offer' | 'learned'>;

/** The least score of a clean lead. */
export const CLEAN_FROM = 40;

/** The highest score of a lead with a finding that keeps it from being clean. */
export const NEVER_CLEAN_UP_TO = 9;
