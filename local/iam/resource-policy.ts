import type { Statement } from './evaluate.ts';

type Principals = string | Readonly<Record<string, string | readonly string[]>>;

/** A statement of a policy that belongs to a resource: a bucket, a queue, a key. */
export interface ResourceStatement extends Statement {
  readonly Principal?: Principals;
  readonly NotPrincipal?: Principals;
}

/** The statements of a resource's policy that apply to a role. Those for AWS services do not. */
export function statementsForRole(statements: readonly ResourceStatement[], roleArn: string): Statement[] {
  const [, , , , account] = roleArn.split(':');
  const everybodyInAccount = new Set([account, `arn:aws:iam::${account}:root`]);
  return statements.filter(({ Principal, NotPrincipal, Effect }) => {
    if (NotPrincipal !== undefined || Principal === undefined) {
      throw new Error(
        'a statement of a resource policy needs a Principal, and NotPrincipal is not supported',
      );
    }
    const named = typeof Principal === 'string' ? [Principal] : [Principal.AWS ?? []].flat();
    // An Allow for the account only lets the account's own policies decide. A Deny for it applies to all its roles.
    return named.some(
      (it) => it === '*' || it === roleArn || (Effect === 'Deny' && everybodyInAccount.has(it)),
    );
  });
}
