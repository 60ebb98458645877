import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Account, AccountRecord, Connection } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { account } from '../api/accounts.ts';
import { connection } from '../api/connections.ts';
import { me } from '../api/me.ts';
import { syncs } from '../api/syncs.ts';
import { dateText, dayText } from '../format/moments.ts';
import { moneyText } from '../format/money.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { Back, Page } from '../parts/page.tsx';
import { LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { ACCOUNT } from '../text/accounts.ts';
import { CONNECTIONS, connectionStatus } from '../text/connections.ts';
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
        <Page title={ACCOUNT.title}>
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

function Shown({ account: shown, connection: bank, record }: ShownProps) {
  const isBanking = shown.category === 'banking';
  return (
    <>
      <Back to={APP_PATHS.connection} params={{ id: bank.id }}>
        {bank.institution.name}
      </Back>
      <Page
        title={shown.name}
        actions={
          isBanking ? (
            <LinkButton to={APP_PATHS.transactions} search={{ account: shown.id }} variant="default">
              {ACCOUNT.all}
            </LinkButton>
          ) : undefined
        }
      >
        {isBanking && shown.status === 'available' ? (
          <>
            <AccountMoney account={shown} connection={bank} zone={record.timezone} />
            <Latest account={shown.id} />
            <TermsCard account={shown} />
          </>
        ) : null}
        <div className={classes.halves}>
          <SyncsCard account={shown.id} />
          <ConsentCard connection={bank} zone={record.timezone} />
        </div>
      </Page>
    </>
  );
}

const LATEST = 10;

function Latest({ account: id }: { readonly account: string }) {
  const { data, error, refetch } = useQuery(latestTransactions(id));
  const { latest: words } = ACCOUNT;
  return (
    <Card title={words.title}>
      {error !== null && data === undefined ? (
        <Problem error={error} again={refetch} />
      ) : data === undefined ? (
        <LoadingRows count={LATEST} />
      ) : data.length === 0 ? (
        <p className={classes.none}>{words.none}</p>
      ) : (
        <ul className={rows.rows}>
          {data.slice(0, LATEST).map((row) => {
            const day = row.post_date ?? row.date;
            return (
              <li key={row.id} className={rows.row}>
                <div className={rows.words}>
                  <p className={rows.name}>{row.merchant_name ?? row.description}</p>
                  <p className={rows.detail}>
                    {row.status === 'pending' ? words.pending : day === null ? '' : dayText(day)}
                  </p>
                </div>
                <p className={rows.figure}>{moneyText(BigInt(row.amount.amount), row.amount.currency)}</p>
              </li>
            );
          })}
        </ul>
      )}
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

function ConsentCard({ connection: bank, zone }: { readonly connection: Connection; readonly zone: string }) {
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
          [words.ends, ends === null ? words.never : dateText(ends, zone)],
        ]}
      />
    </Card>
  );
}
