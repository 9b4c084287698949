import {
  everyProfile,
  Failure,
  type MarkedProfile,
  type Profile,
  type Profiles,
  skeletonOf,
} from '@heirloom/core'

type Stored = { readonly profile: Profile; readonly namedAt: number; readonly client: string }

/** Creates profiles in memory. */
export function memoryProfiles(): Profiles {
  const stored = new Map<string, Stored>()
  const inOrder = () =>
    [...stored.values()]
      .filter(({ profile }) => profile.name !== '')
      .toSorted(
        (one, other) =>
          one.namedAt - other.namedAt || (keyOf(one.profile) < keyOf(other.profile) ? -1 : 1),
      )
      .map(({ profile }) => profile)
  const mark = (profile: Profile): MarkedProfile => {
    const first = inOrder().find((it) => skeletonOf(it.name) === skeletonOf(profile.name))
    const isFirst = first === undefined || first.account === profile.account
    return isFirst ? profile : { ...profile, resembles: first.account }
  }
  return {
    put: async (profile, { client, now, bounds }) => {
      const known = stored.get(keyOf(profile))
      const ofClient = [...stored.values()].filter((it) => it.client === client)
      if (known === undefined) {
        refuse('this client', ofClient.length, bounds.ofClient)
        refuse(everyProfile, stored.size, bounds.inAll)
      } else if (known.profile.signedAt >= profile.signedAt) return known.profile
      const isSame = known && skeletonOf(known.profile.name) === skeletonOf(profile.name)
      const namedAt = isSame ? known.namedAt : now
      stored.set(keyOf(profile), { profile, namedAt, client: known?.client ?? client })
      return profile
    },
    find: async (accounts) => {
      const named = new Set(accounts.map((it) => it.toLowerCase()))
      return inOrder()
        .filter((it) => named.has(keyOf(it)))
        .map(mark)
    },
    search: async (text, limit) => {
      const part = skeletonOf(text)
      const found = inOrder().filter((it) => part !== '' && skeletonOf(it.name).includes(part))
      return found.slice(0, limit).map(mark)
    },
    listOld: async ({ from, before, limit }) => {
      const old = [...stored]
        .filter(([, { profile }]) => profile.signedAt < before)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
      const isBehind = ([account]: (typeof old)[number]) => account >= from
      return [...old.filter(isBehind), ...old.filter((it) => !isBehind(it))]
        .slice(0, limit)
        .map(([, { profile }]) => profile.account)
    },
    forget: async (account, before) => {
      const key = account.toLowerCase()
      const known = stored.get(key)
      if (known !== undefined && known.profile.signedAt < before) stored.delete(key)
    },
  }
}

const keyOf = ({ account }: Profile) => account.toLowerCase()

function refuse(what: string, number: number, limit: number): void {
  if (number >= limit) throw new Failure('profile/too-many', { what, limit })
}
