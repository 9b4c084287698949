import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type JobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import { viemLedger } from '@heirloom/adapters/ledger'
import {
  digest,
  hash,
  type Idempotency,
  isFailure,
  type Ledger,
  tokenId,
  wei,
} from '@heirloom/core'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { postgresStore } from '../../../packages/adapters/src/store/postgres.ts'
import type { CrashPoint, LaneProcessOptions, WriteRequest } from './lane-process.ts'

// Reads one write request from each line of standard input, and writes responses to standard
// output. Kills itself, as `kill -9` would, or freezes at the requested point of a write.

const options: LaneProcessOptions = JSON.parse(process.argv[2] ?? '')
const { crashAt, freezeAt } = options

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment, in which nothing else may run.
  for (;;);
}

let hasFrozen = false

function freeze(): void {
  hasFrozen = true
  // Written at once: the process would be stopped before a stream gets to it.
  writeSync(1, `${JSON.stringify({ freezes: true })}\n`)
  process.kill(process.pid, 'SIGSTOP')
}

function dieAt(point: CrashPoint): void {
  if (point === crashAt) die()
  if (point === freezeAt && !hasFrozen) freeze()
}

/**
 * Adds crash points to the commits of a write: it is stored (lazily, where others share the store), signed,
 * settled (lazily).
 */
function crashing(store: JobStore): JobStore {
  let isSigned = false
  const commit: JobStore['commit'] = async (work, lazily) => {
    if (lazily === undefined) {
      dieAt('before it is signed')
      const result = await store.commit(async (trx) => {
        const signed = await work(trx)
        dieAt('while it is signed')
        return signed
      })
      isSigned = true
      dieAt('after it is signed')
      return result
    }
    const name = isSigned ? 'settled' : 'stored'
    dieAt(`before it is ${name}`)
    const result = await store.commit(work, lazily)
    dieAt(`after it is ${name}`)
    return result
  }
  return { ...store, commit }
}

const client = createPublicClient({ transport: http(options.rpc, { retryCount: 0 }) })
const chain = {
  request: async (request: { readonly method: string; readonly params?: unknown }) => {
    if (request.method === 'eth_sendRawTransaction') dieAt('before it is sent')
    const response = await client.request(request as never)
    if (request.method === 'eth_sendRawTransaction') dieAt('after it is sent')
    if (request.method === 'eth_getTransactionReceipt') dieAt('after it is seen mined')
    return response as unknown
  },
}

const opening =
  'sqlite' in options.store
    ? sqliteJobStore(options.store.sqlite)
    : postgresStore(options.store.postgres, { leaseTime: options.leaseTime })
const store = crashing(await opening)
const ledger = await viemLedger({
  chain,
  store,
  wallet: privateKeyToAccount(options.privateKey),
  contracts: options.contracts,
  ...options.settings,
  observe: (event) => {
    if (event.kind === 'leads') send({ leads: event.leads })
  },
})

function send(message: object): void {
  process.stdout.write(
    `${JSON.stringify(message, (_, it) => (typeof it === 'bigint' ? String(it) : it))}\n`,
  )
}

function write({
  mint,
  royalty,
  amount = '1',
  key,
}: WriteRequest): Promise<Awaited<ReturnType<Ledger['list']>>> {
  const idempotency: Idempotency | undefined =
    key === undefined ? undefined : { key, fingerprint: key }
  if (royalty !== undefined) {
    return ledger.payRoyalty({ tokenId: tokenId(royalty), amount: wei(amount), idempotency })
  }
  const content = { contentHash: hash(mint ?? ''), digest: digest(mint ?? '') }
  return ledger.mint({ ...content, parent: undefined, recipient: ledger.agent, idempotency })
}

send({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  const request: WriteRequest = JSON.parse(line)
  const { id } = request
  write(request).then(
    (result) => send({ id, result }),
    (error: unknown) => send({ id, code: isFailure(error) ? error.code : String(error) }),
  )
}
await ledger.close()
await store.close()
