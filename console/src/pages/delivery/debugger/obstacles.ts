import type { CurlRequest } from '../curl/parse-curl.ts';

/** What keeps a request from becoming a lead, however it is signed. */
export interface Obstacles {
  /** The service rejects it for these. */
  readonly refused: readonly string[];
  /** It does not come to this form at all. */
  readonly elsewhere?: string;
}

export const NO_OBSTACLES: Obstacles = { refused: [] };

export function obstaclesOf(
  { url, hasAddress, refused }: Pick<CurlRequest, 'url' | 'hasAddress' | 'refused'>,
  formUrl: string,
): Obstacles {
  if (!hasAddress) return { refused, elsewhere: 'There is no address in the command.' };
  if (url === undefined || placeOf(url) === placeOf(formUrl)) return { refused };
  return { refused, elsewhere: `The request goes to “${url}”. This form’s address is “${formUrl}”.` };
}

/** As curl takes an address: without a scheme it is http. The service looks at no query, and minds no slash at the end. */
function placeOf(address: string): string {
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(absolute)) return address;
  const { origin, pathname } = new URL(absolute);
  return origin + pathname.replace(/\/$/, '');
}
