import { type Currency, currencies } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { Written } from '../../api/schemas/market-schemas.ts'
import { Minted } from '../../api/schemas/memory-schemas.ts'
import {
  choice,
  decimal,
  hex32Pattern,
  inDollars,
  TokenId,
  TxHash,
  wei,
} from '../../api/schemas/schema-parts.ts'
import { OwnBalance } from './account-reads.ts'
import { ownMarketTools } from './act-tools.ts'
import { snapshotDocument } from './snapshot-document.ts'
import { type Tool, tool, walletOf } from './tool.ts'
import {
  argumentsSchema,
  memoryArguments,
  requiredWallet,
  snapshotOptions,
  writeArguments,
} from './tool-schemas.ts'

const moving = { reach: 'own', effect: 'moves' } as const

/** The tools with which the wallet of the session makes memories. */
const makerTools: readonly Tool[] = [
  tool({
    reach: 'own',
    effect: 'mints',
    name: 'own_snapshot',
    title: 'Snapshot a memory with the own wallet',
    description:
      'As memory_snapshot, but the wallet of this session is the creator and pays the gas; it is also the owner, unless there is a recipient.',
    input: argumentsSchema({ ...memoryArguments, ...snapshotOptions }),
    output: Minted,
    run: async (session, { data, metadata, ...more }, context) => {
      const client = await walletOf(session)
      const document = JSON.stringify({ data, metadata })
      return snapshotDocument({ client }, { ...more, document, context })
    },
    summarize: ({ tokenId }) => `Minted token ${tokenId}.`,
  }),
]

const Withdrawn = Type.Object(
  {
    txHash: TxHash,
    amount: wei('Credit that was paid out'),
    dollars: Type.Optional(
      Type.Object(
        { asset: requiredWallet('The dollar.'), amount: inDollars('Credit that was paid out') },
        { description: 'The credit in dollars, if it was that.' },
      ),
    ),
  },
  { description: 'The mined transaction, and the credit.' },
)

const Confirmed = Type.Object(
  {
    txHash: TxHash,
    tokenId: Type.Optional(TokenId),
    expiresAt: Type.Optional(
      decimal('End of the rental, in seconds since the Unix epoch.', '1767830400'),
    ),
  },
  { description: 'The mined transaction, with the minted token or the end of the rental.' },
)

/** The tools that move what the wallet of the session holds, and that show it. */
const holderTools: readonly Tool[] = [
  tool({
    ...moving,
    name: 'own_transfer',
    title: 'Transfer a memory of the own wallet',
    description:
      'Transfers a token of the wallet of this session to another account for nothing, for ever. Do it only when the user names the account.',
    input: argumentsSchema({
      tokenId: TokenId,
      to: requiredWallet('Address of the new owner.'),
      ...writeArguments,
    }),
    output: Written,
    run: async (session, { tokenId, to, idempotencyKey }, { signal }) =>
      (await walletOf(session)).transfer(tokenId, { to }, { signal, idempotencyKey }),
    summarize: () => 'Transferred.',
  }),
  tool({
    ...moving,
    name: 'own_withdraw',
    title: 'Withdraw the credit of the own wallet',
    description:
      'Pays the credit of the wallet of this session out to it: payments that it could not receive.',
    input: argumentsSchema({
      currency: Type.Optional(
        choice<Currency>(
          currencies,
          'The currency of the credit; native money when absent.',
          'dollar',
        ),
      ),
      ...writeArguments,
    }),
    output: Withdrawn,
    run: async (session, { idempotencyKey, currency }, { signal }) =>
      (await walletOf(session)).withdraw({ currency }, { signal, idempotencyKey }),
    summarize: ({ amount, dollars }) =>
      dollars === undefined
        ? `Withdrew ${amount} wei.`
        : `Withdrew ${dollars.amount} millionths of a dollar.`,
  }),
  tool({
    reach: 'own',
    effect: 'reads',
    name: 'own_confirm',
    title: 'Wait for a transaction of the own wallet',
    description:
      'Waits for what failed with transaction/unconfirmed, by the hash in its facts, and returns the effects. Call it before the act is tried again.',
    input: argumentsSchema({ txHash: { ...TxHash, pattern: hex32Pattern } }),
    output: Confirmed,
    run: async (session, { txHash }) => (await walletOf(session)).confirm(txHash),
    summarize: ({ txHash }) => `Transaction ${txHash} succeeded.`,
  }),
  tool({
    reach: 'own',
    effect: 'reads',
    name: 'own_balance',
    title: 'Read the own wallet and its limits',
    description:
      'Returns the balance, the credit, the spending of today and the limits of the wallet of this session, which pays for the tools that begin with own_.',
    input: argumentsSchema({}),
    output: OwnBalance,
    run: async (session) => {
      const wallet = await walletOf(session)
      return { address: wallet.address, ...(await wallet.balance()) }
    },
    summarize: ({ address, balance, credit, dollars }) =>
      `${address} holds ${balance} wei and has ${credit} wei of credit${dollars === undefined ? '' : `; in millionths of a dollar it holds ${dollars.balance} and has ${dollars.credit} of credit`}.`,
  }),
]

/** The tools that the wallet of the session signs and pays itself. */
export const ownTools: readonly Tool[] = [...makerTools, ...ownMarketTools, ...holderTools]
