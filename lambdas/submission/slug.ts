/** Slugs are case-sensitive. The service makes lower-case ones; imported ones may use more of this grammar. */
const SLUG = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$/;

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** A readable stem from the form's name, and a suffix that makes it unique and hard to guess. */
export function makeSlug(name: string, suffix: string): string {
  const stem = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return `${stem || 'form'}-${suffix}`;
}
