import {
  account,
  type CataloguedToken,
  type MemoryService,
  type Originality,
  tokenId,
  wei,
} from '@heirloom/core'
import { stoppedClock } from '@heirloom/testkit'
import { expect, test } from 'vitest'
import { guardAcquisitions } from './guard-acquisitions.ts'

const id = tokenId(7n)
const agent = account('0x5FbDB2315678afecb367f032d93F642f64180aa3')

/** Returns a guarded service whose catalogue gives every token one mark, and what it acquired. */
function marketOf(originality: Originality) {
  const acquired: string[] = []
  const read: bigint[] = []
  const acquire = (verb: string) => async () => {
    acquired.push(verb)
    return {} as never
  }
  const service = { buy: acquire('buy'), rent: acquire('rent'), fork: acquire('fork') }
  const catalogue = {
    token: async (token: bigint) => {
      read.push(token)
      return { originality, owner: agent } as CataloguedToken
    },
    history: async () => undefined,
  }
  const parts = { catalogue, clock: stoppedClock(), agent }
  const guarded = guardAcquisitions(service as unknown as MemoryService, parts)
  return { acquired, read, guarded }
}

test.each(['buy', 'rent', 'fork'] as const)('%s pays for no copy', async (verb) => {
  const { acquired, guarded } = marketOf('copied')
  const attempt = guarded[verb]({ tokenId: id, days: 1 })
  await expect(attempt).rejects.toMatchObject({ code: 'listing/copied', facts: { tokenId: id } })
  expect(acquired).toEqual([])
})

test('buy pays for no copy, whatever the caller agrees to pay', async () => {
  const { acquired, guarded } = marketOf('copied')
  const attempt = guarded.buy({ tokenId: id, maxPrice: wei(1n) })
  await expect(attempt).rejects.toMatchObject({ code: 'listing/copied' })
  expect(acquired).toEqual([])
})

test.each(['original', 'repeated', 'unverified'] as const)('%s may be bought', async (mark) => {
  const { acquired, read, guarded } = marketOf(mark)
  await guarded.buy({ tokenId: id })
  expect(acquired).toEqual(['buy'])
  expect(read).toEqual([id])
})
