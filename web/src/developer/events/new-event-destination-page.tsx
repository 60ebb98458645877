import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { api } from '../../api/client.ts';
import { eventDestinations } from '../../api/events.ts';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { Back, Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { EVENT_DESTINATION_FORM, EVENT_DESTINATIONS } from '../../text/events.ts';
import { SigningSecret } from './event-destination-actions.tsx';
import { bodyOf, type DestinationDraft, EMPTY_DRAFT } from './event-destination-draft.ts';
import { DestinationForm } from './event-destination-form.tsx';

interface Made {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
}

export function NewEventDestinationPage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [made, setMade] = useState<Made | null>(null);
  const create = useMutation({
    mutationFn: async (draft: DestinationDraft) => {
      const { id, name, webhook_endpoint: endpoint } = await api.eventDestinations.create(bodyOf(draft));
      setMade({ id, name, secret: endpoint.signing_secret ?? '' });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: eventDestinations.queryKey }),
  });
  const words = EVENT_DESTINATIONS.secret;
  return (
    <>
      <Back to={APP_PATHS.eventDestinations}>{EVENT_DESTINATIONS.title}</Back>
      <Page title={EVENT_DESTINATION_FORM.title}>
        <OwnerOnly scope="events:write" otherwise="page">
          {create.error === null ? null : (
            <Problem error={create.error} title={EVENT_DESTINATIONS.failed.create} />
          )}
          {made === null ? (
            <DestinationForm
              initial={EMPTY_DRAFT}
              action={EVENT_DESTINATIONS.create}
              busy={create.isPending}
              onSubmit={create.mutate}
            />
          ) : (
            <SigningSecret
              title={words.created(made.name)}
              text={words.once}
              secret={made.secret}
              onDone={() => navigate({ to: APP_PATHS.eventDestination, params: { id: made.id } })}
            />
          )}
        </OwnerOnly>
      </Page>
    </>
  );
}
