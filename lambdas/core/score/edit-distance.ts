/** Whether one insertion, deletion, change or swap of neighbours (Damerau) turns one word into the other. */
export function isWithinOneEdit(one: string, other: string): boolean {
  if (one === other) return true;
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  if (one.length > other.length) return one.slice(start + 1) === other.slice(start);
  if (one.length < other.length) return one.slice(start) === other.slice(start + 1);
  if (one.slice(start + 1) === other.slice(start + 1)) return true;
  return (
    one[start] === other[start + 1] &&
    one[start + 1] === other[start] &&
    one.slice(start + 2) === other.slice(start + 2)
  );
}
