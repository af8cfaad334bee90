/** HTTP takes spaces and tabs around a header's value for no part of it; line ends come along when one is copied. */
export function withoutSpaceAround(value: string): string {
  return value.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
