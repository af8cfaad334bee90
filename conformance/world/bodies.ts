/** Clean, so it is enriched. */
export const CLEAN = JSON.stringify({
  name: 'Mina Farrow',
  email: 'Mina.Farrow@copperfieldjoinery.co.uk',
  phone: '+44 20 7946 0018',
  company: 'Copperfield Joinery',
  message: 'Could you quote for twelve oak doors, fitted in March?',
});

/** Not clean: scored and stored, but not enriched. */
export const NOT_CLEAN = JSON.stringify({
  name: 'Rank Booster',
  email: 'sales@seo-rank-offers.com',
  message:
    'We offer cheap backlinks and guaranteed first page ranking on Google! Buy now http://a.example http://b.example http://c.example',
});

/** A JSON object of exactly this many bytes. */
export function jsonOf(bytes: number): string {
  return `{"padding":"${'x'.repeat(bytes - '{"padding":""}'.length)}"}`;
}
