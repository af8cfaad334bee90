/** A lead that is worth enriching. */
export const CLEAN = JSON.stringify({
  name: 'Mina Farrow',
  email: 'mina.farrow@copperfieldjoinery.co.uk',
  phone: '+44 20 7946 0018',
  company: 'Copperfield Joinery',
  message: 'Could you quote for twelve oak doors, fitted in March?',
});

/** One that is not. */
export const NOT_CLEAN = JSON.stringify({
  name: 'Rank Booster',
  email: 'sales@seo-rank-offers.com',
  message:
    'We offer cheap backlinks and guaranteed first page ranking on Google! Buy now http://a.example http://b.example http://c.example',
});

/** A JSON object of exactly so many bytes. */
export function jsonOf(bytes: number): string {
  return `{"padding":"${'x'.repeat(bytes - '{"padding":""}'.length)}"}`;
}
