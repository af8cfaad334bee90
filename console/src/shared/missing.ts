interface Missing {
  readonly header: string;
  /** Where what is there is listed. */
  readonly list: { readonly text: string; readonly href: string };
}

const FORMS = { text: 'All forms', href: '/forms' };
const THINGS: Readonly<Record<string, Missing>> = {
  'the form': { header: 'There is no such form in your workspace', list: FORMS },
  'the lead': {
    header: 'There is no such lead in your workspace',
    list: { text: 'All leads', href: '/leads' },
  },
};

/** For an address that names nothing, `what` being what was to be read. All else that can be missing is a part of a form. */
export function whereMissing(what: string): Missing {
  return THINGS[what] ?? { header: `Your workspace does not have ${what}`, list: FORMS };
}
