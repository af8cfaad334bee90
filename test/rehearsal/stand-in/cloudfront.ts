import { LOCAL_ACCOUNT } from '#local/local-account.ts';
import type { StandInAccount } from './account.ts';
import type { AwsAnswer, AwsRequest } from './request.ts';

/** Invalidations, which are complete at once. */
export function answerCloudFront(account: StandInAccount, { method, path }: AwsRequest): AwsAnswer {
  const [, id, invalidation] =
    /^\/[\d-]+\/distribution\/([^/]+)\/invalidation(?:\/([^/]+))?$/.exec(path) ?? [];
  const action = { POST: 'cloudfront:CreateInvalidation', GET: 'cloudfront:GetInvalidation' }[method];
  if (id === undefined || action === undefined || (method === 'GET') !== (invalidation !== undefined)) {
    return account.refuseUnknown(`cloudfront ${method} ${path}`);
  }
  account.authorise(action, `arn:aws:cloudfront::${LOCAL_ACCOUNT}:distribution/${id}`, {});
  return { root: 'Invalidation', fields: { Id: 'I0', Status: 'Completed' } };
}
