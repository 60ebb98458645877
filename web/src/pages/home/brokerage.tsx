import type { Connection } from '../../api/connections.ts';
import { Card } from '../../parts/card.tsx';
import { LinkButton } from '../../parts/link-button.tsx';
import { PATHS } from '../../routing/paths.ts';
import { HOME } from '../../text/home.ts';
import classes from './home.module.css';

/**
 * Where accounts at brokers are shown, which are no part of the figures here: their value changes with prices, whose past
 * nobody reports. Nothing where there is none.
 */
export function Brokerage({ connections }: { readonly connections: readonly Connection[] }) {
  const count = connections
    .flatMap(({ accounts }) => accounts ?? [])
    .filter(({ category, status }) => category === 'brokerage' && status === 'available').length;
  if (count === 0) return null;
  return (
    <Card title={HOME.brokerage} aside={HOME.brokerageCount(count)}>
      <div className={classes.none}>
        <p>{HOME.brokerageText}</p>
        <LinkButton to={PATHS.holdings} variant="default" size="xs">
          {HOME.holdings}
        </LinkButton>
      </div>
    </Card>
  );
}
