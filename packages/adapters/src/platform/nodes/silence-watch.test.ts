import fc from 'fast-check'
import { expect, test } from 'vitest'
import { silenceWatch } from './silence-watch.ts'

const patience = 1000

/** A question that is asked after a pause, and ends after another. */
const arbitraryQuestion = fc.record({
  pause: fc.nat(1500),
  takes: fc.nat(1500),
  end: fc.constantFrom('answer', 'refusal', 'no answer'),
})

class NoAnswer extends Error {}

test('is silent once nothing was answered soon since a question of a while ago, and only then', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryQuestion), async (questions) => {
      let time = 0
      const isNoAnswer = (error: unknown) => error instanceof NoAnswer
      const { ask, isSilent } = silenceWatch({ patience, isNoAnswer, now: () => time })
      /** The time of the first question since the last soon answer, one after another. */
      let waitingSince: number | undefined
      const expectRight = () =>
        expect(isSilent()).toBe(waitingSince !== undefined && time - waitingSince >= patience)
      for (const { pause, takes, end } of questions) {
        time += pause
        expectRight()
        waitingSince ??= time
        const answer = ask(async () => {
          time += takes
          expectRight()
          if (end === 'no answer') throw new NoAnswer()
          if (end === 'refusal') throw new Error('refused')
        })
        await answer.catch(() => undefined)
        if (end !== 'no answer' && takes < patience) waitingSince = undefined
        expectRight()
      }
    }),
  )
})

test('says of one question whether it was answered soon', async () => {
  let time = 0
  const { isAnsweredSoon } = silenceWatch({ patience, isNoAnswer: () => true, now: () => time })
  const after = (takes: number) => async () => {
    time += takes
  }
  expect(await isAnsweredSoon(after(patience - 1))).toBe(true)
  expect(await isAnsweredSoon(after(patience))).toBe(false)
  expect(await isAnsweredSoon(() => Promise.reject(new Error('down')))).toBe(false)
})
