import { Type } from '@sinclair/typebox'
import { SearchText } from '../../api/schemas/part-schemas.ts'
import { flaggedArgument } from '../guard.ts'
import { afterArgument, limitArgument } from '../tools/pages.ts'
import { type SmallTool, smallTool } from '../tools/tool.ts'
import { argumentsSchema, longestGrantedName } from '../tools/tool-schemas.ts'
import { buyTool } from './buy-tool.ts'
import { forgetTool } from './forget-tool.ts'
import { insideTools } from './inside-tools.ts'
import { marketTools } from './market-tools.ts'
import { GrantArgument } from './memory-argument.ts'
import { memoriesTool } from './own-memories.ts'
import { recall } from './recall.ts'
import { saveTool } from './save-tool.ts'

/** The tool that searches all memories of a session. */
const recallTool = smallTool({
  reach: 'owner',
  effect: 'reads',
  name: 'recall',
  title: 'Search all your memories',
  description:
    'Answers a question from the newest versions of all memories you own or rent: what they say of it, best first, and where. Quotes look for a phrase as it stands.',
  input: argumentsSchema({
    text: { ...SearchText, description: 'A question, or a “phrase”.' },
    name: Type.Optional(
      Type.String({ maxLength: longestGrantedName, description: 'One name, to ask it alone.' }),
    ),
    grant: GrantArgument,
    limit: limitArgument(10, 50),
    after: afterArgument,
    flagged: flaggedArgument,
  }),
  run: async (session, { limit = 10, ...input }, context) =>
    JSON.stringify(await recall(session, { ...input, limit }, context)),
})

/** The tools for a small context, which a session has by default. */
export const smallTools: readonly SmallTool[] = [
  memoriesTool,
  recallTool,
  ...insideTools,
  saveTool,
  forgetTool,
  ...marketTools,
  buyTool,
]
