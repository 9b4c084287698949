import { type CataloguedToken, type MemoryService, type Originality, tokenId } from '@heirloom/core'
import { expect, test } from 'vitest'
import { refuseCopies } from './guard-acquisitions.ts'

const id = tokenId(7n)

/** Returns what a service was asked to acquire, where the catalogue marks every token in one way. */
function asked(originality: Originality) {
  const acquired: string[] = []
  const acquire = (verb: string) => async () => {
    acquired.push(verb)
    return {} as never
  }
  const service = { buy: acquire('buy'), rent: acquire('rent'), fork: acquire('fork') }
  const token = async () => ({ originality }) as CataloguedToken
  return { acquired, guarded: refuseCopies(service as unknown as MemoryService, { token }) }
}

test.each(['buy', 'rent', 'fork'] as const)('%s pays for no copy', async (verb) => {
  const { acquired, guarded } = asked('copied')
  const attempt = guarded[verb]({ tokenId: id, days: 1 })
  await expect(attempt).rejects.toMatchObject({ code: 'listing/copied', facts: { tokenId: id } })
  expect(acquired).toEqual([])
})

test.each(['original', 'repeated', 'unverified'] as const)('%s may be bought', async (mark) => {
  const { acquired, guarded } = asked(mark)
  await guarded.buy({ tokenId: id })
  expect(acquired).toEqual(['buy'])
})
