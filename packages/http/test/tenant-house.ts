import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  commitTenants,
  fileTenantStore,
  loadTenants,
  localMasterKey,
  withTenantState,
} from '@heirloom/adapters/keys'
import { bytesToHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { onTestFinished } from 'vitest'
import { type Environment, readConfig } from '../src/config/config.ts'
import { serve } from '../src/server/serve.ts'
import { run } from './command-harness.ts'
import { memory, proofOf } from './server-harness.ts'

/** A data folder with tenants, and a file of their API keys. */
export type TenantHouse = {
  readonly folder: string
  readonly env: Environment
  /** Runs a command with the environment of the server. */
  readonly command: (words: string) => ReturnType<typeof run>
  /** Adds a tenant and an API key of its name; returns the key. */
  readonly add: (name: string, options?: string) => Promise<string>
  /** Adds an API key; returns it. */
  readonly addKey: (name: string, options?: string) => Promise<string>
  /** Returns the wallet of a tenant. */
  readonly walletOf: (name: string) => Promise<PrivateKeyAccount>
  /** Records a state of a tenant, as a command does that is then cut off. */
  readonly setState: (name: string, state: 'closing') => Promise<void>
  /** Returns the server's own wallet. */
  readonly agent: () => PrivateKeyAccount
  readonly open: (env?: Environment) => Promise<TenantServer>
}

/** Makes a data folder with the given tenants, each with an API key; removed when the test ends. */
export async function tenantHouse(...names: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tenants-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const house = houseIn(folder)
  // The first start makes the keys.
  await (await start({ ...house.env, API_KEYS_FILE: '' })).close()
  const keys: Record<string, string> = { own: await house.addKey('own', '--scope admin') }
  for (const name of names) keys[name] = await house.add(name)
  return { house, keys }
}

function houseIn(folder: string): TenantHouse {
  const DATA_DIR = join(folder, 'data')
  const env = { DATA_DIR, API_KEYS_FILE: join(folder, 'keys.json'), PORT: '0', LOG_LEVEL: 'silent' }
  const command = (words: string) => run(words.split(' '), { env })
  const succeed = async (words: string) => {
    const { code, out, err } = await command(words)
    if (code !== 0) throw new Error(`heirloom ${words}: ${err}${out}`)
    return out.trim()
  }
  const addKey = (name: string, options = '') => succeed(`api-key new ${name} ${options}`.trim())
  return {
    folder: DATA_DIR,
    env,
    command,
    addKey,
    add: async (name, options = '') => {
      await succeed(`tenants add ${name} ${options}`.trim())
      return addKey(name, `--tenant ${name}`)
    },
    walletOf: async (name) => {
      const { tenants } = await loadTenants(sourceOf(DATA_DIR))
      const found = tenants.find(({ facts }) => facts.name === name)
      return privateKeyToAccount(bytesToHex(found?.walletKey ?? new Uint8Array(32)))
    },
    setState: async (name, state) => {
      const source = sourceOf(DATA_DIR)
      const before = await loadTenants(source)
      await commitTenants(source, before, withTenantState(before.tenants, name, state))
    },
    agent: () =>
      privateKeyToAccount(
        readFileSync(join(DATA_DIR, 'agent.key'), 'utf8').trim() as `0x${string}`,
      ),
    open: async (more = {}) => {
      const server = await start({ ...env, ...more })
      onTestFinished(server.close)
      return clientOf(server)
    },
  }
}

function sourceOf(folder: string) {
  const master = readFileSync(join(folder, 'master.keys'), 'utf8').trim().split('\n')
  const masters = master.map((it) => localMasterKey(Buffer.from(it, 'hex')))
  return { store: fileTenantStore({ folder }), masters: masters as never }
}

async function start(env: Environment) {
  const server = await serve(readConfig(env))
  await server.ready
  return server
}

/** The status of a response, and its JSON. */
export type Answer = {
  readonly status: number
  readonly body: Readonly<Record<Member, string>> & {
    readonly apiKey: { readonly name: string; readonly spentToday: string }
    readonly facts: Readonly<Record<string, string>>
    readonly items: readonly { readonly tokenId: string }[]
  }
}

type Member =
  | ('address' | 'agent' | 'code' | 'creator' | 'maxSpendPerDay')
  | ('spentToday' | 'text' | 'tokenId')

/** A server with tenants, and requests to it. */
export type TenantServer = ReturnType<typeof clientOf>

type Headers = Readonly<Record<string, string>>

function clientOf({ url, close }: Awaited<ReturnType<typeof serve>>) {
  const send = async (
    method: string,
    path: string,
    init: { key?: string | undefined; headers?: Headers; body?: unknown } = {},
  ): Promise<Answer> => {
    const { key, headers, body } = init
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.includes('json')
    return { status: reply.status, body: isJson ? JSON.parse(text) : { text } }
  }
  return {
    url,
    close,
    get: (path: string, key?: string) => send('GET', path, { key }),
    post: (path: string, key: string | undefined, body?: unknown, headers: Headers = {}) =>
      send('POST', path, { key, body, headers }),
    /** Makes a memory with an API key, and returns the id of its token. */
    snapshot: async (key: string, data: object = {}): Promise<string> => {
      const { status, body } = await send('POST', '/api/memory/snapshot', {
        key,
        body: { ...memory, data },
      })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body.tokenId
    },
    /** Returns the ids of the tokens of a wallet. */
    tokensOf: async ({ address }: PrivateKeyAccount): Promise<readonly string[]> => {
      const { body } = await send('GET', `/api/memory?owner=${address}`)
      return body.items.map(({ tokenId }) => tokenId)
    },
    download: async (wallet: PrivateKeyAccount, id: string) =>
      send('GET', `/api/memory/${id}`, {
        headers: await proofOf(wallet, id, Math.floor(Date.now() / 1000)),
      }),
  }
}
