import type { Provider, SignatureForm } from './providers.ts';
import { digestOf } from './verify-signature.ts';

export interface UnsignedDelivery {
  readonly secret: string;
  readonly body: Uint8Array;
  readonly nowMilliseconds: number;
  /** For providers that sign an ID outside the body. */
  readonly deliveryId: string;
}

/** The headers with which the provider would send a body, for tests of a form. */
export function signDelivery(provider: Provider, delivery: UnsignedDelivery): Record<string, string> {
  const { header, form, encoding, message } = provider.signature;
  const parts = new Map<string, string>();
  for (const [, name = ''] of message.matchAll(/\{([\w-]+)\}/g)) {
    if (name !== 'body')
      parts.set(name, name === provider.time?.in ? timeOf(provider, delivery) : delivery.deliveryId);
  }
  const signature = digestOf(provider, delivery.secret, parts, delivery.body).toString(encoding);
  const { t, ...headers } = Object.fromEntries(parts);
  return { ...headers, [header]: written(form, signature, t) };
}

function timeOf({ time }: Provider, { nowMilliseconds }: UnsignedDelivery): string {
  return String(time?.unit === 'ms' ? nowMilliseconds : Math.floor(nowMilliseconds / 1000));
}

function written(form: SignatureForm, signature: string, time: string | undefined): string {
  if (form === 't=,v1=') return `t=${time},v1=${signature}`;
  return form === 'plain' ? signature : `${form}${signature}`;
}
