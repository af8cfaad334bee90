import { useSearchParams } from 'wouter';

/** Page state in the URL. `undefined` removes a parameter. */
export function useUrlParameters() {
  const [parameters, setParameters] = useSearchParams();
  const choose = (changes: Readonly<Record<string, string | undefined>>) =>
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined) next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      // Back leaves the page instead of undoing choices.
      { replace: true },
    );
  return [parameters, choose] as const;
}
