import { endConsentIn, failedSync, linkAnother, linkedOwner } from '../lives.ts';
import { oncePerService } from './once-per-service.ts';

/** Several banks, one of which asks for consent again, and a sync that failed. */
export const household = oncePerService(async (service) => {
  const owner = await linkedOwner(service);
  await failedSync(owner, [owner.connection.accounts[0].id]);
  const soon = await linkAnother(owner, { customer: 'mortgage-offset', at: 'inst_fk_88888' });
  await endConsentIn(service, soon, 12.5);
  await linkAnother(owner, { customer: 'foreign-currency' });
  return owner;
});
