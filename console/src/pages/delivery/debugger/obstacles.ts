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
  { url, refused }: Pick<CurlRequest, 'url' | 'refused'>,
  formUrl: string,
): Obstacles {
  if (url === undefined || hrefOf(url) === hrefOf(formUrl)) return { refused };
  return { refused, elsewhere: `The request goes to “${url}”. This form’s address is “${formUrl}”.` };
}

/** As curl takes an address: without a scheme it is http. */
function hrefOf(address: string): string {
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  return URL.canParse(absolute) ? new URL(absolute).href : address;
}
