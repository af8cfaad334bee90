import type { MarkedRun } from './mark-difference.ts';

interface SignedBytesProps {
  readonly label: string;
  readonly runs: readonly MarkedRun[];
  readonly cutBefore?: boolean;
  readonly cutAfter?: boolean;
}

/** Text in the order of its bytes, also where it runs from right to left, with nothing in it that cannot be seen. */
export function SignedBytes({ label, runs, cutBefore = false, cutAfter = false }: SignedBytesProps) {
  return (
    <figure className="signed-bytes" aria-label={label}>
      <bdo dir="ltr">
        {cutBefore && '… '}
        {runs.map((run, at) => {
          const Mark = run.differs ? 'mark' : 'span';
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: runs have no other identity, and never move.
            <Mark key={at}>
              <Pieces of={run.pieces} />
            </Mark>
          );
        })}
        {cutAfter && ' …'}
      </bdo>
    </figure>
  );
}

function Pieces({ of }: { readonly of: MarkedRun['pieces'] }) {
  return joined(of).map(({ text, unseen }, at) =>
    unseen ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <span key={at} className="unseen">
        {text}
      </span>
    ) : (
      text
    ),
  );
}

/** Plain characters in one piece, since some are shaped by their neighbours. */
function joined(pieces: MarkedRun['pieces']): MarkedRun['pieces'] {
  const result: { text: string; unseen: boolean }[] = [];
  for (const { text, unseen } of pieces) {
    const last = result.at(-1);
    if (last && !last.unseen && !unseen) last.text += text;
    else result.push({ text, unseen });
  }
  return result;
}
