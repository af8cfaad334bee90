import { evaluate, type Statement } from '#local/iam/evaluate.ts';
import { type ResourceStatement, statementsForRole } from '#local/iam/policies.ts';

export interface StoredObject {
  readonly contents: Buffer;
  readonly cacheControl: string | undefined;
}

export interface Bucket {
  readonly objects: Map<string, StoredObject>;
  readonly tags: readonly { readonly Key: string; readonly Value: string }[];
  /** The customer key that encrypts the bucket, if there is one. */
  readonly keyArn: string | undefined;
  policy: readonly ResourceStatement[];
}

/** Whoever calls: the role of a function. */
export interface Caller {
  readonly roleArn: string;
  readonly statements: readonly Statement[];
}

/** An error as AWS answers it. */
export class AwsError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string = code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** What the stand-ins for AWS's services share: the buckets, who calls now, and what they were refused. */
export class StandInAccount {
  readonly buckets = new Map<string, Bucket>();
  readonly #denied = new Set<string>();
  readonly #unknown = new Set<string>();
  #caller: Caller | undefined;
  #outage = false;

  /** From now on calls come from this role. During an outage every one of them fails. */
  expectCallsOf(caller: Caller, outage: boolean): void {
    this.#caller = caller;
    this.#outage = outage;
  }

  /** Throws unless the caller's role, or the policy of the resource, allows the call. */
  authorise(
    action: string,
    resource: string,
    context: Readonly<Record<string, string | undefined>>,
    policy: readonly ResourceStatement[] = [],
  ): void {
    if (this.#caller === undefined) throw new Error('nobody is expected to call');
    if (this.#outage) throw new AwsError(400, 'RehearsedOutage');
    const { roleArn, statements } = this.#caller;
    const ofBoth = [...statements, ...statementsForRole(policy, roleArn)];
    const call = { action, resource, context: { ...context, 'aws:PrincipalArn': roleArn } };
    if (evaluate(ofBoth, call).allowed) return;
    this.#denied.add(`${action} on ${resource}`);
    throw new AwsError(
      403,
      'AccessDenied',
      `${roleArn} is not authorized to perform ${action} on ${resource}`,
    );
  }

  /** For calls that Lambda makes on behalf of the role. A refusal does not stop the handler, and is remembered. */
  tryAuthorise(action: string, resource: string): void {
    try {
      this.authorise(action, resource, {});
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
    }
  }

  /** A call that no stand-in knows: it must be added to one before a handler may make it. */
  refuseUnknown(call: string): never {
    this.#unknown.add(call);
    throw new AwsError(501, 'NotImplemented', `no stand-in knows ${call}`);
  }

  /** What went wrong since the last time this was asked. */
  takeRefusals(): string[] {
    const refusals = [
      ...[...this.#denied].map((call) => `not allowed: ${call}`),
      ...[...this.#unknown].map((call) => `not known to a stand-in: ${call}`),
    ];
    this.#denied.clear();
    this.#unknown.clear();
    return refusals;
  }
}
