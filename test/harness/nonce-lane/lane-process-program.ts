import { createInterface } from 'node:readline'
import { viemLedger } from '@heirloom/adapters/ledger'
import { postgresStore, type Store, sqliteStore } from '@heirloom/adapters/store'
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
import type { Ask, CrashPoint, LaneChildOptions } from './lane-process.ts'

// Writes what it is asked for on standard input, a line each, and answers on standard output. It
// can end itself, as `kill -9` would, at a named point of the way of a write.

const options: LaneChildOptions = JSON.parse(process.argv[2] ?? '')
const { crashAt } = options

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment, in which nothing else may happen.
  for (;;);
}

function dieAt(point: CrashPoint): void {
  if (point === crashAt) die()
}

/** The commits of a write: the job is kept, then signed, then settled; all but the second are lazy. */
function crashing(store: Store): Store {
  let lazyCommits = 0
  const commit: Store['commit'] = async (work, lazily) => {
    if (lazily === undefined) {
      dieAt('before it is signed')
      const result = await store.commit(async (trx) => {
        const signed = await work(trx)
        dieAt('while it is signed')
        return signed
      })
      dieAt('after it is signed')
      return result
    }
    lazyCommits += 1
    const name = lazyCommits === 1 ? 'kept' : 'settled'
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
    const answer = await client.request(request as never)
    if (request.method === 'eth_sendRawTransaction') dieAt('after it is sent')
    if (request.method === 'eth_getTransactionReceipt') dieAt('after it is seen mined')
    return answer as unknown
  },
}

const opened =
  'sqlite' in options.store
    ? sqliteStore(options.store.sqlite)
    : postgresStore(options.store.postgres)
const store = crashing(await opened)
const ledger = await viemLedger({
  chain,
  store,
  wallet: privateKeyToAccount(options.privateKey),
  contracts: options.contracts,
  ...options.settings,
  observe: (event) => {
    if (event.kind === 'leads') say({ leads: event.leads })
  },
})

function say(line: object): void {
  process.stdout.write(
    `${JSON.stringify(line, (_, it) => (typeof it === 'bigint' ? String(it) : it))}\n`,
  )
}

function write({
  mint,
  royalty,
  amount = '1',
  key,
}: Ask): Promise<Awaited<ReturnType<Ledger['list']>>> {
  const idempotency: Idempotency | undefined =
    key === undefined ? undefined : { key, fingerprint: key }
  if (royalty !== undefined) {
    return ledger.payRoyalty({ tokenId: tokenId(royalty), amount: wei(amount), idempotency })
  }
  const content = { contentHash: hash(mint ?? ''), digest: digest(mint ?? '') }
  return ledger.mint({ ...content, parent: undefined, recipient: ledger.agent, idempotency })
}

say({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  const ask: Ask = JSON.parse(line)
  write(ask).then(
    (result) => say({ id: ask.id, result }),
    (error: unknown) => say({ id: ask.id, code: isFailure(error) ? error.code : String(error) }),
  )
}
await ledger.close()
await store.close()
