import { memoryHarness, memoryProfiles } from '@heirloom/testkit'
import { expect, test } from 'vitest'
import { Failure } from '../failure.ts'
import type { Catalogue } from '../ports/catalogue.ts'
import { instant, toSeconds } from '../values/time.ts'
import { setProfile } from './set-profile.ts'

test('no profile gives way while the catalogue may not have read the tokens of its account', async () => {
  const { parties, now: start } = memoryHarness()
  let passed = 0
  const now = () => instant(start() + passed)
  const [ada, ben] = parties
  if (ada === undefined || ben === undefined) throw new RangeError('there are parties')
  const profiles = memoryProfiles()
  let [hidden, failure]: [unknown, Failure | undefined] = [undefined, undefined]
  const parts = {
    clock: { now },
    ledger: ada.ledger,
    profiles,
    bounds: { ofClient: 9, inAll: 1 },
    catalogue: {
      tokens: async ({ owner, creator = owner }: Parameters<Catalogue['tokens']>[0]) => ({
        items: creator === hidden ? [] : [{}],
        next: undefined,
      }),
    } as unknown as Pick<Catalogue, 'tokens'>,
    catchUp: async () => {
      if (failure !== undefined) throw failure
      hidden = undefined
    },
  }
  const describe = async (by: typeof ada, name: string) => {
    const proof = { message: name, signature: await by.sign(name), timestamp: toSeconds(now()) }
    const described = { name, sentence: '', link: '' }
    return setProfile(parts, { account: by.ledger.agent, proof, client: 'one', ...described })
  }
  await describe(ada, 'Ada')
  passed = 121_000
  hidden = ada.ledger.agent
  failure = new Failure('catalogue/unavailable', { operation: 'catch up' })
  await expect(describe(ben, 'Ben')).rejects.toBe(failure)
  failure = undefined
  await expect(describe(ben, 'Ben')).rejects.toMatchObject({ code: 'profile/too-many' })
  expect(await profiles.find([ada.ledger.agent])).toMatchObject([{ name: 'Ada' }])
})
