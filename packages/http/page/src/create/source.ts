import { isObject, type JsonText, readMembers } from '@heirloom/core'
import { Problem } from '../api/problem.ts'

/** The exact JSON texts of a bundle that will be sealed. */
export type Source = {
  readonly name: string
  readonly data: string
  /** The metadata of the file; absent unless the file is a whole bundle. */
  readonly metadata?: string
  /** An explanation of how the file becomes a memory. */
  readonly explanation: string
}

/**
 * Reads a file as the source of a memory.
 *
 * @throws {Problem} for an empty file, or one that is not text
 */
export function readSource(name: string, bytes: Uint8Array): Source {
  const text = textOf(bytes)
  if (text.trim() === '') {
    throw new Problem('The file is empty.', 'Choose a file with content.')
  }
  const members = objectIn(bytes)
  if (members === undefined) return wrap(name, text)
  const [data, metadata] = [members.get('data'), members.get('metadata')]
  if (data && metadata && members.size === 2 && isBundle(data, metadata)) {
    const explanation = 'It is a whole bundle: its data and metadata are sealed unchanged.'
    return { name, data: textOf(data), metadata: textOf(metadata), explanation }
  }
  return { name, data: text, explanation: 'It is a JSON object: it is sealed unchanged.' }
}

/** Wraps a file that is not a JSON object into one, with its name. */
function wrap(name: string, text: string): Source {
  const isJson = canParse(text)
  const member = isJson ? `"json":${text}` : `"text":${JSON.stringify(text)}`
  const what = isJson ? 'JSON, but not an object' : 'text'
  return {
    name,
    data: `{"file":${JSON.stringify(name)},${member}}`,
    explanation: `It is ${what}: it is sealed in an object with the name of the file.`,
  }
}

function canParse(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function objectIn(bytes: Uint8Array) {
  try {
    return readMembers(bytes)
  } catch {
    return undefined
  }
}

function isBundle(data: JsonText, metadata: JsonText): boolean {
  if (!isObject(data) || !isObject(metadata)) return false
  const { category } = JSON.parse(textOf(metadata)) as { readonly category?: unknown }
  return typeof category === 'string' && category !== ''
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Problem('The file is not UTF-8 text.', 'Choose a JSON, Markdown or text file.', {
      code: 'file/not-text',
      cause,
    })
  }
}
