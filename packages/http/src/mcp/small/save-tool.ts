import { Failure } from '@heirloom/core'
import { type Static, type TOptional, type TString, Type } from '@sinclair/typebox'
import { asJsonText } from '../checked-schema.ts'
import { applySecretChoice, savingProgress } from '../tools/snapshot-document.ts'
import { type CallContext, type Session, smallTool } from '../tools/tool.ts'
import { argumentsSchema, longestGrantedName, snapshotOptions } from '../tools/tool-schemas.ts'
import { saveVersion } from './change-memory.ts'
import { GrantArgument, sessionBy } from './memory-argument.ts'
import { saveValue } from './save-value.ts'

/** Returns the schema of an argument that is a JSON text; a model may pass the value itself. */
const jsonText = (description: string): TOptional<TString> =>
  Type.Optional({ ...Type.String({ description }), [asJsonText]: true })

/** The argument that makes a write happen once. */
export const idempotencyKey = Type.Optional(
  Type.String({ pattern: '^[!-~]{1,200}$', description: 'Makes a repeated call act once.' }),
)

const SaveArguments = argumentsSchema({
  name: Type.Optional(
    Type.String({
      maxLength: longestGrantedName,
      description: 'Your private name for it, such as ada.',
    }),
  ),
  grant: GrantArgument,
  value: jsonText('What to remember: text, or JSON. It is added to the notes of name.'),
  at: Type.Optional(
    Type.String({ description: 'JSON Pointer to set value at; default /data/notes/-, the end.' }),
  ),
  data: jsonText('In place of value: the whole memory, a JSON object.'),
  after: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,78}$',
      description: 'With data, over an existing name: the token of the version you read.',
    }),
  ),
  category: Type.Optional(Type.String({ minLength: 1, description: 'Default notes.' })),
  secrets: Type.Optional({ ...snapshotOptions.secrets, description: 'Default refuse.' }),
  idempotencyKey,
})

type SaveArguments = Static<typeof SaveArguments>

/** The tool that saves memories. */
export const saveTool = smallTool({
  reach: 'owner',
  effect: 'mints',
  name: 'save',
  title: 'Save to a memory',
  description:
    'Remembers a value in the memory of a name, or saves a whole memory. It is encrypted and private; each save is a new version.',
  input: SaveArguments,
  run: async (session, args, context) => {
    const { name, grant, value, data } = args
    if ((value === undefined) === (data === undefined)) throw notOne()
    if (grant !== undefined) named(args)
    const { tokenId, version, unchanged } = await (value === undefined
      ? saveWhole(sessionBy(session, args), args, context)
      : saveValue(session, { ...named(args), value: asJson(value) }, context))
    return JSON.stringify({ saved: name, version, token: tokenId, unchanged })
  },
})

async function saveWhole(session: Session, args: SaveArguments, context: CallContext) {
  const { name, after = '0', category = 'notes', idempotencyKey } = args
  const text = objectText(args.data ?? '')
  const whole = `{"data":${text},"metadata":${JSON.stringify({ category })}}`
  const document = await applySecretChoice(whole, args.secrets)
  const options = { signal: context.signal, onProgress: savingProgress(context) }
  return saveVersion(session, { document, name, after, idempotencyKey }, options)
}

function named({ name, at = '/data/notes/-', category = 'notes', ...more }: SaveArguments) {
  if (name === undefined)
    throw invalid('name', 'is missing: a value is saved to a name, such as ada')
  const { grant, secrets, idempotencyKey } = more
  return { name, grant, at, category, secrets, idempotencyKey }
}

/** Returns the JSON of a value: the text itself if it is JSON, or else a string. */
function asJson(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}

function objectText(text: string): string {
  const json = asJson(text)
  if (json.trimStart().startsWith('{')) return json
  throw invalid('memory', 'must be a JSON object, such as {"notes":["short answers"]}')
}

const notOne = () => invalid('save', 'needs value, to remember it, or data, a whole memory')

const invalid = (kind: string, problem: string) => new Failure('value/invalid', { kind, problem })
