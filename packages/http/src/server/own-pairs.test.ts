import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JobStore, sqliteJobStore } from '@heirloom/adapters/job-store'
import {
  type BlobStore,
  type Cipher,
  type Digest,
  type Hash,
  type Ledger,
  toSeconds,
} from '@heirloom/core'
import { arbitraryBytes32 } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type SealSigner, sealHeaders } from '../../test/seal-headers.ts'
import {
  addressOf,
  agent,
  deployment,
  freeTerms,
  memory,
  openHarness,
  other,
  post,
  type ServerHarness,
} from '../../test/server-harness.ts'

/**
 * Opens a harness that records each pair that was sealed and stored, and each that is to be minted.
 * A pair serves for one mint: one that was sealed for another mint is as foreign as one of a caller.
 */
function recordPairs(store?: JobStore) {
  const sealed = new Map<Uint8Array, Hash>()
  const pairs = new Set<string>()
  const foreign: string[] = []
  let mints = 0
  const cipherThrough = (cipher: Cipher): Cipher => ({
    ...cipher,
    seal: async (document, context, options) => {
      const bundle = await cipher.seal(document, context, options)
      // What is sealed for another wallet is for that wallet to mint.
      if (context.creator === addressOf(agent)) sealed.set(bundle.sealed, bundle.contentHash)
      return bundle
    },
  })
  const storeThrough = (store: BlobStore): BlobStore => ({
    ...store,
    put: async (bytes, headLength) => {
      const digest = await store.put(bytes, headLength)
      const contentHash = sealed.get(bytes)
      if (contentHash !== undefined) pairs.add(pairOf({ contentHash, digest }))
      return digest
    },
  })
  const ledgerThrough = (ledger: Ledger): Ledger => ({
    ...ledger,
    mint: async (token) => {
      mints++
      const pair = pairOf(token)
      if (!pairs.delete(pair)) foreign.push(pair)
      return ledger.mint(token)
    },
  })
  const seals = store && { store }
  const harness = openHarness({ cipherThrough, storeThrough, ledgerThrough, seals })
  return { harness, foreign, mints: () => mints }
}

const pairOf = (pair: { readonly contentHash: Hash; readonly digest: Digest }) =>
  `${pair.contentHash} ${pair.digest}`

/** The names under which a caller could try to pass a pair. */
const names = [
  ...['contentHash', 'content_hash', 'hash', 'digest', 'storageUri', 'storageURI', 'uri', 'cid'],
  ...['salt', 'sealed', 'envelope', 'blob', 'pair', 'token', 'tokenURI', 'card', 'minted'],
]

const arbitraryRequest = fc.record({
  name: fc.constantFrom(...names),
  position: fc.constantFrom('body', 'metadata', 'data', 'query', 'header'),
  value: fc.oneof(fc.constant('known'), arbitraryBytes32),
  again: fc.boolean(),
  saves: fc.boolean(),
  which: fc.nat(),
})

/** A body for each POST route that would succeed. */
const bodies: Readonly<Record<string, object>> = {
  '/api/memory/snapshot': memory,
  '/api/granted/1/memory/snapshot': memory,
  '/api/marketplace/list': { tokenId: '1', ...freeTerms, price: '7', forkPrice: '5' },
  '/api/marketplace/buy/1': { recipient: addressOf(other) },
  '/api/marketplace/rent/1': { durationDays: 1 },
  '/api/marketplace/fork/1': {},
  '/api/marketplace/royalty/1': { amount: '9' },
}

const paths = Object.keys(bodies)

type ForeignPair = Omit<typeof arbitraryRequest extends fc.Arbitrary<infer T> ? T : never, 'which'>

/** Sends a request that names a foreign pair, perhaps under a reused idempotency key. */
async function sendForeign(harness: ServerHarness, path: string, it: ForeignPair): Promise<void> {
  const value = it.value === 'known' ? await publicHash(harness) : it.value
  const named = { [it.name]: value }
  const headers = {
    ...(it.position === 'header' && named),
    ...(it.again && { 'idempotency-key': '"the-same-for-all"' }),
  }
  const url = it.position === 'query' ? `${path}?${it.name}=${value}` : path
  // A snapshot with a name is a save.
  const name = it.saves && path === '/api/memory/snapshot' && { name: 'ada' }
  const members = bodyMembers(it.position, named)
  await post(harness, url, { ...bodies[path], ...name, ...members }, headers)
}

/** Returns the members that put a name at a position in the body. */
function bodyMembers(position: ForeignPair['position'], named: object): object {
  if (position === 'body') return named
  if (position !== 'metadata' && position !== 'data') return {}
  return { [position]: { category: 'research', ...named } }
}

