import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account, AccountRecord, Connection } from '#client';
import { FIXED_LIMITS } from '../../../src/vocabulary/limits.ts';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { account, accounts, asShown } from '../api/accounts.ts';
import { api } from '../api/client.ts';
import { connection, connections } from '../api/connections.ts';
import { me } from '../api/me.ts';
import { syncs } from '../api/syncs.ts';
import { dateText, dayText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Check } from '../parts/fields.tsx';
import { Icon } from '../parts/icon.tsx';
import { NameDialog } from '../parts/name-dialog.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Back, Page } from '../parts/page.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { RowsAside } from '../parts/rows-aside.tsx';
import { ACCOUNT } from '../text/accounts.ts';
import { CONNECTIONS, connectionStatus } from '../text/connections.ts';
import { ACCOUNT_FILES } from '../text/statement-files.ts';
import classes from './account.module.css';
import { AccountMoney } from './account-money.tsx';
import { latestTransactions } from './histories.ts';
import { TermsCard } from './terms-card.tsx';

const route = getRouteApi(APP_PATHS.account);

/** One account: what it holds and did, its terms, its latest rows, its consent, and the syncs that read it. */
export function AccountPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(account(id));
  const bank = useQuery({ ...connection(data?.connection ?? ''), enabled: data !== undefined });
  const { data: record } = useQuery(me);
  if (data === undefined || bank.data === undefined || record === undefined) {
    const failure = error ?? bank.error;
    return (
      <>
        <Back to={APP_PATHS.connections}>{CONNECTIONS.title}</Back>
        <Page title={ACCOUNT.title} wide actionsToCome={failure === null}>
          {failure === null ? (
            <LoadingRows count={6} />
          ) : (
            <Problem error={failure} again={error === null ? bank.refetch : refetch} />
          )}
        </Page>
      </>
    );
  }
  return <Shown account={data} connection={bank.data} record={record} />;
}

interface ShownProps {
  readonly account: Account;
  readonly connection: Connection;
  readonly record: AccountRecord;
}

function Shown({ account: read, connection: bank, record }: ShownProps) {
  const shown = asShown(read);
  const isBanking = shown.category === 'banking';
  const isOfFiles = shown.category === 'documents';
  return (
    <>
      <Back to={APP_PATHS.connection} params={{ id: bank.id }}>
        {bank.institution.name}
      </Back>
      <Page
        title={shown.name}
        wide
        actions={
          <>
            <OwnerOnly scope="connections:write">
              <Edit account={read} />
            </OwnerOnly>
            {isBanking || isOfFiles ? (
              <LinkButton to={APP_PATHS.transactions} search={{ account: shown.id }} variant="default">
                {ACCOUNT.all}
              </LinkButton>
            ) : null}
          </>
        }
      >
        {isBanking && shown.status === 'available' ? (
          <>
            <AccountMoney account={shown} connection={bank} zone={record.timezone} />
            <div className={classes.halves}>
              <Latest account={shown} />
              <TermsCard account={shown} />
            </div>
          </>
        ) : null}
        {isOfFiles ? (
          <div className={classes.halves}>
            <Latest account={shown} days={FILE_DAYS} />
            <FilesCard account={shown.id} />
          </div>
        ) : null}
        <div className={classes.halves}>
          <SyncsCard account={shown.id} />
          <ConsentCard account={shown} connection={bank} zone={record.timezone} />
        </div>
      </Page>
    </>
  );
}

