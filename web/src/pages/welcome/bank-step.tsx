import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Institution } from '#client';
import { appUrl } from '../../api/app-url.ts';
import { createLinkSession, institutions } from '../../api/connections.ts';
import { LinkButton } from '../../parts/buttons.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { PATHS } from '../../routing/paths.ts';
import { WELCOME } from '../../text/welcome.ts';
import { Step } from './step.tsx';
import { copiedAccounts, type Tour } from './tour-state.ts';
import classes from './welcome.module.css';

interface BankStepProps {
  readonly tour: Tour;
  /** The provider whose first bank is offered, or null where the person chooses one. */
  readonly provider: Institution['provider'] | null;
}

export function BankStep({ tour: { bank }, provider }: BankStepProps) {
  const text = provider === null ? WELCOME.bank : WELCOME.sandboxBank;
  return (
    <Step number={1} title={text.title} state={bank === null ? 'now' : 'done'}>
      {bank === null ? (
        <>
          <p className={classes.text}>{text.text}</p>
          {provider === null ? (
            <LinkButton to={PATHS.newConnection} className={classes.action ?? ''}>
              {WELCOME.bank.action}
            </LinkButton>
          ) : (
            <LinkSandboxBank provider={provider} />
          )}
        </>
      ) : (
        <p className={classes.text} role="status">
          {bank.status === 'pending'
            ? WELCOME.listing(bank.institution.name)
            : WELCOME.linked(bank.institution.name, copiedAccounts(bank).length)}
        </p>
      )}
    </Step>
  );
}

function LinkSandboxBank({ provider }: { readonly provider: Institution['provider'] }) {
  const { data, error, refetch } = useInfiniteQuery(institutions(''));
  const link = useMutation({
    mutationFn: (institution: Institution) => createLinkSession(institution, appUrl('welcome').href),
    onSuccess: ({ url }) => location.assign(url),
  });
  if (error !== null && data === undefined) return <Problem error={error} again={refetch} />;
  const bank = data?.pages
    .flatMap((page) => page.data)
    .find((one) => one.provider === provider && one.available && one.status !== 'OUTAGE');
  return (
    <>
      {link.error === null ? null : <Problem error={link.error} title={WELCOME.bank.failed} />}
      <div className={classes.actions}>
        <Button
          classNames={{ root: classes.named ?? '', label: classes.words ?? '' }}
          rightSection={<Icon name="chevron" size={16} />}
          disabled={bank === undefined}
          loading={link.isPending || link.isSuccess}
          onClick={() => bank && link.mutate(bank)}
        >
          {bank === undefined ? WELCOME.bank.action : WELCOME.sandboxBank.action(bank.name)}
        </Button>
        <Link to={PATHS.newConnection}>{WELCOME.sandboxBank.other}</Link>
      </div>
    </>
  );
}
