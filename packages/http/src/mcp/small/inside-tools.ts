import { Type } from '@sinclair/typebox'
import { SearchText } from '../../api/part-schemas.ts'
import { findPlaces } from '../find-places.ts'
import { flaggedArgument, guardObject, guardText } from '../guard.ts'
import { smallTool } from '../tools/tool.ts'
import { argumentsSchema } from '../tools/tool-schemas.ts'
import { foundText } from './found-text.ts'
import { findToken, MemoryArgument } from './memory-argument.ts'
import { outlineText } from './outline-text.ts'
import { afterArgument, limitArgument } from './page-arguments.ts'
import { readPart } from './read-part.ts'

const reading = { reach: 'owner', effect: 'reads' } as const

/** The tools that read inside one memory. */
export const insideTools = [
  smallTool({
    ...reading,
    name: 'outline',
    title: 'See what is in a memory',
    description: 'Lists pointers, types and sizes in a memory, without values. Start here.',
    input: argumentsSchema({
      memory: MemoryArgument,
      at: Type.Optional(Type.String({ description: 'JSON Pointer to look below.' })),
      depth: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 8, description: 'Levels; default 2.' }),
      ),
      after: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Item to go on from, as the outline says.' }),
      ),
    }),
    run: async (session, { memory, at, depth, after }, { signal }) => {
      const tokenId = await findToken(session, memory, { signal })
      const query = { pointer: at, depth, from: after, width: 10 }
      const outline = await session.client.outline(tokenId, query, { signal })
      const options = { tokenId, signal }
      const { text, guard } = await guardText(session.client, JSON.stringify(outline), options)
      const lines = outlineText(JSON.parse(text))
      return guard === undefined ? lines : `${JSON.stringify(guard)}\n${lines}`
    },
  }),
  smallTool({
    ...reading,
    name: 'read_part',
    title: 'Read a part of a memory',
    description:
      'Reads a value of a memory by its JSON Pointer, or values by a JSONPath. Returns exact JSON.',
    input: argumentsSchema({
      memory: MemoryArgument,
      at: Type.Optional(
        Type.String({
          description: '/data/notes/3, or $.data.notes[-3:]; default all of a short memory.',
        }),
      ),
      after: afterArgument,
      flagged: flaggedArgument,
    }),
    run: async (session, { memory, at = '', after, flagged }, { signal }) => {
      const tokenId = await findToken(session, memory, { signal })
      return readPart(session.client, { tokenId, at, after, flagged }, { signal })
    },
  }),
  smallTool({
    ...reading,
    name: 'search_in',
    title: 'Search inside a memory',
    description:
      'Finds a text in the strings of one memory, whatever its case: each place once, best first. A key counts only if it is the text.',
    input: argumentsSchema({
      memory: MemoryArgument,
      text: { ...SearchText, description: 'A word or phrase as it stands there.' },
      limit: limitArgument(10, 100),
      after: afterArgument,
      flagged: flaggedArgument,
    }),
    run: async (session, { memory, text, limit = 10, after, flagged }, { signal }) => {
      const tokenId = await findToken(session, memory, { signal })
      const found = await findPlaces(session.client, { tokenId, text, limit, after }, { signal })
      return guardObject(session.client, foundText(found), { tokenId, flagged, signal })
    },
  }),
]
