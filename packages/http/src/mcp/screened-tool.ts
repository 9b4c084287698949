import { screenText } from './guard.ts'
import type { ExactTool, SmallTool, Tool } from './tools/tool.ts'

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
