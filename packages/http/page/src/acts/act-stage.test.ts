import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../api/problem.ts'
import { type ActEvent, type ActStage, beginSent, nextStage } from './act-stage.ts'

const cost = { value: 1n, gas: 2n, fee: 3n, feePayer: 'wallet', balance: 4n } as const
const receipt = { hash: '0xa', block: 1n, fee: 3n, feePayer: 'wallet', minted: undefined } as const
const transaction = { by: '0xb', hash: '0xa' } as const
const problem = new Problem('It failed.', 'Do it again.')

const anyEvent: fc.Arbitrary<ActEvent> = fc.constantFrom<ActEvent>(
  { kind: 'estimated', cost },
  { kind: 'confirmed' },
  { kind: 'sent', sent: transaction },
  { kind: 'named', hash: '0xa' },
  { kind: 'disconnected' },
  { kind: 'connected' },
  { kind: 'mined', receipt },
  { kind: 'refused', problem },
  { kind: 'retried' },
)

const begin: ActStage = { at: 'estimating' }
const after = (all: readonly ActEvent[]) => all.reduce(nextStage, begin)

describe('an act', () => {
  it('goes from its estimate to its receipt', () => {
    const story: ActEvent[] = [
      { kind: 'estimated', cost },
      { kind: 'confirmed' },
      { kind: 'sent', sent: transaction },
      { kind: 'disconnected' },
      { kind: 'connected' },
      { kind: 'mined', receipt },
    ]
    const stages = story.map((_, at) => after(story.slice(0, at + 1)).at)
    expect(stages).toEqual(['ready', 'signing', 'sent', 'sent', 'sent', 'mined'])
  })

  it('is never sent without a confirmation of a known cost', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), (all) => {
        if (after(all).at !== 'sent') return
        const kinds = all.map(({ kind }) => kind)
        const confirmed = kinds.lastIndexOf('confirmed')
        expect(confirmed).toBeGreaterThan(-1)
        expect(kinds.indexOf('estimated')).toBeLessThan(confirmed)
        expect(kinds.indexOf('estimated')).toBeGreaterThan(-1)
      }),
    )
  })

  it('stays sent until the chain decides', () => {
    const sent = beginSent(transaction)
    const silent = anyEvent.filter(({ kind }) => kind !== 'mined' && kind !== 'refused')
    fc.assert(
      fc.property(fc.array(silent), (all) => {
        expect(all.reduce(nextStage, sent)).toMatchObject({ at: 'sent', hash: '0xa' })
      }),
    )
  })

  it('has no hash until the relay names one', () => {
    const sent = beginSent({ by: '0xb' })
    expect(sent).not.toHaveProperty('hash')
    expect(nextStage(sent, { kind: 'named', hash: '0xb' })).toEqual({ ...sent, hash: '0xb' })
    expect(nextStage(sent, { kind: 'refused', problem })).toEqual({ at: 'refused', problem })
  })

  it('does not change after it is mined', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), (all) => {
        expect(all.reduce(nextStage, { at: 'mined', receipt })).toEqual({ at: 'mined', receipt })
      }),
    )
  })

  it('starts again with its estimate after a refusal', () => {
    expect(nextStage({ at: 'refused', problem }, { kind: 'retried' })).toEqual(begin)
  })
})
