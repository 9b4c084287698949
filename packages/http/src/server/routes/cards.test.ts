import {
  type BlobStore,
  type Digest,
  decodeCard,
  digest,
  hash,
  type Idempotency,
  tokenId,
} from '@heirloom/core'
import { arbitraryCard } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../../../../../test/tier.ts'
import { type Expected, expectRefusal, malformed } from '../../../test/expect-refusal.ts'
import { addressOf, agent, memory, openHarness, post } from '../../../test/server-harness.ts'
import { claimBlobs } from '../claim-blobs.ts'

/** Opens a server, with a function that reads the block that the chain names as the card of a token. */
function open() {
  let store: BlobStore | undefined
  const storeThrough = (blobStore: BlobStore) => {
    store = blobStore
    return blobStore
  }
  const harness = openHarness({ storeThrough, config: { bodyLimit: 1 << 25 } })
  const blockOf = async (id: string) => {
    const named = harness.chain.cardOf(tokenId(id))
    return named && (await store?.get(named))
  }
  return { harness, blockOf }
}

const { harness, blockOf } = open()
const url = '/api/memory/snapshot'
const send = (card: unknown) => post(harness, url, { ...memory, card })

const refusal: Expected = { status: 400, code: 'card/malformed' }

describe('a snapshot with a card', () => {
  test('shows the card, and nothing else of the bundle', () =>
    fc.assert(
      fc.asyncProperty(arbitraryCard, async (card) => {
        const reply = await send(card)
        expect(reply.statusCode).toBe(201)
        const { tokenId: id, contentHash } = reply.json()
        const block = await blockOf(id)
        expect(block && decodeCard(block)).toEqual({ card, contentHash })
      }),
      { numRuns: times(7, 25) },
    ))

  test('stores markup and scripts as plain text', async () => {
    const title = '<img src=x onerror="alert(1)">'
    const description = '<script>alert(document.cookie)</script>\n</textarea><svg/onload=alert(1)>'
    const card = {
      title,
      description,
      tags: ["'><b>"],
      preview: '{{constructor}} <%= 7 * 7 %> javascript:',
    }
    const { tokenId: id, contentHash } = (await send(card)).json()
    const block = Buffer.from((await blockOf(id)) ?? []).toString()
    expect(block).toBe(JSON.stringify({ contentHash, ...card }))
  })

  test('is needed for a card block', async () => {
    const { tokenId: id } = (await post(harness, url, memory)).json()
    expect(await blockOf(id)).toBe(undefined)
  })

  test('shows the same under a key, and refuses the key for another card', async () => {
    const key = { 'idempotency-key': 'a-card' }
    const snapshotWith = (title: string) => post(harness, url, { ...memory, card: { title } }, key)
    const first = await snapshotWith('one')
    expect(first.statusCode).toBe(201)
    const before = await harness.state()
    expect((await snapshotWith('one')).json()).toEqual(first.json())
    expect(await harness.state()).toEqual(before)
    await expectRefusal(harness, () => snapshotWith('two'), {
      status: 422,
      code: 'idempotency/key-reused',
    })
    const without = () => post(harness, url, memory, key)
    await expectRefusal(harness, without, { status: 422, code: 'idempotency/key-reused' })
  })
})

