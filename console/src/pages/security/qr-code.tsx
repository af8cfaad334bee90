import { generate } from 'lean-qr';
import { useMemo } from 'react';
import { qrPath } from './qr-path.ts';

interface QrCodeProps {
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
}

/** The quiet zone that the standard requires. */
const QUIET = 4;
/** Whole pixels, so all modules have the same size. */
const PIXELS = 4;

/** Dark on white in any theme, since some apps read no other. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const code = generate(text);
    return { size: code.size, path: qrPath(code) };
  }, [text]);
  const whole = size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={label}
      width={whole * PIXELS}
      height={whole * PIXELS}
      viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`}
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET} y={-QUIET} width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
