import {
  findStrings,
  removeValue,
  type StringPlace,
} from '@heirloom/adapters/internal/diff/remove-value'
import { Failure } from '@heirloom/core'
import { type Static, Type } from '@sinclair/typebox'
import { smallTool } from '../tools/tool.ts'
import { argumentsSchema, longestGrantedName } from '../tools/tool-schemas.ts'
import { changeMemory } from './change-memory.ts'
import { GrantArgument } from './memory-argument.ts'
import { idempotencyKey } from './save-tool.ts'

const ForgetArguments = argumentsSchema({
  name: Type.String({
    minLength: 1,
    maxLength: longestGrantedName,
    description: 'Your private name.',
  }),
  grant: GrantArgument,
  at: Type.Optional(Type.String({ description: 'JSON Pointer of the value: /data/notes/3.' })),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'In place of at: a text that exactly one string of the data has.',
    }),
  ),
  idempotencyKey,
})

type ForgetArguments = Static<typeof ForgetArguments>

/** The tool that removes a value from the memory of a name. */
export const forgetTool = smallTool({
  reach: 'owner',
  effect: 'mints',
  name: 'forget',
  title: 'Forget a value of a memory',
  description:
    'Saves the next version of a name without one value: a list item, or a member of an object. Earlier versions keep it.',
  input: ForgetArguments,
  run: async (session, args, context) => {
    const { name, grant, idempotencyKey } = args
    const remover = forgetOnce(args)
    const change = { name, grant, edit: remover.edit, idempotencyKey }
    const { tokenId, version } = await changeMemory(session, change, context)
    const forgot = remover.pointer() ?? ''
    const note = `${moved(forgot)}${staysOf(tokenId, grant)}`
    return JSON.stringify({ forgot, name, version, token: tokenId, note })
  },
})

/** Items behind a removed one have other pointers from then on. */
const moved = (pointer: string) =>
  /\/[0-9]+$/.test(pointer) ? 'The items behind it moved up by one. ' : ''

function staysOf(tokenId: string, grant: string | undefined): string {
  const stays = `The versions before token ${tokenId} still have it, encrypted and readable by their owner`
  return grant === undefined
    ? `${stays}, until each is erased for ever: heirloom erase TOKEN, or the tool memory_erase. memories lists the versions of a name.`
    : `${stays}, who alone can erase them.`
}

/**
 * Returns what removes the chosen value. A pointer means the value that it had at first: another
 * session may have moved it meanwhile.
 *
 * @throws `part/not-found`, `value/invalid`
 */
function forgetOnce({ at, text: sought }: ForgetArguments) {
  if ((at === undefined) === (sought === undefined)) {
    throw invalid('forget', 'needs at, the pointer of a value, or text, which one string has')
  }
  let first: { readonly pointer: string; readonly removed: string } | undefined
  return {
    pointer: () => first?.pointer,
    edit: (document: string): string => {
      const pointer = at ?? onlyPlace(document, sought ?? '')
      const removal = removeValue(document, pointer)
      if ('problem' in removal) {
        throw new Failure('part/not-found', { pointer, problem: removal.problem })
      }
      const { text, removed } = removal
      if (at !== undefined && first !== undefined && first.removed !== removed) {
        throw new Failure('part/not-found', {
          pointer,
          problem: 'another save changed it meanwhile',
        })
      }
      first = { pointer, removed }
      return text
    },
  }
}

/** The most places that a failure lists. */
const mostPlaces = 10

/** Returns the pointer of the one string that has a text. @throws `value/invalid` */
function onlyPlace(document: string, sought: string): string {
  const places = findStrings(document, sought)
  const [only, ...others] = places
  if (only === undefined) {
    throw invalid('text', 'is in no string of this memory: recall or search_in finds what is')
  }
  if (others.length === 0) return only.pointer
  throw invalid('text', `is in ${places.length} strings; pass one as at: ${listOf(places)}`)
}

/** Lists places as JSON, since the writer of the memory wrote them. */
function listOf(places: readonly StringPlace[]): string {
  const shown = places.slice(0, mostPlaces).map(({ pointer, text }) => {
    const start = text.length > 60 ? `${text.slice(0, 60)}…` : text
    return `${JSON.stringify(pointer)} ${JSON.stringify(start.toWellFormed())}`
  })
  return places.length > mostPlaces ? `${shown.join(', ')}, and more` : shown.join(', ')
}

const invalid = (kind: string, problem: string) => new Failure('value/invalid', { kind, problem })
