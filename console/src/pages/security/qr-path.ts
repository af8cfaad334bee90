interface Modules {
  /** How many there are in a row, and rows. */
  readonly size: number;
  /** Whether one is dark. */
  get(x: number, y: number): boolean;
}

/** The dark modules of a QR code as one path, a unit each: a rectangle for every run of them in a row. */
export function qrPath({ size, get }: Modules): string {
  let path = '';
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const start = x;
      while (get(x, y)) x++;
      if (x > start) path += `M${start} ${y}h${x - start}v1h${start - x}z`;
    }
  }
  return path;
}
