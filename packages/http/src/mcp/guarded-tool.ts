import type { Hex } from '@heirloom/core'
import { type TObject, Type } from '@sinclair/typebox'
import { flaggedArgument, GuardRecord, guardText, readerOf, screenText } from './guard.ts'
import { type ExactTool, type SmallTool, type Tool, tool } from './tools/tool.ts'

/**
 * Returns a tool that reads in a memory so that it holds back what could mislead its reader: it takes
 * `flagged`, and says in `guard` what was found in the memory of another.
 */
export function guardedTool(inner: Tool): Tool {
  if (inner.output === undefined) throw new Error(`The tool ${inner.name} has no exact result.`)
  const { input, output, run, summarize } = inner
  const guarded = tool({
    ...inner,
    input: Type.Object(
      { ...input.properties, flagged: flaggedArgument },
      { additionalProperties: false },
    ),
    output: Type.Object({ ...output.properties, guard: Type.Optional(GuardRecord) }) as TObject,
    run: async (session, { flagged, ...args }, context) => {
      const result = await run(session, args, context)
      const { tokenId, grant } = args as { readonly tokenId: string; readonly grant?: Hex }
      const client = readerOf(session.client, grant)
      const options = { tokenId, flagged: flagged === true, signal: context.signal }
      const { text, guard } = await guardText(client, JSON.stringify(result), options)
      return { ...JSON.parse(text), ...(guard && { guard }) }
    },
    summarize: (result) => `${summarize(result)}${noteOf(result as WithGuard)}`,
  })
  return guarded satisfies ExactTool
}

type WithGuard = {
  readonly guard?: { readonly from: string; readonly findings?: readonly object[] }
}

/** Says in a line what a guard says. */
export function noteOf({ guard }: WithGuard): string {
  if (guard === undefined) return ''
  const count = guard.findings?.length ?? 0
  const found = count === 0 ? '' : ` ${count} findings could mislead a reader: see guard.`
  return ` It is from ${guard.from}.${found}`
}

/**
 * Returns a tool that reads the catalogue so that it holds back what could mislead its reader: anyone
 * can publish a card or a comment, and it is read before anything is paid.
 */
export function screenedTool<Screened extends Tool>(inner: Screened): Screened {
  const screened = inner.output === undefined ? screenedSmall(inner) : screenedExact(inner)
  return screened as Screened
}

const screenedSmall = (inner: SmallTool): SmallTool => ({
  ...inner,
  run: async (session, args, context) =>
    screenText(session.client, await inner.run(session, args, context), context),
})

const screenedExact = (inner: ExactTool): ExactTool => ({
  ...inner,
  run: async (session, args, context) => {
    const result = await inner.run(session, args, context)
    return JSON.parse(await screenText(session.client, JSON.stringify(result), context))
  },
})