/** The owner's own name of the account, and whether it counts in totals. */
function Edit({ account: { id, name, nickname, in_totals } }: { readonly account: Account }) {
  const queries = useQueryClient();
  const { edit: words } = ACCOUNT;
  const [asking, setAsking] = useState(false);
  const [counts, setCounts] = useState(in_totals);
  const save = useMutation({
    mutationFn: (given: string) =>
      api.accounts.update({ id, nickname: given === name ? null : given, in_totals: counts }),
    onSuccess: (updated) => {
      queries.setQueryData(account(id).queryKey, updated);
      setAsking(false);
      return Promise.all(
        [accounts.queryKey, connections.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
    },
  });
  const open = () => {
    save.reset();
    setCounts(in_totals);
    setAsking(true);
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        {words.open}
      </Button>
      {asking ? (
        <NameDialog
          title={words.title}
          label={words.name}
          name={nickname ?? name}
          maxLength={FIXED_LIMITS.name_characters}
          busy={save.isPending}
          error={save.error}
          failed={words.failed}
          onSave={save.mutate}
          onClose={() => setAsking(false)}
        >
          <Check label={words.inTotals} hint={words.inTotalsHint} checked={counts} onChange={setCounts} />
        </NameDialog>
      ) : null}
    </>
  );
}

const LATEST = 10;
/** Statement files may be years old: nearly as far back as rows are read by default (`history_months`, docs/limits.md). */
const FILE_DAYS = 2_500;

function Latest({ account: { id, name }, days }: { readonly account: Account; readonly days?: number }) {
  const { data, error, refetch } = useQuery(latestTransactions(id, days));
  const { latest: words } = ACCOUNT;
  return (
    <Card title={words.title}>
      {error !== null && data === undefined ? (
        <Problem error={error} again={refetch} />
      ) : data === undefined ? (
        <LoadingRows count={LATEST} />
      ) : data.rows.length === 0 ? (
        <p className={classes.none}>{words.none}</p>
      ) : (
        <ul className={rows.rows}>
          {data.rows.slice(0, LATEST).map((row) => {
            const day = row.date ?? row.post_date;
            return (
              <li key={row.id} className={rows.row}>
                <div className={rows.words}>
                  <p className={rows.name}>{row.merchant_name ?? row.description}</p>
                  <p className={rows.detail}>
                    {row.status === 'pending' ? words.pending : day === null ? '' : dayText(day)}
                  </p>
                </div>
                <p className={rows.figure}>
                  {moneyText(BigInt(row.amount.amount), row.amount.currency, 'always')}
                </p>
              </li>
            );
          })}
        </ul>
      )}
      <RowsAside accounts={[{ name, rows: data?.aside ?? [] }]} />
    </Card>
  );
}

/** Where the rows of an account of files come from, and how more come. */
function FilesCard({ account }: { readonly account: string }) {
  return (
    <Card title={ACCOUNT_FILES.title}>
      <p className={classes.none}>{ACCOUNT_FILES.text}</p>
      <div className={classes.buttons}>
        <OwnerOnly scope="connections:write">
          <LinkButton to={APP_PATHS.statementFiles} search={{ account }} leftSection={<Icon name="plus" />}>
            {ACCOUNT_FILES.add}
          </LinkButton>
        </OwnerOnly>
        <LinkButton to={APP_PATHS.statementFiles} search={{}} variant="default">
          {ACCOUNT_FILES.all}
        </LinkButton>
      </div>
    </Card>
  );
}

function SyncsCard({ account: id }: { readonly account: string }) {
  const { data, error, refetch } = useQuery(syncs);
  const { syncs: words } = ACCOUNT;
  const reading = (data ?? []).filter(({ accounts }) => accounts.includes(id));
  return (
    <Card title={words.title}>
      {error !== null && data === undefined ? (
        <Problem error={error} again={refetch} />
      ) : data === undefined ? (
        <LoadingRows count={1} />
      ) : reading.length === 0 ? (
        <p className={classes.none}>
          {words.none} <Link to={APP_PATHS.newSync}>{words.create}</Link>
        </p>
      ) : (
        <ul className={rows.rows}>
          {reading.map((sync) => (
            <li key={sync.id} className={rows.row}>
              <div className={rows.words}>
                <p className={rows.name}>
                  <Link to={APP_PATHS.sync} params={{ id: sync.id }} className={rows.link}>
                    {sync.name}
                  </Link>
                </p>
                <p className={rows.detail}>{words.to(sync.destination.name)}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

interface ConsentCardProps {
  readonly account: Account;
  readonly connection: Connection;
  readonly zone: string;
}

function ConsentCard({ account, connection: bank, zone }: ConsentCardProps) {
  const { name, duplicate_of: counted } = account;
  const { consent: words } = ACCOUNT;
  const ends = bank.consent?.expires_at ?? null;
  return (
    <Card title={words.title}>
      <Facts
        facts={[
          [
            words.bank,
            <Link key="bank" to={APP_PATHS.connection} params={{ id: bank.id }}>
              {bank.institution.name}
            </Link>,
          ],
          [words.status, connectionStatus(bank)],
          ...(counted === null
            ? []
            : ([
                [
                  CONNECTIONS.linkedTwice,
                  <Link key="counted" to={APP_PATHS.account} params={{ id: counted }}>
                    {ACCOUNT.countsInstead(name)}
                  </Link>,
                ],
              ] as const)),
          // No bank gave a consent for files.
          [
            words.ends,
            ends !== null ? dateText(ends, zone) : account.category === 'documents' ? null : words.never,
          ],
        ]}
      />
    </Card>
  );
}
