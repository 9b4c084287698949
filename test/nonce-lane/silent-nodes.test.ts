import { deployContracts } from '@heirloom/adapters/contracts'
import { nodePool } from '@heirloom/adapters/internal/nodes'
import { type ViemLedger, viemLedger } from '@heirloom/adapters/ledger'
import { account, tokenId } from '@heirloom/core'
import { memoryKeyService } from '@heirloom/testkit'
import type { Hex, LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { keyServiceSigner, signerWallet } from '../../packages/adapters/src/ledger/signer/index.ts'
import { postgresStore } from '../../packages/adapters/src/store/postgres.ts'
import { type Anvil, startAnvil, testClient } from '../harness/chain/anvil.ts'
import { startProxy } from '../harness/chain/faulty-proxy.ts'
import { openGate } from '../harness/chain/tcp-gate.ts'
import { mint, until } from '../harness/nonce-lane/lane-fixture.ts'
import { freePort } from '../harness/process/free-port.ts'
import { sharedPostgres } from '../harness/process/shared-postgres.ts'

const postgres = sharedPostgres()
let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.stop())

/** A server with a way of its own to the node, and a lane for each of two wallets. */
type Server = { readonly ledgers: readonly ViemLedger[]; readonly leads: () => readonly boolean[] }

/** The servers of two wallets, and the changes of their leaders in order. */
type Servers = {
  /** Starts a server that reaches its node at an address, once those before it lead or wait. */
  readonly start: (node: URL, options?: StartOptions) => Promise<Server>
  readonly changes: string[]
}

type StartOptions = { readonly silentAfter?: number; readonly keyService?: KeyServiceState }

/** Whether the key service of a server answers its requests. */
type KeyServiceState = { isSilent: boolean }

/** Returns the signer of a key in a service of one server. */
function signerOf(key: Hex, state: KeyServiceState) {
  const { publicKey, sign } = memoryKeyService(key)
  const answered = <T>(answer: () => Promise<T>) =>
    state.isSilent ? new Promise<T>(() => undefined) : answer()
  const service = {
    publicKey: () => answered(publicKey),
    sign: (digest: Uint8Array) => answered(() => sign(digest)),
  }
  const { address } = privateKeyToAccount(key)
  return keyServiceSigner({ service, address: account(address), timeout: 500 })
}

let databases = 0

async function openServers(): Promise<Servers> {
  const database = `silent_nodes_${databases++}`
  await postgres.run(`CREATE DATABASE ${database}`)
  const url = new URL(`/${database}`, postgres.url)
  const keys = [1, 2].map(() => generatePrivateKey())
  const wallets = keys.map((key) => privateKeyToAccount(key))
  for (const { address } of wallets) {
    await testClient(anvil).setBalance({ address, value: 10n ** 21n })
  }
  const contracts = await deployContracts({ chain: anvil.url, wallet: wallets[0] as LocalAccount })
  const changes: string[] = []
  let count = 0
  const start: Servers['start'] = async (node, { silentAfter, keyService } = {}) => {
    const place = count++
    const pool = nodePool([node], { times: silentAfter === undefined ? {} : { silentAfter } })
    const store = await postgresStore(url.href)
    const leads = wallets.map(() => false)
    const ledgers = await Promise.all(
      keys
        .map((key) => signerOf(key, keyService ?? { isSilent: false }))
        .map((signer, lane) =>
          viemLedger({
            chain: pool,
            wallet: signerWallet(signer),
            signing: signer.means,
            contracts,
            store,
            resendAfter: 200,
            callerTimeout: 20_000,
            observe: (event) => {
              if (event.kind !== 'leads') return
              leads[lane] = event.leads
              changes.push(`server ${place} ${event.leads ? 'leads' : 'ends to lead'} lane ${lane}`)
            },
          }),
        ),
    )
    onTestFinished(async () => {
      pool.close()
      await Promise.all(ledgers.map((ledger) => ledger.close()))
      await store.close()
    })
    if (place === 0) await until(() => leads.every(Boolean))
    return { ledgers, leads: () => leads }
  }
  return { start, changes }
}

