import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

const GLOBAL_STYLES = /@cloudscape-design\/global-styles\/index\.css$/;
const FACE = /@font-face\s*\{[^}]*\}/g;
const FONT = /url\(['"]?data:font\/woff2;base64,([A-Za-z0-9+/=]+)['"]?\)/;

/**
 * Cloudscape's styles contain eight fonts, of which a page uses two or three. As files, only those are loaded, and text
 * is readable before they are.
 */
export function separateFonts(): Plugin {
  return {
    name: 'lead-ingest:separate-fonts',
    enforce: 'pre',
    transform(code, id) {
      if (!GLOBAL_STYLES.test(id)) return undefined;
      let found = 0;
      const styles = code.replace(FACE, (face) => {
        const [whole, content] = FONT.exec(face) ?? [];
        if (whole === undefined || content === undefined) return face;
        found += 1;
        const source = Buffer.from(content, 'base64');
        const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
        const fileName = `assets/${nameOf(face)}-${hash}.woff2`;
        this.emitFile({ type: 'asset', fileName, source });
        return face.replace(whole, `url('/${fileName}')`).replace('{', '{ font-display: swap;');
      });
      if (found === 0)
        throw new Error('Cloudscape’s styles have no fonts: this plugin is not needed any more');
      return { code: styles, map: null };
    },
  };
}

function nameOf(face: string): string {
  const [, weight = ''] = /font-weight:\s*(\d+)/.exec(face) ?? [];
  return `open-sans-${weight}${/italic/.test(face) ? '-italic' : ''}`;
}
