import { Type } from '@sinclair/typebox'
import { EarningsRecord } from '../../api/schemas/catalogue-schemas.ts'
import { inDollars, orNull, sample, text, wei } from '../../api/schemas/schema-parts.ts'
import { DeploymentRecord, WalletRecord } from '../../api/schemas/wallet-schemas.ts'
import { type Tool, tool } from './tool.ts'
import { argumentsSchema, OneAccount } from './tool-schemas.ts'

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
const WalletState = Type.Object(
  {
    ...WalletRecord.properties,
    session: orNull(
      text(
        'Wallet of this session, which opens memories and receives tokens; null for none.',
        sample.address,
      ),
    ),
  },
  {
    description: 'The balance and the limits of the agent wallet, and the wallet of this session.',
  },
)

const reading = { reach: 'anyone', effect: 'reads' } as const

/** The tools that read accounts and the server. */
export const accountReads: readonly Tool[] = [
  tool({
    ...reading,
    name: 'account_earnings',
    title: 'Read the earnings of an account',
    description:
      'Returns what an account earned from sales, rentals, forks and royalties, and what it can withdraw.',
    input: OneAccount,
    output: EarningsRecord,
    run: ({ client }, { address }, { signal }) => client.earnings(address, { signal }),
    summarize: ({ dollars, ...inWei }) =>
      `${totalOf(inWei)} wei and ${totalOf(dollars)} millionths of a dollar in total.`,
  }),
  tool({
    ...reading,
    name: 'wallet_info',
    title: 'Read the wallet and its limits',
    description:
      'Returns the balance, the spending of today and the spending limits of the agent wallet, which pays for everything, and the wallet of this session.',
    input: argumentsSchema({}),
    output: WalletState,
    run: async ({ client, account }, _, { signal }) => ({
      ...(await client.wallet({ signal })),
      session: account ?? null,
    }),
    summarize: ({ address, balance, maxSpendPerCall, maxSpendPerDay }) =>
      `${address} holds ${balance} wei; the limits are ${maxSpendPerCall ?? 'none'} for a call and ${maxSpendPerDay ?? 'none'} for a day.`,
  }),
  tool({
    ...reading,
    name: 'deployment_info',
    title: 'Read the deployment',
    description: 'Returns the chain id and the addresses of the contracts and of the agent wallet.',
    input: argumentsSchema({}),
    output: DeploymentRecord,
    run: ({ client }, _, { signal }) => client.deployment({ signal }),
    summarize: ({ chainId }) => `Chain ${chainId}.`,
  }),
]

type Earned = Readonly<Record<'sales' | 'rentals' | 'forks' | 'royalties', string>>

const totalOf = ({ sales, rentals, forks, royalties }: Earned): bigint =>
  [sales, rentals, forks, royalties].reduce((sum, it) => sum + BigInt(it), 0n)
