import { Failure } from '../failure.ts'

/**
 * The longest JSON Pointer in UTF-16 code units that is read or printed. A value below a longer one
 * is reached only as part of a value above it.
 */
export const maxPointerLength = 4096

/**
 * Returns the reference tokens of a JSON Pointer (RFC 6901), unescaped. The empty pointer is the
 * whole document.
 *
 * @throws `part/malformed`
 */
export function parsePointer(pointer: string): readonly string[] {
  if (pointer === '') return []
  const problem = problemOf(pointer)
  if (problem !== undefined) throw new Failure('part/malformed', { what: 'JSON Pointer', problem })
  return pointer.slice(1).split('/').map(unescapeToken)
}

/** Returns a reference token of a JSON Pointer as the name or the index that it stands for. */
export const unescapeToken = (token: string): string =>
  token.replaceAll('~1', '/').replaceAll('~0', '~')

/** Returns a name as a reference token of a JSON Pointer. */
export const escapeToken = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name

function problemOf(pointer: string): string | undefined {
  if (pointer.length > maxPointerLength) return `it is longer than ${maxPointerLength} characters`
  if (!pointer.startsWith('/')) return 'it must be empty or begin with /'
  if (/~(?![01])/.test(pointer)) return 'the character ~ must be written as ~0'
  return undefined
}

/** Returns the JSON Pointer with these reference tokens, or `undefined` when it is too long. */
export function printPointer(tokens: readonly string[]): string | undefined {
  let pointer = ''
  for (const token of tokens) {
    pointer += `/${escapeToken(token)}`
    if (pointer.length > maxPointerLength) return undefined
  }
  return pointer
}
