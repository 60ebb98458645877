import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { Db } from '../../storage/database.ts';
import type { Notices } from '../../storage/notices.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { OAuthAddresses } from './oauth-resources.ts';

export interface OAuthOptions extends OAuthAddresses {
  readonly auditLog: Pick<AuditLog, 'record'>;
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly keyring: Keyring;
  readonly notices: Notices;
  readonly http: Pick<OutgoingHttp, 'request'>;
}
