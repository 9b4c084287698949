import { Type } from '@sinclair/typebox'
import { orNull } from '../../api/catalogue-schemas.ts'
import { inDollars, sample, wei } from '../../api/schema-parts.ts'
import { WalletRecord } from '../../api/wallet-schemas.ts'

/** The balance and the limits of the wallet of a session. */
export const OwnBalance = Type.Object(
  {
    address: WalletRecord.properties.address,
    balance: WalletRecord.properties.balance,
    credit: wei('Credit', 'payments that failed and can be withdrawn'),
    spentToday: WalletRecord.properties.spentToday,
    maxSpendPerCall: WalletRecord.properties.maxSpendPerCall,
    maxSpendPerDay: WalletRecord.properties.maxSpendPerDay,
    dollars: Type.Optional(
      Type.Object(
        {
          asset: WalletRecord.properties.address,
          balance: inDollars('Balance'),
          credit: inDollars('Credit', 'payments that failed and can be withdrawn'),
          spentToday: inDollars('Spent today (UTC)', 'includes acts in progress'),
          maxSpendPerCall: orNull(inDollars('Spending limit of one call')),
          maxSpendPerDay: orNull(inDollars('Spending limit of one day (UTC)')),
        },
        { description: 'The same in dollars; absent where the contracts have none.' },
      ),
    ),
  },
  { description: 'The balance and the spending limits of the wallet of this session.' },
)

/** The state of the agent wallet, and the wallet of a session. */
export const WalletState = Type.Object(
  {
    ...WalletRecord.properties,
    session: orNull(
      Type.String({
        description:
          'Wallet of this session, which opens memories and receives tokens; null for none.',
        examples: [sample.address],
      }),
    ),
  },
  {
    description: 'The balance and the limits of the agent wallet, and the wallet of this session.',
  },
)
