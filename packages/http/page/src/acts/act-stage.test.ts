import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../api/problem.ts'
import { type News, next, type Stage } from './act-stage.ts'

const cost = { value: 1n, gas: 2n, fee: 3n, balance: 4n }
const receipt = { hash: '0xa', block: 1n, fee: 3n, child: undefined }
const problem = new Problem('It failed.', 'Do it again.')

const news: fc.Arbitrary<News> = fc.constantFrom<News>(
  { kind: 'weighed', cost },
  { kind: 'confirmed' },
  { kind: 'sent', hash: '0xa' },
  { kind: 'lost' },
  { kind: 'found' },
  { kind: 'mined', receipt },
  { kind: 'refused', problem },
  { kind: 'again' },
)

const begin: Stage = { at: 'weighing' }
const after = (all: readonly News[]) => all.reduce(next, begin)

describe('an act', () => {
  it('goes from its price to its receipt', () => {
    const story: News[] = [
      { kind: 'weighed', cost },
      { kind: 'confirmed' },
      { kind: 'sent', hash: '0xa' },
      { kind: 'lost' },
      { kind: 'found' },
      { kind: 'mined', receipt },
    ]
    const stages = story.map((_, at) => after(story.slice(0, at + 1)).at)
    expect(stages).toEqual(['ready', 'asking', 'sent', 'sent', 'sent', 'mined'])
  })

  it('is never sent that was not confirmed at a known price', () => {
    fc.assert(
      fc.property(fc.array(news), (all) => {
        if (after(all).at !== 'sent') return
        const kinds = all.map(({ kind }) => kind)
        const confirmed = kinds.lastIndexOf('confirmed')
        expect(confirmed).toBeGreaterThan(-1)
        expect(kinds.indexOf('weighed')).toBeLessThan(confirmed)
        expect(kinds.indexOf('weighed')).toBeGreaterThan(-1)
      }),
    )
  })

  it('keeps its transaction until the chain has spoken', () => {
    const sent: Stage = { at: 'sent', hash: '0xa', isLost: false }
    const silent = news.filter(({ kind }) => kind !== 'mined' && kind !== 'refused')
    fc.assert(
      fc.property(fc.array(silent), (all) => {
        expect(all.reduce(next, sent)).toMatchObject({ at: 'sent', hash: '0xa' })
      }),
    )
  })

  it('is settled for ever once it is mined', () => {
    fc.assert(
      fc.property(fc.array(news), (all) => {
        expect(all.reduce(next, { at: 'mined', receipt })).toEqual({ at: 'mined', receipt })
      }),
    )
  })

  it('that was refused begins again with its price', () => {
    expect(next({ at: 'refused', problem }, { kind: 'again' })).toEqual(begin)
  })
})
