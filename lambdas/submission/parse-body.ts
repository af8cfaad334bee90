import type { Request } from '@middy/core';
import type { Workspace } from '../model/configuration.ts';
import { type Headers, singleHeader } from '../model/headers.ts';
import { parseJsonObject } from '../model/lead-body.ts';
import { LIMITS } from '../model/limits.ts';
import { Rejection } from '../model/reasons.ts';
import type { CredentialScheme } from './authenticate.ts';
import type { ParsedSubmission, Step, Submission } from './submission.ts';

/**
 * Rejects bodies that are too large or compressed, before anything is decoded, parsed or verified. The owner is looked
 * up all the same, so that they see the rejection.
 */
export function refuseUnreadable<Configuration extends { workspace?: Workspace | undefined }>(
  scheme: CredentialScheme<Configuration>,
  { anySize = false } = {},
): Step {
  return {
    before: async function refuseUnreadableBefore({ event: submission }) {
      try {
        if (!anySize) requireSize(submission);
        requireIdentityEncoding(submission.headers);
      } catch (rejection) {
        const key = keyIfPresented(scheme, submission);
        if (key !== undefined) submission.attribution = await scheme.source.locate(key, submission.signal);
        throw rejection;
      }
    },
  };
}

export function requireSize({ body }: Submission): void {
  if (body.byteLength > LIMITS.bodyBytes) throw new Rejection('body_too_large', { length: body.byteLength });
}

function keyIfPresented<Configuration extends { workspace?: Workspace | undefined }>(
  scheme: CredentialScheme<Configuration>,
  submission: Submission,
): string | undefined {
  try {
    return scheme.keyOf(submission);
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

/** Not Middy's parser, which refuses `__proto__`, repairs broken UTF-8 and accepts `+json`. */
export function parseBody(): Step<ParsedSubmission> {
  return {
    before: function parseBodyBefore({ event: submission }: Request<Submission>) {
      requireJsonContentType(submission.headers);
      submission.parsed = parseJsonObject(submission.body.bytes());
    },
  };
}

/** `application/json` in any case, with or without parameters; `+json` types and everything else are refused. */
export function requireJsonContentType(headers: Headers): void {
  const header = singleHeader(headers, 'content-type');
  const value = header === 'repeated' ? 'repeated' : (header?.value ?? '');
  const mediaType = value.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new Rejection('content_type_unsupported', { contentType: value.slice(0, 100) });
  }
}

/**
 * API Gateway decompresses gzip and deflate, so the function would never see the bytes that were signed. Any coding
 * but identity is refused rather than guessed at.
 */
export function requireIdentityEncoding(headers: Headers): void {
  const codings = (headers.get('content-encoding') ?? [])
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > 0) {
    throw new Rejection('content_encoding_unsupported', {
      contentEncoding: codings.join(', ').slice(0, 100),
    });
  }
}
