const ALL_LEADS = { text: 'Leads', href: '/leads' };
const ALL_FORMS = { text: 'Forms', href: '/forms' };

/** The page above a form's leads. Of the only form, the choice of a form would lead back here. */
export function aboveLeads(formId: string, forms: readonly { readonly formId: string }[] | undefined) {
  return forms?.length === 1 && forms[0]?.formId === formId ? ALL_FORMS : ALL_LEADS;
}
