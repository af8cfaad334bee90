import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useChange } from '../../api/queries.ts';
import type { Form } from '../../api/types.ts';
import { useNotify } from '../../shell/notifications.tsx';
import { problemAt, problemElsewhere } from './field-problem.ts';

/** Asks for a name, then goes to where the new form gets what it still needs: a secret. */
export function CreateForm({ onCancel }: { readonly onCancel: () => void }) {
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const [, go] = useLocation();
  const input = useRef<InputProps.Ref>(null);
  useEffect(() => {
    // After the dialog has put the focus on its first button.
    const timer = setTimeout(() => input.current?.focus());
    return () => clearTimeout(timer);
  }, []);
  const notify = useNotify();
  const create = useChange<string, Form>((given) => ({
    method: 'POST',
    path: '/settings/forms',
    body: { name: given },
  }));
  const missing = tried && name.trim() === '' && 'Give the form a name.';
  const elsewhere = problemElsewhere(create.error, 'name');

  function send() {
    setTried(true);
    if (name.trim() === '' || create.isPending) return;
    create.mutate(name, {
      onSuccess: (form) => {
        notify('success', `${form.name} is made. Give it a secret, so that webhooks to it are accepted.`);
        go(`/forms/${encodeURIComponent(form.formId)}/delivery`);
      },
    });
  }

  return (
    <Modal
      visible
      header="Create a form"
      closeAriaLabel="Cancel"
      onDismiss={onCancel}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onCancel}>
              Cancel
            </Button>
            <Button variant="primary" loading={create.isPending} onClick={send}>
              Create
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        <FormField
          label="Name"
          description="Its webhook address is made from the name and never changes; the name can."
          errorText={missing || problemAt(create.error, 'name')}
        >
          <Input
            value={name}
            placeholder="Contact us"
            ref={input}
            onChange={({ detail }) => setName(detail.value)}
            onKeyDown={({ detail }) => detail.key === 'Enter' && send()}
          />
        </FormField>
        {elsewhere !== undefined && <Alert type="error">{elsewhere}</Alert>}
      </SpaceBetween>
    </Modal>
  );
}
