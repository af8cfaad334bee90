/** How a key of a lead is shown that has no label: one of which nothing can be seen would leave its place blank. */
export function keyName(key: string): string {
  if (key === '') return '(empty name)';
  return /[^\s\p{C}\p{Z}]/u.test(key) ? key : `(blank name ${JSON.stringify(key)})`;
}
