import { SearchText } from '../../api/part-schemas.ts'
import { flaggedArgument } from '../guard.ts'
import { smallTool } from '../tools/tool.ts'
import { argumentsSchema } from '../tools/tool-schemas.ts'
import { afterArgument, limitArgument } from './page-arguments.ts'
import { recall } from './recall.ts'

/** The tool that searches all memories of a session. */
export const recallTool = smallTool({
  reach: 'owner',
  effect: 'reads',
  name: 'recall',
  title: 'Search all your memories',
  description:
    'Finds a text in the newest version of every memory you own or rent. Says which memory and where: each place once, best first.',
  input: argumentsSchema({
    text: { ...SearchText, description: 'A word or phrase as it stands there.' },
    limit: limitArgument(10, 50),
    after: afterArgument,
    flagged: flaggedArgument,
  }),
  run: async (session, { text, limit = 10, after, flagged }, context) =>
    JSON.stringify(await recall(session, { text, limit, after, flagged }, context)),
})
