import { heirDayLimits, heirStates } from '@heirloom/core'
import { Type } from '@sinclair/typebox'
import { addressPattern } from '../address.ts'

import { address, decimal, integer, orNull, sample, TxHash, text, wei } from './schema-parts.ts'

const DollarRecord = Type.Object(
  {
    address: address('Address of the token, an ERC-20 with EIP-3009.'),
    symbol: text('Its symbol.', 'USDC'),
    decimals: integer('Its decimals: amounts are in 10^-decimals.', 6),
    name: text('Name of its EIP-712 domain.', 'USD Coin'),
    version: text('Version of its EIP-712 domain.', '2'),
  },
  { description: 'The token of prices in dollars.' },
)

export const DeploymentRecord = Type.Object(
  {
    chainId: integer('Chain id of EIP-155.', 31337),
    registry: address('Address of the MemoryRegistry contract.'),
    marketplace: address('Address of the MemoryMarketplace contract.'),
    agent: address('Address of the agent wallet, which signs and pays every write.'),
    forwarder: address(
      'Address of the forwarder (ERC-2771), which sends calls that an account signed.',
    ),
    depositCode: address('Address of the code that the addresses of orders run.'),
    dollar: orNull(DollarRecord),
    chainName: orNull(text('Name of the chain; null where it is not known.', 'Base')),
    nativeCurrency: Type.Object(
      {
        name: text('Its name.', 'Ether'),
        symbol: text('Its symbol.', 'ETH'),
        decimals: integer('Its decimals.', 18),
      },
      { description: 'The native currency of the chain, as wallets show it.' },
    ),
    nativePrice: orNull(
      Type.Object(
        { price: text('The price.', '3000'), currency: text('Its currency (ISO 4217).', 'EUR') },
        {
          description: 'The price of a unit of it, as the operator says; null where none is known.',
        },
      ),
    ),
    rpcUrl: orNull(
      text(
        'JSON-RPC address that wallets and browsers may use; null for none.',
        'https://mainnet.base.org',
      ),
    ),
    explorerUrl: orNull(
      text('Address of a block explorer; null for none.', 'https://basescan.org'),
    ),
    earlierRegistries: Type.Array(
      Type.Object({
        chainId: integer('Chain id.', 31337),
        registry: address('Address of the registry.'),
      }),
      {
        description:
          'Registries whose tokens were carried over to this one; `/api/registries` takes their ids.',
      },
    ),
    proofs: Type.Array(Type.Union([Type.Literal('eip191'), Type.Literal('eip4361')]), {
      description:
        'Accepted access proofs: eip191 is a plain text, eip4361 is bound to this server.',
      examples: [['eip191', 'eip4361']],
    }),
    origin: Type.Optional(
      text(
        'Origin of this server, as a bound proof (eip4361) must name it.',
        'https://memories.example',
      ),
    ),
    domain: Type.Optional(text('Host of the origin.', 'memories.example')),
    openActs: Type.Array(
      Type.Union([Type.Literal('snapshot'), Type.Literal('seal'), Type.Literal('relay')]),
      {
        description:
          'Acts that need no API key here: snapshot, for which the agent wallet pays; seal, for which a wallet proves itself; relay, which a wallet signed.',
        examples: [['snapshot', 'seal', 'relay']],
      },
    ),
    hasEns: Type.Boolean({
      description: 'Whether the chain has ENS, so that GET /api/ens/names knows names of accounts.',
    }),
    hasFaucet: Type.Boolean({
      description: 'Whether POST /api/faucet gives test dollars, which are worth nothing.',
    }),
  },
  { description: 'The chain, the contracts, the agent wallet and the accepted access proofs.' },
)

export const FaucetBody = Type.Object({
  address: Type.String({
    pattern: addressPattern,
    description: 'Account that gets the test dollars.',
    examples: [sample.address],
  }),
})

export const Given = Type.Object({
  txHash: TxHash,
  amount: decimal('Test dollars that the account got, in millionths.', '100000000'),
  playMoney: Type.Literal(true, { description: 'Test dollars are worth nothing.' }),
})

const limit = (description: string) => orNull(wei(description, 'null for no limit'))

export const WalletRecord = Type.Object(
  {
    address: address('Address of the agent wallet, which signs and pays every write.'),
    balance: wei('Balance'),
    spentToday: wei('Spent today (UTC)', 'includes writes in progress'),
    maxSpendPerCall: limit('Spending limit of one call'),
    maxSpendPerDay: limit('Spending limit of one day (UTC)'),
    apiKey: Type.Optional(
      Type.Object(
        {
          name: text('Name that the operator gave the key.', 'shop'),
          scope: text('Scope of the key: read, write or admin.', 'write'),
          spentToday: wei('Spent today (UTC) with this key', 'includes writes in progress'),
          maxSpendPerCall: limit('Spending limit of one call with this key'),
          maxSpendPerDay: limit('Spending limit of one day (UTC) with this key'),
        },
        { description: 'The API key of this request and its budget; absent without one.' },
      ),
    ),
  },
  { description: 'The balance and the spending limits of the agent wallet.' },
)

const { least, most } = heirDayLimits

const days = (description: string) =>
  Type.Integer({ minimum: least, maximum: most, description, examples: [least] })

const time = (description: string) =>
  orNull(decimal(`${description}, in seconds since the Unix epoch.`, '1767830400'))

const stateNames = ['none', ...heirStates] as const

/** The plan of an account for its tokens. */
export const HeirRecord = Type.Object(
  {
    account: address('Address of the account.'),
    heir: orNull(address('Address of its heir; null where it has named none.')),
    state: Type.Unsafe<(typeof stateNames)[number]>({
      type: 'string',
      enum: stateNames,
      examples: ['active'],
      description:
        'none: there is no heir. active: the account gave a sign of life within its silence. silent: it did not, so the heir may announce a takeover. announced: the heir did, and the notice runs. due: the heir may take over.',
    }),
    silenceDays: orNull(
      days('Days without a sign of life after which the heir may announce; null without an heir.'),
    ),
    noticeDays: orNull(days('Days from the announcement to the takeover; null without an heir.')),
    lastSignAt: time('Last sign of life; null without an heir'),
    silentAt: time('Time from which the heir may announce; null without an heir'),
    announcedAt: time('Announcement of the takeover; null unless one is under way'),
    takeoverAt: time(
      'Time from which the heir may take over, if the account gives no sign of life and the heir announces as soon as it may; null without an heir',
    ),
    heirOf: Type.Optional(
      Type.Array(address('Address of the account.'), {
        description:
          'A page of the accounts whose heir this account is, the last to name it first. Anybody can name any account. Absent where there is no catalogue.',
      }),
    ),
    next: Type.Optional(
      orNull(
        text(
          'Cursor of the next page of `heirOf`, for `after`; null on the last one. Absent where there is no catalogue.',
          'aGVpci1vZiAxMiAz',
        ),
      ),
    ),
  },
  { description: 'The heir of an account, and when the heir may act.' },
)
