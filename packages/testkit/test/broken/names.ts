import {
  type FailureCode,
  instant,
  isFailure,
  lineName,
  type Names,
  type SavedVersion,
  tokenId,
} from '@heirloom/core'
import { memoryNames } from '../../src/fakes/names.ts'
import type { Broken } from './faulty-harness.ts'

/** Returns names that work as the fake does, but for `fault`. */
const faulty =
  (fault: (names: Names) => Partial<Names>): Broken<Names>['open'] =>
  async () => {
    const names = memoryNames()
    return { ...names, ...fault(names) }
  }

/** Runs `other` where `act` fails with this code. */
const instead = <T>(code: FailureCode, act: Promise<T>, other: () => Promise<T>): Promise<T> =>
  act.catch((error: unknown) => {
    if (isFailure(error, code)) return other()
    throw error
  })

const later = (version: SavedVersion) => ({ ...version, version: version.version + 1 })

const numbersFromTwo = faulty((names) => ({
  hold: async (request) => {
    const held = await names.hold(request)
    return held.kind === 'saved' ? { ...held, version: later(held.version) } : held
  },
  move: async (...all) => later(await names.move(...all)),
  find: async (of) => {
    const found = await names.find(of)
    return found && { ...found, last: later(found.last) }
  },
  versions: async (...all) => {
    const { items, next } = await names.versions(...all)
    return { items: items.map(later), next }
  },
}))

const ignoresLaterTokens = faulty((names) => ({
  hold: async ({ after, ...request }) => {
    const last = (await names.find(request))?.last.tokenId ?? tokenId(0n)
    return names.hold({
      ...request,
      after: after === undefined || after > last ? undefined : after,
    })
  },
}))

const moves = faulty((names) => {
  const noted = new Set<string>()
  return {
    note: async (id, sealed) => {
      noted.add(id)
      return names.note(id, sealed)
    },
    release: async (id) => {
      if (!noted.has(id)) return names.release(id)
      const minted = { tokenId: tokenId(9n), txHash: undefined, acceptedAt: instant(0) }
      await names.move(id, minted)
    },
  }
})

const letsBothWin = faulty((names) => {
  const held = new Map<string, string>()
  return {
    hold: async (request) => {
      const isRace = [...held.values()].includes(lineName(request))
      const taking = names.hold(request)
      const later = () => names.hold({ ...request, after: undefined })
      const result = await (isRace ? instead('name/moved', taking, later) : taking)
      if (result.kind === 'held') held.set(result.id, lineName(request))
      return result
    },
    move: async (id, minted) => {
      held.delete(id)
      return names.move(id, minted)
    },
  }
})

/** Broken names for each law. */
export const brokenNames: readonly Broken<Names>[] = [
  {
    law: 'numbers the versions of a name from 1',
    fault: 'numbers them from 2',
    open: numbersFromTwo,
  },
  {
    law: 'refuses a save after another version than the last with `name/moved`',
    fault: 'ignores a version that is not there yet',
    open: ignoresLaterTokens,
  },
  {
    law: 'lets one of two racing saves win',
    fault: 'lets both win, one after the other',
    open: letsBothWin,
  },
  {
    law: 'lets the next save go on where a hold is released',
    fault: 'moves the name to what was not minted',
    open: moves,
  },
  {
    law: 'makes no version of a token that it refuses',
    fault: 'moves the name to it',
    open: faulty((names) => ({
      release: async (id, refused) => {
        if (refused === undefined) await names.release(id)
        else await names.move(id, refused)
      },
    })),
  },
  {
    law: 'returns the first version again for the same key and request',
    fault: 'forgets a key once its version is saved',
    open: faulty((names) => ({
      hold: async (request) => {
        const held = await names.hold(request)
        return held.kind === 'held' ? held : names.hold({ ...request, idempotency: undefined })
      },
    })),
  },
  {
    law: 'refuses a key of the owner that is reused for another request with `idempotency/key-reused`',
    fault: 'ignores a key that is reused',
    open: faulty((names) => ({
      hold: (request) =>
        instead('idempotency/key-reused', names.hold(request), () =>
          names.hold({ ...request, idempotency: undefined }),
        ),
    })),
  },
  {
    law: 'separates the names of different owners',
    fault: 'does not say that a name to forget is not there',
    open: faulty((names) => ({
      forget: (...all) => instead('name/not-found', names.forget(...all), async () => undefined),
    })),
  },
  {
    law: 'lists names and versions in pages',
    fault: 'ends after the first page',
    open: faulty((names) => ({
      versions: async (...all) => ({ ...(await names.versions(...all)), next: undefined }),
    })),
  },
  {
    law: 'finds the version of a name that a token is, and none of another name',
    fault: 'returns the last version for every token',
    open: faulty((names) => ({ versionOf: async (of) => (await names.find(of))?.last })),
  },
  {
    law: 'renames a name with all its versions, but to none that is taken',
    fault: 'renames over a name that is taken',
    open: faulty((names) => ({
      rename: (of, to) =>
        instead('name/taken', names.rename(of, to), async () => {
          await names.forget({ ...of, name: to })
          await names.rename(of, to)
        }),
    })),
  },
  {
    law: 'forgets a name with all its versions',
    fault: 'does not refuse to forget a name that is held',
    open: faulty((names) => ({
      forget: (...all) => instead('name/held', names.forget(...all), async () => undefined),
    })),
  },
  {
    law: 'refuses to forget a name with another last version with `name/moved`',
    fault: 'forgets a name whatever its last version is',
    open: faulty((names) => ({ forget: (of) => names.forget(of) })),
  },
]
