const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time in the owner's zone, with UTC on hover. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={utc(at)}>
      {localTime(at)}
    </time>
  );
}

export function localTime(at: string): string {
  return LOCAL.format(new Date(at));
}

export function utc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
