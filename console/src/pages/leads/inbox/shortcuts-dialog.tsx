import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { areShortcutsOn, KEYS, turnShortcuts } from './inbox-keys.ts';

/** Lists the shortcuts of the inbox. */
export default function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(() => areShortcutsOn(localStorage));
  return (
    <Modal
      visible
      header="Keyboard shortcuts"
      closeAriaLabel="Close"
      onDismiss={onClose}
      footer={
        <Box float="right">
          <Button onClick={onClose}>Done</Button>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <table className="shortcuts" aria-label="Keyboard shortcuts">
          <tbody>
            {Object.entries(KEYS).map(([key, what]) => (
              <tr key={key}>
                <th scope="row">
                  <kbd>{key}</kbd>
                </th>
                <td>{what}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Box>They apply to the selected leads, or else to the current one.</Box>
        <Checkbox
          checked={on}
          description="Turn them off if you use speech input. Saved in this browser."
          onChange={({ detail }) => {
            turnShortcuts(localStorage, detail.checked);
            setOn(detail.checked);
          }}
        >
          Use shortcuts
        </Checkbox>
      </SpaceBetween>
    </Modal>
  );
}
