import { useShownOnce } from '../../shared/shown-once-memory.tsx';
import type { MadeToken } from './new-token.tsx';

/** The tokens that were made and are not stored yet, the last one first. */
export function useNewTokens() {
  const { value = [], isNew, showWith, leave } = useShownOnce<readonly MadeToken[]>('tokens');
  return {
    tokens: value,
    isNew,
    show: (made: MadeToken) => showWith((shown = []) => [made, ...shown]),
    putAway: (tokenId: string) =>
      leave((shown = []) => {
        const left = shown.filter((token) => token.tokenId !== tokenId);
        return left.length === 0 ? undefined : left;
      }),
  };
}
