import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { errorMessage } from '#console/api/problem.ts';
import { useClient } from '#console/api/queries.ts';
import { useNotify } from '#console/shell/notifications.tsx';
import { noteChanges } from '../inbox/use-changed-leads.ts';
import { refreshAround } from '../inbox/use-inbox.ts';
import type { Step } from './step.ts';

/** Makes changes to leads, says what happened above the page, and takes them back. */
export function useSteps() {
  const client = useClient();
  const queries = useQueryClient();
  const notify = useNotify();
  const undos = useRef<readonly Step[]>([]);
  const [running, setRunning] = useState(0);

  async function run(step: Step): Promise<void> {
    noteChanges(queries, step.patches);
    setRunning((now) => now + 1);
    try {
      const { text, isWhole, offers = [] } = await step.send(client);
      const { undo } = step;
      if (undo) undos.current = [...undos.current, undo];
      notify(isWhole ? 'success' : 'info', text, {
        subject: 'lead',
        actions: [
          ...(undo ? [{ text: 'Undo', onClick: () => takeBack(undo) }] : []),
          ...offers.map((offer) => ({ text: offer.text, onClick: () => void run(offer.step) })),
        ],
      });
    } catch (error) {
      noteChanges(queries, step.before);
      notify('error', `Couldn’t save the change. ${errorMessage(error)}`);
    } finally {
      setRunning((now) => now - 1);
      refreshAround(queries);
    }
  }

  function takeBack(undo: Step): void {
    undos.current = undos.current.filter((other) => other !== undo);
    void run(undo);
  }

  return {
    run: (step: Step) => void run(step),
    /** Takes back the last change that was not taken back yet. */
    undo() {
      const last = undos.current.at(-1);
      if (last) takeBack(last);
      else notify('info', 'Nothing to undo.', { subject: 'lead' });
    },
    busy: running > 0,
  };
}
