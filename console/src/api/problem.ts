export interface FieldProblem {
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

/** An answer of the settings API other than 2xx, or none at all (status 0). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly detail: string | undefined;
  readonly fields: readonly FieldProblem[];
  readonly requestId: string | undefined;

  constructor(status: number, body: ProblemDetails) {
    super(body.title ?? `The service answered with ${status}.`);
    this.status = status;
    this.detail = body.detail;
    this.fields = body.errors ?? [];
    this.requestId = body.requestId;
  }

  static unreachable(): ApiProblem {
    return new ApiProblem(0, {
      title: 'The service cannot be reached',
      detail: 'Check your connection and try again.',
    });
  }
}

/** One sentence for a message under a form or in a banner. */
export function describe(error: unknown): string {
  if (!(error instanceof ApiProblem)) return 'Something went wrong in this page. Reload it and try again.';
  if (error.fields.length > 0)
    return error.fields.map(({ field, problem }) => `${field} ${problem}`.trim()).join('; ');
  if (error.requestId !== undefined) return `${error.message}. Request id: ${error.requestId}.`;
  return error.detail ?? `${error.message}.`;
}
