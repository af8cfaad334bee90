interface Modules {
  /** Modules per side. */
  readonly size: number;
  get(x: number, y: number): boolean;
}

/** The dark modules of a QR code as one SVG path, with a rectangle per horizontal run. */
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