async function publicHash(harness: ServerHarness): Promise<string> {
  return (await harness.server.inject({ url: '/api/memory/1/info' })).json().contentHash
}

describe('the server mints no pair that it did not seal for that request', () => {
  test('whatever a caller names, in every body, query and header', async () => {
    let minted = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryRequest, { minLength: 1, maxLength: 6 }),
        async (requests) => {
          const { harness, foreign, mints } = recordPairs()
          await post(harness, '/api/memory/snapshot', memory)
          for (const { which, ...it } of requests)
            await sendForeign(harness, paths[which % paths.length] ?? '', it)
          expect(foreign).toEqual([])
          minted += mints()
        },
      ),
      { numRuns: 60 },
    )
    expect(minted).toBeGreaterThan(60)
  })

  test('when one request arrives many times at once under one key', async () => {
    const { harness, foreign, mints } = recordPairs()
    const headers = { 'idempotency-key': '"once"' }
    const sendForeign = () => post(harness, '/api/memory/snapshot', memory, headers)
    const replies = await Promise.all(Array.from({ length: 8 }, sendForeign))
    expect(new Set(replies.map((reply) => reply.json().contentHash)).size).toBe(1)
    expect(foreign).toEqual([])
    expect(mints()).toBeGreaterThan(0)
  })

  test('when it sealed a pair for a wallet, whatever the agent is asked next', async () => {
    const store = await sqliteJobStore(':memory:')
    onTestFinished(store.close)
    const { harness, foreign, mints } = recordPairs(store)
    const body = JSON.stringify(memory)
    const timestamp = toSeconds(harness.clock.now())
    const place = { ...deployment, host: 'localhost' }
    const proof = await sealHeaders(other as SealSigner, body, { place, timestamp })
    const headers = { ...proof, 'idempotency-key': '"the-same-for-all"' }
    const sealed = await post(harness, '/api/memory/seal', body, headers)
    expect([sealed.statusCode, mints()]).toEqual([201, 0])
    const { contentHash } = sealed.json()
    // The proof of a seal is none for a snapshot.
    const refused = await post(harness, '/api/memory/snapshot', body, headers)
    expect([refused.statusCode, mints()]).toEqual([403, 0])
    const { 'idempotency-key': key } = headers
    const snapshot = await post(harness, '/api/memory/snapshot', body, { 'idempotency-key': key })
    expect([snapshot.statusCode, mints()]).toEqual([201, 1])
    expect(snapshot.json().contentHash).not.toBe(contentHash)
    await post(harness, '/api/memory/seal', body, headers)
    for (const path of paths) {
      for (const named of [{ contentHash }, sealed.json(), sealed.json().transaction])
        await post(harness, path, { ...bodies[path], ...named })
    }
    expect(foreign).toEqual([])
  })

  test('because these are all POST routes', async () => {
    const { server } = openHarness()
    const spec = (await server.inject({ url: '/openapi.json' })).json() as {
      paths: Record<string, object>
    }
    const posted = Object.entries(spec.paths).flatMap(([path, methods]) =>
      'post' in methods ? [path.replace(/\{[^}]*\}/, '1')] : [],
    )
    const grants = ['/api/grants', '/api/grants/1/revoke', '/api/grants/revoke']
    const unable = ['/rpc', '/mcp', '/api/webhooks', '/api/memory/1/ratings', ...grants]
    expect(posted.filter((path) => !unable.includes(path)).toSorted()).toEqual(paths.toSorted())
  })

  test('because only a snapshot and a save start a mint', () => {
    const packages = join(import.meta.dirname, '../../..')
    const sources = ['core/src', 'http/src', 'adapters/src'].flatMap((folder) =>
      readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|\/test\//.test(name))
        .map((name) => join(folder, name)),
    )
    const having = (pattern: RegExp) =>
      sources.filter((name) => pattern.test(readFileSync(join(packages, name), 'utf8'))).toSorted()
    // The two of the server wrap the ledger and pass on what is sealed and minted at once. The one of
    // the wallet runs at the caller and mints with the caller's own key.
    expect(having(/\bledger(\.mint\(|\[\w+\]\()/)).toEqual([
      'core/src/use-cases/mint-bundle.ts',
      'http/src/server/claim-blobs.ts',
      'http/src/server/read-your-writes.ts',
      'http/src/wallet/snapshot-act.ts',
    ])
    expect(having(/(?<!function )\bmintBundle\(/)).toEqual([
      'core/src/use-cases/save.ts',
      'core/src/use-cases/snapshot.ts',
    ])
  })
})
