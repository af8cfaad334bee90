import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Lead } from '#console/api/types.ts';
import { Link } from '#console/shell/link.tsx';
import { nextSteps, type SteppedForm } from './next-steps.ts';

interface NextStepsProps {
  readonly lead: Lead;
  readonly form: SteppedForm;
}

export function NextSteps({ lead, form }: NextStepsProps) {
  const steps = nextSteps(lead, form);
  if (steps.length === 0) return null;
  return (
    <Container header={<Header>Next steps</Header>}>
      <SpaceBetween size="xs">
        {steps.map(({ text, link, href }) => (
          <div key={link}>
            {text} <Link href={href}>{link}</Link>
          </div>
        ))}
      </SpaceBetween>
    </Container>
  );
}
