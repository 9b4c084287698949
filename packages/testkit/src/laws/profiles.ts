import assert from 'node:assert/strict'
import { account, type Hex, instant, type Profile, type Profiles } from '@heirloom/core'
import fc from 'fast-check'
import { forAll, type Law } from './law.ts'
import { refuses } from './refuses.ts'

let counted = 0

/** Returns a number that no other run has, in letters that no skeleton changes. */
const newWord = () =>
  [...`${++counted}`]
    .map((digit) => 'abcdefghjk'[Number(digit)])
    .join('')
    .concat('z')

/** Returns an account that no other run has. */
const newAccount = () => account(`0x${(++counted).toString().padStart(40, '0')}`)

const wide = { ofClient: 100_000, inAll: 1_000_000 }

const request = { client: 'client', now: instant(1000), bounds: wide }

const profileOf = (more: Partial<Profile> = {}): Profile => ({
  account: newAccount(),
  name: newWord(),
  sentence: 'I keep notes.',
  link: '',
  signedAt: instant(1000),
  message: 'a text',
  signature: '0x1234',
  ...more,
})

/** Puts profiles, each a moment after the one before. */
async function putAll(profiles: Profiles, some: readonly Profile[]): Promise<void> {
  for (const it of some) await profiles.put(it, { ...request, now: instant(1000 + ++counted) })
}

const marksOf = async (profiles: Profiles, some: readonly Profile[]) => {
  const found = await profiles.find(some.map((it) => it.account))
  return some.map((it) => found.find((other) => other.account === it.account)?.resembles)
}

/** The laws of every `Profiles`. */
export const profilesLaws: readonly Law<Profiles>[] = [
  {
    name: 'finds the profiles of accounts, and nothing of others',
    holds: async (profiles) => {
      const [one, other] = [profileOf({ link: 'https://ada.example' }), profileOf()]
      await putAll(profiles, [one, other])
      assert.deepEqual(await profiles.find([one.account, newAccount()]), [one])
      assert.deepEqual(await profiles.find([]), [])
    },
  },
  forAll(
    'keeps one profile of an account, the one that was signed last',
    [fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 })],
    async (profiles, times) => {
      const [of, word] = [newAccount(), newWord()]
      let last: Profile | undefined
      for (const [at, seconds] of times.entries()) {
        const signedAt = instant(seconds * 1000)
        const next = profileOf({ account: of, name: `${word} ${at}`, signedAt })
        if (last === undefined || signedAt > last.signedAt) last = next
        assert.deepEqual(await profiles.put(next, request), last)
      }
      assert.deepEqual(await profiles.find([of]), [last])
    },
  ),
  {
    name: 'shows no profile that was taken back, and takes no earlier one again',
    holds: async (profiles) => {
      const first = profileOf()
      const empty = { name: '', sentence: '', link: '', signedAt: instant(2000) }
      const gone = { ...first, ...empty }
      await putAll(profiles, [first, gone, profileOf({ name: first.name })])
      assert.deepEqual(await profiles.put(first, request), gone)
      assert.deepEqual(await profiles.find([first.account]), [])
    },
  },
  {
    name: 'marks a name that another account took first, as it looks',
    holds: async (profiles) => {
      const [word, other] = [newWord(), newWord()]
      const first = profileOf({ name: `Ada ${word}` })
      // Another letter case, Cyrillic, full width, and no space.
      const alike = [`ADA ${word}`, `\u0410d\u0430 ${word}`, `\uFF21da ${word}`, `Ada${word}`]
      const some = [first, ...alike.map((name) => profileOf({ name })), profileOf({ name: other })]
      await putAll(profiles, some)
      const marks = [undefined, ...alike.map(() => first.account), undefined]
      assert.deepEqual(await marksOf(profiles, some), marks)
      // One who changes all but the look of a name stays the first.
      const changed = { ...first, name: `ada ${word}`, signedAt: instant(5000) }
      await putAll(profiles, [changed])
      assert.deepEqual(await marksOf(profiles, some), marks)
      await putAll(profiles, [{ ...changed, name: `${other} 2`, signedAt: instant(6000) }])
      assert.deepEqual((await marksOf(profiles, some)).slice(0, 2), [undefined, undefined])
    },
  },
  {
    name: 'searches profiles by any part of a name, as it looks',
    holds: async (profiles) => {
      const word = newWord()
      const some = [`Ada ${word}`, `${word} Bee`].map((name) => profileOf({ name }))
      await putAll(profiles, some)
      assert.deepEqual(await profiles.search(`${word.toUpperCase()}.`, 10), some)
      assert.deepEqual(await profiles.search(word, 1), some.slice(0, 1))
      assert.deepEqual(await profiles.search(`%${word}x`, 10), [])
      assert.deepEqual(await profiles.search('', 10), [])
    },
  },
  {
    name: 'refuses a profile beyond a bound with `profile/too-many`, but never a change',
    holds: async (profiles) => {
      const client = newWord()
      const [one, more] = [profileOf(), profileOf()]
      const within = { ...request, client, bounds: { ...wide, ofClient: 1 } }
      await profiles.put(one, within)
      await refuses('profile/too-many', profiles.put(more, within))
      const full = { ...request, bounds: { ...wide, inAll: 1 } }
      await refuses('profile/too-many', profiles.put(more, full))
      const changed = { ...one, sentence: '', signedAt: instant(2000) }
      assert.deepEqual(await profiles.put(changed, within), changed)
      assert.deepEqual(await profiles.find([one.account, more.account]), [changed])
    },
  },
  {
    name: 'returns the accounts of old profiles, from an address on and then from the first',
    holds: async (profiles) => {
      const some = [1, 2, 3, 4].map((time) => profileOf({ signedAt: instant(time) }))
      await putAll(profiles, some)
      const [one, two, three] = some.map((it) => it.account)
      const before = instant(4)
      const old = (from: Hex, limit: number) => profiles.listOld({ from, before, limit })
      assert.deepEqual(await old('0x', 9), [one, two, three])
      assert.deepEqual(await old(two as Hex, 9), [two, three, one])
      assert.deepEqual(await old(three as Hex, 2), [three, one])
      assert.deepEqual(await old('0xf', 1), [one])
    },
  },
  {
    name: 'forgets an old profile, whose room and name are free',
    holds: async (profiles) => {
      const [one, more] = [profileOf(), profileOf()]
      const alike = { ...more, name: one.name }
      const within = { ...request, bounds: { ...wide, inAll: 1 } }
      await profiles.put(one, within)
      await profiles.forget(one.account, one.signedAt)
      await refuses('profile/too-many', profiles.put(alike, within))
      await profiles.forget(one.account, instant(one.signedAt + 1))
      assert.deepEqual(await profiles.put(alike, within), alike)
      assert.deepEqual(await profiles.find([one.account, more.account]), [alike])
      await profiles.forget(one.account, instant(9000))
    },
  },
]
