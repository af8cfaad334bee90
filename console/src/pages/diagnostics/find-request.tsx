import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { readRequestId } from './rejection-filters.ts';

/** Senders get only a request ID in a response header. Owners look up the reason with it. */
export function FindRequest({ onFind }: { readonly onFind: (requestId: string) => void }) {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState(false);
  const requestId = readRequestId(typed);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (requestId !== undefined) onFind(requestId);
      }}
    >
      <FormField
        label="Request ID"
        description="From the x-amzn-RequestId header of the response."
        errorText={
          asked &&
          requestId === undefined &&
          'Enter a request ID such as 6f1e2c9a-0b3d-4e5f-8a7b-1c2d3e4f5a6b.'
        }
        secondaryControl={<Button disabled={typed.trim() === ''}>Find request</Button>}
      >
        <Input
          type="search"
          value={typed}
          onChange={({ detail }) => {
            setTyped(detail.value);
            setAsked(false);
          }}
        />
      </FormField>
    </form>
  );
}
