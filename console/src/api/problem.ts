interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

/** Problem details (RFC 9457) of the settings API. */
export interface ProblemDetails {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  readonly requestId?: string;
  /** Of API Gateway's own responses. */
  readonly message?: string;
}

/** For responses of a gateway or firewall in front of the settings API, which have only a status. */
function statusText(status: number): Pick<ProblemDetails, 'title' | 'detail'> {
  if (status === 429) return inWords('Too many requests', 'Wait a moment and try again.');
  if (status === 403) return inWords('Not allowed', 'Sign out, sign in and try again.');
  if (status >= 500)
    return inWords('Service error', `Something went wrong on our side. Try again in a moment (${status}).`);
  return inWords(`The request failed (${status})`, 'Reload the page and try again.');
}

const inWords = (title: string, next: string) => ({ title, detail: `${title}. ${next}` });

/** A non-2xx response of the settings API, or no response (status 0). */
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

/** An error as one sentence. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiProblem)) return 'Something went wrong. Reload the page and try again.';
  if (error.fields.length > 0)
    return error.fields.map(({ field, problem }) => `${field} ${problem}`.trim()).join('; ');
  if (error.requestId !== undefined) return `${error.message}. Request ID: ${error.requestId}.`;
  return error.detail ?? `${error.message}.`;
}

interface Missing {
  readonly header: string;
  /** The list to link to. */
  readonly list: { readonly text: string; readonly href: string };
}

const FORMS = { text: 'All forms', href: '/forms' };
const THINGS: Readonly<Record<string, Missing>> = {
  'the form': { header: 'Form not found', list: FORMS },
  'the lead': {
    header: 'Lead not found',
    list: { text: 'All leads', href: '/leads' },
  },
  'the alert': { header: 'Alert not found', list: { text: 'All alerts', href: '/alerts' } },
  'the destination': {
    header: 'Destination not found',
    list: { text: 'All destinations', href: '/destinations' },
  },
};

/** Text for a 404, where `what` names what was loaded. */
export function notFoundText(what: string): Missing {
  return THINGS[what] ?? { header: `Couldn’t find ${what}`, list: FORMS };
}
