import { Type } from '@sinclair/typebox'
import { address, wei } from './schema-parts.ts'

export const DeploymentRecord = Type.Object(
  {
    chainId: Type.Integer({ description: 'Chain id of EIP-155.', examples: [31337] }),
    registry: address('Address of the MemoryRegistry contract.'),
    marketplace: address('Address of the MemoryMarketplace contract.'),
    agent: address('Address of the agent wallet, which signs and pays every write.'),
    proofs: Type.Array(Type.Union([Type.Literal('eip191'), Type.Literal('eip4361')]), {
      description:
        'Accepted access proofs: eip191 is a plain text, eip4361 is bound to this server.',
      examples: [['eip191', 'eip4361']],
    }),
    origin: Type.Optional(
      Type.String({
        description: 'Origin of this server, as a bound proof (eip4361) must name it.',
        examples: ['https://memories.example'],
      }),
    ),
    domain: Type.Optional(
      Type.String({ description: 'Host of the origin.', examples: ['memories.example'] }),
    ),
  },
  { description: 'The chain, the contracts, the agent wallet and the accepted access proofs.' },
)

const limit = (description: string) =>
  Type.Union([wei(description, 'null for no limit'), Type.Null()])

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
          name: Type.String({
            description: 'Name that the operator gave the key.',
            examples: ['shop'],
          }),
          scope: Type.String({
            description: 'Scope of the key: read, write or admin.',
            examples: ['write'],
          }),
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
