import { nearestName } from '../../api/nearest-name.ts'
import { HeirloomError } from '../heirloom-error.ts'

/** The names of the members of an object, of each kind of a union. */
type Names<T> = T extends object ? keyof T & string : never

/** The members that an input may have, with a list of those of a member that is an object itself. */
export type Known<T> = { readonly [name in Names<T>]: 1 | Members }

type Members = { readonly [name: string]: 1 | Members }

type AnyCall = (...input: never[]) => unknown

/** The known members of each input of a call; `null` for an input without members to refuse. */
type KnownOf<Input extends readonly unknown[]> = {
  readonly [at in keyof Input]?: Known<Input[at]> | null
}

/** The known members of the inputs of each call. */
export type Guards<Calls> = {
  readonly [name in keyof Calls]-?: Calls[name] extends (...input: infer Input) => unknown
    ? KnownOf<Input>
    : never
}

/** The options of a write. */
export const writeOptions = { signal: 1, onProgress: 1, idempotencyKey: 1 } as const

/**
 * Returns the same calls, which first refuse what they do not know, such as a misspelt limit: they
 * would act without it.
 */
export function guarded<Calls extends object>(calls: Calls, guards: Guards<Calls>): Calls {
  const known = guards as Readonly<Record<string, readonly (Known<object> | null)[]>>
  const wrapped = Object.entries(calls).map(([name, call]) => [
    name,
    async (...input: readonly unknown[]) => {
      known[name]?.forEach((members, at) => {
        if (members !== null) refuseUnknown(name, input[at], members)
      })
      return (call as AnyCall)(...(input as never[]))
    },
  ])
  return Object.fromEntries(wrapped) as Calls
}

/**
 * Refuses an input of a call that has members which the call does not know. Members that are
 * `undefined` count as absent, and so does the whole input.
 *
 * @throws `request/malformed`, with the nearest known name
 */
export function refuseUnknown<T>(where: string, input: unknown, known: Known<T>): void {
  if (input === undefined) return
  if (typeof input !== 'object' || input === null) {
    throw malformed(where, `takes an object with ${Object.keys(known).join(', ')}`)
  }
  // What an object inherits is read as well.
  for (const name in input) refuseMember(where, { name, value: Object(input)[name] }, known)
}

type Member = { readonly name: string; readonly value: unknown }

function refuseMember(above: string, { name, value }: Member, known: Members): void {
  if (value === undefined) return
  const where = `${above}/${name}`
  const inner = Object.hasOwn(known, name) ? known[name] : undefined
  if (inner === undefined) throw malformed(where, unknownName(name, Object.keys(known)))
  if (inner !== 1) refuseUnknown(where, value, inner)
}

function unknownName(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known)
  const rest = meant === undefined ? `: known are ${known.join(', ')}` : `, and looks like ${meant}`
  return `is not known here${rest}`
}

const malformed = (where: string, problem: string): HeirloomError<'request/malformed'> =>
  new HeirloomError({
    code: 'request/malformed',
    facts: { where, problem },
    message: `${where} ${problem}; nothing was sent.`,
  })
