import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import type { ListedSender } from '../../api/types.ts';
import { FormDialog } from '../../shared/dialogs.tsx';
import { useNotify } from '../../shell/notifications.tsx';
import { usePutSender } from './use-senders.ts';

export function AddSender({ onClose }: { readonly onClose: () => void }) {
  const notify = useNotify();
  const put = usePutSender();
  const [sender, setSender] = useState('');
  const [status, setStatus] = useState<ListedSender['status']>('trusted');
  const [asked, setAsked] = useState(false);
  const isMissing = sender.trim() === '';

  function send() {
    setAsked(true);
    if (isMissing) return;
    put.mutate(
      { sender: sender.trim(), status },
      {
        onSuccess: () => {
          notify('success', `${sender.trim()} is now ${status}.`);
          onClose();
        },
      },
    );
  }

  return (
    <FormDialog
      title="Add sender"
      action="Add"
      busy={put.isPending}
      problem={put.error ? errorMessage(put.error) : undefined}
      onSubmit={send}
      onCancel={onClose}
    >
      <SpaceBetween size="l">
        <FormField
          label="Email address or domain"
          description="A domain stands for everybody at a company."
          constraintText="For example, ada@acme.com or acme.com. For free mail, such as gmail.com, add single addresses."
          errorText={asked && isMissing && 'Enter an email address or a domain.'}
        >
          <Input value={sender} inputMode="email" onChange={({ detail }) => setSender(detail.value)} />
        </FormField>
        <FormField label="New leads from this sender">
          <RadioGroup
            value={status}
            onChange={({ detail }) => setStatus(detail.value === 'blocked' ? 'blocked' : 'trusted')}
            items={[
              { value: 'trusted', label: 'Trusted', description: 'Always clean.' },
              { value: 'blocked', label: 'Blocked', description: 'Never clean. They are still stored.' },
            ]}
          />
        </FormField>
      </SpaceBetween>
    </FormDialog>
  );
}
