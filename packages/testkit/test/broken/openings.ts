import { isFailure, type Openings } from '@heirloom/core'
import { memoryOpenings } from '../../src/fakes/openings.ts'
import type { Broken } from './faulty-harness.ts'

/** Returns openings that work as the fake does, but for `fault`. */
const faulty =
  (fault: (openings: Openings) => Partial<Openings>): Broken<Openings>['open'] =>
  async () => {
    const openings = memoryOpenings()
    return { ...openings, ...fault(openings) }
  }

/** Broken openings for each law. */
export const brokenOpenings: readonly Broken<Openings>[] = [
  {
    law: 'returns what was recorded, newest first, each once, page by page',
    fault: 'ends after the first page',
    open: faulty((openings) => ({
      list: async (...all) => ({ ...(await openings.list(...all)), next: undefined }),
    })),
  },
  {
    law: 'adds up the counts of equal openings in one stretch of time',
    fault: 'loses what is recorded once more after it was listed',
    open: faulty((openings) => {
      const listed = new Set<string>()
      return {
        record: (opening) => {
          if (!listed.has(`${opening.tokenId}`)) openings.record(opening)
        },
        list: (of, page) => {
          listed.add(`${of.tokenId}`)
          return openings.list(of, page)
        },
      }
    }),
  },
  {
    law: 'shows each owner the openings of each token in its own time, and no others',
    fault: 'shows the owner before what happened after the sale',
    open: faulty((openings) => {
      const first = new Map<string, Parameters<Openings['record']>[0]['owner']>()
      return {
        record: (opening) => {
          const id = `${opening.tokenId}`
          const owner = first.get(id) ?? opening.owner
          first.set(id, owner)
          openings.record({ ...opening, owner })
        },
      }
    }),
  },
  {
    law: 'reports whether there are some of a token in the time of an owner',
    fault: 'reports only what was listed',
    open: faulty((openings) => {
      const listed = new Set<string>()
      return {
        list: (of, page) => {
          listed.add(`${of.tokenId}`)
          return openings.list(of, page)
        },
        has: async (of) => listed.has(`${of.tokenId}`) && openings.has(of),
      }
    }),
  },
  {
    law: 'forgets what began before a time, and nothing else',
    fault: 'forgets nothing',
    open: faulty(() => ({ forget: async () => undefined })),
  },
  {
    law: 'refuses a cursor that it did not issue with `request/malformed`',
    fault: 'begins anew at an unknown cursor',
    open: faulty((openings) => ({
      list: (of, page) =>
        openings.list(of, page).catch((error: unknown) => {
          if (isFailure(error, 'request/malformed')) return openings.list(of, { limit: page.limit })
          throw error
        }),
    })),
  },
]
