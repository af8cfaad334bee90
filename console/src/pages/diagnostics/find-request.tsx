import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';

/** A sender sees nothing but an id in the headers of the answer: by it the reason is found. */
export function FindRequest({ onFind }: { readonly onFind: (requestId: string) => void }) {
  const [typed, setTyped] = useState('');
  const requestId = typed.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (requestId !== '') onFind(requestId);
      }}
    >
      <FormField
        label="Request id"
        description="From the header x-amzn-RequestId of the answer that the sender got."
        secondaryControl={<Button disabled={requestId === ''}>Find the request</Button>}
      >
        <Input type="search" value={typed} onChange={({ detail }) => setTyped(detail.value)} />
      </FormField>
    </form>
  );
}
