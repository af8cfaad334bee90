import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Copyable } from '../../shared/copyable.tsx';

export function AddressPanel({ url }: { readonly url: string }) {
  return (
    <Container
      header={<Header description="Enter it at the provider exactly as it is.">Webhook address</Header>}
    >
      <SpaceBetween size="xs">
        <Box variant="code">
          <span className="value">
            <Copyable text={url} what="webhook address" />
          </span>
        </Box>
        <Box color="text-body-secondary">
          Each request is a POST of one JSON object, signed with the secret below. Only the answer 202 means
          accepted: a rejected request is answered with 200, and you find the reason in Diagnostics.
        </Box>
      </SpaceBetween>
    </Container>
  );
}
