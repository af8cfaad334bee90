import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ContactFact, contactLink } from './contact.ts';
import { LongText } from './long-text.tsx';

/** Who wrote and how to reply. The message has a line of its own. */
export function ContactPanel({ contact }: { readonly contact: readonly ContactFact[] }) {
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
