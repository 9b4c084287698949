import { instant, type Profile, type Profiles } from '@heirloom/core'
import { memoryProfiles } from '../../src/fakes/profiles.ts'
import type { Broken } from './faulty-harness.ts'

/** Returns profiles that work as the fake does, but for `fault`. */
const faulty =
  (fault: (profiles: Profiles) => Partial<Profiles>): Broken<Profiles>['open'] =>
  async () => {
    const profiles = memoryProfiles()
    return { ...profiles, ...fault(profiles) }
  }

/** Broken profiles for each law. */
export const brokenProfiles: readonly Broken<Profiles>[] = [
  {
    law: 'finds the profiles of accounts, and nothing of others',
    fault: 'finds none where one of the accounts has none',
    open: faulty(({ find }) => ({
      find: async (accounts) => {
        const found = await find(accounts)
        return accounts.length > found.length && found.some((it) => it.link !== '') ? [] : found
      },
    })),
  },
  {
    law: 'keeps one profile of an account, the one that was signed last',
    fault: 'returns a profile that does not count',
    open: faulty(({ put }) => ({
      put: async (profile, request) => {
        const counted = await put(profile, request)
        return counted.name === '' ? counted : profile
      },
    })),
  },
  {
    law: 'shows no profile that was taken back, and takes no earlier one again',
    fault: 'forgets a profile that is taken back',
    open: faulty(({ put }) => {
      const gone = new Map<string, Profile>()
      return {
        put: async (profile, request) => {
          if (gone.has(profile.account)) return profile
          if (profile.name === '') gone.set(profile.account, profile)
          return put(profile, request)
        },
      }
    }),
  },
  {
    law: 'marks a name that another account took first, as it looks',
    fault: 'marks none',
    open: faulty(({ find }) => ({
      find: async (accounts) =>
        (await find(accounts)).map(({ resembles: _, ...profile }) => profile),
    })),
  },
  {
    law: 'searches profiles by any part of a name, as it looks',
    fault: 'searches by its letters alone',
    open: faulty(({ search }) => ({
      search: async (text, limit) =>
        (await search(text, limit)).filter(({ name }) => name.includes(text)),
    })),
  },
  {
    law: 'refuses a profile beyond a bound with `profile/too-many`, but never a change',
    fault: 'refuses a change, too',
    open: faulty(({ put }) => ({
      put: async (profile, request) => {
        const isFull = request.bounds.ofClient === 1 && profile.signedAt > instant(1000)
        const bounds = isFull ? { ...request.bounds, ofClient: 0 } : request.bounds
        const as = isFull
          ? { ...profile, account: `${profile.account.slice(0, -1)}f` as never }
          : profile
        return put(as, { ...request, bounds })
      },
    })),
  },
  {
    law: 'returns the accounts of old profiles, from an address on and then from the first',
    fault: 'ends behind the last address',
    open: faulty(({ listOld }) => ({
      listOld: async (query) => (await listOld(query)).filter((it) => it >= query.from),
    })),
  },
  {
    law: 'forgets an old profile, whose room and name are free',
    fault: 'forgets one that is as new',
    open: faulty(({ forget }) => ({
      forget: (account, before) => forget(account, instant(before + 1)),
    })),
  },
]
