import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account, type Registry, type TokenId, tokenId } from '@heirloom/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openJournal, type Round } from './migration-journal.ts'
import { keepEarlierMoves, noMoves, readMovedTokens } from './moved-tokens.ts'

const registryAt = (place: number): Registry => ({
  chainId: 31_337 + (place % 2),
  address: account(`0x${(place + 1).toString(16).padStart(40, '0')}`),
})

/** Writes the journal of a migration into the folder of the new server. */
function migrate(folder: string, place: number, moved: ReadonlyMap<number, number>): void {
  const ids = [...moved].map(([from, to]) => [tokenId(`${from}`), tokenId(`${to}`)] as const)
  const round: Round = {
    kind: 'round',
    from: registryAt(place),
    to: registryAt(place + 1),
    tokens: [],
    cutOff: { block: 1n, hash: '0x00', at: 0 },
    moved: ids,
    lostRentals: 0,
    signers: [],
    listings: 'all',
  }
  openJournal(folder).append(round)
}

type Moves = readonly (readonly (readonly [number, number])[])[]

/** Migrates so many times, each time to the next registry; returns what the last server knows. */
function play(home: string, moves: Moves) {
  const folders = moves.map(() => mkdtempSync(join(home, 'server-')))
  moves.forEach((ids, place) => {
    const [before, folder = ''] = [folders[place - 1], folders[place]]
    if (before !== undefined) keepEarlierMoves(before, folder)
    migrate(folder, place, new Map(ids))
  })
  return readMovedTokens(folders.at(-1) ?? home, registryAt(moves.length))
}

/** Returns where an id of a registry leads. */
function lead(moves: Moves, place: number, from: number): TokenId | undefined {
  const rest = moves.slice(place).map((ids) => new Map(ids))
  const end = rest.reduce<number | undefined>((at, ids) => ids.get(at ?? 0), from)
  return end === undefined ? undefined : tokenId(`${end}`)
}

test('an id of any registry leads to the token here, through every move, and no other id does', () => {
  const id = fc.integer({ min: 1, max: 6 })
  const move = fc.uniqueArray(fc.tuple(id, id), { selector: ([from]) => from, maxLength: 6 })
  const places = [0, 1, 2, 3, 4].flatMap((place) => [1, 4, 7].map((from) => [place, from] as const))
  fc.assert(
    fc.property(fc.array(move, { maxLength: 4 }), (moves) => {
      const home = mkdtempSync(join(tmpdir(), 'moved-'))
      const known = play(home, moves)
      expect(known.registries).toHaveLength(moves.length)
      for (const [place, from] of places.filter(([it]) => it <= moves.length)) {
        const found = known.find(registryAt(place), tokenId(`${from}`))
        expect(found).toBe(lead(moves, place, from))
      }
      expect(known.find(registryAt(9), tokenId('1'))).toBeUndefined()
      rmSync(home, { recursive: true })
    }),
    { numRuns: 30 },
  )
})

test('a server that never moved knows the ids of its own registry alone', () => {
  const { chainId, address: registry } = registryAt(0)
  const known = noMoves({ chainId, registry })
  expect(known.find(registryAt(0), tokenId('7'))).toBe(7n)
  expect(known.find(registryAt(1), tokenId('7'))).toBeUndefined()
  expect(known.registries).toEqual([])
})
