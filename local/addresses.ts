import type { TemplateReader } from './template.ts';

/** Addresses on AWS, and those on this machine that stand for them. */
export type Addresses = ReadonlyMap<string, string>;

/** The address of an API on AWS; without a stage, that of its stage `$default`. */
export function addressOnAws(reader: TemplateReader, apiId: string, stage?: string): string {
  const host = `${apiId}.execute-api.${reader.reference('AWS::Region')}.${reader.reference('AWS::URLSuffix')}`;
  return `https://${host}${stage === undefined ? '' : `/${stage}`}`;
}

/** Where the pools of the region are on AWS. */
export function cognitoOnAws(reader: TemplateReader): string {
  return `https://cognito-idp.${reader.reference('AWS::Region')}.${reader.reference('AWS::URLSuffix')}`;
}

export function toLocal(value: string, addresses: Addresses): string {
  for (const [onAws, here] of addresses) if (value.startsWith(onAws)) return here + value.slice(onAws.length);
  return value;
}
