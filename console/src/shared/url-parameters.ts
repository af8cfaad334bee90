import { useSearchParams } from 'wouter';

/** What is chosen on a page, kept in its address. Choosing `undefined` takes a parameter away. */
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
      // Going back leaves the page, however often something was chosen on it.
      { replace: true },
    );
  return [parameters, choose] as const;
}