describe('a snapshot is refused, and nothing changes, when its card', () => {
  const long = 'x'.repeat(10 * 2 ** 20)
  // What is not the data of a memory is bounded before it is read.
  const tooMuch: Expected = { status: 400, code: 'request/malformed' }

  test.each<[string, unknown, Expected]>([
    ['turns the direction of writing', { title: 'exe.\u202egpj' }, refusal],
    ['isolates it', { title: 'a', tags: ['\u2067a\u2069'] }, refusal],
    ['turns it in the preview', { title: 'a', preview: 'line\n\u200fline' }, refusal],
    ['hides text in tags', { title: 'a\u{e0061}\u{e007f}' }, refusal],
    ['has a line end in its title', { title: 'a\nb' }, refusal],
    ['has a null character', { title: 'a', description: '\0' }, refusal],
    ['has half a character', `{"title":"\\ud83e"}`, refusal],
    ['has a title of 10 MB', { title: long }, tooMuch],
    ['has a preview of 10 MB', { title: 'a', preview: long }, tooMuch],
    ['has a hundred thousand tags', { title: 'a', tags: Array(100_000).fill('a') }, refusal],
    [
      'is too wide',
      { title: 'a', description: '世'.repeat(2000), preview: '世'.repeat(4000) },
      refusal,
    ],
    ['has members of its own', { title: 'a', image: 'http://example.com/x.png' }, refusal],
    ['has 10 MB of its own', { title: 'a', more: long }, tooMuch],
    ['has a prototype', '{"title":"a","__proto__":{"title":"b"}}', refusal],
    ['is empty', { title: '' }, refusal],
    ['has no title', { description: 'a' }, malformed],
    ['is a text', 'title', malformed],
    ['is null', null, malformed],
    ['is a list', ['a'], malformed],
    ['has a number for a tag', { title: 'a', tags: [1] }, malformed],
    [
      'is deep',
      `{"title":"a","tags":${'['.repeat(2000)}${']'.repeat(2000)}}`,
      { status: 400, code: 'json/too-deep' },
    ],
  ])('%s', async (_, card, expected) => {
    const isText = typeof card === 'string' && card.startsWith('{')
    const text = isText ? card : JSON.stringify(card)
    const body = `{"data":{},"metadata":{"category":"x"},"card":${text}}`
    await expectRefusal(harness, () => post(harness, url, body), expected)
  })

  test.each([
    ['is not UTF-8', [0xff]],
    ['is written longer than need be', [0xc0, 0xbc]],
    ['holds a surrogate', [0xed, 0xa0, 0x80]],
    ['ends within a character', [0xe4, 0xb8]],
  ])('%s', async (_, bytes) => {
    const [before, after] = ['{"data":{},"metadata":{"category":"x"},"card":{"title":"a', '"}}']
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)])
    await expectRefusal(harness, () => post(harness, url, body), {
      status: 400,
      code: 'json/malformed',
    })
  })

  test('is longer than a body may be', async () => {
    const small = openHarness()
    const send = () => post(small, url, { ...memory, card: { title: long } })
    await expectRefusal(small, send, { status: 413, code: 'request/too-large' })
  })

  test('is named only by the member that is wrong', async () => {
    const reply = await send({ title: '<b>\u202e', description: 'a secret' })
    expect(reply.json().facts).toEqual({
      problem: 'title contains U+202E, which can hide or disguise text',
    })
  })
})

describe('a blob of a mint', () => {
  const { chain } = openHarness()
  const inner = chain.ledger(addressOf(agent))
  const [bundle, other, card] = ['11', '22', '33'].map((byte) =>
    digest(`0x${byte.repeat(32)}`),
  ) as [Digest, Digest, Digest]

  type Stored = { readonly digest: Digest; readonly card?: Digest }

  const claimsOf = async (stored: Stored, idempotency?: Idempotency) => {
    const claims: Digest[] = []
    const ledger = claimBlobs(inner, {
      claim: async (stored) => {
        claims.push(stored)
        throw new Error('a claim that fails')
      },
    })
    const contentHash = hash(`0x${'44'.repeat(32)}`)
    const root = { contentHash, parent: undefined, recipient: ledger.agent }
    await ledger.mint({ ...stored, ...root, idempotency })
    return claims
  }

  test('is claimed with its token, and so is the card', async () => {
    expect(await claimsOf({ digest: bundle })).toEqual([bundle])
    expect(await claimsOf({ digest: bundle, card })).toEqual([bundle, card])
  })

  test('is not claimed when the idempotency key returned an earlier token', async () => {
    const idempotency = { key: 'k', fingerprint: 'f' }
    expect(await claimsOf({ digest: bundle }, idempotency)).toEqual([bundle])
    expect(await claimsOf({ digest: other, card }, idempotency)).toEqual([bundle])
  })
})
