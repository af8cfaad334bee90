import { useShownOnce } from '../../shared/shown-once-memory.tsx';

type Secrets = Readonly<Record<string, string>>;

/** New signing secrets that the owner hasn't confirmed yet, by destination. */
export function useSigningSecrets() {
  const { value = {}, isNew, showWith, leave } = useShownOnce<Secrets>('signing secrets');
  return {
    of: (destinationId: string): string | undefined => value[destinationId],
    isNew,
    show: (destinationId: string, secret: string) =>
      showWith((shown = {}) => ({ ...shown, [destinationId]: secret })),
    putAway: (destinationId: string) =>
      leave((shown = {}) => {
        const { [destinationId]: _saved, ...left } = shown;
        return Object.keys(left).length === 0 ? undefined : left;
      }),
  };
}
