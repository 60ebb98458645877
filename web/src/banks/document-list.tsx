import { ActionIcon, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Account, AccountRecord, Document } from '#client';
import { APP_PATHS } from '../../../src/vocabulary/page-paths.ts';
import { documents } from '../api/documents.ts';
import { me } from '../api/me.ts';
import { accountNames } from '../format/account-names.ts';
import { agoText, dateText } from '../format/moments.ts';
import { bytesText } from '../format/numbers.ts';
import { LinkButton } from '../parts/buttons.tsx';
import { Card } from '../parts/card.tsx';
import { Icon } from '../parts/icon.tsx';
import { OwnerOnly } from '../parts/owner-only.tsx';
import { Empty, LoadingRows, Problem } from '../parts/page-states.tsx';
import rows from '../parts/rows.module.css';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { STATEMENT_FILES } from '../text/statement-files.ts';
import { useDocumentActions } from './document-actions.tsx';
import classes from './statement-files.module.css';

type Status = keyof typeof STATEMENT_FILES.status;

const TONES: Readonly<Record<Status, Tone>> = {
  uploaded: 'warn',
  taken: 'good',
  delivered: 'good',
  undone: 'idle',
};
const EXPECTED = 3;
const DAY_MS = 86_400_000;

/** The files that were uploaded, newest first, with the status of each. */
export function DocumentList({ accounts }: { readonly accounts: readonly Account[] }) {
  const { data, error, refetch } = useQuery(documents);
  const { data: record } = useQuery(me);
  if (data === undefined || record === undefined)
    return error === null ? (
      <Card title={STATEMENT_FILES.list}>
        <LoadingRows count={EXPECTED} />
      </Card>
    ) : (
      <Problem error={error} again={refetch} />
    );
  if (data.length === 0) return <Empty title={STATEMENT_FILES.none} text={STATEMENT_FILES.noneText} />;
  const names = accountNames(accounts);
  return (
    <Card title={STATEMENT_FILES.list}>
      <ul className={rows.rows}>
        {data.map((one) => (
          <li key={one.id}>
            <DocumentRow document={one} names={names} record={record} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface DocumentRowProps {
  readonly document: Document;
  readonly names: ReadonlyMap<string, string>;
  readonly record: AccountRecord;
}

function DocumentRow({ document: shown, names, record }: DocumentRowProps) {
  const { id, name, format, bytes, status, parts, created } = shown;
  const actions = useDocumentActions(shown);
  return (
    <>
      {actions.outcome}
      <div className={rows.row}>
        <div className={rows.words}>
          <p className={rows.name}>
            <Link to={APP_PATHS.statementFiles} search={{ file: id }} className={rows.link}>
              {name}
            </Link>
            <DocumentStatus document={shown} />
          </p>
          <p className={rows.detail}>
            {[format.toUpperCase(), bytesText(bytes), STATEMENT_FILES.uploaded(agoText(created))].join(' · ')}
          </p>
          {status === 'taken' ? (
            <p className={rows.detail}>
              {[
                ...parts.map((part) => STATEMENT_FILES.rowsIn(part.rows, names.get(part.account) ?? '')),
                ...parts.flatMap((part) =>
                  part.live_rows === 0 ? [] : [STATEMENT_FILES.liveRows(part.live_rows)],
                ),
                endText(shown, record.timezone),
              ].join(' · ')}
            </p>
          ) : null}
        </div>
        <OwnerOnly scope="connections:write">
          <div className={rows.end}>
            {status === 'taken' ? null : (
              <LinkButton
                to={APP_PATHS.statementFiles}
                search={{ file: id }}
                size="xs"
                variant="default"
                aria-label={`${STATEMENT_FILES.review}: ${name}`}
                className={classes.review ?? ''}
              >
                {STATEMENT_FILES.review}
              </LinkButton>
            )}
            <Menu position="bottom-end" width={220}>
              <Menu.Target>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  loading={actions.busy !== null}
                  aria-label={STATEMENT_FILES.actionsOf(name)}
                >
                  <Icon name="more" />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {status === 'taken' ? (
                  <Menu.Item onClick={actions.undo}>{STATEMENT_FILES.undo}</Menu.Item>
                ) : null}
                <Menu.Item onClick={actions.download}>{STATEMENT_FILES.download}</Menu.Item>
                <Menu.Divider />
                <Menu.Item color="red" onClick={actions.askToDelete}>
                  {STATEMENT_FILES.delete}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </div>
        </OwnerOnly>
      </div>
      {actions.dialog}
    </>
  );
}

/** Where a file is between being uploaded and being deleted. */
export function DocumentStatus({
  document: { status, delivered_at: delivered },
}: {
  readonly document: Document;
}) {
  const shown: Status = status === 'taken' && delivered !== null ? 'delivered' : status;
  return <StatusBadge tone={TONES[shown]}>{STATEMENT_FILES.status[shown]}</StatusBadge>;
}

/** When the file will be deleted. */
function endText({ retain_days: days, delivered_at: delivered }: Document, zone: string): string {
  if (days === null) return STATEMENT_FILES.keptForGood;
  if (delivered === null) return STATEMENT_FILES.deletedAfter(days);
  const at = new Date(Date.parse(delivered) + days * DAY_MS).toISOString();
  return STATEMENT_FILES.deletedOn(dateText(at, zone));
}
