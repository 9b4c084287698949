import { arbitraryBundleText } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bundle,
  failsWith,
  memoryFixture,
  unknown,
} from '../../../../test/harness/memory-fixture.ts'
import type { TokenId } from '../values/branded.ts'
import { tokenId } from '../values/decimal.ts'
import { digest, hash } from '../values/hex.ts'
import { download } from './download.ts'
import { snapshot } from './snapshot.ts'

describe('snapshot and download', () => {
  test('return the same bundle', async () => {
    const { world: harness, ports, prove, author } = memoryFixture()
    const minted = await snapshot(ports, { bundle })
    expect(minted.tokenId).toBe(1n)
    expect(minted.timestamp).toBe(harness.now())
    expect(minted.storageUri).toMatch(/^v2:ipfs:\/\/0x[0-9a-f]{64}$/)
    const opened = await download(ports, {
      tokenId: minted.tokenId,
      proof: await prove(tokenId(1n)),
    })
    expect(new TextDecoder().decode(opened.document)).toBe(JSON.stringify(bundle))
    expect(opened.contentHash).toBe(minted.contentHash)
    const record = await author.ledger.provenance(minted.tokenId)
    expect(record).toMatchObject({ parent: undefined, contentHash: minted.contentHash })
  })

  test('return every document byte for byte', () =>
    fc.assert(
      fc.asyncProperty(arbitraryBundleText, async ({ text, document }) => {
        const { ports, prove } = memoryFixture()
        const input = { bundle: new TextEncoder().encode(text) }
        const { tokenId: id } = await snapshot(ports, input)
        const opened = await download(ports, { tokenId: id, proof: await prove(id) })
        expect(new TextDecoder().decode(opened.document)).toBe(document)
      }),
      { numRuns: 30 },
    ))
})

describe('download', () => {
  test('checks the proof, the token and the right in this order', async () => {
    const { ports, prove, stranger, author } = memoryFixture()
    const { tokenId: id } = await snapshot(ports, { bundle })
    const forged = await prove(unknown, { by: author, signer: stranger })
    const stale = { ...forged, timestamp: forged.timestamp - 121 }
    const open = (token: TokenId, proof: typeof forged) =>
      download(ports, { tokenId: token, proof })
    await expect(open(unknown, stale)).rejects.toEqual(failsWith('proof/stale'))
    await expect(open(unknown, forged)).rejects.toEqual(
      failsWith('proof/not-signed', { account: author.ledger.agent }),
    )
    await expect(open(unknown, await prove(unknown))).rejects.toEqual(failsWith('token/not-found'))
    await expect(open(id, await prove(id, { by: stranger }))).rejects.toEqual(
      failsWith('access/denied', { tokenId: id, account: stranger.ledger.agent }),
    )
  })

  test('refuses a proof for another token', async () => {
    const { ports, prove } = memoryFixture()
    const { tokenId: id } = await snapshot(ports, { bundle })
    const { tokenId: other } = await snapshot(ports, { bundle })
    await expect(download(ports, { tokenId: other, proof: await prove(id) })).rejects.toEqual(
      failsWith('proof/not-signed'),
    )
  })

  test('accepts a proof up to 120 seconds old or early', async () => {
    const { ports, prove } = memoryFixture()
    const { tokenId: id } = await snapshot(ports, { bundle })
    for (const seconds of [-120, -119, 119, 120]) {
      const proof = await prove(id, { seconds })
      await expect(download(ports, { tokenId: id, proof })).resolves.toBeDefined()
    }
    for (const seconds of [-121, 121]) {
      const proof = await prove(id, { seconds })
      await expect(download(ports, { tokenId: id, proof })).rejects.toEqual(
        failsWith('proof/stale'),
      )
    }
  })

  test('reads no bundle for an account without a right', async () => {
    const { ports, prove, stranger } = memoryFixture()
    const { tokenId: id } = await snapshot(ports, { bundle })
    const get = () => Promise.reject(new Error('nothing may be read'))
    const proof = await prove(id, { by: stranger })
    const guarded = { ...ports, blobStore: { ...ports.blobStore, get } }
    await expect(download(guarded, { tokenId: id, proof })).rejects.toEqual(
      failsWith('access/denied'),
    )
  })

  test('refuses a document with another hash than on the chain with `bundle/altered`', async () => {
    const { ports, prove, author } = memoryFixture()
    const context = { registry: ports.ledger.registry, creator: ports.ledger.agent }
    const { sealed, contentHash } = await ports.cipher.seal(new Uint8Array(3), context, {
      blobs: ports.blobStore,
    })
    const recorded = {
      contentHash: hash(`0x${'1'.repeat(64)}`),
      digest: await ports.blobStore.put(sealed),
      parent: undefined,
      recipient: author.ledger.agent,
    }
    const { tokenId: id } = await ports.ledger.mint(recorded)
    await expect(download(ports, { tokenId: id, proof: await prove(id) })).rejects.toEqual(
      failsWith('bundle/altered', { expected: recorded.contentHash, actual: contentHash }),
    )
  })

  test('fails with `blob/not-found` and `bundle/unreadable`', async () => {
    const { ports, prove, author } = memoryFixture()
    const token = { contentHash: hash(`0x${'1'.repeat(64)}`), parent: undefined }
    const recipient = author.ledger.agent
    const lost = { ...token, digest: digest(`0x${'2'.repeat(64)}`), recipient }
    const noise = { ...token, digest: await ports.blobStore.put(new Uint8Array(99)), recipient }
    const outcomes = ['blob/not-found', 'bundle/unreadable']
    for (const [index, made] of [lost, noise].entries()) {
      const { tokenId: id } = await ports.ledger.mint(made)
      await expect(download(ports, { tokenId: id, proof: await prove(id) })).rejects.toEqual(
        failsWith(outcomes[index] ?? ''),
      )
    }
  })
})
