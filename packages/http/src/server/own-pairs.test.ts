import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BlobStore, Cipher, Digest, Hash, Ledger } from '@heirloom/core'
import { arbitraryBytes32 } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addressOf,
  freeTerms,
  memory,
  openWorld,
  other,
  post,
  type TestWorld,
} from '../../test/server-harness.ts'

/**
 * Returns a world that notes each pair that was sealed and stored, and each that is to be minted.
 * A pair serves for one mint: what was sealed for another act is as foreign as what a caller sent.
 */
function noting() {
  const sealed = new Map<Uint8Array, Hash>()
  const pairs = new Set<string>()
  const foreign: string[] = []
  let mints = 0
  const cipherThrough = (cipher: Cipher): Cipher => ({
    ...cipher,
    seal: async (document, context) => {
      const bundle = await cipher.seal(document, context)
      sealed.set(bundle.sealed, bundle.contentHash)
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
  const world = openWorld({ cipherThrough, storeThrough, ledgerThrough })
  return { world, foreign, mints: () => mints }
}

const pairOf = (pair: { readonly contentHash: Hash; readonly digest: Digest }) =>
  `${pair.contentHash} ${pair.digest}`

/** Every name under which a caller could try to hand in what is to be minted. */
const names = [
  ...['contentHash', 'content_hash', 'hash', 'digest', 'storageUri', 'storageURI', 'uri', 'cid'],
  ...['salt', 'sealed', 'envelope', 'blob', 'pair', 'token', 'tokenURI', 'card', 'minted'],
]

const given = fc.record({
  name: fc.constantFrom(...names),
  place: fc.constantFrom('body', 'metadata', 'data', 'query', 'header'),
  value: fc.oneof(fc.constant('known'), arbitraryBytes32),
  again: fc.boolean(),
  which: fc.nat(),
})

/** One body for each path that can be posted to, which would succeed. */
const bodies: Readonly<Record<string, object>> = {
  '/api/memory/snapshot': memory,
  '/api/marketplace/list': { tokenId: '1', ...freeTerms, price: '7', forkPrice: '5' },
  '/api/marketplace/buy/1': { recipient: addressOf(other) },
  '/api/marketplace/rent/1': { durationDays: 1 },
  '/api/marketplace/fork/1': {},
  '/api/marketplace/royalty/1': { amount: '9' },
}

const paths = Object.keys(bodies)

type Given = Omit<typeof given extends fc.Arbitrary<infer T> ? T : never, 'which'>

/** Sends a request that names a pair of others, perhaps under a key that was used. */
async function ask(world: TestWorld, path: string, it: Given): Promise<void> {
  const value = it.value === 'known' ? await publicHash(world) : it.value
  const named = { [it.name]: value }
  const headers = {
    ...(it.place === 'header' && named),
    ...(it.again && { 'idempotency-key': '"the-same-for-all"' }),
  }
  const url = it.place === 'query' ? `${path}?${it.name}=${value}` : path
  await post(world, url, { ...bodies[path], ...placed(it.place, named) }, headers)
}

/** Returns the members of a body that name something where it is to be named. */
function placed(place: Given['place'], named: object): object {
  if (place === 'body') return named
  if (place !== 'metadata' && place !== 'data') return {}
  return { [place]: { category: 'research', ...named } }
}

async function publicHash(world: TestWorld): Promise<string> {
  return (await world.server.inject({ url: '/api/memory/1/info' })).json().contentHash
}

describe('the server mints no pair that it did not seal for that very act', () => {
  test('whatever a caller names, in every body, query and header', async () => {
    let minted = 0
    await fc.assert(
      fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 6 }), async (requests) => {
        const { world, foreign, mints } = noting()
        await post(world, '/api/memory/snapshot', memory)
        for (const { which, ...it } of requests)
          await ask(world, paths[which % paths.length] ?? '', it)
        expect(foreign).toEqual([])
        minted += mints()
      }),
      { numRuns: 60 },
    )
    expect(minted).toBeGreaterThan(60)
  })

  test('when one request comes many times at once under one key', async () => {
    const { world, foreign, mints } = noting()
    const headers = { 'idempotency-key': '"once"' }
    const ask = () => post(world, '/api/memory/snapshot', memory, headers)
    const replies = await Promise.all(Array.from({ length: 8 }, ask))
    expect(new Set(replies.map((reply) => reply.json().contentHash)).size).toBe(1)
    expect(foreign).toEqual([])
    expect(mints()).toBeGreaterThan(0)
  })

  test('for these are all the paths that a request can be posted to', async () => {
    const { server } = openWorld()
    const spec = (await server.inject({ url: '/openapi.json' })).json() as {
      paths: Record<string, object>
    }
    const posted = Object.entries(spec.paths).flatMap(([path, methods]) =>
      'post' in methods ? [path.replace(/\{[^}]*\}/, '1')] : [],
    )
    const unable = ['/rpc', '/mcp', '/api/webhooks']
    expect(posted.filter((path) => !unable.includes(path)).toSorted()).toEqual(paths.toSorted())
  })

  test('for nothing but snapshot begins a mint', () => {
    const packages = join(import.meta.dirname, '../../..')
    const sources = ['core/src', 'http/src', 'adapters/src'].flatMap((folder) =>
      readdirSync(join(packages, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|\/test\//.test(name))
        .map((name) => join(folder, name)),
    )
    const minting = sources.filter((name) =>
      /\bledger\.mint\(/.test(readFileSync(join(packages, name), 'utf8')),
    )
    // The last two pass on what snapshot gives them.
    expect(minting.toSorted()).toEqual([
      'core/src/use-cases/snapshot.ts',
      'http/src/claiming.ts',
      'http/src/own-writes.ts',
    ])
  })
})
