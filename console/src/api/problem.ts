interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

/** Of RFC 9457, as the settings API fills it. */
export interface ProblemDetails {
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  readonly requestId?: string;
}

/** For answers of whatever stands before the settings API: a gateway or a firewall tells no more than a number. */
function statusText(status: number): Pick<ProblemDetails, 'title' | 'detail'> {
  if (status === 429) return inWords('Too many requests', 'Wait a moment and try again.');
  if (status === 403) return inWords('Not allowed', 'Sign out, sign in and try again.');
  if (status >= 500)
    return inWords('Service error', `Something went wrong on our side. Try again in a moment (${status}).`);
  return inWords(`The request failed (${status})`, 'Reload the page and try again.');
}

const inWords = (title: string, next: string) => ({ title, detail: `${title}. ${next}` });

/** An answer of the settings API other than 2xx, or none at all (status 0). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly detail: string | undefined;
  readonly fields: readonly FieldProblem[];
  readonly requestId: string | undefined;

  constructor(status: number, body: ProblemDetails) {
    const words = body.title === undefined ? statusText(status) : body;
    super(words.title);
    this.status = status;
    this.detail = words.detail;
    this.fields = body.errors ?? [];
    this.requestId = body.requestId;
  }

  static unreachable(): ApiProblem {
    return new ApiProblem(0, {
      title: 'Can’t reach the service',
      detail: 'Check your connection and try again.',
    });
  }
}

/** One sentence for a message under a form or in a banner. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiProblem)) return 'Something went wrong. Reload the page and try again.';
  if (error.fields.length > 0)
    return error.fields.map(({ field, problem }) => `${field} ${problem}`.trim()).join('; ');
  if (error.requestId !== undefined) return `${error.message}. Request ID: ${error.requestId}.`;
  return error.detail ?? `${error.message}.`;
}

interface Missing {
  readonly header: string;
  /** Where what is there is listed. */
  readonly list: { readonly text: string; readonly href: string };
}

const FORMS = { text: 'All forms', href: '/forms' };
const THINGS: Readonly<Record<string, Missing>> = {
  'the form': { header: 'Form not found', list: FORMS },
  'the lead': {
    header: 'Lead not found',
    list: { text: 'All leads', href: '/leads' },
  },
};

/** For an address that names nothing, `what` being what was to be read. All else that can be missing is a part of a form. */
export function notFoundText(what: string): Missing {
  return THINGS[what] ?? { header: `Couldn’t find ${what}`, list: FORMS };
}
