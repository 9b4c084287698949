import { createHash } from 'node:crypto'
import { createClient } from '@heirloom/http/client'
import { openWallet } from '@heirloom/http/wallet'
import { expect, test, vi } from 'vitest'
import { publicAccount } from '../harness/copier.ts'
import { sharedServer } from '../harness/process/shared-server.ts'
import { longestWait } from '../tier.ts'

const server = sharedServer()
const [victim, reader] = [publicAccount(1), publicAccount(2)]
/** Returns a memory of its own for a test: within a second, the same request gets the same seal. */
const memoryOf = (secret: string) => ({ data: { secret }, metadata: { category: 'research' } })

const walletOf = (account: typeof victim) => openWallet({ url: server.url, account })
const clientOf = (account: typeof victim) => createClient({ url: server.url, account })

test('a memory that is sealed again under its salt keeps its content hash, and nothing else', async () => {
  const memory = memoryOf('sealed again')
  const own = await walletOf(victim)
  const first = await own.snapshot(memory)
  const { salt, document } = await clientOf(victim).download(first.tokenId)
  // With a card, so that it is another request than the first one, within a second too.
  const again = await own.snapshot({ document, salt, card: { title: 'Sealed again' } })
  expect(again.contentHash).toBe(first.contentHash)
  expect(again.storageUri).not.toBe(first.storageUri)
  const opened = await clientOf(victim).download(again.tokenId)
  expect(Buffer.compare(opened.document, document)).toBe(0)
  const bytes = Buffer.concat([Buffer.from(salt.slice(2), 'hex'), document])
  expect(again.contentHash).toBe(`0x${createHash('sha256').update(bytes).digest('hex')}`)
})

test('who has opened a memory, and seals it under its salt, gets a token that opens nothing of another', async () => {
  const own = await walletOf(victim)
  const { tokenId } = await own.snapshot(memoryOf('sealed by its reader'))
  await own.list({ tokenId, price: 0n, rentalPricePerDay: 1n, forkPrice: 0n, forkRoyaltyBps: 0 })
  const other = await walletOf(reader)
  await other.rent(tokenId, { durationDays: 1 })
  const { salt, document } = await clientOf(reader).download(tokenId)
  const copy = await other.snapshot({ document, salt })
  const client = clientOf(reader)
  const [original, taken] = await Promise.all([client.info(tokenId), client.info(copy.tokenId)])
  expect(taken.contentHash).toBe(original.contentHash)
  expect([original.creator, taken.creator]).toEqual([victim.address, reader.address])
  // The record with the earlier time is the victim's, and only the victim opens the victim's token.
  expect(Number(original.timestamp)).toBeLessThanOrEqual(Number(taken.timestamp))
  await expect(clientOf(victim).download(copy.tokenId)).rejects.toMatchObject({
    code: 'access/denied',
  })
})

test('and does not make the token of another look like a copy', async () => {
  const first = await (await walletOf(victim)).snapshot(memoryOf('sealed by another'))
  const { salt, document } = await clientOf(victim).download(first.tokenId)
  const copy = await (await walletOf(reader)).snapshot({ document, salt })
  expect(copy.contentHash).toBe(first.contentHash)
  for (const { tokenId } of [copy, first]) expect(await originalityOf(tokenId)).toBe('original')
})

/** Reads the originality of a token, once the server has looked at its seal. */
async function originalityOf(tokenId: string): Promise<string> {
  return vi.waitUntil(
    async () => {
      const found = await clientOf(victim)
        .lineage(tokenId)
        .catch(() => undefined)
      return found?.token.originality !== 'unverified' && found?.token.originality
    },
    { interval: 20, timeout: longestWait },
  )
}

test.each(['0x', `0x${'5a'.repeat(31)}`, `0x${'5a'.repeat(33)}`, '5a'.repeat(32), 7, null])(
  'a salt that is none is refused: %s',
  async (salt) => {
    const response = await fetch(`${server.url}/api/memory/snapshot`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...memoryOf('none'), salt }),
    })
    const { code } = (await response.json()) as { code: string }
    expect(response.status).toBe(400)
    expect(['request/malformed', 'value/invalid']).toContain(code)
  },
)
