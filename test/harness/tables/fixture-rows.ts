import type { Account, Digest, Hash } from '@heirloom/core'
import type { Database } from '../../../packages/adapters/src/store/schema.ts'
import type { WebhookTables } from '../../../packages/adapters/src/webhooks/schema.ts'

type Tables = Database & WebhookTables

const lane = '31337:0xabc:0x0000000000000000000000000000000000000001'
const at = 1_800_000_000_000

/** Returns a number as 32 bytes in hexadecimal. */
const hex = (id: number): `0x${string}` => `0x${id.toString(16).padStart(64, '0')}`

const call = { to: '0x0000000000000000000000000000000000000002', data: '0x1234' } as const

const job = (id: string, row: Partial<Tables['job']>): Tables['job'] => ({
  id,
  lane,
  operation: 'mint',
  ...call,
  value: '0',
  key: `key of ${id}`,
  fingerprint: hex(7),
  budget: null,
  state: 'queued',
  nonce: null,
  txHash: null,
  outcome: null,
  acceptedAt: at,
  requestId: null,
  traceparent: null,
  ...row,
})

const request = {
  requestId: 'the-request',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
}

const slot = (nonce: number, row: Partial<Tables['slot']>): Tables['slot'] => ({
  lane,
  nonce,
  state: 'open',
  jobs: '[]',
  ...call,
  value: '0',
  gas: '21000',
  reserved: '1208925819614629174706175',
  day: 20_833,
  signedAt: at + 1,
  blockNumber: null,
  blockHash: null,
  ...row,
})

const attempt = (nonce: number, cancels: 0 | 1): Tables['attempt'] => ({
  hash: hex(100 + 2 * nonce + cancels),
  lane,
  nonce,
  raw: `0x02f8${nonce}${cancels}`,
  maxFeePerGas: '2000000007',
  maxPriorityFeePerGas: '1',
  cancels,
  signedAt: at + 1,
})

const webhook = (place: number, row: Partial<Tables['webhook']>): Tables['webhook'] => ({
  id: `webhook ${place}`,
  scope: 'here',
  place,
  url: `https://example.com/${place}`,
  secret: `whsec_${place}`,
  kinds: null,
  tokenId: null,
  position: null,
  undone: null,
  pending: null,
  delivered: null,
  attempts: 0,
  failingSince: null,
  nextAt: null,
  problem: null,
  ...row,
})

const sealed = (id: string, row: Partial<Tables['seal']>): Tables['seal'] => ({
  id,
  state: 'unminted',
  registry: `31337:${call.to}`,
  creator: call.to as Account,
  client: '203.0.113.9',
  proof: `proof of ${id}`,
  key: null,
  body: hex(5).slice(2),
  bytes: 700,
  contentHash: hex(6) as Hash,
  digest: hex(7) as Digest,
  card: null,
  recipient: call.to as Account,
  parent: null,
  storedAt: at,
  expiresAt: at + 43_200_000,
  ...row,
})

const unstored = { contentHash: null, digest: null, recipient: null }

const version = (id: string, row: Partial<Tables['nameVersion']>): Tables['nameVersion'] => ({
  id,
  name: 'name',
  state: 'held',
  holder: 'process',
  heldAt: at,
  version: null,
  tokenId: null,
  txHash: null,
  contentHash: hex(6) as Hash,
  digest: hex(7) as Digest,
  creator: call.to as Account,
  recipient: call.to as Account,
  documentBytes: 700,
  storedBytes: 900,
  savedBy: 'ci',
  savedAt: null,
  key: null,
  fingerprint: null,
  job: null,
  seal: null,
  grantId: null,
  ...row,
})

const unsealed = {
  contentHash: null,
  digest: null,
  creator: null,
  recipient: null,
  documentBytes: null,
  storedBytes: null,
}

const failing = { attempts: 3, failingSince: at, nextAt: at + 60_000, problem: 'status 500' }
const mined = { blockNumber: 9, blockHash: hex(9) }

/**
 * The rows of a fixture: jobs, slots and seals in each state, and webhooks that deliver and that
 * fail.
 */
export const fixtureRows: {
  readonly [Table in keyof Tables]: readonly Tables[Table][]
} = {
  lane: [{ id: lane, nextNonce: 4, epoch: 3 }],
  job: [
    job('queued', { budget: '{"name":"budget"}' }),
    job('sent', { state: 'sent', nonce: 2, txHash: hex(104), ...request }),
    job('done', { state: 'done', nonce: 0, txHash: hex(100), outcome: '{"txHash":"0x64"}' }),
    job('failed', { state: 'failed', key: null, outcome: '{"code":"wallet/short"}' }),
  ],
  slot: [
    slot(0, { state: 'settled', jobs: '["done"]', ...mined }),
    slot(1, { state: 'mined', ...mined }),
    slot(2, { state: 'open', jobs: '["sent"]' }),
    slot(3, { state: 'lost' }),
  ],
  attempt: [attempt(0, 0), attempt(1, 0), attempt(2, 0), attempt(2, 1), attempt(3, 0)],
  spending: [{ lane, day: 20_833, spent: '7000000000000000000' }],
  budgetSpending: [{ lane, day: 20_833, name: 'budget', spent: '1' }],
  seal: [
    sealed('storing', { state: 'storing', ...unstored }),
    sealed('unminted', { card: hex(8) as Digest, parent: '7', key: 'key of unminted' }),
    sealed('minted', { state: 'minted', client: '' }),
    sealed('expired', { state: 'expired', client: '' }),
  ],
  memoryName: [
    {
      id: 'name',
      registry: `31337:${call.to}`,
      owner: 'key ci',
      name: 'ada',
      version: 1,
      hold: 'b',
    },
  ],
  nameVersion: [
    version('a', { state: 'saved', version: 1, tokenId: '7', txHash: hex(100), savedAt: at + 9 }),
    version('b', { state: 'minting', job: 'sent', key: 'key of b', fingerprint: hex(7) }),
    version('c', { state: 'held', ...unsealed }),
    version('d', { state: 'sealed', seal: 'unminted' }),
    version('e', { state: 'refused', tokenId: '8', savedAt: at + 9, grantId: hex(4) }),
  ],
  upgrade: [{ version: 5, at }],
  webhook: [
    webhook(0, {}),
    webhook(1, { kinds: 'mint,sale', tokenId: '7', position: '9-0', delivered: '9-0' }),
    webhook(2, { position: '9-0', undone: '9', pending: '10-1', ...failing }),
  ],
}
