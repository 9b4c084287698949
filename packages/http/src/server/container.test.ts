import { sealingKeyRing } from '@heirloom/adapters/cipher'
import { account, type BlobStore, type Cipher } from '@heirloom/core'
import {
  memoryBlobStore,
  memoryCatalogue,
  memoryChain,
  memoryLedger,
  memoryNames,
  memoryOpenings,
  stoppedClock,
} from '@heirloom/testkit'
import { expect, test } from 'vitest'
import { compose, get, tokens } from './container.ts'

const started = () => ({
  blobStore: memoryBlobStore(),
  catalogue: memoryCatalogue({ chain: memoryChain({ clock: stoppedClock() }) }),
  ledger: memoryLedger(),
  names: memoryNames(),
  openings: memoryOpenings(),
  keys: {
    ...sealingKeyRing([Buffer.alloc(32, 1)]),
    facts: () => [],
    refreshUnknown: async () => undefined,
  },
  keepOpened: 2 ** 20,
  packs: { store: (it: BlobStore) => it, seal: (it: Cipher) => it.seal },
})

test('composes the parts into one working service', async () => {
  const parts = started()
  const box = compose(parts)
  const bundle = { data: {}, metadata: { category: 'social' } }
  const { tokenId } = await get(box, tokens.service).snapshot({ bundle })
  expect(await parts.ledger.provenance(tokenId)).toMatchObject({ tokenId, parent: undefined })
})

test('creates each part once', () => {
  const box = compose(started())
  for (const token of Object.values(tokens)) {
    expect(get<unknown>(box, token)).toBe(get<unknown>(box, token))
  }
})

test('shares nothing between two servers', () => {
  const [one, other] = [compose(started()), compose(started())]
  expect(get(one, tokens.ledger)).not.toBe(get(other, tokens.ledger))
})

test('opens the header of a cached head once, and again as soon as its key is gone', async () => {
  const { keys, ...parts } = started()
  let present = true
  const find: typeof keys.find = (id) => (present ? keys.find(id) : undefined)
  const box = compose({ ...parts, keys: { ...keys, find } })
  const { blobStore, cipher } = get(box, tokens.bundles)
  const context = {
    registry: parts.ledger.registry,
    creator: account('0x0000000000000000000000000000000000000001'),
  }
  const { sealed } = await cipher.seal(Buffer.from('{}'), context, { blobs: blobStore })
  const inspect = () => cipher.inspect(sealed)
  expect(inspect()).toMatchObject({ isAuthentic: true })
  expect(inspect()).toBe(inspect())
  present = false
  expect(inspect()).toMatchObject({ isAuthentic: false })
})
