import { Type } from '@sinclair/typebox'
import { pageQuery } from '../../api/schemas/catalogue-queries.ts'
import { Written } from '../../api/schemas/market-schemas.ts'
import {
  decimal,
  inDollars,
  integer,
  TokenId,
  TxHash,
  wei,
} from '../../api/schemas/schema-parts.ts'
import { HeirRecord } from '../../api/schemas/wallet-schemas.ts'
import { parseLimit } from './pages.ts'
import { type Tool, tool, walletOf } from './tool.ts'
import { argumentsSchema, OneAccount, requiredWallet, writeArguments } from './tool-schemas.ts'

/** The tool that reads the heir of an account. */
export const heirReads: readonly Tool[] = [
  tool({
    reach: 'anyone',
    effect: 'reads',
    name: 'account_heir',
    title: 'Read the heir of an account',
    description:
      'Returns who takes over the tokens of an account once it gives no sign of life, the times from which the heir may announce that and take over, and the accounts whose heir it is.',
    input: argumentsSchema({ ...OneAccount.properties, ...pageQuery }),
    output: HeirRecord,
    run: ({ client }, { address, ...page }, { signal }) =>
      client.heir(address, parseLimit(page), { signal }),
    summarize: ({ heir, state, heirOf = [], next }) =>
      `${heir === null ? 'It has named no heir.' : `Its heir is ${heir}; the state is ${state}.`} It is the heir of ${heirOf.length} accounts${next ? ' and more; pass next as after' : ''}.`,
  }),
]

const days = (description: string) => integer(description, 180)

/** The tools of an account that leaves its tokens to an heir. */
const ownerTools: readonly Tool[] = [
  tool({
    reach: 'own',
    effect: 'sets',
    name: 'own_name_heir',
    title: 'Name the heir of the own wallet',
    description:
      'Names the account that takes over the tokens of the wallet of this session after a silence and a notice, in place of any other. Do it only when the user names the account.',
    input: argumentsSchema({
      heir: requiredWallet('Address of the heir.'),
      silenceDays: days('Days without a sign of life before the heir may announce, 30 to 3650.'),
      noticeDays: days('Days from the announcement to the takeover, 30 to 3650.'),
      ...writeArguments,
    }),
    output: Written,
    run: async (session, { idempotencyKey, ...plan }, { signal }) =>
      (await walletOf(session)).nameHeir(plan, { signal, idempotencyKey }),
    summarize: () => 'The heir is named.',
  }),
  tool({
    reach: 'own',
    effect: 'sets',
    name: 'own_clear_heir',
    title: 'End the plan of the own wallet',
    description: 'The wallet of this session has no heir any longer.',
    input: argumentsSchema(writeArguments),
    output: Written,
    run: async (session, { idempotencyKey }, { signal }) =>
      (await walletOf(session)).clearHeir({ signal, idempotencyKey }),
    summarize: () => 'There is no heir.',
  }),
  tool({
    reach: 'own',
    effect: 'sets',
    name: 'own_heartbeat',
    title: 'Give a sign of life of the own wallet',
    description:
      'Starts the silence of the wallet of this session anew, and ends a takeover under way. Making a token for itself and transferring one do so as well; listing and buying do not.',
    input: argumentsSchema(writeArguments),
    output: Written,
    run: async (session, { idempotencyKey }, { signal }) =>
      (await walletOf(session)).heartbeat({ signal, idempotencyKey }),
    summarize: () => 'The sign of life is given.',
  }),
]

const Announced = Type.Object(
  {
    txHash: TxHash,
    takeoverAt: decimal(
      'Time from which the heir may take over, in seconds since the Unix epoch.',
      '1767830400',
    ),
  },
  { description: 'The mined transaction, and the time of the takeover.' },
)

const CreditTaken = Type.Object(
  { txHash: TxHash, amount: wei('Credit taken over'), dollars: inDollars('Credit taken over') },
  { description: 'The mined transaction, and the credit.' },
)

/** The tools of an heir. */
const successorTools: readonly Tool[] = [
  tool({
    reach: 'own',
    effect: 'sets',
    name: 'own_announce_takeover',
    title: 'Announce a takeover as an heir',
    description:
      'Announces that the wallet of this session, the heir of a silent account, will take over its tokens. The notice starts; a sign of life of the account ends it.',
    input: argumentsSchema({ ...OneAccount.properties, ...writeArguments }),
    output: Announced,
    run: async (session, { address, idempotencyKey }, { signal }) =>
      (await walletOf(session)).announceTakeover(address, { signal, idempotencyKey }),
    summarize: ({ takeoverAt }) =>
      `Announced; the takeover is possible from ${new Date(Number(takeoverAt) * 1000).toISOString()}.`,
  }),
  tool({
    reach: 'own',
    effect: 'moves',
    name: 'own_take_over',
    title: 'Take over tokens as an heir',
    description:
      'Transfers the named tokens of an account to the wallet of this session, its heir, after the notice. catalog_search finds them by owner.',
    input: argumentsSchema({
      ...OneAccount.properties,
      tokenIds: Type.Array(TokenId, { description: 'The tokens, 1 to 200.', examples: [['7']] }),
      ...writeArguments,
    }),
    output: Written,
    run: async (session, { address, tokenIds, idempotencyKey }, { signal }) =>
      (await walletOf(session)).takeOver(address, { tokenIds }, { signal, idempotencyKey }),
    summarize: () => 'Taken over.',
  }),
  tool({
    reach: 'own',
    effect: 'moves',
    name: 'own_take_over_credit',
    title: 'Take over the credit of an account as an heir',
    description:
      'Moves the credit of an account to the wallet of this session, its heir, after the notice. own_withdraw pays it out.',
    input: argumentsSchema({ ...OneAccount.properties, ...writeArguments }),
    output: CreditTaken,
    run: async (session, { address, idempotencyKey }, { signal }) =>
      (await walletOf(session)).takeOverCredit(address, { signal, idempotencyKey }),
    summarize: ({ amount, dollars }) =>
      `Took over ${amount} wei and ${dollars} millionths of a dollar.`,
  }),
]

/** The tools about heirs that the wallet of the session signs and pays itself. */
export const ownHeirTools: readonly Tool[] = [...ownerTools, ...successorTools]
