import { AllDestinations } from './all-destinations.tsx';
import { OneDestination } from './one-destination.tsx';

/** One chunk for both pages: the entry, which every page loads, lists the files of each chunk. */
export default function DestinationsPage({ id }: { readonly id: string | undefined }) {
  return id === undefined ? <AllDestinations /> : <OneDestination key={id} destinationId={id} />;
}
