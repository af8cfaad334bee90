/** Written out: the names are an interface, so a change must be noticed. */
export const FACT_COLUMNS = [
  'enrichment_first_name',
  'enrichment_last_name',
  'enrichment_email',
  'enrichment_mailbox',
  'enrichment_email_domain',
  'enrichment_mail_class',
  'enrichment_mail_provider',
  'enrichment_mail_hosts',
  'enrichment_phone',
  'enrichment_phone_country',
  'enrichment_phone_type',
  'enrichment_country',
  'enrichment_time_zone',
  'enrichment_company',
  'enrichment_company_website',
  'enrichment_other',
];
