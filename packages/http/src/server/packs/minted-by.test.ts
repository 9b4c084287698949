import { digest, hash, tokenId, wei } from '@heirloom/core'
import { memoryCatalogue, memoryChain, stoppedClock } from '@heirloom/testkit'
import { expect, test } from 'vitest'
import { addressOf, other, stranger } from '../../../test/server-harness.ts'
import { mintedBy } from './open-packs.ts'

const numbered = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const

/** Opens a chain where a creator has tokens between those of another, and a view of it. */
async function openChain(tokens: number) {
  const chain = memoryChain({ clock: stoppedClock() })
  for (const wallet of [other, stranger]) chain.fund(addressOf(wallet), wei(1000n))
  const mint = (wallet: typeof other, number: number) =>
    chain.ledger(addressOf(wallet)).mint({
      contentHash: hash(numbered(number)),
      digest: digest(numbered(number)),
      parent: undefined,
      recipient: addressOf(wallet),
    })
  for (let number = 1; number <= tokens; number++) {
    await mint(number % 2 === 0 ? other : stranger, number)
  }
  async function* minted(after = tokenId(0n)) {
    for (let id = after + 1n; ; id++) {
      const record = chain.provenance(tokenId(id))
      if (record === undefined) return
      yield { ...record, isFork: false }
    }
  }
  const catalogue = { ...memoryCatalogue({ chain }), caughtUp: async () => undefined }
  return { mint, minted, catalogue }
}

const running = () => new AbortController().signal

test('returns the digests of all tokens of a creator, also those that the catalogue lacks', async () => {
  const { mint, minted, catalogue } = await openChain(250)
  const pages = catalogue.tokens
  // The catalogue shows the tokens up to here, and these come later.
  await mint(stranger, 251)
  await mint(other, 252)
  const tokens: typeof pages = async (query) => {
    const page = await pages({ ...query, limit: 100 })
    const items = page.items.filter((it) => it.tokenId <= 250n)
    return { ...page, items: items.slice(0, query.limit) }
  }
  const found = await mintedBy(
    { minted, catalogue: { ...catalogue, tokens } },
    addressOf(other),
    running(),
  )
  const expected = Array.from({ length: 126 }, (_, at) => numbered(2 * at + 2))
  expect([...found].toSorted()).toEqual(expected)
})

test('returns nothing while the catalogue is far behind', async () => {
  const { minted, catalogue } = await openChain(2)
  const closing = AbortSignal.abort()
  await expect(mintedBy({ minted, catalogue }, addressOf(other), closing)).rejects.toMatchObject({
    code: 'ledger/unavailable',
  })
})

test('leaves out licensed forks, whose payers choose their creators', async () => {
  const { mint, minted, catalogue } = await openChain(2)
  await mint(other, 3)
  const shown = catalogue.tokens
  const tokens: typeof shown = async (query) => {
    const page = await shown(query)
    const asForks = page.items.map((it) =>
      it.tokenId === 2n ? { ...it, parent: tokenId(1n), royaltyBps: 0 } : it,
    )
    return { ...page, items: asForks.filter((it) => it.tokenId <= 2n).slice(0, query.limit) }
  }
  const asFork = async function* (after?: Parameters<typeof minted>[0]) {
    for await (const token of minted(after)) yield { ...token, isFork: true }
  }
  const parts = { catalogue: { ...catalogue, tokens }, minted: asFork }
  expect([...(await mintedBy(parts, addressOf(other), running()))]).toEqual([])
})