let names = 0

/** Mints a token in each lane of a server; a client repeats what a server refused. */
async function mintInEach({ ledgers }: Server): Promise<void> {
  await Promise.all(
    ledgers.map(async (ledger) => {
      const name = `silent ${names++}`
      for (;;) {
        const token = await mint(ledger, name, name).catch(() => undefined)
        if (token !== undefined) return expect(token.tokenId).toBeGreaterThan(tokenId(0n))
      }
    }),
  )
}

/** The ways in which a node is silent for a server: each returns its address, and how to silence it. */
const silences = {
  'refuses connections': async () => {
    const gate = await openGate(Number(anvil.url.port))
    onTestFinished(gate.close)
    const closed = await freePort()
    const mend = () => gate.retarget(Number(anvil.url.port))
    return { port: gate.port, silence: () => gate.retarget(closed), mend, options: {} }
  },
  'answers nothing': async () => {
    const gate = await openGate(Number(anvil.url.port))
    onTestFinished(gate.close)
    const mend = () => gate.retarget(Number(anvil.url.port))
    return { port: gate.port, silence: gate.stall, mend, options: {} }
  },
  'answers late': async () => {
    const proxy = await startProxy(anvil.url)
    onTestFinished(proxy.close)
    const silence = () => proxy.arrange(() => 'answered late')
    const mend = () => proxy.arrange(() => undefined)
    // Less than the lateness of the proxy.
    return { port: Number(proxy.url.port), silence, mend, options: { silentAfter: 100 } }
  },
} as const

const urlOf = (port: number) => new URL(`http://127.0.0.1:${port}`)

describe('a leader whose node is silent for it alone', () => {
  test.each(Object.keys(silences) as (keyof typeof silences)[])(
    'loses every lane to a server whose node answers, where the node %s',
    async (kind) => {
      const servers = await openServers()
      const [one, other] = [await silences[kind](), await silences[kind]()]
      const first = await servers.start(urlOf(one.port), one.options)
      const second = await servers.start(urlOf(other.port), other.options)
      await mintInEach(first)
      one.silence()
      await mintInEach(second)
      await until(() => second.leads().every(Boolean))
      one.mend()
      await mintInEach(first)
      // It leads again where the other server needs it, not before.
      other.silence()
      await mintInEach(first)
      await until(() => first.leads().every(Boolean))
      other.mend()
    },
  )

  test('leads on where no other server has a node either', async () => {
    const servers = await openServers()
    const proxies = await Promise.all([1, 2].map(() => startProxy(anvil.url)))
    onTestFinished(async () => {
      await Promise.all(proxies.map((proxy) => proxy.close()))
    })
    // The lease is long, so that a slow machine renews it in time.
    const times = { silentAfter: 500 }
    const [first] = [
      await servers.start(proxies[0]?.url as URL, times),
      await servers.start(proxies[1]?.url as URL, times),
    ]
    await mintInEach(first)
    const before = [...servers.changes]
    const fault = 'request dropped before delivery'
    for (const proxy of proxies) proxy.arrange(() => fault)
    const minted = mintInEach(first)
    // The leader offers the lanes again and again, and the other server tries its node each time.
    await until(() => proxies.every(({ made }) => (made.get(fault) ?? 0) >= 12))
    expect(servers.changes).toEqual(before)
    for (const proxy of proxies) proxy.arrange(() => undefined)
    await minted
  })
})

test('a leader whose key service is silent for it alone loses every lane to a server that can sign', async () => {
  const servers = await openServers()
  const [one, other] = [{ isSilent: false }, { isSilent: false }]
  const first = await servers.start(anvil.url, { keyService: one })
  const second = await servers.start(anvil.url, { keyService: other })
  await mintInEach(first)
  one.isSilent = true
  await mintInEach(second)
  await until(() => second.leads().every(Boolean))
  one.isSilent = false
  other.isSilent = true
  await mintInEach(first)
  await until(() => first.leads().every(Boolean))
})
