import { day } from '@heirloom/core'
import fc from 'fast-check'
import { avoidRentalEnds, step } from '../step.ts'

const minute = 60_000

/** Advances the time by a minute to a year. */
export const waitCommand = fc
  .constantFrom(minute, 60 * minute, day, 7 * day, 30 * day, 90 * day, 365 * day)
  .map((milliseconds) =>
    step(`wait ${milliseconds / day} days`, async (model, harness) => {
      await harness.wait(milliseconds)
      await avoidRentalEnds(model, harness)
      model.tally(`wait: ${milliseconds / minute} minutes`)
      return undefined
    }),
  )
