import { parseJsonObject, requireJsonContentType } from '../core/json-body.ts';
import type { Step } from './submission.ts';

/** Parses by itself: the usual parser refuses `__proto__`, repairs broken UTF-8 and takes `+json`. */
export function parseBody(): Step {
  return {
    before: function parseBodyBefore({ event: submission }) {
      requireJsonContentType(submission.headers);
      submission.parsed = parseJsonObject(submission.body.bytes());
    },
  };
}
