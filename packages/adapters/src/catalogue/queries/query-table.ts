import { lineage } from './lineage.ts'
import { history, listings, rentals, tokens } from './reads.ts'

/** The questions that may look at many rows, and so are answered beside the event loop. */
export const questions = { listings, tokens, lineage, history, rentals } as const

export type Questions = typeof questions

/** What is asked, but for what it is asked of. */
export type Input<Name extends keyof Questions> = Parameters<Questions[Name]>[1]

export type Answer<Name extends keyof Questions> = Awaited<ReturnType<Questions[Name]>>

/** A question as it is sent to a worker. */
export type Question = { readonly [Name in keyof Questions]: QuestionOf<Name> }[keyof Questions]

type QuestionOf<Name extends keyof Questions> = { readonly name: Name; readonly input: Input<Name> }

/** Asks something by its name. */
export type Ask = <Name extends keyof Questions>(
  name: Name,
  input: Input<Name>,
) => Promise<Answer<Name>>

/** How long a question may take of the processor's time or of a database's, in milliseconds. */
export const longestAnswer = 200

/** After how long nobody waits for an answer any more, in milliseconds. */
export const longestInAll = 450
