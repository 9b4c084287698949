/** The most levels of a memory, as servers bound them. */
const deepest = 1000

/** The objects above a value, and the names that lead to it. */
type Place = { readonly above: Set<object>; readonly names: string[] }

/**
 * Returns what in a value JSON would leave out, change or refuse, with its JSON Pointer, such as
 * `/data/score is a bigint`; `undefined` where there is nothing. JSON has no -0, which is 0 there.
 */
export function findUnencodable(value: unknown): string | undefined {
  const place: Place = { above: new Set(), names: [] }
  const problem = problemOf(value, place)
  return problem && `${place.names.map((name) => `/${escaped(name)}`).join('')} ${problem}`
}

/** Returns the problem of a value; its place then leads to where that is. */
function problemOf(value: unknown, place: Place): string | undefined {
  if (typeof value !== 'object') return problemOfPrimitive(value)
  return value === null ? undefined : problemOfObject(value, place)
}

function problemOfObject(value: object, place: Place): string | undefined {
  if (place.above.size > deepest) return 'is nested too deep'
  const kind = kindOf(value)
  if (kind === 'Date' || ArrayBuffer.isView(value)) return `is a ${kind}`
  // Another object with `toJSON` chooses its own form.
  const chosen = chosenForm(value)
  if (chosen !== undefined) return problemOf(chosen(), place)
  if (kind !== 'Object' && kind !== 'Array') return `is a ${kind}`
  return place.above.has(value) ? 'contains itself' : problemOfMembers(value, place)
}

function chosenForm(value: object): (() => unknown) | undefined {
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return undefined
  return value.toJSON.bind(value)
}

function problemOfMembers(value: object, { above, names }: Place): string | undefined {
  above.add(value)
  // The items of a list that it leaves empty are members, too.
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const member = (value as Record<string | number, unknown>)[name]
    // A member that is undefined reads the same when it is left out; in a list it would become null.
    if (member === undefined && !Array.isArray(value)) continue
    names.push(`${name}`)
    const problem = problemOf(member, { above, names })
    if (problem !== undefined) return problem
    names.pop()
  }
  above.delete(value)
  return undefined
}

const kindOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1)

function problemOfPrimitive(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `is ${value}`
  if (typeof value === 'string' || typeof value === 'boolean') return undefined
  return value === undefined ? 'is undefined' : `is a ${typeof value}`
}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
