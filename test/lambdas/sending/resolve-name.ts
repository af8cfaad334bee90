import type { ResolveName } from '#sending/outbound-http.ts';

/** In the place of DNS. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'receiver.example.com': ['93.184.215.14'],
  // Of the documented example.
  'crm.example.com': ['93.184.215.14'],
  'inside.example.com': ['10.0.0.7'],
  'rebinding.example.com': ['93.184.215.14', '127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
};

export const resolve: ResolveName = async (hostname) => {
  if (hostname === 'broken.example.com') throw Object.assign(new Error('DNS'), { code: 'ESERVFAIL' });
  const found = ADDRESSES[hostname];
  if (!found) throw Object.assign(new Error('DNS'), { code: 'ENOTFOUND' });
  return found;
};
