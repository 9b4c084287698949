import { day } from '@heirloom/core'
import fc from 'fast-check'
import { leaveEdges, step } from '../step.ts'

const minute = 60_000

/** Lets time pass: minutes to a year. */
export const waitCommand = fc
  .constantFrom(minute, 60 * minute, day, 7 * day, 30 * day, 90 * day, 365 * day)
  .map((milliseconds) =>
    step(`wait ${milliseconds / day} days`, async (model, world) => {
      await world.wait(milliseconds)
      await leaveEdges(model, world)
      model.tally(`wait: ${milliseconds / minute} minutes`)
      return undefined
    }),
  )
