import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { type ContactFact, contactLink } from './contact.ts';
import type { LeadFields } from './read-lead-body.ts';

/** Who wrote and how to reply. The message has a line of its own. */
export function ContactPanel({ contact }: { readonly contact: readonly ContactFact[] }) {
  if (contact.length === 0) return <NoContact />;
  const isMessage = ({ role }: ContactFact) => role === 'message';
  const groups = [contact.filter((fact) => !isMessage(fact)), contact.filter(isMessage)];
  return (
    <Container header={<Header>Contact</Header>}>
      <SpaceBetween size="l">
        {groups
          .filter((facts) => facts.length > 0)
          .map((facts) => (
            <KeyValuePairs
              key={facts[0]?.role}
              columns={facts.some(isMessage) ? 1 : 2}
              items={facts.map((fact) => ({
                label: <span className="value">{fact.label}</span>,
                value: <Fact fact={fact} />,
              }))}
            />
          ))}
      </SpaceBetween>
    </Container>
  );
}

function NoContact() {
  return (
    <Container header={<Header>Contact</Header>}>
      No name, address or message was recognized. The details below have all fields.
    </Container>
  );
}

function Fact({ fact }: { readonly fact: ContactFact }) {
  const { role, label, text } = fact;
  if (role !== 'email' && role !== 'phone') return <LongText text={text} what={label} />;
  const href = contactLink(fact);
  const what = role === 'email' ? 'email address' : 'phone number';
  return (
    <span className="value">
      {href === undefined ? text : <Link href={href}>{text}</Link>}{' '}
      <CopyToClipboard
        variant="icon"
        textToCopy={text}
        copyButtonAriaLabel={`Copy ${what}`}
        copySuccessText={`Copied ${what}`}
        copyErrorText={`Couldn’t copy ${what}. Select and copy it manually.`}
      />
    </span>
  );
}

/** A 128 KB body can have thousands of keys. Rendering them all at once would take seconds. */
const FIELDS_PER_STEP = 60;
const MAX_NAMED = 10;

/** The fields that are no contact facts. */
export function FieldsPanel({ fields, nested }: LeadFields) {
  const [most, setMost] = useState(FIELDS_PER_STEP);
  const shown = fields.slice(0, most);
  return (
    <SpaceBetween size="m">
      {fields.length === 0 && <Box color="text-body-secondary">No fields with a simple value.</Box>}
      {fields.length > 0 && (
        <KeyValuePairs
          columns={2}
          items={shown.map(({ label, text }) => ({
            label: <span className="value">{label}</span>,
            value: <LongText text={text} what={label} />,
          }))}
        />
      )}
      {shown.length < fields.length && (
        <div>
          <Button onClick={() => setMost(most + FIELDS_PER_STEP)}>
            {`Show ${Math.min(FIELDS_PER_STEP, fields.length - most)} more`}
          </Button>
        </div>
      )}
      {nested.length > 0 && (
        <Box color="text-body-secondary">
          Nested fields, shown in the body: <span className="value">{listed(nested)}</span>
        </Box>
      )}
    </SpaceBetween>
  );
}

function listed(keys: readonly string[]): string {
  const named = keys.slice(0, MAX_NAMED).map((key) => (key.length > 60 ? `${key.slice(0, 60)}…` : key));
  const rest = keys.length - named.length;
  return rest === 0 ? named.join(', ') : `${named.join(', ')} and ${rest} more`;
}

const SHORT_ENOUGH = 600;

interface LongTextProps {
  readonly text: string;
  /** Names the text for screen readers. */
  readonly what: string;
}

/** Submitted text with its line breaks; long text is collapsed. */
export function LongText({ text, what }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  if (text === '') return <>–</>;
  const isLong = text.length > SHORT_ENOUGH;
  const button = whole ? 'Show less' : `Show all ${text.length.toLocaleString()} characters`;
  return (
    <>
      <span className="value value-lines">
        {isLong && !whole ? `${text.slice(0, SHORT_ENOUGH).replace(/[\uD800-\uDBFF]$/, '')}…` : text}
      </span>
      {isLong && (
        <div>
          <Button
            variant="inline-link"
            ariaExpanded={whole}
            ariaLabel={`${button} of ${what}`}
            onClick={() => setWhole(!whole)}
          >
            {button}
          </Button>
        </div>
      )}
    </>
  );
}
