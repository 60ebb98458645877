import type { Instrument } from '../instrument.ts';

const share = (symbol: string, name: string, exchange = 'XNAS', currency = 'USD'): Instrument => ({
  kind: 'stock',
  symbol,
  name,
  exchange,
  currency,
});

export const KOWHAI = share('KWHI', 'Kowhai Robotics Inc.');
export const RIMU = share('RIMU', 'Rimu Timber Corp.', 'XNYS');
export const FERN = share('FERN.TO', 'Fern Railways Ltd.', 'XTSE', 'CAD');

export const WORLD: Instrument = {
  kind: 'etf',
  symbol: 'WRLD',
  name: 'Whole World Index ETF',
  exchange: 'ARCX',
  currency: 'USD',
};

export const MONEY_MARKET: Instrument = {
  kind: 'mutualfund',
  symbol: 'CASHX',
  name: 'Steady Money Market Fund',
  exchange: null,
  currency: 'USD',
};

export const BITCOIN: Instrument = {
  kind: 'crypto',
  symbol: 'BTC',
  name: 'Bitcoin',
  exchange: null,
  currency: 'USD',
};

export const TETHER: Instrument = {
  kind: 'crypto',
  symbol: 'USDT',
  name: 'Tether',
  exchange: null,
  currency: null,
};

export const CALL: Instrument = {
  kind: 'option',
  symbol: 'KWHI  301220C00240000',
  name: 'KWHI Dec 20 2030 240 CALL',
  exchange: null,
  currency: null,
  contract: { multiplier: '100', expires: '2030-12-20', strike: '240', side: 'CALL', underlying: KOWHAI },
};

export const MINI_PUT: Instrument = {
  kind: 'option',
  symbol: 'KWHI7 301220P00180000',
  name: 'KWHI Dec 20 2030 180 PUT (mini)',
  exchange: null,
  currency: null,
  contract: { multiplier: '10', expires: '2030-12-20', strike: '180', side: 'PUT', underlying: KOWHAI },
};

export const FUTURE: Instrument = {
  kind: 'future',
  symbol: 'ESZ30',
  name: null,
  exchange: 'XCME',
  currency: 'USD',
  contract: { multiplier: '50', expires: '2030-12-20' },
};
